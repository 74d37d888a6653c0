//! Which module may use which: the table, and a reader of the sources that holds them to it.

use crate::support::rust::{Token, strip, tokens};
use crate::support::{files_under, none_of, read};

/// What each module may use beside itself. `lib.rs`, `main.rs` and `bin/` stand above all of them.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("types", &["base"]),
    ("diag", &["base"]),
    ("spec", &["base"]),
    ("syntax", &["base", "diag"]),
    ("resolve", &["base", "diag", "types", "syntax"]),
    ("values", &["base", "diag", "syntax"]),
    ("check", &["base", "diag", "types", "resolve"]),
    ("lower", &["base", "diag", "types", "resolve", "check", "spec"]),
    ("plan", &["base", "spec"]),
    ("emit", &["base", "spec"]),
    ("run", &["base", "spec"]),
    ("fmt", &["base", "diag", "syntax"]),
    ("import", &["base", "diag", "types", "syntax", "resolve", "fmt"]),
    ("view", &["base", "diag", "types", "resolve", "check", "spec", "plan"]),
    ("launch", &["base", "diag", "spec", "emit"]),
    ("session", &["base", "types", "diag", "spec", "syntax", "values", "resolve", "check", "lower", "plan", "emit"]),
    ("lsp", &["base", "diag", "session", "view", "fmt"]),
    (
        "cli",
        &[
            "base", "types", "diag", "spec", "syntax", "resolve", "check", "lower", "plan", "emit", "fmt", "import",
            "view", "launch", "session", "lsp",
        ],
    ),
    // The crate of the runtime's executable: its command, and `run` as a module of it.
    ("runtime", &["base", "spec", "run", "cli"]),
];

/// Crates that only one place may name, so that replacing one changes one place.
const ONE_PLACE: &[(&str, &[&str])] = &[
    ("miette", &["src/view/diagnostics/human.rs"]),
    ("pest", &["src/syntax/"]),
    ("pest_derive", &["src/syntax/"]),
    ("clap", &["src/cli/", "src/runtime/"]),
    ("tch", &["src/run/"]),
    ("torch_sys", &["src/run/"]),
    ("strsim", &["src/base/nearest.rs"]),
    ("regex_lite", &["src/types/refine.rs"]),
    ("saphyr_parser", &["src/values.rs"]),
];

#[test]
fn modules_use_what_lies_below_them() {
    let files = files_under("src", ".rs");
    none_of(&files.iter().flat_map(|path| complaints(path, &read(path))).collect::<Vec<_>>());
}

fn complaints(path: &str, text: &str) -> Vec<String> {
    let stripped = strip(text);
    let tokens = tokens(&stripped);
    let mut complaints: Vec<String> = crates(path, &tokens)
        .into_iter()
        .map(|(line, name)| format!("{path}:{line}: the crate `{name}` is named outside its place"))
        .collect();
    let module = module_path(path);
    let Some(top) = module.first() else { return complaints };
    let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| name == top) else {
        complaints.push(format!("{path}:1: the module `{top}` has no line in tests/it/layers.rs"));
        return complaints;
    };
    for (line, used) in uses(&module, &tokens) {
        if used == *top || allowed.contains(&used.as_str()) {
            continue;
        }
        complaints.push(match MAY_USE.iter().any(|(name, _)| *name == used) {
            true => format!("{path}:{line}: `{top}` may not use `{used}`"),
            false => format!("{path}:{line}: `crate::{used}` hides its module; name it, as in `crate::base::Span`"),
        });
    }
    complaints
}

/// `src/view/diagnostics/mod.rs` is the module `view::diagnostics`; the roots of crates are no module.
fn module_path(path: &str) -> Vec<&str> {
    let inside = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    match inside {
        "lib" | "main" => Vec::new(),
        inside if inside.starts_with("bin/") => Vec::new(),
        inside => inside.split('/').collect(),
    }
}

/// The modules of the crate that a file names, with their lines.
fn uses(module: &[&str], tokens: &[Token<'_>]) -> Vec<(usize, String)> {
    let mut uses = Vec::new();
    // Names of the inline modules around a token, with the depth of braces at which each ends.
    let mut inline: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next = |offset: usize| tokens.get(at + offset).map_or("", |token| token.text);
        match token.text {
            "mod" if next(2) == "{" => inline.push(depth),
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inline.pop_if(|start| *start == depth);
            }
            "crate" if next(1) == "::" => roots(tokens, at + 2, &mut uses),
            "super" if next(1) == "::" => {
                let mut ups = 1;
                while next(2 * ups) == "super" && next(2 * ups + 1) == "::" {
                    ups += 1;
                }
                if ups >= module.len() + inline.len() {
                    roots(tokens, at + 2 * ups, &mut uses);
                }
                at += 2 * ups - 1;
            }
            _ => {}
        }
        at += 1;
    }
    uses
}

/// The names that follow `crate::`: one, or each that begins a path of a group.
fn roots(tokens: &[Token<'_>], at: usize, uses: &mut Vec<(usize, String)>) {
    let Some(first) = tokens.get(at) else { return };
    if first.text != "{" {
        uses.push((first.line, first.text.to_owned()));
        return;
    }
    let mut depth = 0;
    for (before, token) in tokens[at..].iter().zip(&tokens[at + 1..]) {
        match before.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
        if depth == 1 && ["{", ","].contains(&before.text) && token.text != "}" {
            uses.push((token.line, token.text.to_owned()));
        }
    }
}

/// Where a file names a crate that has another place.
fn crates(path: &str, tokens: &[Token<'_>]) -> Vec<(usize, String)> {
    let elsewhere = |name: &str| {
        let place = ONE_PLACE.iter().find(|(known, _)| *known == name);
        place.is_some_and(|(_, places)| !places.iter().any(|place| path.starts_with(place)))
    };
    let begins = |at: usize| at.checked_sub(1).is_none_or(|before| tokens[before].text != "::");
    let followed = |at: usize| tokens.get(at + 1).is_some_and(|next| next.text == "::");
    let named = tokens.iter().enumerate().filter(|&(at, token)| elsewhere(token.text) && begins(at) && followed(at));
    named.map(|(_, token)| (token.line, token.text.to_owned())).collect()
}

#[test]
fn the_table_goes_one_way() {
    for (at, (name, allowed)) in MAY_USE.iter().enumerate() {
        for used in *allowed {
            let position = MAY_USE.iter().position(|(known, _)| known == used);
            assert!(
                position.is_some_and(|position| position < at),
                "`{name}` uses `{used}`, which does not stand above it"
            );
        }
    }
}

#[test]
fn finds_violations_of_every_spelling() {
    let check = |path: &str, text: &str| {
        let found = complaints(path, text);
        found.iter().map(|complaint| complaint.replacen(&format!("{path}:"), "", 1)).collect::<Vec<_>>()
    };
    let clean = "//! crate::cli\n/* crate::cli */ use crate::base::{Span, span::FileId};\n\
                 const A: &str = \"crate::cli\"; pub(crate) fn f() -> crate::diag::Severity { super::g() }\n\
                 mod tests { use super::*; use super::super::ast; }\n";
    assert_eq!(check("src/syntax/parse.rs", clean), [""; 0]);
    assert_eq!(
        check("src/syntax/mod.rs", "use super::base::Span;\nuse super::cli::run;"),
        ["2: `syntax` may not use `cli`"]
    );
    let group = "use crate::{\n    base::{Span, check::X},\n    check::Value,\n    diag,\n    view,\n};";
    assert_eq!(
        check("src/syntax/a/b.rs", group),
        ["3: `syntax` may not use `check`", "5: `syntax` may not use `view`"]
    );
    assert_eq!(check("src/base/span.rs", "fn f() {\n crate::diag::g() }"), ["2: `base` may not use `diag`"]);
    assert_eq!(check("src/base/span.rs", "fn f() { super::super::diag::g() }"), ["1: `base` may not use `diag`"]);
    assert_eq!(
        check("src/base/mod.rs", "mod tests { fn f() { super::super::diag::g() } }"),
        ["1: `base` may not use `diag`"]
    );
    let hidden = "1: `crate::Session` hides its module; name it, as in `crate::base::Span`";
    assert_eq!(check("src/view/mod.rs", "use crate::Session;"), [hidden]);
    assert_eq!(check("src/new/mod.rs", ""), ["1: the module `new` has no line in tests/it/layers.rs"]);
    assert_eq!(check("src/main.rs", "use crate::anything;"), [""; 0]);
    let crates = check("src/view/plan.rs", "use miette::Report;\nfn f(miette: u8) { x::clap::y() }");
    assert_eq!(crates, ["1: the crate `miette` is named outside its place"]);
}
