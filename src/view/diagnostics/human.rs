//! Excerpts with the places underlined, for a terminal. The one file that names miette.
//!
//! A diagnostic becomes a [`miette::Diagnostic`]: its files, put end to end, are one [`SourceCode`] that answers in
//! the lines and under the name of the file that is asked about, so any handler of miette could draw it. Ours draws
//! what miette's own does not: the code in the first line, texts beside their underlines, long lines cut around the mark.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use anstyle::AnsiColor;
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::base::sources::SourceFile;
use crate::base::{FileId, SourceMap, Span};
use crate::diag::{Diagnostic, Severity};
use crate::view::diagnostics::frame::{Excerpt, Mark, Pens, Point, Room, visible, wrap};
use crate::view::diagnostics::place::clamp;
use crate::view::diagnostics::{Look, help_lines};

/// Narrower screens are treated as if they were this wide.
const NARROWEST: usize = 40;

pub(super) fn render(diagnostics: &[Diagnostic], sources: &SourceMap, look: Look) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&draw(&Report::new(diagnostic, sources), look));
        out.push('\n');
    }
    out.push_str(&summary(diagnostics, sources));
    out
}

/// `3 errors, 1 warning in 2 files`
fn summary(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let worst_first = [Severity::Error, Severity::Warning, Severity::Note];
    let counts = worst_first.into_iter().map(|severity| (count(severity), severity.word())).filter(|&(n, _)| n > 0);
    let counts: Vec<String> = counts.map(|(n, word)| plural(n, word)).collect();
    let mut files: Vec<FileId> = diagnostics.iter().filter_map(Diagnostic::span).map(|span| span.file).collect();
    files.retain(|&file| sources.get(file).is_some());
    files.sort_unstable();
    files.dedup();
    match (counts.is_empty(), files.len()) {
        (true, _) => String::new(),
        (false, 0) => counts.join(", ") + "\n",
        (false, n) => format!("{} in {}\n", counts.join(", "), plural(n, "file")),
    }
}

// ---- Our diagnostics as miette's.

struct Report<'a> {
    diagnostic: &'a Diagnostic,
    source: Composite<'a>,
    labels: Vec<LabeledSpan>,
    /// More help than the one text that miette has room for, and labels whose place is not known.
    asides: Vec<Aside>,
}

impl<'a> Report<'a> {
    fn new(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Self {
        let mut source = Composite::default();
        let mut labels = Vec::new();
        let mut asides = Vec::new();
        for (at, label) in diagnostic.labels.iter().enumerate() {
            let text = Some(clean(&label.text)).filter(|text| !text.is_empty());
            match source.span(label.span, sources) {
                Some(span) if at == 0 => labels.push(LabeledSpan::new_primary_with_span(text, span)),
                Some(span) => labels.push(LabeledSpan::new_with_span(text, span)),
                None => asides.extend(text.map(|text| Aside { word: "note", text })),
            }
        }
        let more = help_lines(diagnostic).skip(usize::from(diagnostic.help.is_some()));
        asides.extend(more.map(|text| Aside { word: "help", text: clean(text) }));
        Report { diagnostic, source, labels, asides }
    }
}

/// Text of the user may stand in a message, and must not steer the terminal.
fn clean(text: &str) -> String {
    text.chars().map(|letter| if letter == '\n' { letter } else { visible(letter) }).collect()
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.diagnostic, f)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&clean(&self.diagnostic.message))
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.diagnostic.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.diagnostic.help.as_deref().map(|help| Box::new(clean(help)) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        Some(Box::new(self.asides.iter().map(|aside| aside as &dyn miette::Diagnostic)))
    }
}

/// A remark under a diagnostic; its code is the word before it.
#[derive(Debug)]
struct Aside {
    word: &'static str,
    text: String,
}

impl fmt::Display for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Aside {}

impl miette::Diagnostic for Aside {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.word))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(miette::Severity::Advice)
    }
}

/// The files of one diagnostic end to end, the primary one first, with a byte between them that belongs to none: so an
/// empty place at the end of a file is not the start of the next.
#[derive(Default)]
struct Composite<'a> {
    parts: Vec<Part<'a>>,
}

struct Part<'a> {
    id: FileId,
    /// The offset of the file's first byte.
    base: usize,
    file: &'a SourceFile,
}

impl<'a> Composite<'a> {
    /// A span in the whole, adding its file if it is new; none if there is no such file.
    fn span(&mut self, span: Span, sources: &'a SourceMap) -> Option<SourceSpan> {
        let file = sources.get(span.file)?;
        let mut range = clamp(file, span);
        // A span that takes its line break along shows as one that ends with the line.
        let covered = file.text.get(range.clone()).unwrap_or("");
        if let Some(line) = covered.strip_suffix('\n') {
            range.end = range.start + line.strip_suffix('\r').unwrap_or(line).len();
        }
        let known = self.parts.iter().find(|part| part.id == span.file).map(|part| part.base);
        let base = known.unwrap_or_else(|| {
            let base = self.parts.last().map_or(0, |part| part.base + part.file.text.len() + 1);
            self.parts.push(Part { id: span.file, base, file });
            base
        });
        Some((base + range.start, range.len()).into())
    }
}

impl SourceCode for Composite<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let part = self.parts.iter().rev().find(|part| part.base <= span.offset()).ok_or(MietteError::OutOfBounds)?;
        let text: &'a str = &part.file.text;
        let asked = span.offset() - part.base..span.offset() - part.base + span.len();
        let covered = text.get(asked.clone()).ok_or(MietteError::OutOfBounds)?;
        // Lines from 0, as miette counts them.
        let line = text.as_bytes().iter().take(asked.start).filter(|&&byte| byte == b'\n').count();
        let last_line = line + covered.matches('\n').count();
        let lines = part.file.lines();
        let first_shown = line.saturating_sub(lines_before);
        let shown = Range {
            start: if lines_before == 0 { asked.start } else { lines.line_range(text, first_shown + 1).start },
            end: if lines_after == 0 { asked.end } else { lines.line_range(text, last_line + lines_after + 1).end },
        };
        let line_start = lines.line_range(text, first_shown + 1).start;
        let column = text.get(line_start..shown.start).map_or(0, |before| before.chars().count());
        let data = text.get(shown.clone()).unwrap_or("").as_bytes();
        let count = data.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let place = (part.base + shown.start, shown.len()).into();
        let name = part.file.name.to_string();
        Ok(Box::new(MietteSpanContents::new_named(name, data, place, first_shown, column, count)))
    }
}

// ---- Any diagnostic of miette, drawn.

fn draw(report: &dyn miette::Diagnostic, look: Look) -> String {
    let (word, ink) = match report.severity() {
        Some(miette::Severity::Error) | None => ("error", AnsiColor::Red),
        Some(miette::Severity::Warning) => ("warning", AnsiColor::Yellow),
        Some(miette::Severity::Advice) => ("note", AnsiColor::Blue),
    };
    let pens = if look.color { Pens::colored(ink) } else { Pens::default() };
    let code = report.code().map(|code| format!("[{code}]")).unwrap_or_default();
    let Pens { severity, message, .. } = pens;
    let mut out = format!("{severity}{word}{code}{severity:#}{message}: {report}{message:#}\n");

    let excerpts = excerpts(report);
    let last_line = excerpts.iter().map(Excerpt::last_line).max().unwrap_or(1);
    let room = Room { numbers: last_line.to_string().len(), width: look.width.max(NARROWEST), pens };
    for (at, excerpt) in excerpts.iter().enumerate() {
        out.push_str(&excerpt.draw(if at == 0 { '╭' } else { '├' }, room));
    }

    let help = report.help().map(|help| ("help".to_owned(), help.to_string()));
    let asides = report.related().into_iter().flatten();
    let asides = asides.map(|aside| (aside.code().map_or(String::new(), |word| word.to_string()), aside.to_string()));
    for (word, text) in help.into_iter().chain(asides) {
        // Under the frame's bar, and further lines under the first letter of the text.
        let indent = room.numbers + 1 + word.len() + 2;
        for (at, line) in wrap(&text, room.width - indent.min(room.width)).iter().enumerate() {
            match at {
                0 => out.push_str(&format!("{:1$} {help}{word}{help:#}: {line}\n", "", room.numbers, help = pens.help)),
                _ => out.push_str(&format!("{:indent$}{line}\n", "")),
            }
        }
    }
    out
}

/// The labelled places, by file, in the order in which the files are first named.
fn excerpts(report: &dyn miette::Diagnostic) -> Vec<Excerpt> {
    // With each excerpt, an offset in its file.
    let mut files: Vec<(usize, Excerpt)> = Vec::new();
    let Some(source) = report.source_code() else { return Vec::new() };
    for label in report.labels().into_iter().flatten() {
        // One line more on each side makes the answer begin and end with whole lines.
        let Ok(around) = source.read_span(label.inner(), 1, 1) else { continue };
        let Ok(data) = std::str::from_utf8(around.data()) else { continue };
        let offset = label.offset().saturating_sub(around.span().offset());
        let start = point(data, offset, around.line());
        let end = point(data, offset + label.len(), around.line());
        let lines: BTreeMap<usize, String> = (around.line() + 1..)
            .zip(data.split('\n'))
            .map(|(number, line)| (number, line.strip_suffix('\r').unwrap_or(line).to_owned()))
            .collect();
        let mark = Mark { start, end, text: label.label().unwrap_or("").to_owned(), primary: label.primary() };
        match files.iter_mut().find(|&&mut (other, _)| one_file(source, other, label.offset())) {
            Some((_, excerpt)) => {
                excerpt.lines.extend(lines);
                excerpt.marks.push(mark);
            }
            None => {
                let before = lines.get(&start.line).and_then(|line| line.get(..start.byte)).unwrap_or("");
                let name = clean(around.name().unwrap_or_default());
                let title = format!("{name}:{}:{}", start.line, before.chars().count() + 1);
                files.push((label.offset(), Excerpt { title, lines, marks: vec![mark] }));
            }
        }
    }
    files.into_iter().map(|(_, excerpt)| excerpt).collect()
}

/// Whether two offsets lie in one file. Names do not tell: all arguments of the command line may have the same.
fn one_file(source: &dyn SourceCode, one: usize, other: usize) -> bool {
    source.read_span(&(one.min(other), one.abs_diff(other)).into(), 0, 0).is_ok()
}

/// Where a byte of `data` lies, whose first line has `line` lines before it.
fn point(data: &str, offset: usize, line: usize) -> Point {
    let before = data.get(..offset).unwrap_or(data);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    Point { line: line + 1 + before.matches('\n').count(), byte: before.len() - start }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Name;

    /// miette's own handler asks the composite source in its own way, so it is a second opinion on names and lines.
    #[test]
    fn answers_other_handlers_in_the_lines_of_each_file() {
        let mut sources = SourceMap::default();
        let first = sources.add("first.dlm", "one\ntwo = 2\nthree");
        let second = sources.add("second.dlm", "1\n2\n3\nfour = 4\n5\n");
        let diagnostic = Diagnostic::rule(Name::new("r"), Severity::Error, Span::new(second, 6, 10), "wrong")
            .here("in line 4")
            .label(Span::new(first, 12, 17), "the last line")
            .help("write it again");
        let report = Report::new(&diagnostic, &sources);
        let mut out = String::new();
        let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor());
        assert!(handler.render_report(&mut out, &report).is_ok());
        let out: String = out.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
        insta::assert_snapshot!(out, @r"
        dlm::check::r

          × wrong
           ╭─[second.dlm:4:1]
         3 │ 3
         4 │ four = 4
           · ──┬─
           ·   ╰── in line 4
         5 │ 5
           ╰────
           ╭─[first.dlm:3:1]
         2 │ two = 2
         3 │ three
           · ──┬──
           ·   ╰── the last line
           ╰────
          help: write it again
        ");
    }

    #[test]
    fn refuses_a_span_across_files() {
        let mut sources = SourceMap::default();
        let (a, b) = (sources.add("a", "12"), sources.add("b", "345"));
        let mut composite = Composite::default();
        let spans = [a, b].map(|file| composite.span(Span::new(file, 0, 2), &sources));
        assert_eq!(spans, [Some((0, 2).into()), Some((3, 2).into())]);
        assert!(composite.read_span(&(0, 4).into(), 0, 0).is_err());
        assert!(composite.read_span(&(3, 4).into(), 0, 0).is_err());
        let inside = composite.read_span(&(4, 2).into(), 0, 0).ok();
        assert_eq!(inside.map(|inside| (inside.data().to_vec(), inside.column())), Some((b"45".to_vec(), 1)));
    }
}
