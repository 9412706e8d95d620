//! Parameters of methods: listed by name with value and meaning, and changed from text.

use std::fmt::Display;
use std::str::FromStr;

use serde::Serialize;

/// One parameter of a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Name as in `method(name=value)`.
    pub name: &'static str,
    /// Its value, as it would be written there.
    pub value: String,
    /// What it does, with the paper's symbol.
    pub meaning: &'static str,
}

/// Why a parameter cannot be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterError {
    /// The method has no parameter of this name.
    Unknown,
    /// The value is not of the parameter's kind, or out of its range; with what it may be.
    Value(String),
}

/// Reads a value; the error says what kind of value it should be.
pub fn parse<T: ParameterValues>(text: &str) -> Result<T, ParameterError> {
    text.parse().map_err(|_| ParameterError::Value(T::choices()))
}

/// A kind of value that parameters have.
pub trait ParameterValues: FromStr + Display {
    /// What may be written, for error messages.
    fn choices() -> String;
}

macro_rules! plain_choices {
    ($($kind:ty => $text:literal),* $(,)?) => {
        $(impl ParameterValues for $kind {
            fn choices() -> String {
                $text.to_owned()
            }
        })*
    };
}

plain_choices! {
    f64 => "a number", u32 => "a whole number", usize => "a whole number", bool => "`true` or `false`",
}

/// Implements the parameter part of [`MainTextExtractor`](crate::Extractor) for a `Copy` type with one field each:
/// `"name" field in range, "meaning";`.
#[macro_export]
macro_rules! parameters {
    ($($name:literal $field:ident $(in $range:expr)?, $meaning:literal;)*) => {
        fn parameters(&self) -> Vec<$crate::parameter::Parameter> {
            vec![$($crate::parameter::Parameter {
                name: $name,
                value: self.$field.to_string(),
                meaning: $meaning,
            }),*]
        }

        #[allow(unused_mut, unused_variables, unreachable_code, reason = "a method may have no parameters")]
        fn with(
            &self,
            name: &str,
            value: &str,
        ) -> Result<std::sync::Arc<dyn $crate::MainTextExtractor>, $crate::parameter::ParameterError> {
            let mut changed = *self;
            match name {
                $($name => {
                    changed.$field = $crate::parameter::parse(value)?;
                    $(if !($range).contains(&changed.$field) {
                        return Err($crate::parameter::ParameterError::Value(
                            concat!("within ", stringify!($range)).to_owned(),
                        ));
                    })?
                })*
                _ => return Err($crate::parameter::ParameterError::Unknown),
            }
            Ok(std::sync::Arc::new(changed))
        }
    };
}

/// Reading, writing and listing for an enum of settings: `choices!(Unit { Leaf "leaf", Row "row" });`.
#[macro_export]
macro_rules! choices {
    ($kind:ident { $($variant:ident $text:literal),* $(,)? }) => {
        impl std::str::FromStr for $kind {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                match text {
                    $($text => Ok($kind::$variant),)*
                    _ => Err(()),
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($kind::$variant => $text),* })
            }
        }

        impl $crate::parameter::ParameterValues for $kind {
            fn choices() -> String {
                ["one of", $(concat!("`", $text, "`")),*].join(" ")
            }
        }
    };
}
