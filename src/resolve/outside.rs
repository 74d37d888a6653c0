//! What stands in no file: mixins that the command line takes, and experiments that consist of flags alone.

use std::sync::Arc;

use crate::base::{Name, Span, nearest};
use crate::diag::Sink;
use crate::resolve::{
    Declaration, Experiment, ExperimentId, Layer, LayerKind, MixinId, Module, ModuleId, Program, SchemaId, body, errors,
};
use crate::syntax::ast;

/// The layer of a mixin that the command line takes for an experiment: by a name that its file knows, or by its place in
/// the library, `std.recipes.wsd`. What is wrong is reported.
pub fn with_mixin(program: &Program, id: ExperimentId, path: &ast::Path, sink: &mut Sink) -> Option<Arc<Layer>> {
    let experiment = program.experiments.get(id.index())?;
    let schema_id = experiment.schema?;
    let schema = program.schemas.get(schema_id.index())?;
    let module = program.modules.get(experiment.module.index())?;
    let named = ast::Ident { span: path.span, ..path.last()? };
    let mixin_id = match found(program, module, path) {
        Some(Declaration::Mixin(mixin)) => mixin,
        Some(other) => {
            sink.push(errors::wrong_kind(named, other, "a mixin"));
            return None;
        }
        None => {
            sink.push(errors::unknown_mixin(path, &known(program, module)));
            return None;
        }
    };
    if let Some(with) = program.ancestry(id).flat_map(|found| &found.mixins).find(|with| with.mixin == mixin_id) {
        sink.push(errors::duplicate_mixin(named, with.span));
        return None;
    }
    let mixin = program.mixins.get(mixin_id.index())?;
    if let Some(own) = mixin.schema.filter(|&own| own != schema_id) {
        let own = program.schemas.get(own.index()).map_or(Name::new("?"), |found| found.name);
        if own != schema.name {
            sink.push(errors::mixin_schema(named, mixin, own, schema.name));
            return None;
        }
    }
    let ready = mixin.layers.iter().find(|entry| entry.0 == schema_id || mixin.schema.is_some());
    if let Some(layer) = ready.and_then(|entry| program.layers.get(entry.1.index())) {
        return Some(layer.clone());
    }
    let resolved = body::body(&program.enums, schema, mixin.body.as_deref()?, sink);
    let (settings, rules) = (resolved.settings, resolved.rules);
    Some(Arc::new(Layer { kind: LayerKind::Mixin, name: mixin.name, span: mixin.span, settings, rules }))
}

/// What a path stands for: a name of the module, or one of the library by its place there.
fn found(program: &Program, module: &Module, path: &ast::Path) -> Option<Declaration> {
    let last = path.last()?.name;
    let whole = path.to_string();
    let Some((folder, _)) = whole.rsplit_once('.') else { return module.lookup(last) };
    let mut declared = in_library(program).filter(|(_, found, name, _)| *name == last && belongs(found, folder));
    declared.next().map(|entry| entry.3)
}

/// Whether a module is that file of the library, or lies in that folder.
fn belongs(module: &Module, folder: &str) -> bool {
    let name = module.name.as_str();
    name == folder || name.rsplit_once('.').is_some_and(|(parent, _)| parent == folder)
}

fn in_library(program: &Program) -> impl Iterator<Item = (ModuleId, &Module, Name, Declaration)> {
    let modules = (0..).map(ModuleId).zip(&program.modules);
    let modules = modules.filter(|(_, module)| module.name.as_str().starts_with("std."));
    modules.flat_map(|(id, module)| module.declared.iter().map(move |entry| (id, module, entry.0, entry.1)))
}

/// Every mixin that could have been named, as it would be written.
fn known(program: &Program, module: &Module) -> Vec<String> {
    let is_mixin = |declaration: &Declaration| matches!(declaration, Declaration::Mixin(MixinId(_)));
    let own = module.declared.iter().chain(&module.imported).filter(|entry| is_mixin(&entry.1));
    let own = own.map(|entry| entry.0.to_string());
    let library = in_library(program).filter(|entry| is_mixin(&entry.3)).map(|(_, module, name, _)| {
        let folder = module.name.as_str().rsplit_once('.').map_or("std", |split| split.0);
        format!("{folder}.{name}")
    });
    own.chain(library).collect()
}

/// A target of the library: its name, and the schema of its runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// `megadlms`
    pub name: Name,
    /// What an experiment for it extends.
    pub schema: SchemaId,
    /// Where that is declared.
    pub module: ModuleId,
}

/// There is no such target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no target `{name}`{}", meant(.name, .known))]
pub struct TargetError {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub known: Vec<Name>,
}

fn meant(name: &str, known: &[Name]) -> String {
    let names: Vec<&str> = known.iter().map(|name| name.as_str()).collect();
    match nearest(name, names.iter().copied()) {
        Some(meant) => format!("; `{meant}` is one"),
        None => format!("; there is {}", names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    }
}

/// The target of that name: a folder of the library with a schema that has flags. Of several such schemas the one with
/// most fields holds the others as groups.
///
/// # Errors
/// There is none; says what there is.
pub fn target(program: &Program, name: &str) -> Result<Target, TargetError> {
    let mut targets: Vec<(Target, usize)> = Vec::new();
    for (module, found, _, declaration) in in_library(program) {
        let Declaration::Schema(schema) = declaration else { continue };
        let Some(declared) = program.schemas.get(schema.index()) else { continue };
        let Some((folder, _)) = found.name.as_str().trim_start_matches("std.").split_once('.') else { continue };
        if declared.fields.iter().all(|field| field.flag.is_none()) {
            continue;
        }
        let (target, size) = (Target { name: Name::new(folder), schema, module }, declared.fields.len());
        match targets.iter_mut().find(|(other, _)| other.name == target.name) {
            Some(other) if other.1 < size => *other = (target, size),
            Some(_) => {}
            None => targets.push((target, size)),
        }
    }
    let wanted = name.trim_start_matches("std.");
    let found = targets.iter().find(|(target, _)| target.name.as_str() == wanted);
    found
        .map(|entry| entry.0)
        .ok_or_else(|| TargetError { name: name.to_owned(), known: targets.iter().map(|entry| entry.0.name).collect() })
}

impl Target {
    /// An experiment for it that nothing in a file sets; `span` is where something could be added.
    pub fn experiment(&self, span: Span) -> Experiment {
        Experiment {
            name: self.name,
            span,
            doc: String::new(),
            module: self.module,
            is_abstract: false,
            schema: Some(self.schema),
            parent: None,
            mixins: Vec::new(),
            layer: None,
            is_incomplete: false,
            is_command_line: true,
            body_end: span,
        }
    }
}
