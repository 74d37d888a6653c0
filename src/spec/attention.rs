//! Which positions may look at which: attention as a predicate.

use serde::{Deserialize, Serialize};

/// The predicate of an attention layer over (query, key) positions of one sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum AttentionMask {
    /// Every query sees every key.
    Bidirectional,
    /// A query sees itself and what lies before it.
    Causal,
    /// A query sees its own block of `block` positions and all earlier blocks.
    BlockCausal {
        /// Positions in a block, at least 1.
        block: u64,
    },
}

impl AttentionMask {
    /// Whether the query at position `query` may look at the key at position `key`, both from 0.
    pub fn allows(self, query: u64, key: u64) -> bool {
        match self {
            AttentionMask::Bidirectional => true,
            AttentionMask::Causal => key <= query,
            AttentionMask::BlockCausal { block } => key / block.max(1) <= query / block.max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AttentionMask;

    #[test]
    fn predicates_on_four_positions() {
        let table = |mask: AttentionMask| -> Vec<String> {
            let row = |query| (0..4).map(|key| if mask.allows(query, key) { 'x' } else { '.' }).collect();
            (0..4).map(row).collect()
        };
        assert_eq!(table(AttentionMask::Bidirectional), ["xxxx"; 4]);
        assert_eq!(table(AttentionMask::Causal), ["x...", "xx..", "xxx.", "xxxx"]);
        assert_eq!(table(AttentionMask::BlockCausal { block: 2 }), ["xx..", "xx..", "xxxx", "xxxx"]);
    }
}
