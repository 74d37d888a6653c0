//! A checked experiment: one value per field, each with its origin.

use std::sync::Arc;

use crate::base::{Name, Span};
use crate::resolve::{FieldId, Layer, Schema};
use crate::types::{Data, Unknown};

/// An experiment with its final values. Values that were complained about are [`Data::Failed`].
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name.
    pub name: Name,
    /// Where its name is declared.
    pub span: Span,
    /// Its fields.
    pub schema: Arc<Schema>,
    /// Its layers, weakest first; the defaults of the schema lie below them.
    pub layers: Vec<Arc<Layer>>,
    /// One value per field, by [`FieldId`].
    pub(in crate::check) values: Vec<Value>,
}

/// A final value and why it is so.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The value.
    pub data: Data,
    /// Why.
    pub origin: Origin,
}

/// Why a field has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The text that decided: a value in a layer, or the field's declaration.
    pub span: Span,
    /// What it belongs to.
    pub source: OriginSource,
}

/// What decided a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginSource {
    /// The schema's default, the same whatever else is set.
    Default,
    /// The schema's default, worked out from other fields.
    Derived,
    /// A layer, by its position in [`Experiment::layers`].
    Layer(usize),
}

impl Experiment {
    /// The final value of a field.
    #[expect(clippy::indexing_slicing, reason = "one value is made for each field of the schema")]
    pub fn value(&self, field: FieldId) -> &Value {
        &self.values[field.index()]
    }

    /// Whether a rule, or another field, asks for something that only the network tells.
    pub fn asks_for_computed(&self) -> bool {
        let unknown = |field: &FieldId| self.value(*field).data == Data::Unknown(Unknown::Computed);
        if !self.schema.fields.iter().any(|field| field.is_computed) {
            return false;
        }
        if self.schema.iter().any(|(id, field)| !field.is_computed && unknown(&id)) {
            return true;
        }
        let rules = self.schema.rules.iter().chain(self.layers.iter().flat_map(|layer| &layer.rules));
        rules.into_iter().any(|rule| rule.inputs.iter().any(unknown))
    }

    /// All fields with their values.
    pub fn iter(&self) -> impl Iterator<Item = (FieldId, &Value)> {
        (0..).map(FieldId).zip(&self.values)
    }
}
