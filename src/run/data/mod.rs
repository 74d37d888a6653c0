//! Text as training samples: bytes to tokens, the held-out end, windows, and the order in which they are seen.
//!
//! Must not know: networks, objectives, run folders. Start with [`Corpus`]. Invariants: training windows and held-out
//! windows have no byte in common; the window of a sample is a function of (seed, sample index) alone, so a resumed run
//! and another batch size see the same samples.

mod corpus;
mod entropy;
mod order;
mod tokenizer;

pub use corpus::Corpus;
pub use entropy::Entropy;
pub use tokenizer::ByteTokenizer;
