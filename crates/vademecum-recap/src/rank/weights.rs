//! What each feature weighs, as `cargo xtask recap --learn FOLDER` found it.

/// Of a fact, in the order of `FACT_FEATURES`.
pub(super) const FACT: [f32; 28] = [
    -3.91, // path
    -5.26, // link
    -4.04, // name
    -4.08, // flag
    -4.95, // id
    -4.76, // code
    -2.93, // command
    -1.55, // heat in 12 calls
    2.53,  // heat in 60 calls
    -0.87, // edits
    -0.48, // runs
    -0.23, // looks
    0.74,  // said
    0.99,  // asked
    -0.27, // answers
    0.19,  // failures
    1.51,  // ago in calls
    1.26,  // ago
    -0.14, // age
    0.22,  // writes
    0.32,  // reads
    0.64,  // written ago
    0.73,  // in the last message
    0.44,  // in the last request
    -0.10, // in an open item
    0.41,  // in the last failure
    -0.09, // length
    0.19,  // loose
];

/// Of a pair, in the order of `PAIR_FEATURES`.
pub(super) const PAIR: [f32; 18] = [
    -3.24, // path
    -2.50, // program
    -0.17, // other path
    0.18,  // other name
    0.08,  // other flag
    -0.33, // other id
    -0.99, // other else
    0.20,  // heat
    0.36,  // together
    0.69,  // seen
    1.38,  // ago
    0.35,  // worth of the anchor
    0.40,  // worth of the other
    -0.14, // share of the anchor
    0.35,  // share of the other
    -0.94, // anchor written
    0.12,  // only seen
    0.12,  // failures
];
