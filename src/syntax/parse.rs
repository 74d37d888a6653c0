//! From the pairs of pest to our own tree. Nobody above this stage sees pest.

use crate::base::sources::MAX_SOURCE_BYTES;
use crate::base::{FileId, Name, Span};
use crate::diag::Sink;
use crate::syntax::ast::{self, Expr, ExprKind, Ident, Item, Path};
use crate::syntax::errors::{self, Report};
use crate::syntax::scan::{self, Chunk, DocLines, Scan};

pub(crate) use grammar::{Dlm, Rule};

pub(crate) type Pair<'i> = pest::iterators::Pair<'i, Rule>;

/// The longest declaration that is read, in bytes. While pest reads one it takes some two hundred times its memory.
const MAX_ITEM_BYTES: usize = 1024 * 1024;

mod grammar {
    #![allow(missing_docs, unreachable_pub, reason = "pest_derive writes it")]

    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/dlm.pest"]
    pub(crate) struct Dlm;
}

/// Reads a file. What is broken in it is reported and stands in the tree as a `Bad` node.
pub fn parse(file: FileId, text: &str, sink: &mut Sink) -> ast::File {
    let mut report = Report::default();
    let mut tree = ast::File { id: file, edition: None, items: Vec::new(), comments: Vec::new() };
    if text.len() > MAX_SOURCE_BYTES {
        report.push(errors::file_too_long(file, text.len(), MAX_SOURCE_BYTES));
    } else {
        let mut scan = scan::scan(file, text, 0, &mut report);
        let docs = std::mem::take(&mut scan.docs);
        let mut reader =
            Reader { file, text, scan: &scan, base: 0, chunk: 0, docs, outside: false, report: &mut report };
        reader.file(&mut tree);
        tree.comments = reader.comments();
    }
    sink.extend(report.finish());
    tree
}

/// Reads one setting, `path op value`, as `--set` takes it. `None` if it is none, which is then reported.
pub fn parse_setting(file: FileId, text: &str, sink: &mut Sink) -> Option<ast::Assign> {
    alone(file, text, sink, |reader, range| reader.only_setting(range))
}

/// Reads one dotted path, as `--unset` takes it. `None` if it is none, which is then reported.
pub fn parse_path(file: FileId, text: &str, sink: &mut Sink) -> Option<Path> {
    alone(file, text, sink, |reader, range| reader.only_path(range))
}

/// Reads one expression. `None` if it is none, which is then reported.
pub fn parse_value(file: FileId, text: &str, sink: &mut Sink) -> Option<Expr> {
    alone(file, text, sink, |reader, range| match reader.pest(Rule::only_expr, range.clone()) {
        Ok(mut pairs) => pairs.next().map(|pair| reader.expr(pair)),
        Err(()) => {
            reader.explain_expr(range);
            None
        }
    })
}

/// A text from outside the language as a value; numbers also in the forms that other languages know, `.5`, `5.`, `+5`.
pub fn scalar(span: Span, text: &str, is_quoted: bool) -> Expr {
    let trimmed = text.trim();
    let (is_negative, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let mut digits = if digits.starts_with('.') { format!("0{digits}") } else { digits.to_owned() };
    if let Some(whole) = digits.strip_suffix('.') {
        digits = format!("{whole}.0");
    }
    digits = digits.replace(".e", ".0e").replace(".E", ".0E");
    let starts = digits.starts_with(|letter: char| letter.is_ascii_digit());
    let number = match (starts && !is_quoted).then(|| parse_value(span.file, &digits, &mut Sink::default())).flatten() {
        Some(Expr { kind: ExprKind::Number(number), .. }) => {
            let placed = |ident: Option<Ident>| ident.map(|ident| Ident { span, ..ident });
            Some(ast::Number { suffix: placed(number.suffix), unit: placed(number.unit), ..number })
        }
        Some(_) | None => None,
    };
    Expr { span, kind: ExprKind::Scalar(ast::Scalar { text: text.to_owned(), number, is_negative, is_quoted }) }
}

fn alone<T>(
    file: FileId,
    text: &str,
    sink: &mut Sink,
    read: impl FnOnce(&mut Reader, std::ops::Range<usize>) -> Option<T>,
) -> Option<T> {
    let mut report = Report::default();
    let read = if text.len() > MAX_SOURCE_BYTES {
        report.push(errors::file_too_long(file, text.len(), MAX_SOURCE_BYTES));
        None
    } else {
        let scan = scan::scan(file, text, 0, &mut report);
        let mut reader = Reader {
            file,
            text,
            scan: &scan,
            base: 0,
            chunk: 0,
            docs: Vec::new(),
            outside: false,
            report: &mut report,
        };
        read(&mut reader, 0..text.len())
    };
    let sound = report.is_empty();
    sink.extend(report.finish());
    read.filter(|_| sound)
}

/// Makes nodes of the pairs of one text.
pub(crate) struct Reader<'a, 'r> {
    pub(crate) file: FileId,
    /// A file, or the part of one that starts at its byte `base`.
    pub(crate) text: &'a str,
    pub(crate) scan: &'a Scan,
    base: usize,
    /// Where in `text` the piece starts that pest was given.
    chunk: usize,
    docs: Vec<DocLines>,
    /// Whether settings outside of any declaration were reported.
    pub(crate) outside: bool,
    pub(crate) report: &'r mut Report,
}

/// The parts of a pair that carry something: no punctuation, no keyword that is always there.
pub(crate) fn parts(pair: Pair) -> impl Iterator<Item = Pair> {
    pair.into_inner().filter(|part| !is_mark(part.as_rule()))
}

fn is_mark(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::kw_dlm
            | Rule::kw_use
            | Rule::kw_as
            | Rule::kw_enum
            | Rule::kw_spelled
            | Rule::kw_schema
            | Rule::kw_type
            | Rule::kw_let
            | Rule::kw_input
            | Rule::kw_env
            | Rule::kw_sweep
            | Rule::kw_zip
            | Rule::kw_where
            | Rule::kw_limit
            | Rule::kw_name
            | Rule::kw_test
            | Rule::kw_expect
            | Rule::kw_error
            | Rule::kw_derive
            | Rule::kw_computed
            | Rule::kw_yaml
            | Rule::kw_since
            | Rule::open_square
            | Rule::kw_mixin
            | Rule::kw_for
            | Rule::kw_experiment
            | Rule::kw_extends
            | Rule::kw_with
            | Rule::kw_over
            | Rule::kw_unset
            | Rule::kw_multiple
            | Rule::kw_of
            | Rule::kw_matches
            | Rule::kw_flag
            | Rule::kw_renamed
            | Rule::kw_from
            | Rule::kw_deprecated
            | Rule::kw_when
            | Rule::kw_help
            | Rule::kw_fix
            | Rule::kw_upstream
            | Rule::kw_if
            | Rule::kw_then
            | Rule::kw_else
            | Rule::kw_in
            | Rule::kw_is
            | Rule::comma
            | Rule::colon
            | Rule::equals
            | Rule::dot
            | Rule::open_brace
            | Rule::close_brace
            | Rule::close_paren
            | Rule::close_square
            | Rule::close_angle
            | Rule::EOI
    )
}

impl<'a> Reader<'a, '_> {
    /// The place of a pair in the file, without blanks at its end.
    pub(crate) fn span(&self, pair: &Pair) -> Span {
        let span = pair.as_span();
        let start = self.chunk + span.start();
        self.place(start..start + span.as_str().trim_end().len())
    }

    /// What the user wrote at a place.
    pub(crate) fn written(&self, span: Span) -> &'a str {
        self.text.get(self.local(span)).unwrap_or("")
    }

    /// The bytes of a place, counted in `text`.
    pub(crate) fn local(&self, span: Span) -> std::ops::Range<usize> {
        (span.start as usize).saturating_sub(self.base)..(span.end as usize).saturating_sub(self.base)
    }

    /// A place given in bytes of `text`.
    pub(crate) fn place(&self, range: std::ops::Range<usize>) -> Span {
        // Where the clean text has blanks for a character of several bytes, a place may end within it.
        let border = |at: &usize| self.text.is_char_boundary(*at);
        let start = (0..=range.start).rev().find(border).unwrap_or(0);
        let end = (range.end..self.text.len()).find(border).unwrap_or(self.text.len());
        let range = start..end;
        Span::new(self.file, self.base + range.start, self.base + range.end)
    }

    /// The clean text of a range of `text`.
    pub(crate) fn clean(&self, range: std::ops::Range<usize>) -> &'a str {
        self.scan.clean.get(range).unwrap_or("")
    }

    /// Lets pest read a range of the text.
    fn pest(&mut self, rule: Rule, range: std::ops::Range<usize>) -> Result<pest::iterators::Pairs<'a, Rule>, ()> {
        self.chunk = range.start;
        // Why it failed is asked again where it is reported.
        <Dlm as pest::Parser<Rule>>::parse(rule, self.clean(range)).map_err(drop)
    }

    fn file(&mut self, tree: &mut ast::File) {
        let mut chunks = self.scan.items.iter();
        let first = chunks.as_slice().first();
        if first.is_some_and(|chunk| first_word(self.clean(chunk.range.clone())) == "dlm") {
            tree.edition = chunks.next().and_then(|chunk| self.edition(chunk));
        } else {
            let start = first.map_or(0, |chunk| chunk.range.start);
            let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("").trim_end();
            self.report.push(errors::missing_edition(self.file, self.place(start..start + line.len())));
        }
        for chunk in chunks {
            if chunk.crowded {
                let start = chunk.range.start;
                let length = first_word(self.clean(chunk.range.clone())).len();
                self.report.push(errors::crowded(self.place(start..start + length)));
            }
            tree.items.push(self.item(chunk));
        }
    }

    fn edition(&mut self, chunk: &Chunk) -> Option<(u32, Span)> {
        let whole = self.place(chunk.range.clone());
        let Ok(pairs) = self.pest(Rule::only_edition, chunk.range.clone()) else {
            self.explain_edition(chunk.range.clone());
            return None;
        };
        let number = pairs.flatten().find(|pair| pair.as_rule() == Rule::edition_number)?;
        let span = self.span(&number);
        if number.as_str() == "1" {
            return Some((1, whole));
        }
        self.report.push(errors::unknown_edition(span, number.as_str()));
        None
    }

    fn item(&mut self, chunk: &Chunk) -> Item {
        let whole = self.place(chunk.range.clone());
        if chunk.range.len() > MAX_ITEM_BYTES {
            let word = first_word(self.clean(chunk.range.clone())).len();
            let place = self.place(chunk.range.start..chunk.range.start + word);
            self.report.push(errors::declaration_too_long(place, chunk.range.len(), MAX_ITEM_BYTES));
            return Item::Bad(whole);
        }
        let pair = self.pest(Rule::item, chunk.range.clone()).ok().and_then(|mut pairs| pairs.next());
        let item = pair.and_then(|pair| match pair.as_rule() {
            Rule::use_decl => self.use_decl(pair).map(Item::Use),
            Rule::enum_decl => self.enum_decl(pair).map(Item::Enum),
            Rule::type_decl => self.type_alias(pair).map(Item::Type),
            Rule::let_decl => self.let_decl(pair).map(Item::Let),
            Rule::input_decl => self.input_decl(pair).map(Item::Input),
            Rule::schema => self.schema(pair).map(Item::Schema),
            Rule::mixin => self.mixin(pair).map(Item::Mixin),
            Rule::experiment => self.experiment(pair).map(Item::Experiment),
            Rule::sweep => self.sweep(pair).map(Item::Sweep),
            Rule::test => self.test_decl(pair).map(Item::Test),
            _ => None,
        });
        item.unwrap_or_else(|| {
            self.explain_item(chunk.range.clone());
            Item::Bad(whole)
        })
    }

    fn only_setting(&mut self, range: std::ops::Range<usize>) -> Option<ast::Assign> {
        match self.pest(Rule::only_setting, range.clone()) {
            Ok(pairs) => self.assign(pairs.filter(|pair| pair.as_rule() != Rule::EOI).collect()),
            Err(()) => {
                self.explain_setting(range);
                None
            }
        }
    }

    fn only_path(&mut self, range: std::ops::Range<usize>) -> Option<Path> {
        match self.pest(Rule::only_path, range.clone()) {
            Ok(mut pairs) => pairs.next().map(|pair| self.path(pair)),
            Err(()) => {
                self.explain_path(range);
                None
            }
        }
    }

    /// The expression in a hole of a message, given by its bytes in the file.
    pub(crate) fn hole(&mut self, range: std::ops::Range<usize>) -> Expr {
        let span = Span::new(self.file, range.start, range.end);
        let text = self.written(span);
        let scan = scan::scan(self.file, text, range.start, self.report);
        let (file, base) = (self.file, range.start);
        let mut reader =
            Reader { file, text, scan: &scan, base, chunk: 0, docs: Vec::new(), outside: false, report: self.report };
        match reader.pest(Rule::only_expr, 0..text.len()).ok().and_then(|mut pairs| pairs.next()) {
            Some(pair) => reader.expr(pair),
            None => {
                reader.explain_expr(0..text.len());
                Expr { span, kind: ExprKind::Bad }
            }
        }
    }

    /// The documentation of what starts at `span`.
    pub(crate) fn doc(&mut self, span: Span) -> ast::Doc {
        let start = self.local(span).start;
        let Ok(at) = self.docs.binary_search_by_key(&start, |doc| doc.above) else { return ast::Doc::default() };
        let Some(doc) = self.docs.get_mut(at) else { return ast::Doc::default() };
        doc.used = true;
        let text = self.text;
        let line = |range: &std::ops::Range<usize>| {
            let line = text.get(range.clone()).unwrap_or("").trim_start_matches('#').trim_end();
            line.strip_prefix(' ').unwrap_or(line)
        };
        let lines: Vec<&str> = doc.lines.iter().map(line).collect();
        let (first, last) = (doc.lines.first().map_or(0, |it| it.start), doc.lines.last().map_or(0, |it| it.end));
        ast::Doc { text: lines.join("\n"), span: Some(self.place(first..last)) }
    }

    /// All comments: also those that look like documentation, but stand above nothing that can have it.
    fn comments(&mut self) -> Vec<ast::Comment> {
        let mut comments = self.scan.comments.clone();
        let unused: Vec<_> = self.docs.iter().filter(|doc| !doc.used).flat_map(|doc| doc.lines.clone()).collect();
        comments.extend(unused.into_iter().map(|line| ast::Comment { span: self.place(line), trailing: false }));
        comments.sort_by_key(|comment| comment.span);
        comments
    }

    pub(crate) fn ident(&self, pair: &Pair) -> Ident {
        Ident { name: Name::new(pair.as_str()), span: self.span(pair) }
    }

    /// A name of a path; a key in quotes without them.
    fn segment(&mut self, pair: &Pair) -> Ident {
        match pair.as_rule() {
            Rule::key => Ident { name: Name::new(&self.string(pair)), span: self.span(pair) },
            _ => self.ident(pair),
        }
    }

    pub(crate) fn path(&mut self, pair: Pair) -> Path {
        let span = self.span(&pair);
        Path { segments: pair.into_inner().map(|segment| self.segment(&segment)).collect(), span }
    }
}

/// The word that a text starts with; empty if it starts with none.
pub(crate) fn first_word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}
