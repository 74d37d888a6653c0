//! The built-in tokenizer: a token is a byte.

use crate::run::RunError;
use crate::spec::plan::Tokenizer;

/// Tokens 0 to 255 are the bytes of the text. A mask token, if there is one, lies above them or is a byte that the text
/// does not hold; it is the objective's affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteTokenizer;

impl ByteTokenizer {
    /// Tokens that stand for text.
    pub const TOKENS: i64 = 256;

    /// The tokenizer that a plan asks for.
    pub fn of(tokenizer: Tokenizer) -> ByteTokenizer {
        match tokenizer {
            Tokenizer::Bytes => ByteTokenizer,
        }
    }

    /// Tokens of a text, one a byte.
    pub fn encode(self, text: &[u8]) -> Vec<i64> {
        text.iter().map(|&byte| i64::from(byte)).collect()
    }

    /// The bytes of tokens; an error names the first token that is no byte.
    pub fn decode(self, tokens: &[i64]) -> Result<Vec<u8>, RunError> {
        let byte = |(position, &token): (usize, &i64)| {
            u8::try_from(token).map_err(|_| RunError::Token { token, row: 0, position, vocab: Self::TOKENS })
        };
        tokens.iter().enumerate().map(byte).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::ByteTokenizer;

    #[test]
    fn all_bytes_come_back_and_nothing_else_passes() {
        let text: Vec<u8> = (0..=255).collect();
        let tokens = ByteTokenizer.encode(&text);
        assert_eq!(tokens, (0..256).collect::<Vec<i64>>());
        assert_eq!(ByteTokenizer.decode(&tokens).unwrap(), text);
        assert!(ByteTokenizer.decode(&[65, 256]).unwrap_err().to_string().contains("token 256"));
        assert!(ByteTokenizer.decode(&[-1]).is_err());
    }
}
