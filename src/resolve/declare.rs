//! The declarations of one module: names first, then schemas, mixins and experiments.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::base::{Name, Span};
use crate::diag::Sink;
use crate::resolve::limits::Limit;
use crate::resolve::load::{Extending, Parsed};
use crate::resolve::{
    Declaration, Experiment, ExperimentId, Layer, LayerId, LayerKind, Member, Mixin, MixinId, Module, ModuleId, Over,
    Program, Schema, SchemaId, With, body, errors, schema,
};
use crate::syntax::ast;
use crate::types::{EnumId, EnumType, EnumVariant};

/// Resolves a module whose imports are ready.
pub(super) fn resolve_module(
    program: &mut Program,
    parsed: &Parsed,
    imported: Vec<(ast::Ident, Option<Declaration>)>,
    extending: Extending,
    sink: &mut Sink,
) -> ModuleId {
    let id = ModuleId::of(program.modules.len());
    let mut module = Declaring {
        program,
        sink,
        module: Module { file: parsed.file, name: parsed.name, declared: Vec::new(), imported: Vec::new() },
        id,
        places: HashMap::new(),
        broken: HashSet::new(),
        schemas: HashMap::new(),
        experiments: Vec::new(),
    };
    for (name, declaration) in imported {
        module.import(name, declaration);
    }
    module.names(&parsed.tree);
    module.all_schemas(&parsed.tree, extending);
    module.all_mixins(&parsed.tree);
    module.all_experiments();
    let module = module.module;
    program.modules.push(module);
    id
}

struct Declaring<'a> {
    program: &'a mut Program,
    sink: &'a mut Sink,
    module: Module,
    id: ModuleId,
    /// Where each name of this module is declared or imported.
    places: HashMap<Name, Span>,
    /// Names that could not be imported: using them is no new fault.
    broken: HashSet<Name>,
    /// Schemas of this module that are not worked out yet.
    schemas: HashMap<SchemaId, Pending<'a>>,
    experiments: Vec<(ExperimentId, &'a ast::Experiment)>,
}

#[derive(Clone, Copy)]
enum Pending<'a> {
    Waiting(&'a ast::Schema),
    Open(&'a ast::Schema),
}

impl<'a> Declaring<'a> {
    fn import(&mut self, name: ast::Ident, declaration: Option<Declaration>) {
        match declaration {
            Some(declaration) => {
                if self.claim(name) {
                    self.module.imported.push((name.name, declaration, name.span));
                }
            }
            None => {
                self.broken.insert(name.name);
            }
        }
    }

    /// Takes a name for this module; a second owner is an error.
    fn claim(&mut self, name: ast::Ident) -> bool {
        match self.places.insert(name.name, name.span) {
            Some(first) => {
                self.places.insert(name.name, first);
                self.sink.push(errors::duplicate_name(name, first));
                false
            }
            None => true,
        }
    }

    fn declare(&mut self, name: ast::Ident, declaration: Declaration) {
        self.module.declared.push((name.name, declaration, name.span));
    }

    /// Gives every declaration its number, so that the order within a file does not matter.
    fn names(&mut self, tree: &'a ast::File) {
        for item in &tree.items {
            match item {
                ast::Item::Use(_) | ast::Item::Bad(_) => {}
                ast::Item::Enum(source) => {
                    if self.claim(source.name) {
                        let id = EnumId(u32::try_from(self.program.enums.len()).unwrap_or(u32::MAX));
                        let made = self.read_enum(source);
                        self.program.enums.push(made);
                        self.declare(source.name, Declaration::Enum(id));
                    }
                }
                // What it adds to may be declared further down; see `all_schemas`.
                ast::Item::Schema(source) if source.extends => {}
                ast::Item::Schema(source) => {
                    if self.claim(source.name) {
                        let id = SchemaId::of(self.program.schemas.len());
                        self.program.schemas.push(Arc::new(schema::empty(source)));
                        self.schemas.insert(id, Pending::Waiting(source));
                        self.declare(source.name, Declaration::Schema(id));
                    }
                }
                ast::Item::Mixin(source) => {
                    if self.claim(source.name) {
                        let id = MixinId::of(self.program.mixins.len());
                        self.program.mixins.push(Mixin {
                            name: source.name.name,
                            span: source.name.span,
                            doc: source.doc.text.clone(),
                            schema: None,
                            layers: Vec::new(),
                            body: Some(Arc::new(source.body.clone())),
                        });
                        self.declare(source.name, Declaration::Mixin(id));
                    }
                }
                ast::Item::Experiment(source) => {
                    if self.claim(source.name) {
                        let id = ExperimentId::of(self.program.experiments.len());
                        self.program.experiments.push(self.header(source));
                        self.experiments.push((id, source));
                        self.declare(source.name, Declaration::Experiment(id));
                    }
                }
            }
        }
    }

    fn read_enum(&mut self, source: &ast::Enum) -> EnumType {
        let mut variants: Vec<EnumVariant> = Vec::with_capacity(source.values.len());
        for value in &source.values {
            if let Some(first) = variants.iter().find(|variant| variant.name == value.name.name) {
                self.sink.push(errors::duplicate_name(value.name, first.span));
                continue;
            }
            variants.push(EnumVariant {
                name: value.name.name,
                spelling: value.spelled.as_ref().map_or(value.name.name.to_string(), |spelled| spelled.0.clone()),
                doc: value.doc.text.clone(),
                span: value.name.span,
            });
        }
        EnumType { name: source.name.name, span: source.name.span, doc: source.doc.text.clone(), variants }
    }

    /// A copy of a schema for this module, which sees it in place of the other, to be added to by `source`.
    fn copy(&mut self, base: SchemaId, source: &'a ast::Schema) {
        let Some(copy) = self.program.schemas.get(base.index()).cloned() else { return };
        let id = SchemaId::of(self.program.schemas.len());
        self.program.schemas.push(copy);
        self.schemas.insert(id, Pending::Waiting(source));
        self.module.imported.retain(|entry| entry.0 != source.name.name);
        self.declare(source.name, Declaration::Schema(id));
    }

    fn header(&self, source: &ast::Experiment) -> Experiment {
        let end = source.body.span.end.saturating_sub(1).max(source.body.span.start);
        Experiment {
            name: source.name.name,
            span: source.name.span,
            doc: source.doc.text.clone(),
            module: self.id,
            is_abstract: source.is_abstract,
            schema: None,
            parent: None,
            mixins: Vec::new(),
            layer: None,
            is_incomplete: false,
            is_command_line: false,
            body_end: Span { start: end, end, ..source.body.span },
        }
    }

    fn unknown(&mut self, name: ast::Ident, what: &str) {
        if !self.broken.contains(&name.name) {
            let known: Vec<Name> = self.module.names().collect();
            self.sink.push(errors::unknown_name(name, what, &known));
        }
    }

    /// Schemas of this module, then what is added to them. `extend schema` adds to a schema itself if it is of this module
    /// or of the library that is being made; any other is copied.
    fn all_schemas(&mut self, tree: &'a ast::File, extending: Extending) {
        let mut added: Vec<(SchemaId, &'a ast::Schema)> = Vec::new();
        for item in &tree.items {
            let ast::Item::Schema(source) = item else { continue };
            if !source.extends {
                continue;
            }
            match self.module.lookup(source.name.name) {
                Some(Declaration::Schema(base)) => match extending {
                    Extending::Copies if !self.schemas.contains_key(&base) => self.copy(base, source),
                    Extending::Copies | Extending::InPlace => added.push((base, source)),
                },
                Some(other) => self.sink.push(errors::wrong_kind(source.name, other, "a schema")),
                None => self.unknown(source.name, "schema"),
            }
        }
        // Hash maps give their keys in any order; diagnostics must not depend on it.
        let mut waiting: Vec<SchemaId> = self.schemas.keys().copied().collect();
        waiting.sort();
        for id in waiting {
            self.work_out(id);
        }
        for (id, source) in added {
            self.fill(id, source);
        }
    }

    fn work_out(&mut self, id: SchemaId) {
        if let Some(Pending::Waiting(source)) = self.schemas.get(&id).copied() {
            self.schemas.insert(id, Pending::Open(source));
            self.fill(id, source);
            self.schemas.remove(&id);
        }
    }

    fn fill(&mut self, id: SchemaId, source: &'a ast::Schema) {
        let Some(found) = self.program.schemas.get(id.index()) else { return };
        let mut made: Schema = found.as_ref().clone();
        schema::extend(&mut made, source, self);
        if let Some(slot) = self.program.schemas.get_mut(id.index()) {
            *slot = Arc::new(made);
        }
    }

    fn all_mixins(&mut self, tree: &'a ast::File) {
        for item in &tree.items {
            let ast::Item::Mixin(source) = item else { continue };
            let Some(Declaration::Mixin(id)) = self.module.lookup(source.name.name) else { continue };
            let Some(named) = source.schema else { continue };
            match self.module.lookup(named.name) {
                Some(Declaration::Schema(schema)) => {
                    if let Some(mixin) = self.program.mixins.get_mut(id.index()) {
                        mixin.schema = Some(schema);
                    }
                    self.mixin_layer(id, schema);
                }
                Some(other) => self.sink.push(errors::wrong_kind(named, other, "a schema")),
                None => self.unknown(named, "schema"),
            }
        }
    }

    /// The settings of a mixin for a schema, worked out once.
    fn mixin_layer(&mut self, id: MixinId, schema: SchemaId) -> Option<LayerId> {
        let mixin = self.program.mixins.get(id.index())?;
        if let Some(ready) = mixin.layers.iter().find(|entry| entry.0 == schema) {
            return Some(ready.1);
        }
        let (body, name, span) = (mixin.body.clone()?, mixin.name, mixin.span);
        let fields = self.program.schemas.get(schema.index())?.clone();
        let resolved = body::body(&self.program.enums, &fields, &body, self.sink);
        let layer = Layer { kind: LayerKind::Mixin, name, span, settings: resolved.settings, rules: resolved.rules };
        let layer = self.add_layer(layer);
        if let Some(mixin) = self.program.mixins.get_mut(id.index()) {
            mixin.layers.push((schema, layer));
        }
        Some(layer)
    }

    fn add_layer(&mut self, layer: Layer) -> LayerId {
        let id = LayerId::of(self.program.layers.len());
        self.program.layers.push(Arc::new(layer));
        id
    }

    /// Experiments, ancestors first. An ancestor in another module is ready; within this one the order is worked out.
    fn all_experiments(&mut self) {
        let sources: HashMap<ExperimentId, &'a ast::Experiment> = self.experiments.iter().copied().collect();
        let mut done: HashSet<ExperimentId> = HashSet::new();
        for (id, _) in self.experiments.clone() {
            // The chain of ancestors that are not ready, walked without recursion.
            let mut chain: Vec<(ExperimentId, &'a ast::Experiment)> = Vec::new();
            let mut at = Some(id);
            while let Some(id) = at {
                let Some(&source) = sources.get(&id).filter(|_| !done.contains(&id)) else { break };
                if let Some(first) = chain.iter().position(|link| link.0 == id) {
                    let cycle: Vec<_> = chain.iter().skip(first).map(|link| link.1).collect();
                    self.sink.push(errors::inheritance_cycle(&cycle));
                    done.extend(chain.iter().map(|link| link.0));
                    chain.clear();
                    break;
                }
                chain.push((id, source));
                at = source.parent.and_then(|parent| match self.module.lookup(parent.name) {
                    Some(Declaration::Experiment(parent)) => Some(parent),
                    Some(_) | None => None,
                });
            }
            for (id, source) in chain.into_iter().rev() {
                self.experiment(id, source);
                done.insert(id);
            }
        }
    }

    fn experiment(&mut self, id: ExperimentId, source: &'a ast::Experiment) {
        let (schema, parent) = self.parent(source);
        let mut mixins: Vec<With> = Vec::new();
        let mut layer = None;
        let inherits = parent.and_then(|parent| self.program.experiments.get(parent.index()));
        let mut is_incomplete = inherits.is_some_and(|parent| parent.is_incomplete);
        if let Some(schema) = schema
            && let Some(fields) = self.program.schemas.get(schema.index()).cloned()
        {
            let mut inherited = self.inherited_mixins(parent);
            for with in &source.mixins {
                if inherited.len() >= Limit::Mixins.most() {
                    self.sink.push(errors::limit(with.name.span, Limit::Mixins));
                    is_incomplete = true;
                    break;
                }
                match self.with(with, schema, &fields, &mixins, &mut inherited) {
                    Some(with) => mixins.push(with),
                    None => is_incomplete = true,
                }
            }
            let resolved = body::body(&self.program.enums, &fields, &source.body, self.sink);
            let own = Layer {
                kind: LayerKind::Experiment,
                name: source.name.name,
                span: source.name.span,
                settings: resolved.settings,
                rules: resolved.rules,
            };
            layer = Some(self.add_layer(own));
        }
        if let Some(experiment) = self.program.experiments.get_mut(id.index()) {
            experiment.schema = schema;
            experiment.parent = parent;
            experiment.mixins = mixins;
            experiment.layer = layer;
            experiment.is_incomplete = is_incomplete;
        }
    }

    fn parent(&mut self, source: &ast::Experiment) -> (Option<SchemaId>, Option<ExperimentId>) {
        let Some(parent) = source.parent else {
            self.sink.push(errors::no_parent(source.name));
            return (None, None);
        };
        match self.module.lookup(parent.name) {
            Some(Declaration::Schema(schema)) => (Some(schema), None),
            Some(Declaration::Experiment(experiment)) => {
                let schema = self.program.experiments.get(experiment.index()).and_then(|found| found.schema);
                if schema.is_some() && self.program.ancestry(experiment).count() > Limit::Ancestors.most() {
                    self.sink.push(errors::limit(parent.span, Limit::Ancestors));
                    return (None, None);
                }
                (schema, Some(experiment))
            }
            Some(other) => {
                self.sink.push(errors::wrong_kind(parent, other, "a schema or an experiment"));
                (None, None)
            }
            None => {
                self.unknown(parent, "schema or experiment");
                (None, None)
            }
        }
    }

    /// Every mixin of the ancestors, and where it was taken.
    fn inherited_mixins(&self, parent: Option<ExperimentId>) -> HashMap<MixinId, Span> {
        let ancestors = parent.into_iter().flat_map(|parent| self.program.ancestry(parent));
        ancestors.flat_map(|experiment| &experiment.mixins).map(|with| (with.mixin, with.span)).collect()
    }

    fn with(
        &mut self,
        source: &ast::With,
        schema: SchemaId,
        fields: &Schema,
        earlier: &[With],
        seen: &mut HashMap<MixinId, Span>,
    ) -> Option<With> {
        let mixin = match self.module.lookup(source.name.name) {
            Some(Declaration::Mixin(mixin)) => mixin,
            Some(other) => {
                self.sink.push(errors::wrong_kind(source.name, other, "a mixin"));
                return None;
            }
            None => {
                self.unknown(source.name, "mixin");
                return None;
            }
        };
        if let Some(first) = seen.insert(mixin, source.name.span) {
            self.sink.push(errors::duplicate_mixin(source.name, first));
            return None;
        }
        let declared = self.program.mixins.get(mixin.index())?;
        if let Some(own) = declared.schema.filter(|&own| own != schema) {
            let own = self.program.schemas.get(own.index()).map_or(Name::new("?"), |found| found.name);
            if own != fields.name {
                self.sink.push(errors::mixin_schema(source.name, declared, own, fields.name));
                return None;
            }
        }
        // Extending a schema only adds fields behind the others, so a mixin for the base schema fits as it is.
        let ready = declared.layers.first().map(|entry| entry.1).filter(|_| declared.schema.is_some());
        let layer = match ready {
            Some(layer) => layer,
            None => self.mixin_layer(mixin, schema)?,
        };
        let over = source.over.iter().filter_map(|path| self.over(path, fields, earlier)).collect();
        Some(With { mixin, layer, span: source.name.span, over })
    }

    /// `over a.path`: which earlier mixin, and in what this one decides.
    fn over(&mut self, path: &ast::Path, fields: &Schema, earlier: &[With]) -> Option<Over> {
        let first = path.segments.first()?;
        let named = match self.module.lookup(first.name) {
            Some(Declaration::Mixin(mixin)) => earlier.iter().find(|with| with.mixin == mixin),
            Some(_) | None => None,
        };
        let Some(named) = named else {
            let names: Vec<Name> = earlier
                .iter()
                .filter_map(|with| self.program.mixins.get(with.mixin.index()).map(|mixin| mixin.name))
                .collect();
            self.sink.push(errors::bad_over(*first, &names));
            return None;
        };
        let mut target = Member::Group(crate::resolve::GroupId(0));
        for segment in path.segments.iter().skip(1) {
            let next = match target {
                Member::Group(group) => fields.member(group, segment.name),
                Member::Field(_) => None,
            };
            match (next, target) {
                (Some(next), _) => target = next,
                (None, Member::Group(group)) => {
                    self.sink.push(errors::unknown_field(fields, group, *segment, path));
                    return None;
                }
                (None, Member::Field(field)) => {
                    self.sink.push(errors::field_opened(path, fields.field(field)));
                    return None;
                }
            }
        }
        Some(Over { earlier: named.mixin, target })
    }
}

impl schema::Scope for Declaring<'_> {
    fn lookup(&self, name: Name) -> Option<Declaration> {
        self.module.lookup(name)
    }

    fn names(&self) -> Vec<Name> {
        self.module.names().collect()
    }

    fn group(&mut self, id: SchemaId, user: ast::Ident) -> Option<Arc<Schema>> {
        match self.schemas.get(&id).copied() {
            Some(Pending::Waiting(_)) => self.work_out(id),
            Some(Pending::Open(source)) => {
                self.sink.push(errors::schema_cycle(user, source.name));
                return None;
            }
            None => {}
        }
        self.program.schemas.get(id.index()).cloned()
    }

    fn enums(&self) -> &[EnumType] {
        &self.program.enums
    }

    fn sink(&mut self) -> &mut Sink {
        self.sink
    }
}
