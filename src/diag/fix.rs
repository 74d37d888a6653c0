//! Fixes put into the texts that they mend.

use std::collections::BTreeMap;

use crate::base::{FileId, SourceMap};
use crate::diag::{Certainty, Diagnostic, Edit, Fix};

/// The new text of every file that a sure fix changes; writes nothing.
///
/// Takes the first fix of each diagnostic if it is [`Certainty::Sure`]. A fix is applied as a whole or not at all: it is
/// left out if an edit of it overlaps an edit taken before, its own included, or lies outside its text; running the
/// check again on the new texts offers it anew. Two edits overlap if they share a byte or begin at the same one, unless
/// they are equal: two diagnostics may ask for the very same change, which is made once. Whoever calls this keeps
/// diagnostics out whose fixes touch what may not be written, such as the standard library.
pub fn apply_fixes(diagnostics: &[Diagnostic], sources: &SourceMap) -> BTreeMap<FileId, String> {
    let mut taken: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    let sure = diagnostics.iter().filter_map(|diagnostic| diagnostic.fixes.first());
    for fix in sure.filter(|fix| fix.certainty == Certainty::Sure) {
        if let Some(together) = with(&taken, fix, sources) {
            taken = together;
        }
    }
    let texts = taken.into_iter().filter(|(_, edits)| !edits.is_empty()).map(|(file, edits)| {
        let text = sources.get(file).map_or("", |file| &*file.text);
        (file, apply(text, edits))
    });
    texts.collect()
}

/// What is taken once `fix` is too; none if it does not go with the rest.
fn with<'a>(
    taken: &BTreeMap<FileId, Vec<&'a Edit>>,
    fix: &'a Fix,
    sources: &SourceMap,
) -> Option<BTreeMap<FileId, Vec<&'a Edit>>> {
    let mut together = taken.clone();
    for edit in &fix.edits {
        let text = &sources.get(edit.span.file)?.text;
        text.get(edit.span.range())?;
        let beside = together.entry(edit.span.file).or_default();
        if beside.contains(&edit) {
            continue;
        }
        if beside.iter().any(|other| overlap(edit, other)) {
            return None;
        }
        beside.push(edit);
    }
    Some(together)
}

fn overlap(one: &Edit, other: &Edit) -> bool {
    let (one, other) = (one.span, other.span);
    one.start == other.start || (one.start < other.end && other.start < one.end)
}

/// `text` with edits that do not overlap and lie inside it.
fn apply(text: &str, mut edits: Vec<&Edit>) -> String {
    edits.sort_by_key(|edit| edit.span);
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for edit in edits {
        out.push_str(text.get(kept..edit.span.start as usize).unwrap_or(""));
        out.push_str(&edit.text);
        kept = edit.span.end as usize;
    }
    out.push_str(text.get(kept..).unwrap_or(""));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Name, Span};
    use crate::diag::Severity;

    const SURE: Certainty = Certainty::Sure;

    fn with_fix(edits: Vec<(FileId, usize, usize, &str)>, certainty: Certainty) -> Diagnostic {
        let edits = edits.into_iter().map(|(file, start, end, text)| {
            let span = Span::new(file, start, end);
            Edit { span, text: text.to_owned() }
        });
        let fix = Fix { title: String::new(), edits: edits.collect(), certainty };
        let mut diagnostic = Diagnostic::rule(Name::new("r"), Severity::Error, Span::start_of(FileId(0)), "m");
        diagnostic.fixes.push(fix);
        diagnostic
    }

    /// The texts after applying, by file name; the files are `a` and `b`.
    fn fixed(texts: [&str; 2], diagnostics: &[Diagnostic]) -> Vec<(String, String)> {
        let mut sources = SourceMap::default();
        sources.add("a", texts[0]);
        sources.add("b", texts[1]);
        let texts = apply_fixes(diagnostics, &sources).into_iter();
        texts.map(|(file, text)| (sources.get(file).map_or("?", |file| &file.name).to_owned(), text)).collect()
    }

    #[test]
    fn replaces_inserts_and_deletes_in_any_order() {
        let (a, b) = (FileId(0), FileId(1));
        let diagnostics = [
            with_fix(vec![(a, 6, 7, "2")], SURE),
            with_fix(vec![(a, 0, 2, "long")], SURE),
            with_fix(vec![(a, 7, 7, " # two"), (b, 1, 3, "")], SURE),
        ];
        let texts = fixed(["ab  = 1\n", "xäy"], &diagnostics);
        assert_eq!(texts, [("a".into(), "long  = 2 # two\n".into()), ("b".into(), "xy".into())]);
    }

    #[test]
    fn leaves_what_is_not_sure() {
        let a = FileId(0);
        let mut second_is_sure = with_fix(vec![(a, 0, 1, "?")], Certainty::Maybe);
        second_is_sure.fixes.extend(with_fix(vec![(a, 0, 1, "!")], SURE).fixes);
        assert_eq!(fixed(["abc", ""], &[second_is_sure]), []);
    }

    #[test]
    fn applies_a_fix_as_a_whole_or_not_at_all() {
        let (a, b) = (FileId(0), FileId(1));
        let first = with_fix(vec![(a, 0, 2, "X")], SURE);
        let overlapping = with_fix(vec![(b, 0, 1, "Y"), (a, 1, 3, "Z")], SURE);
        assert_eq!(fixed(["abc", "d"], &[first.clone(), overlapping]), [("a".into(), "Xc".into())]);
        let with_itself = with_fix(vec![(b, 0, 2, "Y"), (b, 1, 1, "Z")], SURE);
        assert_eq!(fixed(["abc", "def"], &[with_itself]), []);
        let two_inserts = [with_fix(vec![(b, 1, 1, "1")], SURE), with_fix(vec![(b, 1, 1, "2")], SURE)];
        assert_eq!(fixed(["", "xy"], &two_inserts), [("b".into(), "x1y".into())], "their order would be a guess");
        let touching = with_fix(vec![(a, 2, 3, "Z")], SURE);
        assert_eq!(fixed(["abc", ""], &[first, touching]), [("a".into(), "XZ".into())]);
    }

    #[test]
    fn makes_the_same_edit_once() {
        let a = FileId(0);
        let same = with_fix(vec![(a, 0, 0, "dlm 1\n")], SURE);
        let more = with_fix(vec![(a, 0, 0, "dlm 1\n"), (a, 1, 2, "")], SURE);
        assert_eq!(fixed(["abc", ""], &[same.clone(), same, more]), [("a".into(), "dlm 1\nac".into())]);
    }

    #[test]
    fn refuses_places_that_are_not_in_the_text() {
        let a = FileId(0);
        let outside = [(a, 2, 9, "X"), (a, 1, 2, "X"), (FileId(7), 0, 1, "X")];
        for place in outside {
            assert_eq!(fixed(["äb", ""], &[with_fix(vec![place], SURE)]), [], "{place:?}");
        }
    }
}
