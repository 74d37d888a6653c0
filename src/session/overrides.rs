//! What comes from outside the files: settings of the command line, values files, values for inputs.

use std::sync::Arc;

use crate::base::{FileId, Name, Span};
use crate::diag::Sink;
use crate::resolve::{
    self, Base, Binding, BindingId, BindingKind, Given, Known, Layer, LayerKind, Module, SchemaId, Setting, Word,
};
use crate::session::Session;
use crate::syntax::{self, ast};
use crate::types::Type;
use crate::values;

/// How the words behind `--` are called as a source.
pub(super) const FLAGS: &str = "flags after --";

/// Everything that the command line changes.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Settings, weakest first.
    pub settings: Vec<Override>,
    /// Values for inputs, by name: as typed, without the name.
    pub inputs: Vec<(String, String)>,
    /// The environment variables that [`Session::variables`] asks for, as far as they are set.
    pub variables: Vec<(String, String)>,
}

/// One argument that sets something; each is a text of its own that diagnostics can point into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Override {
    /// `--set path=expression`
    Set(String),
    /// `--add path=items`: appends to a list.
    Add(String),
    /// `--unset path`
    Unset(String),
    /// `--with mixin`, a name of the file or `std.module.name`.
    With(String),
    /// `--values file`: its name and its text.
    Values(String, String),
    /// The target's own flags, as they stand behind `--`.
    Flags(Vec<String>),
}

impl Overrides {
    /// Settings alone, `path=expression` each.
    pub fn set(settings: &[&str]) -> Self {
        let settings = settings.iter().map(|text| Override::Set((*text).to_owned())).collect();
        Overrides { settings, ..Overrides::default() }
    }
}

/// The same, read.
pub(super) struct Outside {
    sources: Vec<Source>,
}

enum Source {
    /// Settings of one argument.
    Items(LayerKind, Name, Span, Vec<ast::BodyItem>),
    /// A mixin, by name.
    Mixin(String, Span),
    /// Flags of the target.
    Flags(Vec<Word>),
}

impl Session {
    /// The environment variables that inputs of the loaded files name. Nothing else of the environment is wanted.
    pub fn variables(&self) -> Vec<&str> {
        let named = self.program.bindings.iter().filter_map(|binding| match &binding.kind {
            BindingKind::Input { env, .. } => env.as_deref(),
            BindingKind::Let(_) => None,
        });
        named.collect()
    }

    /// Reads what the command line changes, and gives inputs their values.
    pub(super) fn outside(&mut self, overrides: &Overrides, sink: &mut Sink) -> Outside {
        self.give(overrides, sink);
        let mut sources = Vec::new();
        // Values files are the weakest, then mixins, then the rest as typed.
        let rank = |setting: &Override| match setting {
            Override::Values(..) => 0,
            Override::With(_) => 1,
            Override::Set(_) | Override::Add(_) | Override::Unset(_) | Override::Flags(_) => 2,
        };
        let mut ordered: Vec<&Override> = overrides.settings.iter().collect();
        ordered.sort_by_key(|setting| rank(setting));
        for setting in ordered {
            sources.extend(self.read(setting, sink));
        }
        Outside { sources }
    }

    fn read(&mut self, setting: &Override, sink: &mut Sink) -> Option<Source> {
        let kind = LayerKind::CommandLine;
        match setting {
            Override::Set(text) | Override::Add(text) => {
                let adds = matches!(setting, Override::Add(_));
                let flag = if adds { "--add" } else { "--set" };
                let file = self.map.add(flag, text.as_str());
                let mut assign = syntax::parse_setting(file, text, sink)?;
                if adds {
                    assign.op = ast::AssignOp::Append;
                }
                let name = Name::new(&format!("{flag} {text}"));
                let span = Span::new(file, 0, text.len());
                Some(Source::Items(kind, name, span, vec![ast::BodyItem::Assign(assign)]))
            }
            Override::Unset(text) => {
                let file = self.map.add("--unset", text.as_str());
                let path = syntax::parse_path(file, text, sink)?;
                let span = Span::new(file, 0, text.len());
                let name = Name::new(&format!("--unset {text}"));
                Some(Source::Items(kind, name, span, vec![ast::BodyItem::Unset { span, path }]))
            }
            Override::With(text) => {
                let file = self.map.add("--with", text.as_str());
                Some(Source::Mixin(text.clone(), Span::new(file, 0, text.len())))
            }
            Override::Values(name, text) => {
                let file = self.map.add(name.as_str(), text.as_str());
                let items = values::read(file, text, sink);
                Some(Source::Items(LayerKind::Values, Name::new(name), Span::start_of(file), items))
            }
            Override::Flags(words) => Some(Source::Flags(self.words(words).0)),
        }
    }

    /// The words of a command line as a text, a flag and its values on each line, and where each stands in it.
    pub(super) fn words(&mut self, words: &[String]) -> (Vec<Word>, FileId) {
        let mut text = String::new();
        let mut places = Vec::with_capacity(words.len());
        for word in words {
            if !text.is_empty() {
                text.push(if word.starts_with("--") { '\n' } else { ' ' });
            }
            let written = crate::emit::args::quoted(word);
            places.push((text.len()..text.len() + written.len(), written == *word));
            text.push_str(&written);
        }
        // An experiment of flags alone has its place in the same text.
        let there = self.map.iter().find(|(_, file)| &*file.name == FLAGS && *file.text == *text).map(|found| found.0);
        let file = there.unwrap_or_else(|| self.map.add(FLAGS, text));
        let word = |(word, (place, is_plain)): (&String, (std::ops::Range<usize>, bool))| Word {
            text: word.clone(),
            span: Span::new(file, place.start, place.end),
            is_plain,
        };
        (words.iter().zip(places).map(word).collect(), file)
    }

    /// The layers that lie above an experiment or a sweep.
    pub(super) fn above(&mut self, base: Base, outside: &Outside, sink: &mut Sink) -> Vec<Arc<Layer>> {
        let (schema, module) = match base {
            Base::Experiment(id) => {
                let Some(found) = self.program.experiments.get(id.index()) else { return Vec::new() };
                (found.schema, found.module)
            }
            Base::Sweep(id) => {
                let Some(found) = self.program.sweeps.get(id.index()) else { return Vec::new() };
                (found.schema, found.module)
            }
        };
        let Some(schema) = schema else { return Vec::new() };
        let Some(module) = self.program.modules.get(module.index()).cloned() else { return Vec::new() };
        outside.sources.iter().flat_map(|source| self.layers(source, base, schema, &module, sink)).collect()
    }

    fn layers(
        &mut self,
        source: &Source,
        base: Base,
        id: SchemaId,
        module: &Module,
        sink: &mut Sink,
    ) -> Vec<Arc<Layer>> {
        let Some(schema) = self.program.schemas.get(id.index()).cloned() else { return Vec::new() };
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(module) };
        match source {
            Source::Items(kind, name, span, items) => {
                let read = |item| resolve::setting(known, &schema, &mut self.entries, item, sink);
                let settings = items.iter().flat_map(read).collect();
                vec![Arc::new(Layer { kind: *kind, name: *name, span: *span, settings, rules: Vec::new() })]
            }
            Source::Mixin(text, span) => self.mixin(text, *span, base, id, module, sink).into_iter().collect(),
            Source::Flags(words) => {
                let settings = resolve::flags(&self.program.enums, &schema, words, sink);
                let layer = |setting: Setting| {
                    // Named by its words.
                    let (name, span) = (Name::new(self.map.text(setting.span)), setting.span);
                    Arc::new(Layer { kind: LayerKind::Flag, name, span, settings: vec![setting], rules: Vec::new() })
                };
                settings.into_iter().map(layer).collect()
            }
        }
    }

    fn mixin(
        &mut self,
        text: &str,
        span: Span,
        base: Base,
        schema: SchemaId,
        module: &Module,
        sink: &mut Sink,
    ) -> Option<Arc<Layer>> {
        let mixin = resolve::mixin_named(&self.program, module, text, span, sink)?;
        if let Base::Experiment(experiment) = base {
            let mut taken = self.program.ancestry(experiment).flat_map(|found| &found.mixins);
            if let Some(with) = taken.find(|with| with.mixin == mixin) {
                sink.push(resolve::errors::mixin_again(text, span, with.span));
                return None;
            }
        }
        let layer = resolve::mixin_layer(&mut self.program, &mut self.entries, mixin, schema, span, sink)?;
        self.program.layers.get(layer.index()).cloned()
    }

    /// Values for inputs: from the command line, else from the environment.
    fn give(&mut self, overrides: &Overrides, sink: &mut Sink) {
        let ids = (0..).map(BindingId).zip(&self.program.bindings);
        let inputs: Vec<(BindingId, Binding)> = ids
            .filter(|(_, binding)| matches!(binding.kind, BindingKind::Input { .. }))
            .map(|(id, binding)| (id, binding.clone()))
            .collect();
        let mut given: Vec<Given> = Vec::new();
        for (name, text) in &overrides.inputs {
            let named: Vec<_> = inputs.iter().filter(|input| input.1.name.as_str() == name).collect();
            if named.is_empty() {
                let file = self.map.add("--input", name.as_str());
                let known: Vec<Name> = inputs.iter().map(|input| input.1.name).collect();
                sink.push(resolve::errors::unknown_input(Span::new(file, 0, name.len()), name, &known));
            }
            for (id, binding) in named {
                given.extend(self.given(*id, binding, &format!("--input {name}"), text, sink));
            }
        }
        for (id, binding) in &inputs {
            let BindingKind::Input { env: Some(variable), .. } = &binding.kind else { continue };
            let set = overrides.variables.iter().find(|set| set.0 == *variable);
            if let Some((_, text)) = set.filter(|_| !given.iter().any(|given| given.input == *id)) {
                given.extend(self.given(*id, binding, &format!("${variable}"), text, sink));
            }
        }
        resolve::give(&mut self.program, &given, sink);
    }

    /// The text of a value for an input. Texts and paths need no quotes; everything else is an expression.
    fn given(
        &mut self,
        input: BindingId,
        binding: &Binding,
        source: &str,
        text: &str,
        sink: &mut Sink,
    ) -> Option<Given> {
        let is_secret = matches!(binding.kind, BindingKind::Input { is_secret: true, .. });
        let shown = if is_secret { "<secret>" } else { text };
        let file = self.map.add(source, shown);
        let span = Span::new(file, 0, shown.len());
        let mut found = Sink::default();
        let value = syntax::scalar(span, text, false);
        let value = match binding.ty.required() {
            // Lists and whatever else has more than one part.
            Type::List(_) => syntax::parse_value(file, text, &mut found),
            Type::String | Type::Path if text.starts_with('"') => syntax::parse_value(file, text, &mut found),
            // `2 * 3`: what is no number as it stands may be an expression.
            Type::Int | Type::Float | Type::Fraction | Type::Quantity(_) if !is_scalar(&value, text) => {
                syntax::parse_value(file, text, &mut found)
            }
            Type::Bool
            | Type::Int
            | Type::Float
            | Type::Fraction
            | Type::String
            | Type::Path
            | Type::Quantity(_)
            | Type::Enum(_)
            | Type::Optional(_) => Some(value),
        };
        let value = match (is_secret, value) {
            // Why a secret can't be read would show a part of it: it counts as a value that does not fit.
            (true, Some(_)) if found.has_errors() => Some(ast::Expr { span, kind: ast::ExprKind::Bad }),
            (true, None) => Some(ast::Expr { span, kind: ast::ExprKind::Bad }),
            (true, value) => value,
            (false, value) => {
                sink.extend(found);
                value
            }
        };
        Some(Given { input, span, value: value? })
    }
}

/// Whether a text is a number, or nothing at all.
fn is_scalar(value: &ast::Expr, text: &str) -> bool {
    let is_number = matches!(&value.kind, ast::ExprKind::Scalar(scalar) if scalar.number.is_some());
    is_number || matches!(text.trim(), "" | "none" | "null" | "~")
}
