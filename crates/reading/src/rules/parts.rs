//! Which parts of a page count, by CSS selectors: those to keep, and those to leave out.

use gristmill_html::{Doc, NodeId};
use scraper::Selector;

use crate::rules::error::RuleError;
use crate::rules::selector::SelectorTarget;
use crate::rules::tree::SelectorTree;

/// Most elements that one selector finds.
const MAX_FOUND: usize = 10_000;

/// Selectors of parts, ready for use.
#[derive(Debug, Clone, Default)]
pub struct PartSelectors {
    keep: Vec<Selector>,
    leave_out: Vec<Selector>,
}

impl PartSelectors {
    /// Reads the selectors of both lists, which their errors call `include` and `exclude`.
    ///
    /// # Errors
    /// The first that is none, or that means no element.
    pub fn compile(keep: &[String], leave_out: &[String]) -> Result<PartSelectors, RuleError> {
        let list = |selectors: &[String], name: &str| -> Result<Vec<Selector>, RuleError> {
            let parse = |(n, selector): (usize, &String)| SelectorTarget::element(selector, &format!("{name}[{n}]"));
            selectors.iter().enumerate().map(parse).collect()
        };
        Ok(PartSelectors { keep: list(keep, "include")?, leave_out: list(leave_out, "exclude")? })
    }

    /// Whether some parts are named that are to be kept.
    pub fn has_kept(&self) -> bool {
        !self.keep.is_empty()
    }

    /// The page with what is kept of it: the parts that are named, all without any, and of these nothing that is left out. The head
    /// stays, since it describes the page. None where nothing changes.
    ///
    /// Cost: O(nodes) for each selector.
    pub fn apply(&self, doc: &Doc) -> Option<Doc> {
        if self.keep.is_empty() && self.leave_out.is_empty() {
            return None;
        }
        let tree = SelectorTree::of(doc);
        let found = |selectors: &[Selector]| -> Vec<NodeId> {
            let all = selectors
                .iter()
                .flat_map(|selector| tree.select(selector, MAX_FOUND).map(|found| found.id).collect::<Vec<_>>());
            all.collect()
        };
        let mut left_out = found(&self.leave_out);
        if !self.keep.is_empty() {
            left_out.extend(outside(doc, &found(&self.keep)));
        }
        Some(doc.without(&left_out))
    }
}

/// The nodes of the body that are neither in one of `kept` nor above one. O(nodes).
fn outside(doc: &Doc, kept: &[NodeId]) -> Vec<NodeId> {
    let Some(body) = doc.body() else { return Vec::new() };
    let mut counts = vec![false; doc.len()];
    for part in kept {
        counts[part.index()..doc.end(*part)].fill(true);
        doc.ancestors(*part).for_each(|above| counts[above.index()] = true);
    }
    doc.subtree(body).filter(|id| *id != body && !counts[id.index()]).collect()
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    fn text(html: &str, keep: &[&str], leave_out: &[&str]) -> String {
        let list = |selectors: &[&str]| selectors.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let doc = Doc::parse(html, &TreeLimits::default());
        let rest = PartSelectors::compile(&list(keep), &list(leave_out)).unwrap().apply(&doc).unwrap_or(doc);
        rest.text_content(rest.body().unwrap())
    }

    const PAGE: &str = "<title>T</title><div id=a>a<p class=x>b<b class=y>c</b></p>d</div><p class=x>e</p><p>f</p>";

    #[test]
    fn parts_that_are_named_are_kept_and_of_them_nothing_that_is_left_out() {
        for (keep, leave_out, expected) in [
            (&[][..], &[][..], "abcdef"),
            (&[".x"][..], &[][..], "bce"),
            (&[".x"][..], &[".y"][..], "be"),
            (&["#a", ".y"][..], &[][..], "abcd"),
            (&[".none"][..], &[][..], ""),
            (&[][..], &["p"][..], "ad"),
            (&["p"][..], &["#a"][..], "ef"),
        ] {
            assert_eq!(text(PAGE, keep, leave_out), expected, "{keep:?} {leave_out:?}");
        }
    }

    #[test]
    fn the_head_stays_and_a_wrong_selector_is_named() {
        let doc = Doc::parse(PAGE, &TreeLimits::default());
        let rest = PartSelectors::compile(&[".x".to_owned()], &[]).unwrap().apply(&doc).unwrap();
        assert_eq!(rest.title().as_deref(), Some("T"));
        let error = PartSelectors::compile(&[], &["p".to_owned(), "<<".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("exclude[1]"), "{error}");
    }
}
