//! Not built.
