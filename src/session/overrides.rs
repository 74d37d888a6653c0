//! Settings from outside the files: each argument and each values file is a text of its own, read once, and then made
//! into layers for each schema that it meets.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{FileId, Name, SourceMap, Sources, Span};
use crate::diag::Sink;
use crate::resolve::{self, ExperimentId, Layer, LayerKind, Program, SchemaId, Word};
use crate::syntax::{self, ast};

/// What stands above every file, weakest first: values files, mixins, changes as they were typed, flags of the target.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Values files: YAML, or JSON, which is YAML.
    pub values: Vec<PathBuf>,
    /// Mixins: names that the file knows, or places in the library (`std.recipes.wsd`).
    pub with: Vec<String>,
    /// Single settings, in order.
    pub changes: Vec<Change>,
    /// Words of the target's own command line.
    pub flags: Vec<String>,
}

/// One setting of the command line, as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// `path = expression`
    Set(String),
    /// `path = expression`, appended to the list that is there.
    Add(String),
    /// A path that goes back to its default.
    Unset(String),
}

/// The name of the text that holds the words behind `--`, one flag a line.
const FLAGS: &str = "flags after --";

/// Overrides that were read.
pub(super) struct Given(Vec<Part>);

enum Part {
    /// Settings as a body has them.
    Body { kind: LayerKind, name: Name, span: Span, body: ast::Body },
    /// A mixin.
    With(ast::Path),
    /// Words of the target's command line.
    Flags(Vec<Word>),
}

/// Layers that were made, by schema: a thousand experiments of one schema share them.
#[derive(Default)]
pub(super) struct Made(HashMap<(SchemaId, usize), Vec<Arc<Layer>>>);

impl Given {
    /// Reads all of it. What can't be read is reported and left out.
    pub(super) fn read(overrides: &Overrides, map: &mut SourceMap, sources: &dyn Sources, sink: &mut Sink) -> Given {
        let mut parts = Vec::new();
        for path in &overrides.values {
            if let Some((file, text)) = resolve::read_named(map, sources, path, sink) {
                let body = syntax::values(file, &text, sink);
                let name = Name::new(&path.to_string_lossy());
                parts.push(Part::Body { kind: LayerKind::Values, name, span: Span::start_of(file), body });
            }
        }
        for text in &overrides.with {
            let file = map.add("--with", text.as_str());
            parts.extend(syntax::parse_path(file, text, sink).map(Part::With));
        }
        for change in &overrides.changes {
            parts.extend(one(change, map, sink));
        }
        if !overrides.flags.is_empty() {
            parts.push(Part::Flags(words(&overrides.flags, map).0));
        }
        Given(parts)
    }

    /// All of it as layers of one experiment.
    pub(super) fn layers(
        &self,
        program: &Program,
        map: &SourceMap,
        id: ExperimentId,
        made: &mut Made,
        sink: &mut Sink,
    ) -> Vec<Arc<Layer>> {
        let schema_id = program.experiments.get(id.index()).and_then(|found| found.schema);
        let found = schema_id.and_then(|id| Some((id, program.schemas.get(id.index())?)));
        let Some((schema_id, schema)) = found else { return Vec::new() };
        let mut layers = Vec::new();
        for (at, part) in self.0.iter().enumerate() {
            match part {
                Part::With(path) => layers.extend(resolve::with_mixin(program, id, path, sink)),
                Part::Body { kind, name, span, body } => {
                    let layer = made.0.entry((schema_id, at)).or_insert_with(|| {
                        let settings = resolve::settings(&program.enums, schema, body, sink);
                        vec![Arc::new(Layer { kind: *kind, name: *name, span: *span, settings, rules: Vec::new() })]
                    });
                    layers.extend(layer.iter().cloned());
                }
                Part::Flags(words) => {
                    let flags = made.0.entry((schema_id, at)).or_insert_with(|| {
                        let settings = resolve::flags(&program.enums, schema, words, sink);
                        settings.into_iter().map(|setting| Arc::new(flag_layer(setting, map))).collect()
                    });
                    layers.extend(flags.iter().cloned());
                }
            }
        }
        layers
    }
}

/// A layer of one flag, named by its words.
fn flag_layer(setting: resolve::Setting, map: &SourceMap) -> Layer {
    let (name, span) = (Name::new(map.text(setting.span)), setting.span);
    Layer { kind: LayerKind::Flag, name, span, settings: vec![setting], rules: Vec::new() }
}

fn one(change: &Change, map: &mut SourceMap, sink: &mut Sink) -> Option<Part> {
    let (option, text) = match change {
        Change::Set(text) => ("--set", text),
        Change::Add(text) => ("--add", text),
        Change::Unset(text) => ("--unset", text),
    };
    let file = map.add(option, text.as_str());
    let span = Span::new(file, 0, text.len());
    let item = match change {
        Change::Set(text) => ast::BodyItem::Assign(syntax::parse_setting(file, text, sink)?),
        Change::Add(text) => {
            let assign = syntax::parse_setting(file, text, sink)?;
            let op = if assign.op == ast::AssignOp::Set { ast::AssignOp::Append } else { assign.op };
            ast::BodyItem::Assign(ast::Assign { op, ..assign })
        }
        Change::Unset(text) => ast::BodyItem::Unset { span, path: syntax::parse_path(file, text, sink)? },
    };
    let body = ast::Body { span, items: vec![item] };
    Some(Part::Body { kind: LayerKind::CommandLine, name: Name::new(&format!("{option} {text}")), span, body })
}

/// The words of a command line as a text, a flag and its values on each line, and where each stands in it.
pub(super) fn words(words: &[String], map: &mut SourceMap) -> (Vec<Word>, FileId) {
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
    let there = map.iter().find(|(_, file)| &*file.name == FLAGS && *file.text == *text).map(|found| found.0);
    let file = there.unwrap_or_else(|| map.add(FLAGS, text));
    let word = |(word, (place, is_plain)): (&String, (std::ops::Range<usize>, bool))| Word {
        text: word.clone(),
        span: Span::new(file, place.start, place.end),
        is_plain,
    };
    (words.iter().zip(places).map(word).collect(), file)
}
