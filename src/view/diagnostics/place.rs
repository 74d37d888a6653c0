//! Spans made into what formats write: a file name, lines, columns.

use std::ops::Range;

use crate::base::sources::SourceFile;
use crate::base::{SourceMap, Span};

/// What stands for the name of a file that the map lacks, as in [`SourceMap::place`].
const UNKNOWN: &str = "<unknown>";

/// A span in lines and columns from 1; columns count characters; the end is the place behind the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
}

/// Where a span lies; the first place of an unnamed file if its file is not in the map.
pub(super) fn place(sources: &SourceMap, span: Span) -> Place<'_> {
    let Some(file) = sources.get(span.file) else {
        return Place { file: UNKNOWN, line: 1, column: 1, end_line: 1, end_column: 1 };
    };
    let range = clamp(file, span);
    // Offsets came from a `u32`, and clamping makes them no larger.
    let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    let (line, column) = file.lines().line_column(&file.text, narrow(range.start));
    let (end_line, end_column) = file.lines().line_column(&file.text, narrow(range.end));
    Place { file: &file.name, line, column, end_line, end_column }
}

/// The bytes of a span, moved to the nearest place inside the text and onto character borders.
///
/// A stage that hands out a wrong span has a fault, but showing a message must not hide it behind a panic.
pub(super) fn clamp(file: &SourceFile, span: Span) -> Range<usize> {
    let text = &file.text;
    let mut start = (span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (span.end as usize).clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::FileId;

    #[test]
    fn counts_characters_and_survives_wrong_spans() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.dlm", "ä = 1\nβγ = 2\n");
        let at = |start, end| {
            let place = place(&sources, Span { file, start, end });
            (place.line, place.column, place.end_line, place.end_column)
        };
        assert_eq!(at(5, 6), (1, 5, 1, 6), "the 1 behind a two-byte letter");
        assert_eq!(at(7, 11), (2, 1, 2, 3), "two letters of two bytes");
        assert_eq!(at(0, 7), (1, 1, 2, 1), "a whole line with its break ends at the start of the next");
        assert_eq!(at(1, 1), (1, 1, 1, 2), "inside a letter takes all of it");
        assert_eq!(at(900, 950), (3, 1, 3, 1), "past the end goes to the end");
        assert_eq!(place(&sources, Span { file: FileId(9), start: 0, end: 1 }).file, "<unknown>");
    }
}
