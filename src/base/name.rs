//! Interned names: a four-byte number that stands for a piece of text.

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, RwLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A name of the language (a field, a group, an enum value), compared by number.
///
/// Names live as long as the process: a checked project holds a few thousand, each stored once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u32);

#[derive(Default)]
struct Table {
    numbers: HashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(RwLock::default);

impl Name {
    /// The name spelt `text`.
    pub fn new(text: &str) -> Self {
        let read = TABLE.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(&number) = read.numbers.get(text) {
            return Name(number);
        }
        drop(read);
        let mut table = TABLE.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(&number) = table.numbers.get(text) {
            return Name(number);
        }
        let text: &'static str = Box::leak(text.into());
        let number = u32::try_from(table.texts.len()).unwrap_or(u32::MAX);
        table.texts.push(text);
        table.numbers.insert(text, number);
        Name(number)
    }

    /// Its letters.
    pub fn as_str(self) -> &'static str {
        let table = TABLE.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        table.texts.get(self.0 as usize).copied().unwrap_or("")
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.as_str())
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name::new(text)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Name;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Name, E> {
                Ok(Name::new(text))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}
