//! Whole commands in a temporary folder: what they print, what they write, how they end.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::at;

/// A folder for one test, with commands that see nothing of the user's environment.
pub struct Home(TempDir);

/// What came of a command.
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Home {
    pub fn new() -> Home {
        Home(TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn with(self, name: &str, text: impl AsRef<[u8]>) -> Home {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dlm"));
        command.args(arguments).current_dir(self.0.path()).env_clear();
        command.env("COLUMNS", "100").env("NO_COLOR", "1").env("DLM_RUNTIME", self.path("no-such-runtime"));
        command.stdin(Stdio::null());
        command
    }

    pub fn dlm(&self, arguments: &[&str]) -> Done {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).unwrap();
            text.replace(self.0.path().to_str().unwrap(), "HOME")
        };
        Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Done {
    /// The whole, for snapshots.
    pub fn shown(&self) -> String {
        let code = self.code.map_or("signal".to_owned(), |code| code.to_string());
        format!("status {code}\n── stdout\n{}── stderr\n{}", self.out, self.err)
    }

    /// Status 2, nothing on standard output, and these words on standard error.
    pub fn refuses(&self, words: &[&str]) {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{}", self.shown());
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in {}", self.shown());
        }
    }

    /// Status 1, and these words among the diagnostics.
    pub fn finds(&self, words: &[&str]) {
        self.ends(1, words);
    }

    /// Status 2, and these words among the diagnostics.
    fn cannot_read(&self, words: &[&str]) {
        self.ends(2, words);
    }

    fn ends(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}", self.shown());
        for word in words {
            assert!(self.out.contains(word) || self.err.contains(word), "no {word:?} in {}", self.shown());
        }
    }

    pub fn succeeds(&self) {
        assert_eq!(self.code, Some(0), "{}", self.shown());
    }
}

macro_rules! shown {
    ($name:literal, $done:expr) => {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(concat!("cli-", $name), $done.shown())
        })
    };
}

const BAKERY: &str = "dlm 1

schema Bakery {
  ## Loaves of a day.
  loaves: int > 0 = 12
  ## What is added to the dough.
  seeds: list<string> = []
  dozens: int? deprecated \"set `loaves`\"

  ## A baker works alone.
  check few: loaves <= 100 else \"{loaves} loaves are too many\" help \"bake at most 100\" fix loaves = 100
}
";

fn bakery(body: &str) -> String {
    format!("{BAKERY}\nexperiment morning extends Bakery {{\n  {body}\n}}\n")
}

fn small() -> String {
    let page = std::fs::read_to_string(at("book/src/diagnostics/lower-not_set.md")).unwrap();
    let mended = page.split_once("## Mended").unwrap().1.split_once("```dlm\n").unwrap().1;
    mended.split_once("```").unwrap().0.to_owned()
}

#[test]
fn check_ends_with_a_status_that_says_what_it_found() {
    let home = Home::new()
        .with("ok.dlm", bakery("loaves = 30"))
        .with("bad.dlm", bakery("loavs = 30"))
        .with("old.dlm", bakery("dozens = 3"));
    let clean = home.dlm(&["check", "ok.dlm"]);
    clean.succeeds();
    assert_eq!(clean.out, "1 experiment in 1 file: no errors\n");
    shown!("check-error", home.dlm(&["check", "bad.dlm"]));
    shown!("check-warning", home.dlm(&["check", "old.dlm"]));
    home.dlm(&["check", "old.dlm", "--deny", "warning"]).finds(&["warning[dlm::resolve::deprecated_field]"]);
    shown!("check-set", home.dlm(&["check", "ok.dlm", "--set", "loaves=101"]));
    // A folder is searched, and one bad file in it counts.
    home.dlm(&["check", "."]).finds(&["bad.dlm:15:3", "old.dlm:15:3"]);
}

#[test]
fn check_says_what_it_cannot_read() {
    let home = Home::new()
        .with("binary.dlm", b"dlm 1\n\0\x01")
        .with("latin.dlm", b"dlm 1\n# caf\xe9\n")
        .with("huge.dlm", vec![b'#'; 20 << 20])
        .with("empty/readme.md", "");
    home.dlm(&["check", "missing.dlm"]).cannot_read(&["missing.dlm"]);
    home.dlm(&["check", "binary.dlm"]).cannot_read(&["binary.dlm", "binary"]);
    home.dlm(&["check", "latin.dlm"]).cannot_read(&["latin.dlm", "UTF-8"]);
    home.dlm(&["check", "huge.dlm"]).cannot_read(&["huge.dlm"]);
    home.dlm(&["check", "empty"]).refuses(&["no `.dlm` file lies in `empty`"]);
    home.dlm(&["check"]).refuses(&["PATH"]);
    home.dlm(&["chekc", "x"]).refuses(&["check"]);
    shown!("check-missing", home.dlm(&["check", "missing.dlm", "latin.dlm"]));
}

#[test]
fn check_reads_files_of_other_systems() {
    let text = bakery("loaves = 30").replace('\n', "\r\n");
    let home = Home::new().with("crlf.dlm", &text).with("bom.dlm", format!("\u{feff}{text}"));
    home.dlm(&["check", "crlf.dlm", "bom.dlm"]).succeeds();
    let home = Home::new().with("crlf.dlm", text.replace("loaves = 30", "loavs = 30"));
    home.dlm(&["check", "crlf.dlm"]).finds(&["crlf.dlm:15:3", "write `loaves`"]);
    home.dlm(&["check", "--fix", "crlf.dlm"]).succeeds();
    assert_eq!(home.read("crlf.dlm"), text, "line ends stay as they are");
}

#[test]
fn check_writes_for_machines() {
    let home = Home::new().with("bad.dlm", bakery("loaves = 300"));
    let format = |format: &str| home.dlm(&["check", "bad.dlm", "--format", format]);
    shown!("check-short", format("short"));
    shown!("check-github", format("github"));
    let json: serde_json::Value = serde_json::from_str(&format("json").out).unwrap();
    assert_eq!(json["diagnostics"][0]["code"], "dlm::check::few");
    assert_eq!(json["diagnostics"][0]["labels"][0]["line"], 15);
    let sarif: serde_json::Value = serde_json::from_str(&format("sarif").out).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "dlm::check::few");
    format("xml").refuses(&["xml", "human"]);
}

#[test]
fn fixes_give_a_file_that_checks_clean() {
    let slips = [
        ("loaves = 30", "hidden_size             = 64", "hiden_size              = 64"),
        ("", "attention_mask = no_mask", "attention_mask = no_maks"),
        ("", "num_layers              = 2", "num_layers              = \"2\""),
        ("", "num_layers              = 2", "num_layers              = 2.0"),
        ("", "eval_interval = 5000", "eval_interval = 5kB"),
        ("", "num_attention_heads     = 4", "num_attention_heads     = 5"),
    ];
    let right = small().replace(
        "  optimizer.lr",
        "  diffusion.attention_mask = no_mask\n  evaluation.eval_interval = 5000\n  optimizer.lr",
    );
    for (_, good, bad) in slips {
        assert!(right.contains(good), "{good}");
        let home = Home::new().with("exp.dlm", right.replace(good, bad));
        home.dlm(&["check", "exp.dlm"]).finds(&["help"]);
        home.dlm(&["check", "exp.dlm", "--fix"]).succeeds();
        home.dlm(&["check", "exp.dlm"]).succeeds();
        let count = |text: &str| text.lines().count();
        assert_eq!(count(&home.read("exp.dlm")), count(&right), "{bad}");
    }
    // Where nothing is set that could be edited, the setting is added.
    let home = Home::new().with("exp.dlm", small().replace(" with masked_diffusion", ""));
    home.dlm(&["check", "exp.dlm", "--fix"]).succeeds();
    assert!(home.read("exp.dlm").contains("\n  diffusion.base_model = vanilla\n"));
}

#[test]
fn resolve_shows_values_in_four_forms() {
    let home = Home::new().with("exp.dlm", small());
    shown!("resolve-table", home.dlm(&["resolve", "exp.dlm", "--set", "optimizer.lr=2e-3"]));
    shown!("resolve-yaml", home.dlm(&["resolve", "exp.dlm", "--format", "yaml"]));
    shown!("resolve-flags", home.dlm(&["resolve", "exp.dlm", "--format", "flags"]));
    let json = home.dlm(&["resolve", "exp.dlm", "--format", "json"]);
    json.succeeds();
    serde_json::from_str::<serde_json::Value>(&json.out).unwrap();
    home.dlm(&["resolve", "exp.dlm", "--set", "model.num_layers=0"]).finds(&["out_of_range"]);
    home.dlm(&["resolve", "exp.dlm", "--experiment", "large"]).refuses(&["no experiment `large`", "`small`"]);
    home.dlm(&["resolve", "missing.dlm"]).cannot_read(&["missing.dlm"]);
}

#[test]
fn explain_knows_fields_groups_codes_and_rules() {
    let home = Home::new().with("exp.dlm", small());
    shown!("explain-field", home.dlm(&["explain", "optimizer.lr"]));
    shown!("explain-value", home.dlm(&["explain", "model.kv_channels", "exp.dlm"]));
    shown!("explain-group", home.dlm(&["explain", "evaluation"]));
    shown!("explain-code", home.dlm(&["explain", "dlm::resolve::not_whole"]));
    shown!("explain-rule", home.dlm(&["explain", "dlm::check::heads_divide"]));
    shown!("explain-unknown", home.dlm(&["explain", "optimizer.learning_rate"]));
}

#[test]
fn graph_shows_the_network() {
    let home = Home::new().with("exp.dlm", small());
    shown!("graph-tree", home.dlm(&["graph", "exp.dlm"]));
    let json = home.dlm(&["graph", "exp.dlm", "--format", "json"]);
    json.succeeds();
    serde_json::from_str::<serde_json::Value>(&json.out).unwrap();
    home.dlm(&["graph", "exp.dlm", "--set", "model.num_layers=1_000_000"]).finds(&["lower::too_large"]);
}

#[test]
fn new_writes_a_file_that_checks_clean_and_no_other() {
    for template in ["pretrain", "small"] {
        let home = Home::new();
        home.dlm(&["new", "exp.dlm", "--template", template]).succeeds();
        home.dlm(&["check", "exp.dlm"]).succeeds();
        home.dlm(&["fmt", "--check", "exp.dlm"]).succeeds();
        let text = home.read("exp.dlm");
        home.dlm(&["new", "exp.dlm", "--template", template]).refuses(&["exp.dlm"]);
        assert_eq!(home.read("exp.dlm"), text);
    }
    Home::new().dlm(&["new", "no/such/folder/exp.dlm"]).refuses(&["no/such/folder"]);
}

#[test]
fn fmt_check_changes_nothing() {
    let text = bakery("loaves=30");
    let home = Home::new().with("exp.dlm", &text);
    home.dlm(&["fmt", "--check", "exp.dlm"]).finds(&["exp.dlm"]);
    assert_eq!(home.read("exp.dlm"), text);
    home.dlm(&["fmt", "exp.dlm"]).succeeds();
    assert!(home.read("exp.dlm").contains("loaves = 30"));
    home.dlm(&["fmt", "--check", "exp.dlm"]).succeeds();
    home.dlm(&["fmt", "missing.dlm"]).refuses(&["missing.dlm"]);
}

#[test]
fn run_says_what_is_in_its_way() {
    let home = Home::new().with("exp.dlm", small()).with("book.txt", "In the beginning\n".repeat(100));
    shown!("run-no-runtime", home.dlm(&["run", "exp.dlm"]));
    home.dlm(&["run", "exp.dlm", "--set", "model.num_layers=0"]).finds(&["out_of_range"]);
    home.dlm(&["run", "exp.dlm", "--set", "precision.bf16=true"]).finds(&["lower::unsupported"]);
    home.dlm(&["sample", "no-such-run"]).refuses(&["no-such-run"]);
    assert!(!home.path("runs").exists(), "a run that can't start leaves nothing behind");
}

#[cfg(unix)]
#[test]
fn run_folders_are_made_once() {
    use std::os::unix::fs::PermissionsExt;
    // A runtime that only shows what it was asked for.
    let home = Home::new().with("exp.dlm", small()).with("no-such-runtime", "#!/bin/sh\necho \"$@\"\n");
    let runtime = home.path("no-such-runtime");
    std::fs::set_permissions(&runtime, std::fs::Permissions::from_mode(0o755)).unwrap();
    let first = home.dlm(&["run", "exp.dlm", "--threads", "2"]);
    first.succeeds();
    assert_eq!(first.out, "train --run-dir runs/small --threads 2\n");
    let written = home.read("runs/small/run.json");
    serde_json::from_str::<serde_json::Value>(&written).unwrap();
    // A run that ended before it had anything to show is begun anew.
    home.dlm(&["run", "exp.dlm", "--set", "optimizer.lr=0.5"]).succeeds();
    assert!(home.read("runs/small/run.json").contains("\"peak\": 0.5"));
    home.dlm(&["run", "exp.dlm"]).succeeds();
    assert_eq!(home.read("runs/small/run.json"), written);
    std::fs::write(home.path("runs/small/metrics.jsonl"), "{}\n").unwrap();
    // The folder of another run stays as it is.
    home.dlm(&["run", "exp.dlm", "--set", "optimizer.lr=1"]).refuses(&["`runs/small` holds a run already", "--resume"]);
    home.dlm(&["run", "exp.dlm", "--resume", "--set", "optimizer.lr=1"]).refuses(&["`optimizer.lr` was"]);
    assert_eq!(home.read("runs/small/run.json"), written);
    assert_eq!(home.dlm(&["run", "exp.dlm", "--resume"]).out, "train --run-dir runs/small --resume\n");
    home.dlm(&["run", "exp.dlm", "--run-dir", "other", "--resume"]).refuses(&["`other` holds no run"]);
    // A file stands where the folder should be made.
    home.dlm(&["run", "exp.dlm", "--run-dir", "exp.dlm/run"]).refuses(&["exp.dlm/run"]);
}

#[test]
fn help_is_the_command_reference() {
    let home = Home::new();
    shown!("help", home.dlm(&["--help"]));
    let commands = ["check", "resolve", "explain", "graph", "run", "sample", "test", "diff", "golden", "fmt", "new"];
    let all: Vec<String> = commands.iter().map(|command| home.dlm(&[command, "--help"]).shown()).collect();
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("cli-help-commands", all.join("\n"));
    });
    home.dlm(&[]).refuses(&["Usage"]);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = Home::new().with("bad.dlm", bakery("loavs = 30"));
    let mut child =
        home.command(&["resolve", "bad.dlm", "--full"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(!err.contains("panicked") && !err.contains("Broken pipe"), "{err}");
    let mut check = home.command(&["check", "bad.dlm"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(check.stdout.take());
    // What was found still decides.
    assert_eq!(check.wait().unwrap().code(), Some(1));
}
