//! Strings: escapes, and the holes of messages.

use crate::base::Span;
use crate::syntax::ast::{Template, TemplatePart};
use crate::syntax::errors;
use crate::syntax::parse::{Pair, Reader};

/// A letter of a string, as it is meant, and the bytes that it is written with.
struct Letter {
    character: char,
    start: usize,
    end: usize,
    escaped: bool,
}

impl Reader<'_, '_> {
    /// The text that a rule `string` stands for.
    pub(crate) fn string(&mut self, pair: &Pair) -> String {
        if !pair.as_str().contains('\\') {
            return pair.as_str().trim_matches('"').to_owned();
        }
        self.letters(pair).map_or_else(String::new, |letters| letters.iter().map(|letter| letter.character).collect())
    }

    /// The string of a message: text with holes.
    pub(crate) fn template(&mut self, pair: &Pair) -> Template {
        let span = self.span(pair);
        let mut template = Template { span, parts: Vec::new() };
        let letters = self.letters(pair).unwrap_or_default();
        let mut text = String::new();
        let mut rest = letters.as_slice();
        while let [letter, after @ ..] = rest {
            let place = |from: &Letter, to: &Letter| Span::new(span.file, from.start, to.end);
            let doubled = after.first().is_some_and(|next| next.character == letter.character);
            rest = after;
            match letter.character {
                '{' | '}' if doubled => {
                    text.push(letter.character);
                    rest = after.get(1..).unwrap_or_default();
                }
                '{' => {
                    let Some(length) = after.iter().position(|letter| letter.character == '}') else {
                        let end = letters.last().unwrap_or(letter);
                        self.report.push(errors::unclosed_hole(place(letter, end)));
                        break;
                    };
                    let hole = after.get(..length).unwrap_or_default();
                    rest = after.get(length + 1..).unwrap_or_default();
                    let close = after.get(length).unwrap_or(letter);
                    if hole.iter().all(|letter| letter.character.is_whitespace()) {
                        self.report.push(errors::empty_hole(place(letter, close)));
                        continue;
                    }
                    if !text.is_empty() {
                        template.parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                    }
                    // An expression has no backslashes: whatever needs one in a string cannot stand in a hole.
                    if let Some(letter) = hole.iter().find(|letter| letter.escaped) {
                        let found = self.written(place(letter, letter));
                        let found = format!("`{found}`");
                        self.report.push(errors::unexpected(place(letter, letter), "an expression", &found));
                        continue;
                    }
                    template.parts.push(TemplatePart::Hole(self.hole(letter.end..close.start)));
                }
                '}' => self.report.push(errors::unopened_hole(place(letter, letter))),
                character => text.push(character),
            }
        }
        if !text.is_empty() {
            template.parts.push(TemplatePart::Text(text));
        }
        template
    }

    /// The letters between the quotes, with their places in the file.
    fn letters(&mut self, pair: &Pair) -> Option<Vec<Letter>> {
        let span = self.span(pair);
        // The clean text may have other quotes than the file; between them it is the same.
        let inner = pair.as_str().strip_prefix('"')?.strip_suffix('"')?;
        let start = span.start as usize + 1;
        let mut letters = Vec::with_capacity(inner.len());
        let mut characters = inner.char_indices();
        while let Some((at, mut character)) = characters.next() {
            let mut end = at + character.len_utf8();
            let escaped = character == '\\';
            if escaped && let Some((next, letter)) = characters.next() {
                end = next + letter.len_utf8();
                character = match letter {
                    'n' => '\n',
                    't' => '\t',
                    '"' | '\\' => letter,
                    _ => {
                        let span = Span::new(span.file, start + at, start + end);
                        self.report.push(errors::bad_escape(span));
                        letter
                    }
                };
            }
            letters.push(Letter { character, start: start + at, end: start + end, escaped });
        }
        Some(letters)
    }
}
