//! LORI: the container whose own text has the most punctuation and plain words for its links.

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, parameters,
};

use crate::containers::{Containers, TextContainer};

/// The container with the largest `marks · NC / (HC + 1)`, and its siblings with at least `siblings` of that.
///
/// Marks, words outside (NC) and inside of links (HC) are those of a container's own text; nested containers are
/// judged for themselves. No container scores → nothing is kept. O(nodes + text).
///
/// Source: a baseline of Table III of Wang & Wei's WFFTE, which does not define it; the statistic is Song & Wu's
/// (2007), the siblings are Zhou et al.'s (2009). `siblings=1` is the statistic alone.
#[derive(Debug, Clone, Copy)]
pub struct Lori {
    /// Least share of the best score that brings a sibling along.
    pub siblings: f64,
}

impl Lori {
    /// With siblings of at least 0.3 of the best score.
    pub const PAPER: Lori = Lori { siblings: 0.3 };
}

fn score(container: &TextContainer) -> f64 {
    f64::from(container.marks) * f64::from(container.plain_words) / (f64::from(container.link_words) + 1.0)
}

impl MainTextExtractor for Lori {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: "lori",
            paper: "Song & Wu 2007, Zhou et al. 2009; baseline of Wang & Wei, WFFTE",
            cost: "O(n)",
        }
    }

    parameters! {
        "siblings" siblings in 0.0..=1.0, "least share of the best score that brings a sibling container along";
    }

    fn select(&self, page: &Page<'_>, _: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let containers = Containers::new(page, |_, _| ());
        let scores: Vec<f64> = containers.all.iter().map(score).collect();
        let mut best = 0;
        for (at, score) in scores.iter().enumerate() {
            if *score > scores[best] {
                best = at;
            }
        }
        let mut selection = Selection::none(page);
        if scores[best] > 0.0 {
            let parent = containers.all[best].parent;
            let kept = |at: usize| {
                // The body is its own parent and nobody's sibling.
                let sibling = best != 0 && at != 0 && containers.all[at].parent == parent;
                at == best || sibling && scores[at] >= self.siblings * scores[best]
            };
            for (leaf, _) in containers.of_leaf.iter().enumerate().filter(|(_, of)| kept(**of as usize)) {
                selection.keep_leaf(leaf);
            }
        }
        trace.note("best", || TraceValue::Number(best as f64));
        trace.note("scores", || TraceValue::Series(scores));
        selection
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    #[test]
    fn the_best_container_brings_siblings_that_come_near() {
        let html = "<body>Top, of all.<div>One, two, three. <a href=x>Link</a></div><div>Four, five.</div>
            <div><div>One, two, three, four, five, six, and seven.</div><div>Eight, nine, ten, eleven.</div>
            <div>Twelve, at last.</div></div>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let select = |siblings| {
            let mut trace = Trace::recording();
            let selection = Lori { siblings }.select(&page, &MethodInput::default(), &mut trace);
            let kept: Vec<usize> = (0..page.leaves.len()).filter(|&leaf| selection.keeps(leaf)).collect();
            (kept, trace)
        };
        let (kept, trace) = select(0.25);
        // body, two divs, the outer div without own text, its three.
        assert_eq!(trace.get("scores"), Some(&TraceValue::Series(vec![6.0, 4.5, 4.0, 0.0, 56.0, 16.0, 6.0])));
        assert_eq!(kept, [4, 5]);
        assert_eq!(select(1.0).0, [4]);
    }

    #[test]
    fn a_page_without_marks_has_no_best_container() {
        let doc = Doc::parse("<div>no mark</div>", &TreeLimits::default());
        let page = Page::new(&doc);
        assert!(Lori::PAPER.select(&page, &MethodInput::default(), &mut Trace::default()).is_empty());
    }
}
