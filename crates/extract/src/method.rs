//! The seam between pages and extraction methods, and the list of the methods there are.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::page::Page;
use crate::plain::Plain;
use crate::selection::Selection;
use crate::trace::Trace;
use crate::twcem::Twcem;
use crate::vsse::Vsse;

/// What a method may know besides the page itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query<'a> {
    /// The title of the page, as [`Document::title`](crate::Document) has it.
    pub title: Option<&'a str>,
    /// The page's description of itself, empty when there is none.
    pub description: &'a str,
}

/// A way to tell main text from boilerplate: shared statistics in, a decision per leaf out.
///
/// Deterministic, no I/O, linear in the page up to the factors that its [`MethodInfo::cost`] states.
pub trait Extractor: Sync {
    /// Who it is.
    fn info(&self) -> MethodInfo;

    /// The main text of the page. May keep nothing; intermediate numbers go to `trace`.
    fn select(&self, page: &Page<'_>, query: &Query<'_>, trace: &mut Trace) -> Selection;
}

/// One line of `gristmill methods`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// Parameters and their values.
    pub parameters: String,
    /// Asymptotic time.
    pub cost: &'static str,
}

/// A method by its name, ready to use.
#[derive(Clone, Copy)]
pub struct Method(&'static dyn Extractor);

/// In the order of `gristmill methods`. A new method is one more line here.
static METHODS: &[&dyn Extractor] = &[&Twcem::NEWS, &Twcem::MICROBLOG, &Vsse::PAPER, &Vsse::TUNED, &Plain];

impl Method {
    /// TWCEM with the parameters for news.
    pub const TWCEM: Method = Method(&Twcem::NEWS);
    /// VSSE over rows with a lower threshold for seeds.
    pub const VSSE_TUNED: Method = Method(&Vsse::TUNED);
    /// The default: what scores best over the development packages (`docs/extraction.md`).
    pub const BEST: Method = Method::VSSE_TUNED;

    /// The method itself.
    pub fn extractor(self) -> &'static dyn Extractor {
        self.0
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.info().name
    }
}

impl Default for Method {
    fn default() -> Self {
        Method::BEST
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Method {}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Method({})", self.name())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A method name that is not in the list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no extraction method `{name}`; there are `best`, {}", known_names())]
pub struct UnknownMethod {
    /// The name as given.
    pub name: String,
}

fn known_names() -> String {
    METHODS.iter().map(|method| format!("`{}`", method.info().name)).collect::<Vec<_>>().join(", ")
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == "best" {
            return Ok(Method::BEST);
        }
        METHODS
            .iter()
            .find(|method| method.info().name == name)
            .map(|&method| Method(method))
            .ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

/// All methods in the order of their listing; `best` is an alias and not among them.
pub fn methods() -> Vec<MethodInfo> {
    METHODS.iter().map(|method| method.info()).collect()
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
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = "twcm".parse::<Method>().unwrap_err().to_string();
        assert!(error.starts_with("no extraction method `twcm`") && error.contains("`twcem-microblog`"), "{error}");
    }
}
