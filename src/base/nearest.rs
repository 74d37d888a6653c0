//! The known name that a misspelt one most likely meant.

/// The candidate nearest to `word`, if one is near enough to be worth suggesting.
///
/// Distance is Damerau-Levenshtein over letters with case and `-`/`_` folded; at most a third of the word may differ.
/// Among equals the first wins, so that answers do not depend on hash order.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let fold = |text: &str| text.to_lowercase().replace('-', "_");
    let wanted = fold(word);
    let limit = (wanted.chars().count().max(3) / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let folded = fold(candidate);
        if folded.len().abs_diff(wanted.len()) > limit {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&wanted, &folded);
        // Two single letters differ by one change and have nothing in common.
        let is_alike = distance < wanted.chars().count().max(folded.chars().count());
        if is_alike && distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant_and_nothing_far_off() {
        let known = ["hidden_size", "num_layers", "no_mask", "block_causal"];
        assert_eq!(nearest("hiden_size", known), Some("hidden_size"));
        assert_eq!(nearest("no_maks", known), Some("no_mask"));
        assert_eq!(nearest("Num-Layers", known), Some("num_layers"));
        assert_eq!(nearest("warmup", known), None);
        assert_eq!(nearest("x", ["h", "X"]), Some("X"));
        assert_eq!(nearest("x", ["h"]), None);
    }
}
