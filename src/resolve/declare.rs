//! The declarations of one module: names first, then schemas, mixins and experiments.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::base::{Name, Span};
use crate::diag::Sink;
use crate::resolve::bindings::{self, Source};
use crate::resolve::limits::Limit;
use crate::resolve::load::{Extending, Parsed};
use crate::resolve::typing::Known;
use crate::resolve::{
    Alias, AliasId, BindingId, Declaration, Entries, Experiment, ExperimentId, Layer, LayerId, LayerKind, Member,
    Mixin, MixinId, Module, ModuleId, Over, Program, Schema, SchemaId, SweepId, With, body, errors, schema, trials,
};
use crate::syntax::ast;
use crate::types::{EnumId, EnumType, EnumVariant};

/// The module whose names every other one knows.
pub(super) const PRELUDE: &str = "std.prelude";

/// Resolves a module whose imports are ready.
pub(super) fn resolve_module(
    program: &mut Program,
    parsed: &Parsed,
    imported: Vec<(ast::Ident, Option<Declaration>)>,
    extending: Extending,
    entries: &mut Entries,
    sink: &mut Sink,
) -> ModuleId {
    let id = ModuleId::of(program.modules.len());
    let mut module = Declaring {
        program,
        entries,
        sink,
        module: Module { file: parsed.file, name: parsed.name, declared: Vec::new(), imported: Vec::new() },
        id,
        places: HashMap::new(),
        broken: HashSet::new(),
        schemas: HashMap::new(),
        bindings: Vec::new(),
        experiments: Vec::new(),
        sweeps: Vec::new(),
    };
    for (name, declaration) in imported {
        module.import(name, declaration);
    }
    module.names(&parsed.tree);
    module.prelude();
    let bindings = std::mem::take(&mut module.bindings);
    module.all_bindings(&bindings);
    module.all_schemas(&parsed.tree, extending);
    module.all_mixins(&parsed.tree);
    module.all_experiments();
    module.all_sweeps();
    module.all_tests(&parsed.tree);
    let module = module.module;
    program.modules.push(module);
    id
}

pub(super) struct Declaring<'a> {
    pub(super) program: &'a mut Program,
    pub(super) entries: &'a mut Entries,
    pub(super) sink: &'a mut Sink,
    pub(super) module: Module,
    pub(super) id: ModuleId,
    /// Where each name of this module is declared or imported.
    places: HashMap<Name, Span>,
    /// Names that could not be imported: using them is no new fault.
    broken: HashSet<Name>,
    /// Schemas of this module that are not worked out yet.
    schemas: HashMap<SchemaId, Pending<'a>>,
    bindings: Vec<Source<'a>>,
    experiments: Vec<(ExperimentId, &'a ast::Experiment)>,
    pub(super) sweeps: Vec<(SweepId, &'a ast::Sweep)>,
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
                ast::Item::Use(_) | ast::Item::Test(_) | ast::Item::Bad(_) => {}
                ast::Item::Type(source) => {
                    if self.claim(source.name) {
                        let id = AliasId::of(self.program.aliases.len());
                        self.program.aliases.push(bindings::unsettled_alias(source));
                        self.bindings.push(Source::Alias(id, source));
                        self.declare(source.name, Declaration::Alias(id));
                    }
                }
                ast::Item::Let(source) => {
                    if let Some(id) = self.binding(source.name, &source.doc) {
                        self.bindings.push(Source::Let(id, source));
                    }
                }
                ast::Item::Input(source) => {
                    if let Some(id) = self.binding(source.name, &source.doc) {
                        self.bindings.push(Source::Input(id, source));
                    }
                }
                ast::Item::Sweep(source) => {
                    if self.claim(source.name) {
                        let id = SweepId::of(self.program.sweeps.len());
                        self.program.sweeps.push(trials::unsettled(source, self.id));
                        self.sweeps.push((id, source));
                        self.declare(source.name, Declaration::Sweep(id));
                    }
                }
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
                            names_schema: source.schema.is_some(),
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

    fn binding(&mut self, name: ast::Ident, doc: &ast::Doc) -> Option<BindingId> {
        if !self.claim(name) {
            return None;
        }
        let id = BindingId::of(self.program.bindings.len());
        self.program.bindings.push(bindings::unsettled(name, doc));
        self.declare(name, Declaration::Binding(id));
        Some(id)
    }

    /// Names that every module knows without importing them; its own and imported ones go before.
    fn prelude(&mut self) {
        let prelude = self.program.modules.iter().find(|module| module.name.as_str() == PRELUDE);
        let names: Vec<_> = prelude.iter().flat_map(|prelude| prelude.declared.iter().copied()).collect();
        self.module.imported.extend(names);
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

    pub(super) fn unknown(&mut self, name: ast::Ident, what: &str) {
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
        let layer = self.layer(LayerKind::Mixin, name, span, &fields, &body);
        if let Some(mixin) = self.program.mixins.get_mut(id.index()) {
            mixin.layers.push((schema, layer));
        }
        Some(layer)
    }

    /// A layer of the settings of a body.
    pub(super) fn layer(
        &mut self,
        kind: LayerKind,
        name: Name,
        span: Span,
        fields: &Arc<Schema>,
        source: &ast::Body,
    ) -> LayerId {
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) };
        let resolved = body::body(known, fields, self.entries, source, self.sink);
        self.add_layer(Layer { kind, name, span, settings: resolved.settings, rules: resolved.rules })
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
            let name = source.name;
            layer = Some(self.layer(LayerKind::Experiment, name.name, name.span, &fields, &source.body));
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
            // Where the head could not be read, that was said.
            if !source.has_bad_head {
                self.sink.push(errors::no_parent(source.name));
            }
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
    pub(super) fn inherited_mixins(&self, parent: Option<ExperimentId>) -> HashMap<MixinId, Span> {
        let ancestors = parent.into_iter().flat_map(|parent| self.program.ancestry(parent));
        ancestors.flat_map(|experiment| &experiment.mixins).map(|with| (with.mixin, with.span)).collect()
    }

    pub(super) fn with(
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
                Member::Field(_) | Member::Keyed(_) => None,
            };
            match (next, target) {
                (Some(next), _) => target = next,
                (None, Member::Group(group)) => {
                    self.sink.extend_with(errors::unknown_field(fields, group, *segment, path));
                    return None;
                }
                (None, Member::Field(field)) => {
                    self.sink.push(errors::field_opened(path, fields.field(field)));
                    return None;
                }
                // One decides in all entries or in none.
                (None, Member::Keyed(_)) => break,
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

    fn alias(&self, id: AliasId) -> Option<Alias> {
        self.program.aliases.get(id.index()).filter(|alias| alias.ty.is_some()).cloned()
    }

    fn known(&self) -> Known<'_> {
        Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) }
    }

    fn sink(&mut self) -> &mut Sink {
        self.sink
    }
}

/// Mixins that say of no schema that they are for it and that nothing uses: for the only schema that their module can
/// mean, so that what is wrong in them does not wait until they are used.
pub(super) fn leftover_mixins(program: &mut Program, entries: &mut Entries, sink: &mut Sink) {
    let unused = |mixin: &Mixin| mixin.layers.is_empty() && !mixin.names_schema && mixin.body.is_some();
    let leftover: Vec<MixinId> =
        (0..).map(MixinId).zip(&program.mixins).filter(|(_, mixin)| unused(mixin)).map(|entry| entry.0).collect();
    for id in leftover {
        let Some(mixin) = program.mixins.get(id.index()) else { continue };
        let (name, span, Some(source)) = (mixin.name, mixin.span, mixin.body.clone()) else { continue };
        let Some(module) = program.modules.iter().find(|module| module.file == span.file) else { continue };
        let mut schemas: Vec<(SchemaId, Name)> = Vec::new();
        for (declared, what, _) in module.declared.iter().chain(&module.imported) {
            let found = match what {
                Declaration::Schema(id) => Some((*id, *declared)),
                Declaration::Experiment(id) => {
                    let schema = program.experiments.get(id.index()).and_then(|experiment| experiment.schema);
                    schema.and_then(|id| Some((id, program.schemas.get(id.index())?.name)))
                }
                Declaration::Enum(_)
                | Declaration::Alias(_)
                | Declaration::Binding(_)
                | Declaration::Mixin(_)
                | Declaration::Sweep(_) => None,
            };
            schemas.extend(found.filter(|found| !schemas.iter().any(|known| known.0 == found.0)));
        }
        match schemas.as_slice() {
            [(schema, _)] => {
                let Some(fields) = program.schemas.get(schema.index()).cloned() else { continue };
                let known = Known { enums: &program.enums, bindings: &program.bindings, module: Some(module) };
                body::body(known, &fields, entries, &source, sink);
            }
            several => {
                let names: Vec<Name> = several.iter().map(|found| found.1).collect();
                sink.push(errors::mixin_without_schema(name, span, &names));
            }
        }
    }
}

/// The mixin that `--with` names: as a module knows it, or by its place in the library, `std.recipes.wsd`.
pub fn mixin_named(program: &Program, module: &Module, text: &str, span: Span, sink: &mut Sink) -> Option<MixinId> {
    let found = match text.rsplit_once('.') {
        Some((path, name)) => {
            let inside = |module: &&Module| {
                let own = module.name.as_str();
                own == path || own.rsplit_once('.').is_some_and(|(folder, _)| folder == path)
            };
            let mut modules = program.modules.iter().filter(inside);
            modules
                .find_map(|module| module.declared.iter().find(|entry| entry.0.as_str() == name).map(|entry| entry.1))
        }
        None => module.lookup(Name::new(text)),
    };
    let name = ast::Ident { name: Name::new(text), span };
    match found {
        Some(Declaration::Mixin(id)) => Some(id),
        Some(other) => {
            sink.push(errors::wrong_kind(name, other, "a mixin"));
            None
        }
        None => {
            sink.push(errors::unknown_mixin(span, text, &known_mixins(program, module)));
            None
        }
    }
}

/// Every mixin that could be named, as it would be written.
fn known_mixins(program: &Program, module: &Module) -> Vec<String> {
    let is_mixin = |declaration: &Declaration| matches!(declaration, Declaration::Mixin(_));
    let own = module.declared.iter().chain(&module.imported).filter(|entry| is_mixin(&entry.1));
    let library = program.modules.iter().filter(|module| module.name.as_str().starts_with("std."));
    let library = library.flat_map(|module| {
        let folder = module.name.as_str().rsplit_once('.').map_or("std", |split| split.0);
        let mixins = module.declared.iter().filter(|entry| is_mixin(&entry.1));
        mixins.map(move |entry| format!("{folder}.{}", entry.0))
    });
    own.map(|entry| entry.0.to_string()).chain(library).collect()
}

/// The settings of a mixin for a schema that the command line adds it to.
pub fn mixin_layer(
    program: &mut Program,
    entries: &mut Entries,
    id: MixinId,
    schema: SchemaId,
    span: Span,
    sink: &mut Sink,
) -> Option<LayerId> {
    let mixin = program.mixins.get(id.index())?;
    let fields = program.schemas.get(schema.index())?.clone();
    if let Some(own) = mixin.schema {
        let own = program.schemas.get(own.index()).map_or(Name::new("?"), |found| found.name);
        if own != fields.name {
            let name = ast::Ident { name: mixin.name, span };
            sink.push(errors::mixin_schema(name, mixin, own, fields.name));
            return None;
        }
        return mixin.layers.first().map(|entry| entry.1);
    }
    if let Some(ready) = mixin.layers.iter().find(|entry| entry.0 == schema) {
        return Some(ready.1);
    }
    let (name, place, source) = (mixin.name, mixin.span, mixin.body.clone()?);
    let module = program.modules.iter().find(|module| module.file == place.file);
    let known = Known { enums: &program.enums, bindings: &program.bindings, module };
    let resolved = body::body(known, &fields, entries, &source, sink);
    let layer = LayerId::of(program.layers.len());
    let body::Resolved { settings, rules } = resolved;
    program.layers.push(Arc::new(Layer { kind: LayerKind::Mixin, name, span: place, settings, rules }));
    if let Some(mixin) = program.mixins.get_mut(id.index()) {
        mixin.layers.push((schema, layer));
    }
    Some(layer)
}
