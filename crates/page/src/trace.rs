//! The intermediate numbers of an extraction, for `--trace` and for tests of worked examples.

use serde::Serialize;

/// One recorded value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TraceValue {
    /// A flag, e.g. that the area collapsed to the page.
    Flag(bool),
    /// A single number.
    Number(f64),
    /// A word or path.
    Text(String),
    /// One number per leaf, row or kept row, as the name says.
    Series(Vec<f64>),
}

/// Named values in the order of their making. Recording is off unless asked for, and then costs nothing.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct Trace {
    #[serde(skip)]
    on: bool,
    values: Vec<(&'static str, TraceValue)>,
}

impl Trace {
    /// A trace that records.
    pub fn recording() -> Trace {
        Trace { on: true, values: Vec::new() }
    }

    /// Whether values are kept; ask before computing something only for the trace.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Records the value that `value` returns, unless recording is off.
    pub fn note(&mut self, name: &'static str, value: impl FnOnce() -> TraceValue) {
        if self.on {
            self.values.push((name, value()));
        }
    }

    /// The last value recorded under this name.
    pub fn get(&self, name: &str) -> Option<&TraceValue> {
        self.values.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// All values in order.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &TraceValue)> {
        self.values.iter().map(|(name, value)| (*name, value))
    }
}
