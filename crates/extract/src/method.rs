//! Methods by name with their parameters: `best` and the published ones. The only file here that knows those.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use gristmill_methods::{KeepAll, LAYOUT_METHODS, METHODS as PUBLISHED, Sun, Twcem};
use gristmill_page::{MainTextExtractor, MethodDescription, Parameter, ParameterError};
use serde::Serialize;

use crate::best::Best;

/// One entry of `gristmill-lab methods`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MethodInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// Asymptotic time.
    pub cost: &'static str,
    /// Parameters and their defaults.
    pub parameters: Vec<Parameter>,
}

/// A method by its name, ready to use: `vsse`, or with changed parameters `vsse(t1=0.3,refine=off)`.
#[derive(Clone)]
pub struct Method {
    name: Cow<'static, str>,
    extractor: Handle,
}

#[derive(Clone)]
enum Handle {
    Listed(&'static dyn MainTextExtractor),
    Changed(Arc<dyn MainTextExtractor>),
}

impl Method {
    /// TWCEM with the parameters for news.
    pub const TWCEM: Method = Method { name: Cow::Borrowed(Twcem::NEWS.name), extractor: Handle::Listed(&Twcem::NEWS) };
    /// SUN: the smallest container with half of the page's text.
    pub const SUN: Method = Method { name: Cow::Borrowed("sun"), extractor: Handle::Listed(&Sun::PAPER) };
    /// All text of the page.
    pub const PLAIN: Method = Method { name: Cow::Borrowed("plain"), extractor: Handle::Listed(&KeepAll) };
    /// The default: what scores best over the development packages (`docs/best.md`).
    pub const BEST: Method = Method { name: Cow::Borrowed("best"), extractor: Handle::Listed(&Best) };

    /// The method itself.
    pub fn extractor(&self) -> &dyn MainTextExtractor {
        match &self.extractor {
            Handle::Listed(extractor) => *extractor,
            Handle::Changed(extractor) => extractor.as_ref(),
        }
    }

    /// Its name, with the parameters that differ from the listed ones: `vsse(t1=0.3)`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The method of this name for a page whose layout is known, parameters included: `clg` is then the one that works
    /// on boxes, while it is another name of `clg-nolayout` elsewhere.
    ///
    /// # Errors
    /// As [`Method::from_str`].
    pub fn for_layout(text: &str) -> Result<Method, MethodError> {
        Method::read(text, |name| named(LAYOUT_METHODS.iter().copied(), name).or_else(|| named(known(), name)))
    }

    fn read(text: &str, find: impl Fn(&str) -> Option<&'static dyn MainTextExtractor>) -> Result<Method, MethodError> {
        let text = text.trim();
        let (name, changes) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => {
                let changes = rest.strip_suffix(')').ok_or_else(|| MethodError::Syntax { text: text.to_owned() })?;
                (name.trim(), changes)
            }
        };
        let listed = find(name).ok_or_else(|| MethodError::Unknown { name: name.to_owned() })?;
        Method::changed(listed, changes)
    }

    fn changed(listed: &'static dyn MainTextExtractor, changes: &str) -> Result<Method, MethodError> {
        let method = listed.about().name;
        let mut extractor: Option<Arc<dyn MainTextExtractor>> = None;
        for change in changes.split(',').map(str::trim).filter(|change| !change.is_empty()) {
            let (name, value) = change
                .split_once('=')
                .map(|(name, value)| (name.trim(), value.trim()))
                .ok_or_else(|| MethodError::Syntax { text: change.to_owned() })?;
            let before = extractor.as_deref().unwrap_or(listed);
            let after = before.with(name, value).map_err(|error| match error {
                ParameterError::Unknown => {
                    let known = listed.parameters().iter().map(|p| format!("`{}`", p.name)).collect::<Vec<_>>();
                    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                    MethodError::Parameter { method, name: name.to_owned(), known }
                }
                ParameterError::Value(expected) => {
                    MethodError::Value { method, name: name.to_owned(), value: value.to_owned(), expected }
                }
            })?;
            extractor = Some(after);
        }
        let Some(extractor) = extractor else {
            return Ok(Method { name: Cow::Borrowed(method), extractor: Handle::Listed(listed) });
        };
        let (defaults, values) = (listed.parameters(), extractor.parameters());
        let differing = values.iter().zip(&defaults).filter(|(value, default)| value.value != default.value);
        let differing: Vec<String> = differing.map(|(value, _)| format!("{}={}", value.name, value.value)).collect();
        let name = if differing.is_empty() { method.to_owned() } else { format!("{method}({})", differing.join(",")) };
        Ok(Method { name: Cow::Owned(name), extractor: Handle::Changed(extractor) })
    }
}

/// How the names of methods end that were made for layouts and do without.
const NO_LAYOUT: &str = "-nolayout";

impl Default for Method {
    fn default() -> Self {
        Method::BEST
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Method {}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Method({})", self.name)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A text that names no method.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MethodError {
    /// No method is called so.
    #[error("no extraction method `{name}`; there are {}", known_names())]
    Unknown {
        /// The name as given.
        name: String,
    },
    /// The method has no such parameter.
    #[error("method `{method}` has no parameter `{name}`; it has {known}")]
    Parameter {
        /// The method.
        method: &'static str,
        /// The name as given.
        name: String,
        /// Those it has.
        known: String,
    },
    /// The parameter cannot have this value.
    #[error("parameter `{name}` of method `{method}` must be {expected}, not `{value}`")]
    Value {
        /// The method.
        method: &'static str,
        /// The parameter.
        name: String,
        /// The value as given.
        value: String,
        /// What it may be.
        expected: String,
    },
    /// Not `name` or `name(parameter=value,…)`.
    #[error("cannot read `{text}`: a method is written `name` or `name(parameter=value,parameter=value)`")]
    Syntax {
        /// The piece that cannot be read.
        text: String,
    },
}

fn known_names() -> String {
    known().map(|method| format!("`{}`", method.about().name)).collect::<Vec<_>>().join(", ")
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Without a layout `clg` means the model that does without; it displays as what it is.
        Method::read(text, |name| named(known(), name).or_else(|| named(known(), &format!("{name}{NO_LAYOUT}"))))
    }
}

/// Ours, then the published ones in their order.
fn known() -> impl Iterator<Item = &'static dyn MainTextExtractor> {
    std::iter::once(&Best as &dyn MainTextExtractor).chain(PUBLISHED.iter().copied())
}

fn named(
    mut methods: impl Iterator<Item = &'static dyn MainTextExtractor>,
    name: &str,
) -> Option<&'static dyn MainTextExtractor> {
    methods.find(|method| method.about().name == name)
}

/// All methods for pages without a layout, in the order of their listing.
pub fn methods() -> Vec<MethodInfo> {
    known().map(info).collect()
}

/// The methods that need a layout, by the names that [`Method::for_layout`] knows them by.
pub fn layout_methods() -> Vec<MethodInfo> {
    LAYOUT_METHODS.iter().map(|method| info(*method)).collect()
}

fn info(method: &dyn MainTextExtractor) -> MethodInfo {
    let MethodDescription { name, paper, cost } = method.about();
    MethodInfo { name, paper, cost, parameters: method.parameters() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_by_the_name_it_displays() {
        for info in methods() {
            let method: Method = info.name.parse().unwrap();
            assert_eq!(method.to_string(), info.name);
        }
        assert_eq!("best".parse::<Method>().unwrap(), Method::default());
    }

    #[test]
    fn every_parameter_of_every_method_can_be_set_to_the_value_it_shows() {
        for info in methods() {
            for parameter in &info.parameters {
                let text = format!("{}({}={})", info.name, parameter.name, parameter.value);
                assert_eq!(text.parse::<Method>().unwrap().name(), info.name, "{text}");
            }
        }
    }

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = "twcm".parse::<Method>().unwrap_err().to_string();
        assert!(error.starts_with("no extraction method `twcm`") && error.contains("`twcem-microblog`"), "{error}");
    }

    #[test]
    fn changed_parameters_are_part_of_the_name() {
        let method: Method = "vsse( refine=off , t1=0.30 )".parse().unwrap();
        assert_eq!(method.name(), "vsse(t1=0.3,refine=off)");
        assert_eq!(method.extractor().parameters()[1].value, "0.3");
        assert_eq!("vsse(t1=0.8)".parse::<Method>().unwrap(), "vsse".parse().unwrap());
        assert_eq!("best()".parse::<Method>().unwrap(), Method::BEST);
    }

    #[test]
    fn the_short_name_means_boxes_where_there_is_a_layout_and_a_guess_where_there_is_none() {
        for info in layout_methods() {
            let (name, guess) = (info.name, format!("{}-nolayout", info.name));
            let method = Method::for_layout(name).unwrap();
            assert!(method.name() == name && method.extractor().uses_layout());
            assert_eq!(name.parse::<Method>().unwrap().name(), guess);
            assert!(!Method::for_layout(&guess).unwrap().extractor().uses_layout());
        }
        assert_eq!("clg(d=4)".parse::<Method>().unwrap().name(), "clg-nolayout(d=4)");
        assert_eq!(Method::for_layout("clg(d=4)").unwrap().name(), "clg(d=4)");
        assert_eq!(Method::for_layout("vsse").unwrap(), "vsse".parse().unwrap());
    }

    #[test]
    fn what_cannot_be_set_is_told_with_what_can() {
        let error = |text: &str| text.parse::<Method>().unwrap_err().to_string();
        assert_eq!(
            error("vsse(t9=1)"),
            "method `vsse` has no parameter `t9`; it has `unit`, `t1`, `agg`, `refine`, `t2`"
        );
        assert_eq!(error("vsse(t1=2)"), "parameter `t1` of method `vsse` must be within 0.0..=1.0, not `2`");
        assert_eq!(error("vsse(t1=NaN)"), "parameter `t1` of method `vsse` must be within 0.0..=1.0, not `NaN`");
        assert!(error("vsse(unit=word)").contains("one of `leaf` `row`"));
        assert!(error("vsse(t1").contains("cannot read `vsse(t1`"));
        assert!(error("plain(x=1)").contains("it has none"));
    }
}
