//! Text that no reader of the page sees, at the ends of names and values: hints for screen readers, folded tooltips.

use gristmill_page::hidden::hides_text;

use crate::view::{ByteRange, RecordView};

/// Elements around a text that are looked at.
const MAX_AROUND: usize = 6;

/// A name or value without text at its ends that is not seen, as long as something of it is: a whole specification may be folded away,
/// and a price may be written once for the eye and once for the ear. O(log leaves).
pub(crate) fn seen(view: &RecordView, span: ByteRange) -> ByteRange {
    let (first, last) = (view.leaf_at(span.start), view.leaf_at(span.end.saturating_sub(1)));
    let is_seen = |leaf: &usize| !is_hidden_among(view, *leaf, first, last);
    let Some(from) = (first..=last).find(is_seen) else { return span };
    let to = (from..=last).rfind(is_seen).unwrap_or(from);
    let start = if from == first { span.start } else { view.leaves[from].start };
    let end = if to == last { span.end } else { view.leaves[to].end };
    let rest = view.trim(ByteRange { start, end });
    if rest.is_empty() { span } else { rest }
}

/// Whether an element hides a leaf, but not all of the leaves `first..=last`.
fn is_hidden_among(view: &RecordView, leaf: usize, first: usize, last: usize) -> bool {
    let mut at = view.leaves[leaf].node.index();
    for _ in 0..MAX_AROUND {
        at = view.parent(at);
        let (a, b) = view.leaf_range(at);
        if at == 0 || a <= first && b > last {
            return false;
        }
        if hides_text(view.doc, view.doc.id(at)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, LocalName, TreeLimits};
    use gristmill_page::Page;

    use super::*;

    fn of(cell: &str) -> String {
        let doc = Doc::parse(&format!("<table><tr><th>Weight<td>{cell}</table>"), &TreeLimits::default());
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        let whole = view.span_of(doc.first(LocalName::TD).unwrap().index());
        view.slice(seen(&view, whole)).to_owned()
    }

    #[test]
    fn what_is_not_seen_is_cut_off_the_ends() {
        assert_eq!(of("5 kg <span class=sr-only>(opens a window)</span>"), "5 kg");
        assert_eq!(of("<span class='VisuallyHidden'>Value:</span> 5 kg"), "5 kg");
        assert_eq!(of("5 kg<div class=tip style='display: none'><p>With its box.<p>About.</div>"), "5 kg");
        assert_eq!(of("<i hidden>x</i>5 <b>kg</b><i hidden>y</i>"), "5 kg");
    }

    #[test]
    fn a_folded_hint_is_no_part_of_a_name() {
        let hint = "<span role=tooltip hidden>The sensor turns the light of the picture into current, which is then counted and kept for you.</span>";
        let html = format!("<div><div>Sensor {hint}</div><div>APS-C</div></div>");
        let doc = Doc::parse(&html, &TreeLimits::default());
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        let found = crate::readers::read(&view, &crate::dictionary::Dictionary::built_in());
        assert!(found.candidates.iter().any(|pair| view.slice(pair.name) == "Sensor"));
    }

    #[test]
    fn what_is_hidden_as_a_whole_or_in_the_middle_stays() {
        assert_eq!(of("<p hidden>5 <b>kg</b></p>"), "5 kg");
        assert_eq!(of("<span class=offscreen>5 kg</span>"), "5 kg");
        assert_eq!(of("5 <i hidden>or</i> kg"), "5 or kg");
        assert_eq!(of("5 <b>kg</b>"), "5 kg");
    }
}
