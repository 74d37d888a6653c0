//! Files to modules: reads what is named and imported, in an order in which each module finds what it imports ready.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::base::sources::normalize;
use crate::base::{FileId, Name, SourceMap, Sources};
use crate::diag::Sink;
use crate::resolve::declare::{self, PRELUDE, resolve_module};
use crate::resolve::limits::Limit;
use crate::resolve::{Declaration, Entries, ModuleId, Program, errors};
use crate::syntax::{self, ast};

/// A file that was parsed but not resolved.
pub(super) struct Parsed {
    /// Its name as a module: `std.megadlms.model`, or its path.
    pub(super) name: Name,
    pub(super) file: FileId,
    pub(super) tree: ast::File,
    /// Its path, for imports relative to it; none in the standard library.
    path: Option<PathBuf>,
    /// For each `use`, in order, where its names come from.
    pub(super) imports: Vec<Import>,
}

/// Where the names of a `use` come from.
#[derive(Clone, Debug)]
pub(super) enum Import {
    /// A file of this load, by position.
    File(usize),
    /// Modules of the program or of this load, by name; a folder of the library is several.
    Library { ready: Vec<ModuleId>, loading: Vec<usize> },
    /// It was complained about.
    Failed,
}

/// Whether imports may leave the folder that the project lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Paths that climb out (`../..`) or are absolute are refused.
    Project,
    /// Any path.
    Anywhere,
}

/// Reads files and what they import, and adds their declarations to a program. Returns the modules of `paths`, in order.
pub fn load(
    program: &mut Program,
    map: &mut SourceMap,
    sources: &dyn Sources,
    paths: &[PathBuf],
    reach: Reach,
    sink: &mut Sink,
) -> Vec<ModuleId> {
    let mut loader = Loader { map, sources, reach, sink, parsed: Vec::new(), by_path: HashMap::new() };
    let mut roots = Vec::new();
    for path in paths {
        let path = normalize(path);
        match loader.file(&path) {
            Ok(at) => roots.push(at),
            Err(error) => {
                let diagnostic = errors::unreadable_file(loader.named_on_command_line(&path), &path, &error);
                loader.sink.push(diagnostic);
            }
        }
    }
    // Imports add to the list while it is walked, so that no chain of them needs the stack.
    let mut at = 0;
    while at < loader.parsed.len() {
        loader.imports_of(at, program);
        at += 1;
    }
    let Loader { mut parsed, sink, .. } = loader;
    let order = in_order(&mut parsed, sink);
    let ready = resolve_all(program, &parsed, &order, Extending::Copies, sink);
    roots.into_iter().filter_map(|root| ready.get(&root).copied()).collect()
}

/// Resolves the standard library, each file under its module name. Done once, when dlm is built.
pub fn load_library(program: &mut Program, files: &[(String, FileId, &str)], sink: &mut Sink) {
    let parse = |(name, file, text): &(String, FileId, &str), sink: &mut Sink| Parsed {
        name: Name::new(name),
        file: *file,
        tree: syntax::parse(*file, text, sink),
        path: None,
        imports: Vec::new(),
    };
    let mut parsed: Vec<Parsed> = files.iter().map(|file| parse(file, sink)).collect();
    for at in 0..parsed.len() {
        let Some(this) = parsed.get(at) else { continue };
        let imports: Vec<Import> = uses(&this.tree)
            .map(|import| match &import.source {
                ast::UseSource::Module(path) => in_library(program, &parsed, path, &import.names, at, sink),
                ast::UseSource::File { .. } => Import::Failed,
            })
            .collect();
        if let Some(this) = parsed.get_mut(at) {
            this.imports = imports;
        }
    }
    let order = in_order(&mut parsed, sink);
    resolve_all(program, &parsed, &order, Extending::InPlace, sink);
}

/// What `extend schema` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extending {
    /// Adds to the schema itself: within the library, whose files together make it.
    InPlace,
    /// Makes a new schema, known to the module that extends: one project file changes nothing for another.
    Copies,
}

struct Loader<'a> {
    map: &'a mut SourceMap,
    sources: &'a dyn Sources,
    reach: Reach,
    sink: &'a mut Sink,
    parsed: Vec<Parsed>,
    by_path: HashMap<PathBuf, usize>,
}

impl Loader<'_> {
    /// Reads and parses a file, once.
    fn file(&mut self, path: &Path) -> Result<usize, crate::base::SourceError> {
        if let Some(&at) = self.by_path.get(path) {
            return Ok(at);
        }
        let text = self.sources.read(path)?;
        let name = path.to_string_lossy().into_owned();
        let file = self.map.add_file(path, text.as_str());
        let tree = syntax::parse(file, &text, self.sink);
        let at = self.parsed.len();
        let name = Name::new(&name);
        self.parsed.push(Parsed { name, file, tree, path: Some(path.to_owned()), imports: Vec::new() });
        self.by_path.insert(path.to_owned(), at);
        Ok(at)
    }

    /// A place for complaints about a path that stands in no file.
    fn named_on_command_line(&mut self, path: &Path) -> crate::base::Span {
        let text = path.to_string_lossy().into_owned();
        let file = self.map.add("<command line>", text.as_str());
        crate::base::Span::new(file, 0, text.len())
    }

    fn imports_of(&mut self, at: usize, program: &Program) {
        let Some(this) = self.parsed.get(at) else { return };
        let from = this.path.clone().unwrap_or_default();
        let all: Vec<ast::Use> = uses(&this.tree).cloned().collect();
        if let Some(beyond) = all.get(Limit::Imports.most()) {
            self.sink.push(errors::limit(beyond.span, Limit::Imports));
        }
        let taken = all.iter().take(Limit::Imports.most());
        let mut imports: Vec<Import> = taken.map(|import| self.import(import, &from, program, at)).collect();
        imports.resize(all.len(), Import::Failed);
        if let Some(this) = self.parsed.get_mut(at) {
            this.imports = imports;
        }
    }

    fn import(&mut self, import: &ast::Use, from: &Path, program: &Program, at: usize) -> Import {
        match &import.source {
            ast::UseSource::Module(path) => in_library(program, &self.parsed, path, &import.names, at, self.sink),
            ast::UseSource::File { path, span } => {
                let target = normalize(&from.parent().unwrap_or(Path::new("")).join(path));
                let climbs = target.is_absolute() || target.starts_with("..");
                // A file that was named with such a path itself may import its neighbours.
                let home = from.parent().unwrap_or(Path::new(""));
                let outside = climbs && (home == Path::new("") || !target.starts_with(home));
                if outside && self.reach == Reach::Project {
                    self.sink.push(errors::import_outside(*span, &target));
                    return Import::Failed;
                }
                match self.file(&target) {
                    Ok(at) => Import::File(at),
                    Err(error) => {
                        let siblings = self.sources.siblings(&target);
                        self.sink.push(errors::import_not_found(*span, path, &target, &error, &siblings));
                        Import::Failed
                    }
                }
            }
        }
    }
}

fn uses(tree: &ast::File) -> impl Iterator<Item = &ast::Use> {
    tree.items.iter().filter_map(|item| match item {
        ast::Item::Use(import) => Some(import),
        ast::Item::Enum(_)
        | ast::Item::Type(_)
        | ast::Item::Let(_)
        | ast::Item::Input(_)
        | ast::Item::Sweep(_)
        | ast::Item::Test(_)
        | ast::Item::Schema(_)
        | ast::Item::Mixin(_)
        | ast::Item::Experiment(_)
        | ast::Item::Bad(_) => None,
    })
}

/// The modules that a path `std.a.b` stands for: the file of that name, or the files of that folder. Of those still
/// loading only the ones that declare a wanted name, so that files of one folder can import each other. A path that
/// stands for none is reported.
fn in_library(
    program: &Program,
    parsed: &[Parsed],
    path: &ast::Path,
    wanted: &[ast::UseName],
    user: usize,
    sink: &mut Sink,
) -> Import {
    let name = path.to_string();
    let belongs = |other: &str| {
        let rest = other.strip_prefix(name.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(|rest| !rest.contains('.')))
    };
    let ready: Vec<ModuleId> = (0..)
        .map(ModuleId)
        .zip(&program.modules)
        .filter(|(_, module)| module.name.as_str().starts_with("std") && belongs(module.name.as_str()))
        .map(|(id, _)| id)
        .collect();
    let in_folder =
        || parsed.iter().enumerate().filter(|(_, parsed)| parsed.path.is_none() && belongs(parsed.name.as_str()));
    let declares =
        |parsed: &Parsed| wanted.iter().any(|wanted| declared(&parsed.tree).any(|name| name == wanted.name.name));
    let loading: Vec<usize> =
        in_folder().filter(|(at, parsed)| *at != user && declares(parsed)).map(|(at, _)| at).collect();
    if ready.is_empty() && in_folder().next().is_none() {
        sink.push(errors::unknown_module(path, library_names(program, parsed)));
        return Import::Failed;
    }
    Import::Library { ready, loading }
}

/// The names that a file declares; extensions declare none.
fn declared(tree: &ast::File) -> impl Iterator<Item = Name> {
    tree.items.iter().filter_map(|item| match item {
        ast::Item::Enum(item) => Some(item.name.name),
        ast::Item::Schema(item) => (!item.extends).then_some(item.name.name),
        ast::Item::Mixin(item) => Some(item.name.name),
        ast::Item::Experiment(item) => Some(item.name.name),
        ast::Item::Type(item) => Some(item.name.name),
        ast::Item::Let(item) => Some(item.name.name),
        ast::Item::Input(item) => Some(item.name.name),
        ast::Item::Sweep(item) => Some(item.name.name),
        ast::Item::Use(_) | ast::Item::Test(_) | ast::Item::Bad(_) => None,
    })
}

/// Every module of the library, and every folder of it.
fn library_names(program: &Program, parsed: &[Parsed]) -> Vec<String> {
    let ready = program.modules.iter().map(|module| module.name.as_str());
    let loading = parsed.iter().filter(|parsed| parsed.path.is_none()).map(|parsed| parsed.name.as_str());
    let modules = ready.chain(loading).filter(|name| name.starts_with("std"));
    let mut names: Vec<String> = modules
        .flat_map(|name| [Some(name), name.rsplit_once('.').map(|split| split.0)])
        .flatten()
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Positions of all files so that each comes after those it imports. A circle is reported and cut.
fn in_order(parsed: &mut [Parsed], sink: &mut Sink) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unseen,
        Open,
        Done,
    }
    let edges = |this: &Parsed| -> Vec<(usize, usize)> {
        let each = this.imports.iter().enumerate().flat_map(|(nth, import)| match import {
            Import::File(at) => vec![(nth, *at)],
            Import::Library { loading, .. } => loading.iter().map(|&at| (nth, at)).collect(),
            Import::Failed => Vec::new(),
        });
        each.collect()
    };
    let graph: Vec<Vec<(usize, usize)>> = parsed.iter().map(edges).collect();
    let mut state = vec![State::Unseen; parsed.len()];
    let mut order = Vec::with_capacity(parsed.len());
    let mut cut: Vec<(usize, usize)> = Vec::new();
    for root in 0..parsed.len() {
        // Depth first without recursion: (file, next edge to follow).
        let mut stack: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((at, edge)) = stack.last_mut() {
            let (at, edge_now) = (*at, *edge);
            *edge += 1;
            let set = |state: &mut Vec<State>, to| {
                if let Some(slot) = state.get_mut(at) {
                    *slot = to
                }
            };
            if edge_now == 0 {
                if state.get(at) == Some(&State::Done) {
                    stack.pop();
                    continue;
                }
                set(&mut state, State::Open);
            }
            match graph.get(at).and_then(|edges| edges.get(edge_now)) {
                Some(&(nth, next)) => match state.get(next) {
                    Some(State::Unseen) => stack.push((next, 0)),
                    Some(State::Open) => {
                        let first = stack.iter().position(|entry| entry.0 == next).unwrap_or(0);
                        let steps: Vec<(usize, usize)> = stack
                            .iter()
                            .skip(first)
                            .filter_map(|&(file, edge)| Some((file, graph.get(file)?.get(edge.checked_sub(1)?)?.0)))
                            .collect();
                        let spans = steps.iter().filter_map(|&(file, nth)| {
                            let file = parsed.get(file)?;
                            Some((file.name, uses(&file.tree).nth(nth)?))
                        });
                        sink.push(errors::import_cycle(spans));
                        cut.push((at, nth));
                    }
                    Some(State::Done) | None => {}
                },
                None => {
                    set(&mut state, State::Done);
                    order.push(at);
                    stack.pop();
                }
            }
        }
    }
    for (at, nth) in cut {
        if let Some(import) = parsed.get_mut(at).and_then(|parsed| parsed.imports.get_mut(nth)) {
            *import = Import::Failed;
        }
    }
    order
}

fn resolve_all(
    program: &mut Program,
    parsed: &[Parsed],
    order: &[usize],
    extending: Extending,
    sink: &mut Sink,
) -> HashMap<usize, ModuleId> {
    let mut ready: HashMap<usize, ModuleId> = HashMap::new();
    let mut entries = Entries::default();
    // What every module knows comes before all of them.
    let is_prelude = |at: &&usize| parsed.get(**at).is_some_and(|parsed| parsed.name.as_str() == PRELUDE);
    let order = order.iter().filter(is_prelude).chain(order.iter().filter(|at| !is_prelude(at)));
    for &at in order {
        let Some(this) = parsed.get(at) else { continue };
        let imported = imported(program, this, &ready, sink);
        ready.insert(at, resolve_module(program, this, imported, extending, &mut entries, sink));
    }
    declare::leftover_mixins(program, &mut entries, sink);
    ready
}

/// The names that a file imports, found in the modules that are ready.
fn imported(
    program: &Program,
    this: &Parsed,
    ready: &HashMap<usize, ModuleId>,
    sink: &mut Sink,
) -> Vec<(ast::Ident, Option<Declaration>)> {
    let mut found = Vec::new();
    for (import, from) in uses(&this.tree).zip(&this.imports) {
        let modules: Vec<ModuleId> = match from {
            Import::File(at) => ready.get(at).copied().into_iter().collect(),
            Import::Library { ready: modules, loading } => {
                modules.iter().copied().chain(loading.iter().filter_map(|at| ready.get(at).copied())).collect()
            }
            Import::Failed => {
                // The names are known to be missing; whoever uses them must not complain again.
                found.extend(import.names.iter().map(|name| (name.alias.unwrap_or(name.name), None)));
                continue;
            }
        };
        let modules = || modules.iter().filter_map(|id| program.modules.get(id.index()));
        for name in &import.names {
            let here = name.alias.unwrap_or(name.name);
            let declaration = modules().find_map(|module| {
                let mut declared = module.declared.iter();
                declared.find(|entry| entry.0 == name.name.name).map(|entry| entry.1)
            });
            if declaration.is_none() {
                let known = modules().flat_map(|module| module.declared.iter().map(|entry| entry.0));
                sink.push(errors::not_in_module(name.name, &import.source, known));
            }
            found.push((here, declaration));
        }
    }
    found
}
