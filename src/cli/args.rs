//! What was typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::cli::changes::Changes;
use crate::view;

/// A typed language and compiler for diffusion-language-model training experiments.
#[derive(Debug, Parser)]
#[command(name = "dlm", version, arg_required_else_help = true, infer_subcommands = true)]
pub struct Arguments {
    /// Color the output
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto, global = true, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// When to color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check experiments: names, types, rules, without running anything
    Check(CheckArguments),
    /// Show the final value of every field and where it came from
    Resolve(ResolveArguments),
    /// Explain a field, a group of fields, or a diagnostic code
    Explain(ExplainArguments),
    /// Show the network: modules, shapes, parameters
    Graph(GraphArguments),
    /// Train an experiment here and sample from it
    Run(RunArguments),
    /// Generate text from a run
    Sample(SampleArguments),
    /// Run the tests of files
    Test(TestArguments),
    /// Show what differs between two experiments
    Diff(DiffArguments),
    /// Keep resolved experiments as text, and hold them against it
    Golden(GoldenArguments),
    /// Format files
    Fmt(FmtArguments),
    /// Write a new experiment to start from
    New(NewArguments),
}

/// One experiment of a file, and what the command line changes in it.
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// The file that declares it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Its name, where the file declares several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) experiment: Option<String>,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Settings of the command line, stronger than all others.
#[derive(Clone, Debug, Args)]
pub(crate) struct Settings {
    /// Read settings from a YAML or JSON file; may be given several times, the last one wins
    #[arg(long, value_name = "FILE")]
    pub(crate) values: Vec<PathBuf>,
    /// Take a mixin: one that the file knows, or one of the library, as in `--with std.recipes.wsd`
    #[arg(long = "with", value_name = "MIXIN")]
    pub(crate) with: Vec<String>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// Give an input of the files its value, as in `--input data_root=/data`
    #[arg(long = "input", value_name = "NAME=VALUE")]
    pub(crate) inputs: Vec<String>,
    /// Let files import others from outside the folder in which dlm was started
    #[arg(long)]
    pub(crate) allow_outside: bool,
    /// Flags of the target, as its own command line takes them
    #[arg(last = true, allow_hyphen_values = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Files, or folders that are searched for `.dlm` files
    #[arg(value_name = "PATH", required_unless_present = "target")]
    pub(crate) paths: Vec<PathBuf>,
    /// Check flags of this target alone, which stand behind `--`, without any file: `megadlms`
    #[arg(long, value_name = "TARGET", conflicts_with = "paths")]
    pub(crate) target: Option<String>,
    /// Processes of the run, one for each GPU
    #[arg(long, value_name = "N")]
    pub(crate) world_size: Option<u64>,
    /// Whose rules are held
    #[arg(long, value_enum, default_value_t = RuleChoice::All, value_name = "RULES")]
    pub(crate) rules: RuleChoice,
    /// How diagnostics are written
    #[arg(long, value_name = "FORMAT", default_value_t = view::diagnostics::Format::Human)]
    pub(crate) format: view::diagnostics::Format,
    /// The least severity that makes the exit status 1
    #[arg(long, value_enum, default_value_t = Deny::Error, value_name = "LEVEL")]
    pub(crate) deny: Deny,
    /// Apply the fixes that are sure
    #[arg(long)]
    pub(crate) fix: bool,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Whose rules are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuleChoice {
    /// Those of the target and our own
    All,
    /// Those of the target
    Upstream,
}

/// What makes a check fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Errors alone
    Error,
    /// Warnings too
    Warning,
}

#[derive(Debug, Args)]
pub(crate) struct ResolveArguments {
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// How the values are written
    #[arg(long, value_enum, default_value_t = ResolveFormat::Table)]
    pub(crate) format: ResolveFormat,
    /// Also what is at its default
    #[arg(long)]
    pub(crate) full: bool,
    /// Every experiment of the file and every point of its sweeps
    #[arg(long, conflicts_with = "experiment")]
    pub(crate) all: bool,
}

/// Forms of a resolved experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResolveFormat {
    /// Fields, values, and the place that set each
    Table,
    /// The same as JSON
    Json,
    /// Values alone, as nested YAML
    Yaml,
    /// The target's command line
    Flags,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// A field (`optimizer.lr`), a group (`optimizer`), or a code (`dlm::resolve::unknown_field`)
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: String,
    /// A file, to show what the field holds in its experiment
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The experiment, where the file declares several
    #[arg(short, long, value_name = "NAME", requires = "file")]
    pub(crate) experiment: Option<String>,
    /// Show the whole chain of what the value follows from
    #[arg(long, requires = "file")]
    pub(crate) why: bool,
    /// How a field of a file is explained
    #[arg(long, value_enum, default_value_t = ExplainFormat::Human)]
    pub(crate) format: ExplainFormat,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Forms of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Text
    Human,
    /// The same as JSON
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct TestArguments {
    /// Files, or folders that are searched for `.dlm` files
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Run only tests whose titles hold this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) filter: String,
    /// How diagnostics are written
    #[arg(long, value_name = "FORMAT", default_value_t = view::diagnostics::Format::Human)]
    pub(crate) format: view::diagnostics::Format,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// `FILE`, `FILE#experiment`, `FILE#sweep/point`, or a golden
    #[arg(value_name = "A")]
    pub(crate) left: String,
    /// The same, to compare with; `#experiment` alone means one of the first file. Left out: A with the settings of the
    /// command line, which otherwise change both
    #[arg(value_name = "B")]
    pub(crate) right: Option<String>,
    /// Also fields whose values are equal but were set elsewhere
    #[arg(long)]
    pub(crate) all: bool,
    /// How the differences are written
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    pub(crate) format: DiffFormat,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Forms of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// A line a field, with the places that decided
    Human,
    /// The same as JSON
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct GoldenArguments {
    /// Files, or folders that are searched for `.dlm` files
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The folder of the goldens
    #[arg(long, value_name = "DIR", default_value = "goldens")]
    pub(crate) dir: PathBuf,
    /// Write them anew
    #[arg(long)]
    pub(crate) update: bool,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

#[derive(Debug, Args)]
pub(crate) struct GraphArguments {
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// How the network is written
    #[arg(long, value_enum, default_value_t = GraphFormat::Tree)]
    pub(crate) format: GraphFormat,
}

/// Forms of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// An indented tree, equal layers folded
    Tree,
    /// Everything, as JSON
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// The folder for everything that the run writes [default: runs/<experiment>]
    #[arg(long, value_name = "DIR")]
    pub(crate) run_dir: Option<PathBuf>,
    /// Go on after the latest checkpoint of the folder
    #[arg(long)]
    pub(crate) resume: bool,
    /// Processor threads to compute with [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct SampleArguments {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    pub(crate) run_dir: PathBuf,
    /// What else `dlm-runtime sample` takes: --prompt, --length, --steps, --temperature, …
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) options: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FmtArguments {
    /// Files, or folders that are searched for `.dlm` files; `-` reads standard input
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Write nothing; exit with 1 if a file is not formatted
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// The file to write
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What to start from
    #[arg(long, value_enum, default_value_t = Template::Pretrain)]
    pub(crate) template: Template,
}

/// Experiments to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Template {
    /// A pre-training run for MegaDLMs
    Pretrain,
    /// A small run for the embedded runtime
    Small,
}
