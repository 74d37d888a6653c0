//! How diagnostics look: for a person, for one line in a log, for programs, for code scanning, for a pull request.
//!
//! Must not know: what any code means. Start with [`render`]. Invariants: lines and columns count from 1, columns count
//! characters, ends are exclusive; diagnostics keep the order in which they come; every format shows all of them.

#[cfg(feature = "cli")]
mod frame;
mod github;
#[cfg(feature = "cli")]
mod human;
mod json;
mod place;
mod sarif;
mod short;

use crate::base::SourceMap;
use crate::diag::Diagnostic;

/// A way to write diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Excerpts with the places underlined, for a terminal. Needs the feature `cli`.
    #[cfg(feature = "cli")]
    Human,
    /// `file:line:column: error[code]: message`, one line each.
    Short,
    /// One JSON object with everything in it.
    Json,
    /// A SARIF 2.1.0 log, for code scanning.
    Sarif,
    /// Workflow commands, which GitHub shows beside the lines of a pull request.
    Github,
}

/// What the reader's screen can show. Only [`Format::Human`] asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether to color with ANSI escapes.
    pub color: bool,
    /// Columns of the screen.
    pub width: usize,
}

impl Default for Look {
    fn default() -> Self {
        Look { color: false, width: 100 }
    }
}

/// All of `diagnostics` as one text, which ends with a line break unless it is empty.
#[cfg_attr(not(feature = "cli"), expect(unused_variables, reason = "only the human form looks at the screen"))]
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, format: Format, look: Look) -> String {
    match format {
        #[cfg(feature = "cli")]
        Format::Human => human::render(diagnostics, sources, look),
        Format::Short => short::render(diagnostics, sources),
        Format::Json => json::render(diagnostics, sources),
        Format::Sarif => sarif::render(diagnostics, sources),
        Format::Github => github::render(diagnostics, sources),
    }
}

/// What to do about it, best first: the help, then what each fix would do, unless the help names the same text already.
fn help_lines(diagnostic: &Diagnostic) -> impl Iterator<Item = &str> {
    let help = diagnostic.help.as_deref();
    let said = move |title: &str| help.is_some_and(|help| help.contains(title.strip_prefix("write ").unwrap_or(title)));
    let titles = diagnostic.fixes.iter().map(|fix| fix.title.as_str());
    help.into_iter().chain(titles.filter(move |title| !said(title)))
}

impl Format {
    /// Every format of this build.
    pub const ALL: &[Format] = &[
        #[cfg(feature = "cli")]
        Format::Human,
        Format::Short,
        Format::Json,
        Format::Sarif,
        Format::Github,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "cli")]
            Format::Human => "human",
            Format::Short => "short",
            Format::Json => "json",
            Format::Sarif => "sarif",
            Format::Github => "github",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// No format of this build has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format `{0}`; the formats are {list}", list = names())]
pub struct UnknownFormat(pub String);

fn names() -> String {
    Format::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
}

impl std::str::FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = Format::ALL.iter().find(|format| format.name() == name);
        known.copied().ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}
