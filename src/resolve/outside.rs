//! Targets of the library, for experiments that stand in no file and consist of flags alone.

use crate::base::{Name, Span, nearest};
use crate::resolve::{Declaration, Experiment, Module, ModuleId, Program, SchemaId};

fn in_library(program: &Program) -> impl Iterator<Item = (ModuleId, &Module, Name, Declaration)> {
    let modules = (0..).map(ModuleId).zip(&program.modules);
    let modules = modules.filter(|(_, module)| module.name.as_str().starts_with("std."));
    modules.flat_map(|(id, module)| module.declared.iter().map(move |entry| (id, module, entry.0, entry.1)))
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
