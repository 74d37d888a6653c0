//! Cases: texts with marks in their comments, and whether diagnostics meet them. `ui.rs` describes the form.

use dlm::base::{SourceMap, Span};
use dlm::diag::{Diagnostic, Severity};
use dlm::session::{Override, Overrides};

use crate::support::Depth;

/// A case as written.
#[derive(Debug, Default)]
pub struct Case {
    /// Paths and texts, in order.
    pub files: Vec<(String, String)>,
    /// What the command line changes.
    pub overrides: Overrides,
    /// The target whose flags are checked without a file.
    pub target: Option<String>,
    pub marks: Vec<Mark>,
    /// `#! lower`
    pub depth: Depth,
    /// Words behind `--`.
    pub flags: Vec<String>,
    /// The argument that stands last, to which carets belong.
    pub argument: Option<String>,
}

/// What a case expects at one place.
#[derive(Debug)]
pub struct Mark {
    /// Its line in the case, for complaints.
    pub line: usize,
    pub place: Place,
    /// What is reported there; without it, the mark is about a secondary label.
    pub report: Option<(Severity, String)>,
    /// What the label, or a message without label, has to contain.
    pub text: String,
}

/// Where a mark points. Lines and columns count from 1 and in characters; ends are exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Within one line.
    Columns { file: String, line: usize, from: usize, to: usize },
    /// From there over several lines.
    Begins { file: String, line: usize, from: usize },
    /// The place in that file whose text begins so.
    Text { file: String, text: String },
    /// No place at all.
    Nowhere,
}

impl Case {
    /// Reads a case, or says which line is not understood.
    pub fn parse(text: &str) -> Result<Case, String> {
        let mut case = Case::default();
        let mut lines = (1..).zip(text.split_inclusive('\n')).peekable();
        while let Some((number, line)) = lines.next_if(|(_, line)| line.starts_with("#!")) {
            case.header(number, line).map_err(|why| format!("line {number}: {why}"))?;
        }
        let mut marked = 0;
        for (number, line) in lines {
            if let Some(path) = line.strip_prefix("#- ") {
                let path = path.trim().trim_start_matches('/');
                case.files.push(match path.strip_suffix(" (binary)") {
                    Some(path) => (path.to_owned(), "\0".to_owned()),
                    None => (path.to_owned(), String::new()),
                });
                continue;
            }
            if case.files.is_empty() {
                case.files.push(("main.dlm".to_owned(), String::new()));
            }
            let (file, text) = case.files.last_mut().ok_or("no file")?;
            let here = text.lines().count() + 1;
            text.push_str(line);
            match caret(line.trim_end()) {
                Some((range, rest)) => {
                    let place = range.place(file.clone(), marked);
                    let (report, text) = expectation(rest);
                    case.marks.push(Mark { line: number, place, report, text });
                }
                None => marked = here,
            }
        }
        Ok(case)
    }

    /// `#! --set path=expr`, carets under it, `#! in file "text" …`, `#! nowhere …`
    fn header(&mut self, number: usize, line: &str) -> Result<(), String> {
        let line = line.trim_end();
        let body = line.trim_start_matches("#!").trim();
        if let Some((option, value)) = body.split_once(' ').filter(|(option, _)| option.starts_with("--")) {
            return self.option(option, value);
        }
        if body == "lower" {
            self.depth = Depth::Lower;
            return Ok(());
        }
        if body == "test" {
            self.depth = Depth::Test;
            return Ok(());
        }
        let (place, rest) = if let Some(rest) = body.strip_prefix("nowhere ") {
            (Place::Nowhere, rest)
        } else if let Some(rest) = body.strip_prefix("in ") {
            let parts = rest.split_once(" \"").and_then(|(file, rest)| Some((file, rest.split_once('"')?)));
            let (file, (text, rest)) = parts.ok_or("`#! in FILE \"TEXT\" …` is not complete")?;
            (Place::Text { file: file.to_owned(), text: text.to_owned() }, rest.trim())
        } else {
            let (range, rest) = caret(line).ok_or("neither `--set`, `in`, `nowhere` nor carets")?;
            let argument = self.argument.as_ref().ok_or("carets before any argument")?;
            // Columns of the line, made into columns behind `#! `.
            let range = Range { from: range.from.saturating_sub(3).max(1), to: range.to.saturating_sub(3), ..range };
            (range.place(argument.clone(), 1), rest)
        };
        let (report, text) = expectation(rest);
        self.marks.push(Mark { line: number, place, report, text });
        Ok(())
    }

    fn option(&mut self, option: &str, value: &str) -> Result<(), String> {
        let text = value.to_owned();
        match option {
            "--set" => self.overrides.settings.push(Override::Set(text)),
            "--add" => self.overrides.settings.push(Override::Add(text)),
            "--unset" => self.overrides.settings.push(Override::Unset(text)),
            "--with" => self.overrides.settings.push(Override::With(text)),
            // Its text is that of the file of the case that has this name; see `overrides_of`.
            "--values" => self.overrides.settings.push(Override::Values(text, String::new())),
            "--input" => {
                let (name, value) = value.split_once('=').ok_or("`--input` gives a name and a value")?;
                self.overrides.inputs.push((name.to_owned(), value.to_owned()));
            }
            "--target" => self.target = Some(text),
            "--" => self.flags.extend(words(value)),
            _ => return Err(format!("`{option}` is no option of a case")),
        }
        self.argument = Some(format!("{option} {value}"));
        Ok(())
    }

    /// What its command line changes, with the texts of its values files.
    pub fn overrides(&self) -> Overrides {
        let mut overrides = self.overrides.clone();
        for setting in &mut overrides.settings {
            if let Override::Values(name, text) = setting {
                let file = self.files.iter().find(|file| file.0 == *name);
                *text = file.map(|file| file.1.clone()).unwrap_or_else(|| panic!("the case has no file `{name}`"));
            }
        }
        if !self.flags.is_empty() {
            overrides.settings.push(Override::Flags(self.flags.clone()));
        }
        overrides
    }

    /// The codes that it shows, as written in its marks.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().filter_map(|mark| mark.report.as_ref()).map(|(_, code)| code.as_str())
    }

    /// Where diagnostics and marks do not agree.
    pub fn complaints(&self, diagnostics: &[Diagnostic], sources: &SourceMap) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut open: Vec<&Diagnostic> = diagnostics.iter().collect();
        for mark in &self.marks {
            let met = match &mark.report {
                Some((severity, code)) => {
                    let same = |diagnostic: &&Diagnostic| {
                        diagnostic.severity == *severity
                            && diagnostic.code.to_string() == *code
                            && mark.is_at(diagnostic.span(), sources)
                            && primary_text(diagnostic).contains(&mark.text)
                    };
                    open.iter().position(same).map(|at| open.remove(at)).is_some()
                }
                None => {
                    let labels = diagnostics.iter().flat_map(|diagnostic| diagnostic.labels.iter().skip(1));
                    let mut labels = labels.filter(|label| mark.is_at(Some(label.span), sources));
                    labels.any(|label| label.text.contains(&mark.text))
                }
            };
            if !met {
                let report = mark.report.as_ref().map(|(severity, code)| format!("{}[{code}] ", severity.word()));
                let what = format!("{}{:?} at {:?}", report.unwrap_or("label ".to_owned()), mark.text, mark.place);
                complaints.push(format!("line {}: not met: {what}", mark.line));
            }
        }
        for diagnostic in open.iter().filter(|diagnostic| diagnostic.severity > Severity::Note) {
            let place = diagnostic.span().map_or(Place::Nowhere, |span| exact(span, sources));
            let code = diagnostic.code.to_string();
            let code = code.trim_start_matches("dlm::");
            let mark =
                format!("{} {}[{code}] {}", place.carets(), diagnostic.severity.word(), primary_text(diagnostic));
            complaints.push(format!("not marked: {}\n    at {place:?}:\n{mark}", diagnostic.message));
        }
        complaints
    }
}

/// Words as a shell splits them: at blanks outside of single quotes.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for letter in text.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words
}

impl Place {
    /// How a mark for it is written, as far as it stands in a comment under the line.
    fn carets(&self) -> String {
        let (file, from, carets) = match self {
            Place::Columns { file, from, to, .. } if from == to => (file, *from, "|".to_owned()),
            Place::Columns { file, from, to, .. } => (file, *from, "^".repeat(to - from)),
            Place::Begins { file, from, .. } => (file, *from, "^...".to_owned()),
            Place::Text { file, text } => return format!("#! in {file} \"{text}\""),
            Place::Nowhere => return "#! nowhere".to_owned(),
        };
        match from.checked_sub(2) {
            // An argument stands behind `#! `, and so do its marks.
            _ if file.starts_with("--") => format!("#!{}{carets}", " ".repeat(from)),
            Some(blanks) => format!("#{}{carets}", " ".repeat(blanks)),
            // Under the `#` itself; the first caret is the `<`.
            None => format!("#<{}", carets.strip_prefix('^').unwrap_or(&carets)),
        }
    }
}

impl Mark {
    fn is_at(&self, span: Option<Span>, sources: &SourceMap) -> bool {
        let Some(span) = span else { return self.place == Place::Nowhere };
        match &self.place {
            Place::Text { file, text } => *sources.place(span).0 == **file && sources.text(span).starts_with(text),
            Place::Begins { file, line, from } => match exact(span, sources) {
                Place::Begins { file: f, line: l, from: c } => (&f, &l, &c) == (file, line, from),
                _ => false,
            },
            place @ (Place::Columns { .. } | Place::Nowhere) => exact(span, sources) == *place,
        }
    }
}

fn primary_text(diagnostic: &Diagnostic) -> &str {
    let label = diagnostic.labels.first().map_or("", |label| &label.text);
    if label.is_empty() { &diagnostic.message } else { label }
}

/// The place of a span. An argument of the command line counts as a file named `--set path=expr`, in columns of that,
/// whether its source holds the flag or not.
fn exact(span: Span, sources: &SourceMap) -> Place {
    let (name, line, from) = sources.place(span);
    let whole = sources.get(span.file).map_or("", |file| &*file.text);
    let file = match name.starts_with("--") && !name.ends_with(whole) && !whole.starts_with(name) {
        true => format!("{name} {whole}"),
        false => name.to_owned(),
    };
    let from = if name.starts_with("--") { from + file.chars().count() - whole.chars().count() } else { from };
    let text = sources.text(span);
    match text.strip_suffix('\n').unwrap_or(text).contains('\n') {
        true => Place::Begins { file, line, from },
        false => Place::Columns { file, line, from, to: from + text.trim_end_matches(['\r', '\n']).chars().count() },
    }
}

/// The columns under which carets stand.
#[derive(Debug)]
pub(super) struct Range {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) open: bool,
}

impl Range {
    fn place(self, file: String, line: usize) -> Place {
        match self.open {
            true => Place::Begins { file, line, from: self.from },
            false => Place::Columns { file, line, from: self.from, to: self.to },
        }
    }
}

/// Carets in a comment, and what follows them; none for any other line.
pub(super) fn caret(line: &str) -> Option<(Range, &str)> {
    let (before, body) = line.split_once('#').filter(|(before, _)| before.trim().is_empty())?;
    let body = body.strip_prefix('!').unwrap_or(body);
    let marks = body.trim_start_matches(' ');
    let column = before.chars().count() + (line.len() - before.len() - marks.len()) + 1;
    // `<` moves all of it by one column, so that it can reach under the `#`.
    let (from, marks, moved) = match marks.strip_prefix('<') {
        Some(marks) => (column - 1, marks, 1),
        None => (column, marks, 0),
    };
    let rest = marks.trim_start_matches('^');
    let count = marks.len() - rest.len();
    let (range, rest) = if let Some(rest) = rest.strip_prefix('|').filter(|_| count == 0) {
        (Range { from, to: from, open: false }, rest)
    } else if count + moved == 0 {
        return None;
    } else if let Some(rest) = rest.strip_prefix("...") {
        (Range { from, to: from, open: true }, rest)
    } else {
        (Range { from, to: from + count + moved, open: false }, rest)
    };
    (rest.is_empty() || rest.starts_with(' ')).then_some((range, rest.trim()))
}

/// `error[code] text`, or the text of a secondary label.
fn expectation(text: &str) -> (Option<(Severity, String)>, String) {
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let report = severities.into_iter().find_map(|severity| {
        let rest = text.strip_prefix(severity.word())?.strip_prefix('[')?;
        let (code, rest) = rest.split_once(']')?;
        let code = if code.starts_with("dlm::") { code.to_owned() } else { format!("dlm::{code}") };
        Some(((severity, code), rest.trim_start_matches(':').trim()))
    });
    match report {
        Some((report, text)) => (Some(report), text.to_owned()),
        None => (None, text.to_owned()),
    }
}
