//! What each feature weighs, as `cargo xtask recap --learn FOLDER` found it.

/// Of a fact, in the order of `FACT_FEATURES`.
pub(super) const FACT: [f32; 28] = [
    -3.908, // path
    -5.263, // link
    -4.035, // name
    -4.078, // flag
    -4.945, // id
    -4.765, // code
    -2.926, // command
    -1.550, // heat in 12 calls
    2.526, // heat in 60 calls
    -0.866, // edits
    -0.482, // runs
    -0.229, // looks
    0.744, // said
    0.988, // asked
    -0.268, // answers
    0.190, // failures
    1.510, // ago in calls
    1.265, // ago
    -0.137, // age
    0.220, // writes
    0.318, // reads
    0.639, // written ago
    0.734, // in the last message
    0.444, // in the last request
    -0.102, // in an open item
    0.407, // in the last failure
    -0.088, // length
    0.190, // loose
];

/// Of a pair, in the order of `PAIR_FEATURES`.
pub(super) const PAIR: [f32; 18] = [
    -3.238, // path
    -2.502, // program
    -0.173, // other path
    0.181, // other name
    0.078, // other flag
    -0.326, // other id
    -0.991, // other else
    0.195, // heat
    0.365, // together
    0.692, // seen
    1.380, // ago
    0.355, // worth of the anchor
    0.402, // worth of the other
    -0.139, // share of the anchor
    0.355, // share of the other
    -0.940, // anchor written
    0.117, // only seen
    0.117, // failures
];
