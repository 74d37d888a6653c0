//! README and book say what is so: their programs give what they announce, their commands print what they show, their
//! links lead somewhere, and the table of contents is complete.
//!
//! A block of `dlm` is loaded and gives nothing. With `dlm,error=<code>` it gives that code and no other; with
//! `dlm,file=<name>` the page's later blocks may import it under that name, and its commands find it on disk. In a block
//! of `console` a line `$ command` runs in a folder with a copy of `examples/`, and what follows is what it prints on
//! standard output and standard error; a line `…` stands for any lines. `dlm run` and `dlm sample`, unless they show an
//! error, and other programs than `dlm` are shown and not run. `INSTA_UPDATE=always` writes what commands print into the pages, except
//! where lines are left out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use dlm::base::Memory;
use dlm::session::{Overrides, Session};

use crate::support::{at, files_under, none_of, read};

/// Pages with a form of their own, which `pages.rs` holds.
const DIAGNOSTICS: &str = "book/src/diagnostics/";

fn pages() -> Vec<String> {
    let mut pages = files_under("book/src", ".md");
    pages.retain(|page| !page.starts_with(DIAGNOSTICS));
    pages.push("README.md".to_owned());
    pages
}

/// A block of code in a page.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    /// The line of its opening fence, from 1.
    line: usize,
    /// The words behind the fence.
    words: Vec<String>,
    lines: Vec<String>,
}

impl Block {
    fn is(&self, language: &str) -> bool {
        self.words.first().is_some_and(|word| word == language)
    }

    /// The value of `key=value` behind the fence.
    fn word(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    // The block that is open, and the fence that closes it.
    let mut open: Option<(Block, String)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let ticks: String = line.chars().take_while(|letter| *letter == '`').collect();
        match &mut open {
            Some((_, fence)) if line.trim_end() == fence => blocks.extend(open.take().map(|open| open.0)),
            Some((block, _)) => block.lines.push(line.to_owned()),
            None if ticks.len() >= 3 => {
                let words = line[ticks.len()..].split([',', ' ']).filter(|word| !word.is_empty());
                let words = words.map(str::to_owned).collect();
                open = Some((Block { line: number, words, lines: Vec::new() }, ticks));
            }
            None => {}
        }
    }
    blocks
}

/// The text without its blocks, so that what looks like a link in code is none.
fn prose(text: &str) -> String {
    let inside: BTreeSet<usize> =
        blocks(text).iter().flat_map(|block| block.line..=block.line + block.lines.len() + 1).collect();
    let lines = (1..).zip(text.lines()).filter(|(number, _)| !inside.contains(number));
    lines.map(|(_, line)| format!("{line}\n")).collect()
}

#[test]
fn programs_give_what_the_pages_announce() {
    none_of(&pages().iter().flat_map(|page| programs(page, &read(page))).collect::<Vec<_>>());
}

/// What is wrong with the programs of a page.
fn programs(page: &str, text: &str) -> Vec<String> {
    let mut memory = examples().into_iter().fold(Memory::default(), |memory, path| {
        let text = read(&path);
        memory.with(path, text)
    });
    let mut complaints = Vec::new();
    for block in blocks(text).iter().filter(|block| block.is("dlm")) {
        let name = block.word("file").unwrap_or("block.dlm");
        memory = memory.with(name, block.text());
        let mut session = Session::new(memory.clone());
        let project = session.load(&[PathBuf::from(name)]);
        let report = session.check(&project, &Overrides::default());
        let given: BTreeSet<String> = report.diagnostics.iter().map(|found| found.code.to_string()).collect();
        let wanted: BTreeSet<String> = block.word("error").map(str::to_owned).into_iter().collect();
        if given != wanted {
            let said = report.diagnostics.iter().map(|found| format!("{}: {}", found.code, found.message));
            let said = said.collect::<Vec<_>>().join("\n    ");
            complaints.push(format!("{page}:{}: wanted {wanted:?}, but the program gives\n    {said}", block.line));
        }
    }
    complaints
}

fn examples() -> Vec<String> {
    files_under("examples", ".dlm")
}

#[cfg(unix)]
#[test]
fn commands_print_what_the_pages_show() {
    none_of(&pages().iter().flat_map(|page| commands(page, &read(page))).collect::<Vec<_>>());
}

/// What is wrong with the commands of a page. They run in the order of the page, in one folder.
#[cfg(unix)]
fn commands(page: &str, text: &str) -> Vec<String> {
    let blocks: Vec<Block> = blocks(text);
    if !blocks.iter().any(|block| block.is("console")) {
        return Vec::new();
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    examples().iter().for_each(|path| write(path, &read(path)));
    let mut complaints = Vec::new();
    let mut new: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut moved = 0;
    for block in &blocks {
        match block.word("file") {
            Some(name) if block.is("dlm") => write(name, &block.text()),
            Some(_) | None => {}
        }
        if !block.is("console") {
            continue;
        }
        let mut status = 0;
        for (start, command, shown) in shown(&block.lines) {
            let fails = shown.first().is_some_and(|line| line.starts_with("error"));
            let Some(printed) = execute(folder.path(), command, fails, &mut status) else { continue };
            if matches(shown, &printed) {
                continue;
            }
            let line = block.line + start;
            if update() && !shown.iter().any(|line| is_gap(line)) {
                let from = (line as isize + moved) as usize;
                new.splice(from..from + shown.len(), printed.iter().cloned());
                moved += printed.len() as isize - shown.len() as isize;
            } else {
                let (shown, printed) = (shown.join("\n    "), printed.join("\n    "));
                complaints.push(format!("{page}:{line}: `{command}` prints\n    {printed}\nand not\n    {shown}"));
            }
        }
    }
    if update() {
        std::fs::write(at(page), new.join("\n") + "\n").unwrap();
    }
    complaints
}

/// The commands of a block, each with its line in it, from 1, and the lines that it is said to print.
fn shown(lines: &[String]) -> Vec<(usize, &str, &[String])> {
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with("$ ")).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let each = starts.iter().copied().zip(ends);
    each.map(|(start, end)| {
        // An empty line before the next command separates the two.
        let end = if end < lines.len() && end > start + 1 && lines[end - 1].is_empty() { end - 1 } else { end };
        (start + 1, &lines[start][2..], &lines[start + 1..end])
    })
    .collect()
}

/// What a command prints, if it is one that can run here: `dlm run` only where it is to fail before it starts anything.
#[cfg(unix)]
fn execute(folder: &Path, command: &str, fails: bool, status: &mut i32) -> Option<Vec<String>> {
    if command == "echo $?" {
        return Some(vec![status.to_string()]);
    }
    let mut words = command.split_whitespace();
    let runs = words.next() == Some("dlm") && (fails || !matches!(words.next(), Some("run" | "sample")));
    if !runs {
        return None;
    }
    let beside = Path::new(env!("CARGO_BIN_EXE_dlm")).parent().unwrap();
    let path = format!("{}:{}", beside.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder);
    shell.env("PATH", path).env("COLUMNS", "100").env("NO_COLOR", "1").env("DLM_RUNTIME", "/no/runtime/in/tests");
    let output = shell.output().unwrap();
    *status = output.status.code().unwrap();
    let text = [output.stdout, output.stderr].concat();
    Some(String::from_utf8(text).unwrap().lines().map(|line| line.trim_end().to_owned()).collect())
}

fn update() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always")
}

fn is_gap(line: &str) -> bool {
    line.trim() == "…"
}

/// Whether lines are as shown, where `…` stands for any number of them.
fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [first, rest @ ..] if is_gap(first) => (0..=printed.len()).any(|from| matches(rest, &printed[from..])),
        [first, rest @ ..] => {
            printed.first().is_some_and(|line| line == first.trim_end()) && matches(rest, &printed[1..])
        }
    }
}

/// The targets of inline links, without what follows `#`.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|split| split.0));
    let relative = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    relative.map(|target| target.split('#').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn links_lead_to_files() {
    let mut complaints = Vec::new();
    let roots = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "examples/README.md"];
    for page in files_under("book/src", ".md").into_iter().chain(roots.map(str::to_owned)) {
        let folder = at(&page).parent().unwrap().to_owned();
        let dead = links(&read(&page)).into_iter().filter(|target| !folder.join(target).exists());
        complaints.extend(dead.map(|target| format!("{page}: `{target}` is not there")));
    }
    none_of(&complaints);
}

#[test]
fn the_table_of_contents_is_complete() {
    let listed: Vec<String> = links(&read("book/src/SUMMARY.md"));
    let pages = files_under("book/src", ".md").into_iter().map(|page| page["book/src/".len()..].to_owned());
    let pages: BTreeSet<String> = pages.filter(|page| page != "SUMMARY.md").collect();
    let unlisted = pages.iter().filter(|page| !listed.contains(page));
    let mut complaints: Vec<String> = unlisted.map(|page| format!("SUMMARY.md does not list {page}")).collect();
    let twice = listed.iter().filter(|page| listed.iter().filter(|other| other == page).count() > 1);
    complaints.extend(twice.map(|page| format!("SUMMARY.md lists {page} twice")));
    let diagnostics: Vec<&String> =
        listed.iter().filter(|page| page.starts_with("diagnostics/") && !page.ends_with("index.md")).collect();
    if !diagnostics.is_sorted() {
        complaints.push("SUMMARY.md lists the diagnostics out of order".to_owned());
    }
    none_of(&complaints);
}

#[test]
fn the_tests_find_what_they_are_for() {
    let page = "Text [a](b.md#c) [d](https://e) [f](#g).\n```dlm,error=x,file=y\n[h](i)\n```\n````console\n```\n````\n";
    let found = blocks(page);
    assert_eq!((found.len(), found[0].line, found[1].lines.len()), (2, 2, 1));
    assert!(found[0].is("dlm") && found[1].is("console"));
    assert_eq!([found[0].word("error"), found[0].word("file"), found[1].word("file")], [Some("x"), Some("y"), None]);
    assert_eq!(links(page), ["b.md"]);

    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let cases = [("a\nb", "a\nb", true), ("a\n…\nd", "a\nb\nc\nd", true), ("…", "", true), ("a\n…", "b\nc", false)];
    for (shown, printed, wanted) in cases {
        assert_eq!(matches(&lines(shown), &lines(printed)), wanted, "{shown:?} {printed:?}");
    }
    let block = lines("$ a b\nx\n\n$ c\n\ny");
    let commands: Vec<(usize, &str, usize)> = shown(&block).iter().map(|one| (one.0, one.1, one.2.len())).collect();
    assert_eq!(commands, [(1, "a b", 1), (4, "c", 2)]);

    assert_eq!(programs("p", "```dlm\ndlm 1\nschema S { a: int }\n```\n"), [""; 0]);
    assert_eq!(programs("p", "```dlm\ndlm 1\nschema S { a: integer }\n```\n").len(), 1);
    assert_eq!(
        programs("p", "```dlm,error=dlm::resolve::unknown_type\ndlm 1\nschema S { a: integer }\n```\n").len(),
        0
    );
    assert_eq!(programs("p", "```dlm,error=dlm::resolve::unknown_type\ndlm 1\nschema S { a: int }\n```\n").len(), 1);
    if cfg!(unix) {
        let (folder, mut status) = (tempfile::tempdir().unwrap(), 0);
        assert_eq!(
            execute(folder.path(), "dlm check nowhere.dlm", false, &mut status).map(|lines| lines.is_empty()),
            Some(false)
        );
        assert_eq!(execute(folder.path(), "echo $?", false, &mut status), Some(vec![status.to_string()]));
        assert_eq!(execute(folder.path(), "dlm run a.dlm", false, &mut status), None);
        assert_ne!(status, 0);
    }
}
