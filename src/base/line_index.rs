//! From byte offsets to lines and columns, for whatever shows a place to a person.

/// The line starts of one text.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Reads `text` once.
    pub fn new(text: &str) -> Self {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(newlines.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX)));
        LineIndex { starts: starts.collect() }
    }

    /// Line and column of a byte offset, both counted from 1; columns count characters of `text`, the indexed text.
    pub fn line_column(&self, text: &str, offset: u32) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = line.checked_sub(1).and_then(|before| self.starts.get(before)).copied().unwrap_or(0);
        let before = text.get(start as usize..offset as usize).map_or(0, |part| part.chars().count());
        (line.max(1), before + 1)
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// The byte range of a line (from 1), without its line break.
    pub fn line_range(&self, text: &str, line: usize) -> std::ops::Range<usize> {
        let start = line.checked_sub(1).and_then(|at| self.starts.get(at)).map_or(text.len(), |&at| at as usize);
        let next = self.starts.get(line).map_or(text.len(), |&at| at as usize);
        let body = text.get(start..next).unwrap_or("");
        start..start + body.trim_end_matches(['\n', '\r']).len()
    }
}

#[cfg(test)]
mod tests {
    use super::LineIndex;

    #[test]
    fn counts_lines_and_characters_from_one() {
        let text = "ab\nä = 1\r\n\nz";
        let index = LineIndex::new(text);
        assert_eq!(index.line_column(text, 0), (1, 1));
        assert_eq!(index.line_column(text, 3), (2, 1));
        assert_eq!(index.line_column(text, 5), (2, 2), "ä is two bytes, one column");
        let last = u32::try_from(text.len()).unwrap_or(0) - 1;
        assert_eq!(index.line_column(text, last), (4, 1));
        assert_eq!(text.get(index.line_range(text, 2)), Some("ä = 1"));
        assert_eq!(index.lines(), 4);
    }
}
