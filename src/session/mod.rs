//! The front door of the compiler: files in, diagnostics and checked experiments out.
//!
//! Must not know: a terminal, the runtime, or how anything is shown. Start with [`Session`]; [`Session::check`] is the
//! whole front end on one page. Invariants: a session never fails and never panics, it reports; diagnostics leave it in
//! source order, each once; an experiment is lowered only where nothing in it was complained about.

mod library;
mod overrides;
mod test;

pub use overrides::{Override, Overrides};
pub use test::{TestOutcome, Tests};

use std::path::{Path, PathBuf};

use crate::base::{FileId, Name, SourceMap, Sources, Span};
use crate::check;
use crate::diag::{Code, CodeRef, Diagnostic, Severity, Sink};
use crate::resolve::{self, Base, Declaration, Entries, ExperimentId, FieldId, ModuleId, Program, Reach, SweepId};
use crate::syntax;
use crate::types::Data;
use crate::{lower, spec, values};

/// One compilation: a library, the files that were loaded, what they declare.
pub struct Session {
    sources: Box<dyn Sources>,
    map: SourceMap,
    program: Program,
    reach: Reach,
    rules: Rules,
    /// Schemas with entries, made for one experiment and good for all that have the same.
    entries: Entries,
}

/// Files that were loaded together.
#[derive(Debug)]
pub struct Project {
    modules: Vec<ModuleId>,
    diagnostics: Vec<Diagnostic>,
}

/// Whose rules are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Those of the target and our own.
    All,
    /// Those of the target.
    Upstream,
}

impl Rules {
    /// Whether a complaint belongs to what is asked for: a rule of our own is none of the target's.
    fn wants(self, diagnostic: &Diagnostic) -> bool {
        match (self, &diagnostic.code) {
            (Rules::All, _) | (Rules::Upstream, CodeRef::Builtin(_)) => true,
            (Rules::Upstream, CodeRef::Rule(_)) => diagnostic.upstream.is_some(),
        }
    }
}

/// What came of checking.
#[derive(Debug)]
pub struct Report {
    /// Everything that was complained about, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// How many experiments were checked.
    pub experiments: usize,
    /// How many points of sweeps were checked.
    pub points: usize,
}

/// Something that can be checked: an experiment, or a point of a sweep.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Which, without what the command line changes.
    pub subject: check::Subject,
}

/// One experiment with its values.
#[derive(Debug)]
pub struct Checked {
    /// Which, with everything above it.
    pub subject: check::Subject,
    /// Its values; none if its ancestry is broken.
    pub experiment: Option<check::Experiment>,
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
    /// The sweep has no such point; these it has.
    Point(String, Vec<Name>),
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
            ChoiceError::Point(name, names) if names.len() > 8 => {
                let first: Vec<Name> = names.iter().take(8).copied().collect();
                write!(f, "`{name}` is none of {} points: {}, …", names.len(), listed(&first))
            }
            ChoiceError::Point(name, names) if name.contains('/') => {
                write!(f, "`{name}` is no point of the sweep: its points are {}", listed(names))
            }
            ChoiceError::Point(name, names) => {
                write!(f, "`{name}` is a sweep: name one of its points, {}", listed(names))
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
            entries: Entries::default(),
        }
    }

    /// Lets imports leave the project's folder.
    pub fn allow_outside(&mut self) {
        self.reach = Reach::Anywhere;
    }

    /// Chooses whose rules are held.
    pub fn hold(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// A project of one experiment that stands in no file: flags of a target, given with the overrides.
    ///
    /// # Errors
    /// There is no such target.
    pub fn target(&mut self, name: &str, flags: &[String]) -> Result<Project, resolve::TargetError> {
        let target = resolve::target(&self.program, name)?;
        let (_, file) = self.words(flags);
        self.program.experiments.push(target.experiment(Span::start_of(file)));
        Ok(Project { modules: Vec::new(), diagnostics: Vec::new() })
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

    /// Checks every experiment of a project and of the files that it imports, and every point of their sweeps.
    pub fn check(&mut self, project: &Project, overrides: &Overrides) -> Report {
        let mut sink = Sink::default();
        sink.extend_all(project.diagnostics.iter().cloned());
        let outside = self.outside(overrides, &mut sink);
        let library = &library::library().program;
        let experiments: Vec<ExperimentId> =
            (library.experiments.len()..self.program.experiments.len()).map(ExperimentId::of).collect();
        for &id in &experiments {
            let above = self.above(Base::Experiment(id), &outside, &mut sink);
            self.check_subject(&check::Subject { above, ..check::Subject::of(id) }, &mut sink);
        }
        let mut points = 0;
        for id in (library.sweeps.len()..self.program.sweeps.len()).map(SweepId::of) {
            let above = self.above(Base::Sweep(id), &outside, &mut sink);
            let map = &self.map;
            let mut facts = |point: &check::Experiment, sink: &mut Sink| lower::facts(point, map, sink);
            points += check::sweep(&self.program, &mut self.entries, id, &above, &mut facts, &mut sink).len();
        }
        let mut diagnostics = sink.finish();
        diagnostics.retain(|diagnostic| self.rules.wants(diagnostic));
        Report { diagnostics, experiments: experiments.len(), points }
    }

    /// Checks one experiment or point.
    pub fn check_one(&mut self, project: &Project, choice: &Choice, overrides: &Overrides) -> Checked {
        let mut sink = Sink::default();
        sink.extend_all(project.diagnostics.iter().cloned());
        let outside = self.outside(overrides, &mut sink);
        let mut subject = choice.subject.clone();
        subject.above.extend(self.above(Base::Experiment(subject.base), &outside, &mut sink));
        let experiment = self.check_subject(&subject, &mut sink);
        Checked { subject, experiment, diagnostics: sink.finish() }
    }

    /// Checks what needs no network; then, if rules ask for what only the network tells, once more with that.
    fn check_subject(&mut self, subject: &check::Subject, sink: &mut Sink) -> Option<check::Experiment> {
        let mut found = Sink::default();
        let experiment = check::check(&self.program, &mut self.entries, subject, &mut found);
        let asks = experiment.as_ref().is_some_and(|experiment| experiment.asks_for_computed());
        let facts = match (&experiment, asks && !found.has_errors()) {
            (Some(experiment), true) => lower::facts(experiment, &self.map, &mut found),
            (Some(_) | None, _) => Vec::new(),
        };
        if facts.is_empty() {
            sink.extend(found);
            return experiment;
        }
        check::check(&self.program, &mut self.entries, &check::Subject { facts, ..subject.clone() }, sink)
    }

    /// Runs the tests of a project's files whose titles hold `filter`.
    pub fn test(&mut self, project: &Project, overrides: &Overrides, filter: &str) -> Tests {
        let mut sink = Sink::default();
        sink.extend_all(project.diagnostics.iter().cloned());
        let outside = self.outside(overrides, &mut sink);
        let chosen: Vec<crate::resolve::Test> = self
            .program
            .tests
            .iter()
            .filter(|test| project.modules.contains(&test.module) && test.title.contains(filter))
            .cloned()
            .collect();
        let mut outcomes = Vec::new();
        for test in &chosen {
            let Some(base) = test.subject else { continue };
            let above = self.above(base, &outside, &mut sink);
            let subjects = match base {
                Base::Experiment(id) => vec![check::Subject::of(id)],
                Base::Sweep(id) => {
                    let points = self.points(id);
                    points.into_iter().map(|point| point.subject).collect()
                }
            };
            let (mut diagnostics, mut failed, mut failures) = (Vec::new(), None, 0);
            for subject in &subjects {
                let mut trial = check::trial(&self.program, &mut self.entries, test, subject, &above);
                // Expectations on the network need it.
                if trial.asks_for_computed(test)
                    && let Some(experiment) = &trial.experiment
                {
                    let mut circular = Sink::default();
                    let facts = lower::facts(experiment, &self.map, &mut circular);
                    if facts.is_empty() {
                        trial.diagnostics.extend(circular.finish());
                    } else {
                        let subject = check::Subject { facts, ..subject.clone() };
                        trial = check::trial(&self.program, &mut self.entries, test, &subject, &above);
                    }
                }
                if trial.diagnostics.is_empty() {
                    continue;
                }
                failures += 1;
                // What is wrong at one point is most likely wrong at the others.
                if failures == 1 {
                    failed = subject.name;
                    diagnostics = trial.diagnostics;
                }
            }
            outcomes.push(TestOutcome {
                title: test.title.clone(),
                file: test.span.file,
                point: failed,
                failures,
                trials: subjects.len(),
                diagnostics,
            });
        }
        Tests { diagnostics: sink.finish(), outcomes }
    }

    /// The experiment of a project that is called `name`, or its only one that is not abstract. `sweep/point` is a point.
    ///
    /// # Errors
    /// See [`ChoiceError`]; it lists what could have been named.
    pub fn choose(&mut self, project: &Project, name: Option<&str>) -> Result<Choice, ChoiceError> {
        let declared: Vec<ExperimentId> = project.modules.iter().flat_map(|module| self.declared_in(*module)).collect();
        let sweeps: Vec<SweepId> = project.modules.iter().flat_map(|module| self.sweeps_in(*module)).collect();
        let named = |id: &ExperimentId| self.program.experiments.get(id.index());
        let of_sweep = |id: &SweepId| self.program.sweeps.get(id.index());
        let names = |ids: &[ExperimentId]| ids.iter().filter_map(named).map(|found| found.name).collect::<Vec<Name>>();
        let choice = |id: ExperimentId| Choice { subject: check::Subject::of(id) };
        if let Some(name) = name {
            let found = declared.iter().find(|id| named(id).is_some_and(|found| found.name.as_str() == name));
            if let Some(id) = found {
                return Ok(choice(*id));
            }
            let (sweep, _) = name.split_once('/').unwrap_or((name, ""));
            let found =
                sweeps.iter().find(|id| of_sweep(id).is_some_and(|found| found.name.as_str() == sweep)).copied();
            let Some(id) = found else {
                let mut known = names(&declared);
                known.extend(sweeps.iter().filter_map(of_sweep).map(|found| found.name));
                return Err(ChoiceError::Unknown(name.to_owned(), known));
            };
            let points = self.points(id);
            let of_point = |point: &check::Point| point.subject.name;
            let chosen = points.iter().find(|point| of_point(point).is_some_and(|found| found.as_str() == name));
            return match chosen {
                Some(point) => Ok(Choice { subject: point.subject.clone() }),
                None => Err(ChoiceError::Point(name.to_owned(), points.iter().filter_map(of_point).collect())),
            };
        }
        let concrete: Vec<ExperimentId> =
            declared.iter().copied().filter(|id| named(id).is_some_and(|found| !found.is_abstract)).collect();
        match concrete.as_slice() {
            [only] => Ok(choice(*only)),
            [] => Err(ChoiceError::None(names(&declared))),
            several => Err(ChoiceError::Several(names(several))),
        }
    }

    /// Every experiment of a project's files that is not abstract.
    pub fn experiments(&self, project: &Project) -> Vec<Choice> {
        let declared = project.modules.iter().flat_map(|module| self.declared_in(*module));
        let concrete = declared
            .filter(|id| self.program.experiments.get(id.index()).is_some_and(|experiment| !experiment.is_abstract));
        concrete.map(|id| Choice { subject: check::Subject::of(id) }).collect()
    }

    /// The same, and every point of their sweeps.
    pub fn all(&mut self, project: &Project) -> Vec<Choice> {
        let mut all = self.experiments(project);
        let sweeps: Vec<SweepId> = project.modules.iter().flat_map(|module| self.sweeps_in(*module)).collect();
        for id in sweeps {
            all.extend(self.points(id).into_iter().map(|point| Choice { subject: point.subject }));
        }
        all
    }

    /// The sweep of a project's files that has this name.
    pub fn sweep_named(&self, project: &Project, name: &str) -> Option<SweepId> {
        let mut sweeps = project.modules.iter().flat_map(|module| self.sweeps_in(*module));
        sweeps.find(|id| self.program.sweeps.get(id.index()).is_some_and(|sweep| sweep.name.as_str() == name))
    }

    /// The points of a sweep, whatever is wrong with them.
    pub fn points(&mut self, id: SweepId) -> Vec<check::Point> {
        check::sweep(&self.program, &mut self.entries, id, &[], &mut |_, _| Vec::new(), &mut Sink::default())
    }

    /// What each layer did to a field of a checked experiment, weakest first, with the value after it.
    pub fn history(&mut self, checked: &Checked, field: FieldId) -> Vec<(check::Origin, Data)> {
        check::history(&self.program, &mut self.entries, &checked.subject, field)
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

    fn declared_in(&self, module: ModuleId) -> Vec<ExperimentId> {
        let Some(module) = self.program.modules.get(module.index()) else { return Vec::new() };
        let declared = module.declared.iter().filter_map(|entry| match entry.1 {
            Declaration::Experiment(id) => Some(id),
            Declaration::Enum(_)
            | Declaration::Alias(_)
            | Declaration::Binding(_)
            | Declaration::Schema(_)
            | Declaration::Mixin(_)
            | Declaration::Sweep(_) => None,
        });
        declared.collect()
    }

    fn sweeps_in(&self, module: ModuleId) -> Vec<SweepId> {
        let Some(module) = self.program.modules.get(module.index()) else { return Vec::new() };
        let declared = module.declared.iter().filter_map(|entry| match entry.1 {
            Declaration::Sweep(id) => Some(id),
            Declaration::Enum(_)
            | Declaration::Alias(_)
            | Declaration::Binding(_)
            | Declaration::Schema(_)
            | Declaration::Mixin(_)
            | Declaration::Experiment(_) => None,
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
    [syntax::CODES, values::CODES, resolve::CODES, check::CODES, lower::CODES].into_iter().flatten().copied()
}

fn listed(names: &[Name]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
