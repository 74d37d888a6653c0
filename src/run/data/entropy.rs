//! What a model must beat: the entropy of single tokens.

/// Entropy of the tokens of a text taken one by one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entropy {
    /// In nats per token.
    pub nats_per_token: f64,
    /// In bits per byte of text.
    pub bits_per_byte: f64,
}

impl Entropy {
    /// Of the bytes of a text under the byte tokenizer: `-sum p ln p` over the shares `p` of the byte values. 0 for an
    /// empty text.
    pub fn of_bytes(text: &[u8]) -> Entropy {
        let mut counts = [0_u64; 256];
        for &byte in text {
            if let Some(count) = counts.get_mut(usize::from(byte)) {
                *count += 1;
            }
        }
        let all = text.len() as f64;
        let nats = counts.iter().filter(|&&count| count > 0).map(|&count| {
            let share = count as f64 / all;
            -share * share.ln()
        });
        Entropy::of_nats(nats.sum())
    }

    /// From nats per token, where a token is a byte.
    pub fn of_nats(nats_per_token: f64) -> Entropy {
        Entropy { nats_per_token, bits_per_byte: nats_per_token / std::f64::consts::LN_2 }
    }
}

#[cfg(test)]
mod tests {
    use super::Entropy;

    #[test]
    fn by_hand() {
        assert_eq!(Entropy::of_bytes(b"").nats_per_token, 0.0);
        assert_eq!(Entropy::of_bytes(b"aaaa").bits_per_byte, 0.0);
        // Two of four letters, one, one: 1/2 * 1 + 2 * 1/4 * 2 = 1.5 bits.
        assert!((Entropy::of_bytes(b"aabc").bits_per_byte - 1.5).abs() < 1e-12);
        assert!((Entropy::of_bytes(b"abab").nats_per_token - 2.0_f64.ln()).abs() < 1e-12);
    }
}
