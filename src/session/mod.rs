//! The front door of the compiler: files in, diagnostics and checked experiments out.
//!
//! Must not know: a terminal, the runtime, or how anything is shown. Start with [`Session`]; [`Session::check`] is the
//! whole front end on one page. Invariants: a session never fails and never panics, it reports; diagnostics leave it in
//! source order, each once; an experiment is lowered only where nothing in it was complained about.

mod library;
mod overrides;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::{FileId, Name, SourceMap, Sources, Span};
use crate::check;
use crate::diag::{Code, CodeRef, Diagnostic, Severity, Sink};
use crate::resolve::{self, Declaration, ExperimentId, Layer, ModuleId, Program, Reach, TargetError};
use crate::session::overrides::{Given, Made};
use crate::{lower, spec, syntax};

pub use overrides::{Change, Overrides};

/// One compilation: a library, the files that were loaded, what they declare.
pub struct Session {
    sources: Box<dyn Sources>,
    map: SourceMap,
    program: Program,
    reach: Reach,
    rules: Rules,
}

/// Files that were loaded together.
#[derive(Debug)]
pub struct Project {
    modules: Vec<ModuleId>,
    diagnostics: Vec<Diagnostic>,
}

/// Whose rules are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// All.
    #[default]
    All,
    /// Only those that state a rule of the target itself.
    Upstream,
}

/// What came of checking.
#[derive(Debug)]
pub struct Report {
    /// Everything that was complained about, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// How many experiments were checked.
    pub experiments: usize,
}

/// One experiment with its values.
#[derive(Debug)]
pub struct Checked {
    /// Which.
    pub id: ExperimentId,
    /// Its values; none if its ancestry is broken.
    pub experiment: Option<check::Experiment>,
    /// The settings of the command line.
    pub command_line: Vec<Arc<Layer>>,
    /// Everything that was complained about, files that were loaded with it included.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why no experiment could be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceError {
    /// The files declare none that can be run; these are abstract.
    None(Vec<Name>),
    /// They declare several, and none was named.
    Several(Vec<Name>),
    /// None has the name that was given.
    Unknown(String, Vec<Name>),
}

impl std::fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ChoiceError::None(names) if names.is_empty() => f.write_str("no experiment is declared there"),
            ChoiceError::None(names) => {
                write!(f, "no experiment is declared there that can be run: {} are abstract", listed(names))
            }
            ChoiceError::Several(names) => {
                write!(f, "several experiments are declared there: name one of {} with `--experiment`", listed(names))
            }
            ChoiceError::Unknown(name, names) => {
                write!(f, "there is no experiment `{name}`: declared are {}", listed(names))
            }
        }
    }
}

impl std::error::Error for ChoiceError {}

impl Session {
    /// A session that reads files from `sources`, with the standard library at hand.
    pub fn new(sources: impl Sources + 'static) -> Self {
        let library = library::library();
        Session {
            sources: Box::new(sources),
            map: library.sources.clone(),
            program: library.program.clone(),
            reach: Reach::Project,
            rules: Rules::All,
        }
    }

    /// Lets imports leave the project's folder.
    pub fn allow_outside(&mut self) {
        self.reach = Reach::Anywhere;
    }

    /// Holds only the rules that the target itself has.
    pub fn hold(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Every text of this session.
    pub fn sources(&self) -> &SourceMap {
        &self.map
    }

    /// The path of a file of the user; none for the library and for arguments of the command line.
    pub fn path_of(&self, file: FileId) -> Option<PathBuf> {
        self.map.get(file)?.path.as_deref().map(Path::to_owned)
    }

    /// Every declaration of this session.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Reads files and what they import.
    pub fn load(&mut self, paths: &[PathBuf]) -> Project {
        let mut sink = Sink::default();
        let modules =
            resolve::load(&mut self.program, &mut self.map, self.sources.as_ref(), paths, self.reach, &mut sink);
        Project { modules, diagnostics: sink.finish() }
    }

    /// An experiment for a target of the library that stands in no file: the words of the target's command line, which
    /// [`Overrides::flags`] holds, are all that it has.
    ///
    /// # Errors
    /// There is no such target; says what there is.
    pub fn target(&mut self, name: &str, overrides: &Overrides) -> Result<(Project, ExperimentId), TargetError> {
        let target = resolve::target(&self.program, name)?;
        let (_, file) = overrides::words(&overrides.flags, &mut self.map);
        let end = self.map.get(file).map_or(0, |file| file.text.len());
        let id = ExperimentId::of(self.program.experiments.len());
        self.program.experiments.push(target.experiment(Span::new(file, end, end)));
        Ok((Project { modules: Vec::new(), diagnostics: Vec::new() }, id))
    }

    /// Checks every experiment of a project and of the files that it imports.
    pub fn check(&mut self, project: &Project, overrides: &Overrides) -> Report {
        let mut sink = Sink::default();
        sink.extend_all(project.diagnostics.iter().cloned());
        let given = self.given(overrides, &mut sink);
        let mut made = Made::default();
        let experiments = self.experiments();
        for &id in &experiments {
            let command_line = given.layers(&self.program, &self.map, id, &mut made, &mut sink);
            check::check(&self.program, id, &command_line, &mut sink);
        }
        Report { diagnostics: self.finished(sink), experiments: experiments.len() }
    }

    /// Checks one experiment.
    pub fn check_one(&mut self, project: &Project, id: ExperimentId, overrides: &Overrides) -> Checked {
        let mut sink = Sink::default();
        sink.extend_all(project.diagnostics.iter().cloned());
        let given = self.given(overrides, &mut sink);
        let command_line = given.layers(&self.program, &self.map, id, &mut Made::default(), &mut sink);
        let experiment = check::check(&self.program, id, &command_line, &mut sink);
        Checked { id, experiment, command_line, diagnostics: self.finished(sink) }
    }

    fn given(&mut self, overrides: &Overrides, sink: &mut Sink) -> Given {
        Given::read(overrides, &mut self.map, self.sources.as_ref(), sink)
    }

    /// What was found, in order, without rules that are not to be held.
    fn finished(&self, sink: Sink) -> Vec<Diagnostic> {
        let mut found = sink.finish();
        match self.rules {
            Rules::All => {}
            Rules::Upstream => found.retain(|diagnostic| match diagnostic.code {
                CodeRef::Rule(_) => diagnostic.upstream.is_some(),
                CodeRef::Builtin(_) => true,
            }),
        }
        found
    }

    /// The experiment of a project that is called `name`, or its only one that is not abstract.
    ///
    /// # Errors
    /// See [`ChoiceError`]; it lists what could have been named.
    pub fn choose(&self, project: &Project, name: Option<&str>) -> Result<ExperimentId, ChoiceError> {
        let declared: Vec<ExperimentId> = project.modules.iter().flat_map(|module| self.declared_in(*module)).collect();
        let named = |id: &ExperimentId| self.program.experiments.get(id.index());
        let names = |ids: &[ExperimentId]| ids.iter().filter_map(named).map(|found| found.name).collect::<Vec<Name>>();
        if let Some(name) = name {
            let found = declared.iter().find(|id| named(id).is_some_and(|found| found.name.as_str() == name));
            return found.copied().ok_or_else(|| ChoiceError::Unknown(name.to_owned(), names(&declared)));
        }
        let concrete: Vec<ExperimentId> =
            declared.iter().copied().filter(|id| named(id).is_some_and(|found| !found.is_abstract)).collect();
        match concrete.as_slice() {
            [only] => Ok(*only),
            [] => Err(ChoiceError::None(names(&declared))),
            several => Err(ChoiceError::Several(names(several))),
        }
    }

    /// What a run of a checked experiment is: arguments, network, training plan.
    ///
    /// # Errors
    /// Everything that was complained about: by the check, or by lowering.
    pub fn lower(&self, checked: &Checked) -> Result<spec::RunSpec, Vec<Diagnostic>> {
        self.lowered(checked, lower::run_spec)
    }

    /// The target's arguments of a checked experiment.
    ///
    /// # Errors
    /// Everything that was complained about: by the check, or by lowering.
    pub fn arguments(&self, checked: &Checked) -> Result<spec::ArgumentSet, Vec<Diagnostic>> {
        self.lowered(checked, lower::arguments)
    }

    /// The network of a checked experiment.
    ///
    /// # Errors
    /// Everything that was complained about: by the check, or by lowering.
    pub fn graph(&self, checked: &Checked) -> Result<spec::LayerGraph, Vec<Diagnostic>> {
        self.lowered(checked, lower::graph)
    }

    fn lowered<T>(
        &self,
        checked: &Checked,
        lower: impl FnOnce(&check::Experiment, &SourceMap, &mut Sink) -> Option<T>,
    ) -> Result<T, Vec<Diagnostic>> {
        let mut sink = Sink::default();
        sink.extend_all(checked.diagnostics.iter().cloned());
        match &checked.experiment {
            Some(experiment) if !sink.has_errors() => {
                let lowered = lower(experiment, &self.map, &mut sink);
                lowered.filter(|_| !sink.has_errors()).ok_or_else(|| sink.finish())
            }
            Some(_) | None => Err(sink.finish()),
        }
    }

    /// Every experiment that is not of the library.
    fn experiments(&self) -> Vec<ExperimentId> {
        let first = library::library().program.experiments.len();
        (first..self.program.experiments.len()).map(ExperimentId::of).collect()
    }

    fn declared_in(&self, module: ModuleId) -> Vec<ExperimentId> {
        let Some(module) = self.program.modules.get(module.index()) else { return Vec::new() };
        let declared = module.declared.iter().filter_map(|entry| match entry.1 {
            Declaration::Experiment(id) => Some(id),
            Declaration::Enum(_) | Declaration::Schema(_) | Declaration::Mixin(_) => None,
        });
        declared.collect()
    }
}

impl Checked {
    /// Whether nothing was found that is at least an error.
    pub fn is_ok(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.severity < Severity::Error)
    }
}

/// Every code that Rust declares, by stage. Rules of the library are codes too; see [`Session::program`].
pub fn codes() -> impl Iterator<Item = &'static Code> {
    [syntax::CODES, resolve::CODES, check::CODES, lower::CODES].into_iter().flatten().copied()
}

fn listed(names: &[Name]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
