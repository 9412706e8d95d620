//! CETD: the elements whose children are dense in text that is not linked.

mod counts;
mod density;

use gristmill_html::NodeId;
use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, choices, parameters,
};

use counts::TagCounts;
use density::Densities;

/// Which density is summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Density {
    /// Composite text density.
    Composite,
    /// Characters per tag, link text counted as none.
    Plain,
}

/// What becomes of elements that inline markup hides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HiddenPolicy {
    /// They count like any other.
    Keep,
    /// They are removed first, as the authors' code does with what is not displayed.
    Drop,
}

choices!(HiddenPolicy { Keep "keep", Drop "drop" });

/// Content Extraction via Text Density.
///
/// 1. Every element: characters C, tags T below it, link characters LC, link tags LT (T and LT at least 1).
///    Composite density `CTD = C/T · ln(C·T / (LC·LT)) / ln ln(C·LC/¬LC + (LCb/Cb)·C + e)` with ¬LC = C − LC, and
///    LCb/Cb of the body; plain density `TD = C/T` with link text counted as none.
/// 2. Density sum of an element: its children's densities, and for every stretch of n own characters
///    `n·ln n / ln ln((LCb/Cb)·n + e)` (plain: n); of an element without children its density.
/// 3. The element with the largest sum is main text. The threshold is the least density on the way from it to the
///    body; from the body down, as long as densities reach the threshold, the element with the largest sum below
///    each is main text as well. Text that stands directly in an element above main text is kept too.
///
/// O(nodes): the best element below each is stored bottom-up.
///
/// Source: Sun, Song & Liao, *DOM based content extraction via text density*, SIGIR 2011, and the authors' code, which
/// counts a tag as link tag when it is `a`, `button` or `select` or holds nothing but link tags and link text, and
/// removes first what is not displayed. Ours: LCb/Cb is at least 10⁻³ (a page without links has an infinite density
/// otherwise), a density is at least 0 and LC at most C (the authors' code gets NaN and loses the subtree). White
/// space does not count, where the authors count that of the laid out page: it changes hardly any decision.
#[derive(Debug, Clone, Copy)]
pub struct Cetd {
    /// Name in the list of methods.
    pub name: &'static str,
    pub(crate) density: Density,
    /// Hidden elements.
    pub hidden: HiddenPolicy,
}

impl Cetd {
    /// Composite text density.
    pub const COMPOSITE: Cetd = Cetd { name: "cetd", density: Density::Composite, hidden: HiddenPolicy::Keep };
    /// Plain text density.
    pub const PLAIN: Cetd = Cetd { name: "cetd-td", density: Density::Plain, ..Cetd::COMPOSITE };
}

impl MainTextExtractor for Cetd {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: self.name,
            paper: "Sun, Song & Liao, DOM based content extraction via text density, 2011",
            cost: "O(n)",
        }
    }

    parameters! {
        "hidden" hidden, "elements that inline markup hides: keep, or drop as the authors' code does";
    }

    fn select(&self, page: &Page<'_>, _: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let mut selection = Selection::none(page);
        let Some(body) = page.doc.body() else { return selection };
        let counts = TagCounts::new(page, body, self);
        let densities = Densities::new(page, body, &counts, self.density);
        let target = densities.best(body);
        let threshold = threshold(page, body, target, &densities);
        trace.note("max_sum", || TraceValue::Number(densities.sum(target)));
        trace.note("threshold", || TraceValue::Number(threshold));
        trace.note("density", || TraceValue::Series(page.doc.ids().map(|id| densities.density(id)).collect()));
        trace.note("density_sum", || TraceValue::Series(page.doc.ids().map(|id| densities.sum(id)).collect()));
        if densities.sum(target) <= 0.0 {
            return selection;
        }
        let marks = mark(page, body, target, threshold, &densities);
        trace.note("marked", || TraceValue::Series(roots(&marks).map(|at| at as f64).collect()));
        keep(page, &marks, &counts, &mut selection);
        selection
    }
}

/// The least density from `target` up to the body.
fn threshold(page: &Page<'_>, body: NodeId, target: NodeId, densities: &Densities) -> f64 {
    let above = page.doc.ancestors(target).take_while(|&id| id >= body);
    above.map(|id| densities.density(id)).fold(densities.density(target), f64::min)
}

/// What step 3 says about an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    /// Main text with all below it; marked subtrees lie apart.
    Root,
    /// Above main text.
    Frame,
}

fn roots(marks: &[Mark]) -> impl Iterator<Item = usize> + '_ {
    marks.iter().enumerate().filter(|(_, mark)| **mark == Mark::Root).map(|(at, _)| at)
}

fn mark(page: &Page<'_>, body: NodeId, target: NodeId, threshold: f64, densities: &Densities) -> Vec<Mark> {
    let doc = page.doc;
    let mut marks = vec![Mark::None; doc.len()];
    let root = |marks: &mut Vec<Mark>, id: NodeId| {
        if marks[id.index()] == Mark::Root {
            return;
        }
        marks[id.index()] = Mark::Root;
        for above in doc.ancestors(id).take_while(|&above| above >= body) {
            if std::mem::replace(&mut marks[above.index()], Mark::Frame) == Mark::Frame {
                break;
            }
        }
    };
    root(&mut marks, target);
    let mut at = body.index();
    while at < doc.end(body) {
        let id = doc.id(at);
        let dense = doc.is_element(id) && densities.density(id) >= threshold;
        if marks[at] == Mark::Root || !dense {
            at = doc.end(id);
            continue;
        }
        // The best element below is either marked already or lies apart from all that is: what was marked inside of
        // this element was the best of a larger subtree, hence is the best of this one.
        root(&mut marks, densities.best(id));
        at = if marks[at] == Mark::Root { doc.end(id) } else { at + 1 };
    }
    marks
}

/// Keeps the leaves of marked subtrees, and those whose parent is a frame.
fn keep(page: &Page<'_>, marks: &[Mark], counts: &TagCounts, selection: &mut Selection) {
    let doc = page.doc;
    let mut marked = roots(marks).map(|at| at..doc.end(doc.id(at))).peekable();
    for (at, leaf) in page.leaves.iter().enumerate() {
        let node = leaf.node.index();
        while marked.next_if(|range| range.end <= node).is_some() {}
        let inside = marked.peek().is_some_and(|range| range.contains(&node));
        let in_frame = doc.parent(leaf.node).is_some_and(|parent| marks[parent.index()] == Mark::Frame);
        if (inside || in_frame) && counts.is_visible(at) {
            selection.keep_leaf(at);
        }
    }
}

#[cfg(test)]
mod tests;
