//! Values files: YAML (and so JSON) as settings.
//!
//! Must not know: fields or types. Start with [`read`]. Invariants: a scalar keeps its text and its place, and is read by
//! the type of the field that it is for, never by YAML's guesses: `3e-4` is a number, `no` is a text, `010` is ten;
//! anchors, aliases, tags and several documents are refused, so that a small file can't stand for a large one.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

use crate::base::{FileId, Name, Span};
use crate::diag::{Diagnostic, Sink, codes};
use crate::syntax::{self, ast};

codes! { "values":
    /// A values file that is no YAML, or uses more of YAML than settings need.
    BAD_VALUES = "bad_values", Error;
    /// A key that stands twice.
    DUPLICATE_KEY = "duplicate_key", Error;
}

/// How deep mappings and lists may nest.
const MAX_DEPTH: usize = 64;

/// The settings of a values file. What is wrong is reported and left out.
pub fn read(file: FileId, text: &str, sink: &mut Sink) -> Vec<ast::BodyItem> {
    if text.len() > crate::base::sources::MAX_SOURCE_BYTES {
        sink.push(bad(Span::start_of(file), "this file is larger than 4 MiB", "split it"));
        return Vec::new();
    }
    let offsets: Vec<usize> = text.char_indices().map(|entry| entry.0).chain([text.len()]).collect();
    let mut reader = Reader { file, text, offsets, sink };
    let mut events: Vec<(Event<'_>, Span)> = Vec::new();
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => {
                let span = reader.span(span.start.index(), span.end.index());
                events.push((event, span));
            }
            Err(error) => {
                reader.no_yaml(&error);
                return Vec::new();
            }
        }
    }
    let mut events = events.into_iter().peekable();
    let mut documents = 0;
    let mut items = Vec::new();
    while let Some((event, span)) = events.next() {
        match event {
            Event::DocumentStart(_) => {
                documents += 1;
                if documents == 2 {
                    reader.sink.push(bad(span, "a second document starts here", "write one file for each"));
                    return items;
                }
            }
            Event::MappingStart(anchor, tag) => {
                reader.plain(anchor, tag.is_some(), span);
                items = reader.mapping(&mut events, 1);
            }
            Event::Scalar(text, ScalarStyle::Plain, ..) if text.is_empty() || matches!(&*text, "~" | "null") => {}
            Event::Scalar(..) | Event::SequenceStart(..) => {
                reader.sink.push(bad(span, "a values file is a mapping of fields to values", "write `field: value`"));
                return Vec::new();
            }
            Event::Alias(_) => reader.sink.push(alias(span)),
            _ => {}
        }
    }
    items
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    /// Where each character starts, in bytes.
    offsets: Vec<usize>,
    sink: &'a mut Sink,
}

type Events<'e> = std::iter::Peekable<std::vec::IntoIter<(Event<'e>, Span)>>;

impl Reader<'_> {
    /// A place that is given in characters.
    fn span(&self, start: usize, end: usize) -> Span {
        let byte = |at: usize| self.offsets.get(at).copied().unwrap_or(self.text.len());
        let (start, end) = (byte(start), byte(end));
        let written = self.text.get(start..end).unwrap_or("");
        Span::new(self.file, start, start + written.trim_end().len())
    }

    fn no_yaml(&mut self, error: &ScanError) {
        let at = error.marker().index();
        let place = self.span(at, at + 1);
        let message = format!("this is no YAML: {}", error.info());
        self.sink.push(Diagnostic::new(&BAD_VALUES, place, message));
    }

    fn plain(&mut self, anchor: usize, tagged: bool, span: Span) {
        if anchor != 0 {
            self.sink.push(bad(
                span,
                "anchors are not taken in values files",
                "write the value out where it is needed",
            ));
        }
        if tagged {
            self.sink.push(bad(
                span,
                "tags are not taken in values files",
                "the type of the field says how a value is read",
            ));
        }
    }

    /// The entries of a mapping whose start was read.
    fn mapping(&mut self, events: &mut Events<'_>, depth: usize) -> Vec<ast::BodyItem> {
        let mut items = Vec::new();
        let mut seen: HashMap<String, Span> = HashMap::new();
        loop {
            let Some((event, span)) = events.next() else { return items };
            let key = match event {
                Event::MappingEnd => return items,
                Event::Scalar(key, style, anchor, tag) => {
                    self.plain(anchor, tag.is_some(), span);
                    let plain = matches!(style, ScalarStyle::Plain);
                    if plain && &*key == "<<" {
                        self.sink.push(bad(span, "merge keys are not taken in values files", "write the fields out"));
                    }
                    Some((key.to_string(), plain))
                }
                other => {
                    self.sink.push(bad(span, "a key is a name", "write `field: value`"));
                    self.skip(other, events);
                    None
                }
            };
            let Some((value, place)) = events.next() else { return items };
            let Some((key, plain)) = key else {
                self.skip(value, events);
                continue;
            };
            if let Some(first) = seen.get(&key) {
                let diagnostic = Diagnostic::new(&DUPLICATE_KEY, span, format!("`{key}` stands here twice"));
                self.sink.push(diagnostic.label(*first, "the first one").help("remove one of the two"));
                self.skip(value, events);
                continue;
            }
            seen.insert(key.clone(), span);
            let Some(path) = self.path(&key, span, plain) else {
                self.skip(value, events);
                continue;
            };
            match value {
                Event::MappingStart(anchor, tag) => {
                    self.plain(anchor, tag.is_some(), place);
                    if depth >= MAX_DEPTH {
                        self.sink.push(bad(place, "mappings are nested more than 64 deep", "no field lies as deep"));
                        self.skip(Event::MappingStart(0, None), events);
                        continue;
                    }
                    let items_inside = self.mapping(events, depth + 1);
                    let body = ast::Body { span: place, items: items_inside };
                    items.push(ast::BodyItem::Section(ast::Section {
                        span: span.to(place),
                        path,
                        restart: false,
                        body,
                    }));
                }
                other => {
                    if let Some(value) = self.value(other, place, events, depth) {
                        items.push(ast::BodyItem::Assign(ast::Assign {
                            span: span.to(value.span),
                            is_final: None,
                            path,
                            op: ast::AssignOp::Set,
                            op_span: span,
                            value,
                        }));
                    }
                }
            }
        }
    }

    /// `a.b.c`, or one name in quotes, which may be the key of a map.
    fn path(&mut self, key: &str, span: Span, plain: bool) -> Option<ast::Path> {
        let parts: Vec<&str> = if plain { key.split('.').collect() } else { vec![key] };
        if parts.iter().any(|part| part.is_empty()) {
            self.sink.push(bad(span, "a key is empty", "write the name of a field"));
            return None;
        }
        let mut at = span.start;
        let segments = parts.iter().map(|part| {
            let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
            let place = match plain {
                true => Span { start: at, end: at.saturating_add(length).min(span.end), ..span },
                // Within the quotes: to the language it is a name like any other.
                false if span.range().len() == part.len() + 2 => {
                    Span { start: span.start.saturating_add(1), end: span.end.saturating_sub(1), ..span }
                }
                false => span,
            };
            at = at.saturating_add(length).saturating_add(1);
            ast::Ident { name: Name::new(part), span: place }
        });
        Some(ast::Path { segments: segments.collect(), span })
    }

    /// A scalar or a list.
    fn value(&mut self, event: Event<'_>, span: Span, events: &mut Events<'_>, depth: usize) -> Option<ast::Expr> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.plain(anchor, tag.is_some(), span);
                Some(syntax::scalar(span, &text, !matches!(style, ScalarStyle::Plain)))
            }
            Event::SequenceStart(anchor, tag) => {
                self.plain(anchor, tag.is_some(), span);
                let mut items = Vec::new();
                let end = loop {
                    let (event, place) = events.next()?;
                    match event {
                        Event::SequenceEnd => break place,
                        Event::MappingStart(..) => {
                            self.sink.push(bad(
                                place,
                                "an item of a list is a value, not a mapping",
                                "no field is a list of groups",
                            ));
                            self.skip(event, events);
                        }
                        _ if depth >= MAX_DEPTH => self.skip(event, events),
                        event => items.extend(self.value(event, place, events, depth + 1)),
                    }
                };
                Some(ast::Expr { span: span.to(end), kind: ast::ExprKind::List(items) })
            }
            Event::Alias(_) => {
                self.sink.push(alias(span));
                None
            }
            _ => None,
        }
    }

    /// Passes over what an event starts.
    fn skip(&mut self, event: Event<'_>, events: &mut Events<'_>) {
        let mut depth = match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => 1,
            _ => 0,
        };
        while depth > 0 {
            match events.next() {
                Some((Event::MappingStart(..) | Event::SequenceStart(..), _)) => depth += 1,
                Some((Event::MappingEnd | Event::SequenceEnd, _)) => depth -= 1,
                Some(_) => {}
                None => return,
            }
        }
    }
}

fn bad(span: Span, message: &str, help: &str) -> Diagnostic {
    Diagnostic::new(&BAD_VALUES, span, message).help(help)
}

fn alias(span: Span) -> Diagnostic {
    bad(span, "aliases are not taken in values files", "write the value out where it is needed")
}
