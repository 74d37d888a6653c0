//! Values files: YAML, and so JSON too, made into the body that a `.dlm` file would have.
//!
//! Only the shape is YAML's. What a scalar means is decided where its field is known: `3e-4` is a number for a float, `no`
//! is three wrong letters for a switch and a text for a string.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, StrInput};

use crate::base::{FileId, Name, Span};
use crate::diag::Sink;
use crate::syntax::ast::{Assign, AssignOp, Body, BodyItem, Expr, ExprKind, Ident, Path, Plain, Section};
use crate::syntax::errors::{self, Report};
use crate::syntax::parse::MAX_BYTES;
use crate::syntax::scan::MAX_DEPTH;

/// Reads a values file. What is broken in it is reported, and the rest stands in the body.
pub fn values(file: FileId, text: &str, sink: &mut Sink) -> Body {
    let mut report = Report::default();
    let span = Span::new(file, 0, text.len());
    let mut items = Vec::new();
    if text.len() > MAX_BYTES {
        report.push(errors::file_too_long(file, text.len(), MAX_BYTES));
    } else {
        let parser = Parser::new_from_str(text);
        let mut reader = Reader { file, text, offsets: offsets(text), parser, done: false, report: &mut report };
        items = reader.document();
    }
    sink.extend(report.finish());
    Body { span, items }
}

/// Where each character starts, in bytes; none if each is one byte.
fn offsets(text: &str) -> Option<Vec<u32>> {
    let starts = || text.char_indices().map(|(at, _)| u32::try_from(at).unwrap_or(u32::MAX));
    (!text.is_ascii()).then(|| starts().collect())
}

struct Reader<'a, 'r> {
    file: FileId,
    text: &'a str,
    offsets: Option<Vec<u32>>,
    parser: Parser<'a, StrInput<'a>>,
    /// Whether the text ended, or could not be read any further.
    done: bool,
    report: &'r mut Report,
}

/// A key and what it names; a key that can't be read names nothing.
struct Key {
    span: Span,
    text: Option<String>,
}

impl<'a> Reader<'a, '_> {
    fn next(&mut self) -> Option<(Event<'a>, Span)> {
        if self.done {
            return None;
        }
        match self.parser.next_event() {
            Some(Ok((Event::StreamEnd, _))) | None => self.done = true,
            Some(Ok((event, span))) => {
                let place = self.place(span.start, span.end);
                return Some((event, place));
            }
            Some(Err(error)) => {
                self.done = true;
                let at = self.offset(*error.marker());
                // The place of the fault is a character; at the end of a text it is none.
                let end = self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(at, |it| at + it.len_utf8());
                self.report.push(errors::bad_values(Span::new(self.file, at, end), error.info()));
            }
        }
        None
    }

    fn offset(&self, marker: Marker) -> usize {
        match &self.offsets {
            None => marker.index().min(self.text.len()),
            Some(offsets) => offsets.get(marker.index()).map_or(self.text.len(), |&at| at as usize),
        }
    }

    /// A place without the blanks at its ends, which YAML counts to some of its parts.
    fn place(&self, start: Marker, end: Marker) -> Span {
        let (start, end) = (self.offset(start), self.offset(end));
        let part = self.text.get(start..end.max(start)).unwrap_or("");
        let blanks = part.len() - part.trim_start().len();
        let start = if part.trim().is_empty() { start } else { start + blanks };
        Span::new(self.file, start, start + part.trim().len())
    }

    fn document(&mut self) -> Vec<BodyItem> {
        let mut items = Vec::new();
        let mut documents = 0;
        while let Some((event, span)) = self.next() {
            match event {
                Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Nothing => {}
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        self.report.push(errors::foreign_values(span, "a second document", "one file is one document"));
                        return items;
                    }
                }
                Event::MappingStart(_, tag) => {
                    self.no_tag(span, tag.is_some());
                    items = self.mapping(1);
                }
                Event::Scalar(text, ScalarStyle::Plain, ..) if is_null(&text) => {}
                Event::Scalar(..) | Event::Alias(_) => self.report.push(errors::no_mapping(span)),
                Event::SequenceStart(..) => {
                    self.report.push(errors::no_mapping(span));
                    self.skip();
                }
                Event::SequenceEnd | Event::MappingEnd => {}
            }
        }
        items
    }

    /// The settings of a mapping whose start was read.
    fn mapping(&mut self, depth: usize) -> Vec<BodyItem> {
        let mut items = Vec::new();
        let mut seen: std::collections::HashMap<String, Span> = std::collections::HashMap::new();
        while let Some(key) = self.key() {
            let Some((event, span)) = self.next() else { break };
            let is_unread = key.text.is_none();
            let path = key.text.as_deref().and_then(|text| self.path(key.span, text));
            let repeated = key.text.and_then(|text| seen.insert(text, key.span));
            if let Some(first) = repeated {
                self.report.push(errors::duplicate_key(key.span, first));
            }
            // Nothing is said of what stands behind a key that was complained about.
            if is_unread {
                if matches!(event, Event::MappingStart(..) | Event::SequenceStart(..)) {
                    self.skip();
                }
                continue;
            }
            let item = self.member(path.filter(|_| repeated.is_none()), event, span, depth);
            items.extend(item);
        }
        items
    }

    /// The next key of a mapping; none at its end.
    fn key(&mut self) -> Option<Key> {
        let (event, span) = self.next()?;
        match event {
            Event::MappingEnd => None,
            Event::Scalar(text, style, _, tag) => {
                self.no_tag(span, tag.is_some());
                if text == "<<" && style == ScalarStyle::Plain {
                    self.report.push(errors::foreign_values(
                        span,
                        "a merge key",
                        "write the fields out, or let a mixin hold them",
                    ));
                    return Some(Key { span, text: None });
                }
                Some(Key { span, text: Some(text.into_owned()) })
            }
            other => {
                self.report.push(errors::foreign_values(span, "a key that is no text", "a key is the path of a field"));
                if matches!(other, Event::MappingStart(..) | Event::SequenceStart(..)) {
                    self.skip();
                }
                Some(Key { span, text: None })
            }
        }
    }

    /// What a path is set to; without a path the value is read past.
    fn member(&mut self, path: Option<Path>, event: Event<'a>, span: Span, depth: usize) -> Option<BodyItem> {
        if let Event::MappingStart(_, tag) = &event {
            self.no_tag(span, tag.is_some());
            if depth >= MAX_DEPTH {
                self.report.push(errors::values_too_deep(span, MAX_DEPTH));
                self.skip();
                return None;
            }
            let items = self.mapping(depth + 1);
            let path = path?;
            let span = path.span;
            let body = Body { span, items };
            return Some(BodyItem::Section(Section { span, path, restart: false, body }));
        }
        let value = self.value(event, span, depth);
        let path = path?;
        let op_span = Span { start: path.span.end, end: path.span.end, ..path.span };
        let span = path.span.to(value.span);
        Some(BodyItem::Assign(Assign { span, is_final: None, path, op: AssignOp::Set, op_span, value }))
    }

    fn value(&mut self, event: Event<'a>, span: Span, depth: usize) -> Expr {
        // At an empty place, as any value that was complained about and is not there.
        let bad = Expr { span: Span { end: span.start, ..span }, kind: ExprKind::Bad };
        match event {
            Event::Scalar(text, style, _, tag) => {
                self.no_tag(span, tag.is_some());
                let is_quoted = style != ScalarStyle::Plain;
                Expr { span, kind: ExprKind::Plain(Plain { text: text.into_owned(), is_quoted }) }
            }
            Event::Alias(_) => {
                self.report.push(errors::foreign_values(span, "an alias", "write the value out"));
                bad
            }
            Event::SequenceStart(_, tag) => {
                self.no_tag(span, tag.is_some());
                if depth >= MAX_DEPTH {
                    self.report.push(errors::values_too_deep(span, MAX_DEPTH));
                    self.skip();
                    return bad;
                }
                let mut items = Vec::new();
                let mut end = span;
                while let Some((event, span)) = self.next() {
                    end = span;
                    if event == Event::SequenceEnd {
                        break;
                    }
                    items.push(self.value(event, span, depth + 1));
                }
                // A block sequence ends where the next thing starts; its last item says where it really ends.
                let flow = self.text.get(span.range()).is_some_and(|text| text.starts_with('['));
                let last = items.last().map_or(span, |item: &Expr| item.span);
                Expr { span: span.to(if flow { end } else { last }), kind: ExprKind::List(items) }
            }
            Event::MappingStart(..) => {
                self.report.push(errors::foreign_values(span, "a mapping in a list", "items of lists are values"));
                self.skip();
                bad
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => bad,
        }
    }

    /// Reads past the rest of a mapping or sequence whose start was read; a count, not recursion.
    fn skip(&mut self) {
        let mut open = 1;
        while open > 0 {
            match self.next() {
                Some((Event::MappingStart(..) | Event::SequenceStart(..), _)) => open += 1,
                Some((Event::MappingEnd | Event::SequenceEnd, _)) => open -= 1,
                Some(_) => {}
                None => return,
            }
        }
    }

    fn no_tag(&mut self, span: Span, is_tagged: bool) {
        if is_tagged {
            let help = "leave it out: the type of the field says how a value is read";
            self.report.push(errors::foreign_values(span, "a tag", help));
        }
    }

    /// The path that a key names: its names between dots.
    fn path(&mut self, span: Span, text: &str) -> Option<Path> {
        // Where the key stands letter by letter its names have places of their own.
        let written = self.text.get(span.range()).unwrap_or("");
        let inner = written.find(text).filter(|_| !text.is_empty()).map(|at| span.start as usize + at);
        let mut at = 0;
        let mut segments = Vec::new();
        for name in text.split('.') {
            let place = inner.map_or(span, |start| Span::new(span.file, start + at, start + at + name.len()));
            at += name.len() + 1;
            if name.trim().is_empty() {
                self.report.push(errors::foreign_values(span, "a key without a name", "a key is the path of a field"));
                return None;
            }
            segments.push(Ident { name: Name::new(name), span: place });
        }
        let whole = inner.map_or(span, |start| Span::new(span.file, start, start + text.len()));
        Some(Path { segments, span: whole })
    }
}

/// What YAML reads as nothing.
pub(crate) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}
