//! Turns become facts and chunks, these are scored, and the best become a recap within a budget; pure.
