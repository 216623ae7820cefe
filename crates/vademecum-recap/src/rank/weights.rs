//! What each feature weighs, as `cargo xtask recap --learn FOLDER` found it.

use super::Weights;

/// What was learned.
pub(super) const LEARNED: Weights = Weights {
    fact: [
        -3.85, // path
        -5.20, // link
        -3.97, // name
        -4.08, // flag
        -4.91, // id
        -4.71, // code
        -2.88, // command
        -1.54, // heat in 12 calls
        2.58,  // heat in 60 calls
        -0.91, // edits
        -0.54, // runs
        -0.24, // looks
        0.72,  // said
        1.26,  // asked
        -0.27, // answers
        1.50,  // ago in calls
        1.28,  // ago
        -0.13, // age
        0.17,  // writes
        0.35,  // reads
        0.72,  // written ago
        0.70,  // in the last message
        -0.33, // in the last request
        0.58,  // in the last failure
        -0.10, // length
        0.19,  // loose
    ],
    pair: [
        -3.28, // path
        -2.50, // program
        -0.11, // other path
        0.16,  // other name
        0.06,  // other flag
        -0.39, // other id
        -1.08, // other else
        0.09,  // heat
        0.36,  // together
        0.64,  // seen
        1.51,  // ago
        0.33,  // worth of the anchor
        0.38,  // worth of the other
        -0.16, // share of the anchor
        0.35,  // share of the other
        -0.96, // anchor written
        0.68,  // told
        -0.48, // two paths
        0.39,  // one folder
        0.38,  // one stem
        0.76,  // both written
    ],
    statement: [
        0.09,  // one
        0.04,  // asked
        0.00,  // said
        0.06,  // plan
        0.06,  // change
        -0.07, // report
        -0.01, // closing
        -0.11, // messages since
        -0.07, // near in messages
        0.11,  // near in requests
        0.15,  // closing and near
        0.24,  // words used later
        0.11,  // words used now
        0.07,  // names
        0.11,  // said again
        -0.03, // tells what is done at the moment
    ],
};
