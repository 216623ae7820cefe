//! What each feature weighs, as `cargo xtask recap --learn FOLDER` found it.

use super::Weights;

/// What was learned.
pub(super) const LEARNED: Weights = Weights {
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
