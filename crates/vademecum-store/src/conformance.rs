//! The conformance suite that every engine passes.
