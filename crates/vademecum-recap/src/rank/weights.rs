//! What each feature weighs, as `cargo xtask recap --learn FOLDER` found it.

/// Of a fact, in the order of `FACT_FEATURES`.
pub(super) const FACT: [f32; 28] = [
    -3.91, // path
    -5.27, // link
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
    0.73,  // said
    0.99,  // asked
    -0.27, // answers
    0.19,  // failures
    1.51,  // ago in calls
    1.27,  // ago
    -0.14, // age
    0.22,  // writes
    0.32,  // reads
    0.65,  // written ago
    0.73,  // in the last message
    0.43,  // in the last request
    -0.05, // in an open item
    0.41,  // in the last failure
    -0.09, // length
    0.19,  // loose
];

/// Of a pair, in the order of `PAIR_FEATURES`.
pub(super) const PAIR: [f32; 23] = [
    -3.31, // path
    -2.53, // program
    -0.10, // other path
    0.16,  // other name
    0.05,  // other flag
    -0.44, // other id
    -1.09, // other else
    0.14,  // heat
    0.35,  // together
    0.66,  // seen
    1.55,  // ago
    0.31,  // worth of the anchor
    0.36,  // worth of the other
    -0.17, // share of the anchor
    0.31,  // share of the other
    -0.95, // anchor written
    -0.04, // only seen
    0.06,  // failures
    0.68,  // told
    -0.47, // two paths
    0.39,  // one folder
    0.51,  // one stem
    0.74,  // both written
];

/// Of a statement, in the order of `STATEMENT_FEATURES`.
pub(crate) const STATEMENT: [f32; 43] = [
    0.12,  // one
    0.04,  // asked
    0.02,  // reply
    -0.01, // said
    0.00,  // thought
    0.03,  // plan
    0.06,  // change
    -0.03, // report
    0.02,  // closing
    -0.19, // messages since
    -0.02, // requests since
    -0.04, // near in messages
    0.10,  // near in requests
    -0.04, // part of the session
    -0.06, // in the last message
    0.06,  // in the last request
    0.13,  // closing and near
    0.03,  // change and near
    0.01,  // asked and near
    -0.00, // length
    -0.02, // short
    -0.03, // long
    0.01,  // first of its message
    -0.00, // place in its message
    -0.01, // last of its message
    0.00,  // of a list
    0.03,  // heading
    -0.00, // opens a list
    -0.02, // question
    0.19,  // words used later
    0.07,  // words used now
    0.07,  // words used often
    0.07,  // names
    0.11,  // said again
    -0.02, // sentences beside it
    -0.01, // tells a cause
    -0.00, // tells a decision
    -0.01, // tells a finding
    0.02,  // tells a result
    -0.02, // tells what comes
    -0.02, // tells a rule
    -0.00, // tells a failure
    -0.03, // tells what is done at the moment
];
