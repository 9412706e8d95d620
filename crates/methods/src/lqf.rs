//! LQF: blocks whose own text is mostly link text are dropped.

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, parameters,
};

/// Link quota filter.
///
/// The own text of a block element is the inline text whose nearest block ancestor it is. A block is discarded when
/// link characters / characters of its own text is above θ; blocks inside of it are judged for themselves, unless
/// `subtree` is set: then they go with it. No own text → the block stays. O(nodes).
///
/// Source: Gottron, *Evaluating Content Extraction*, §5.4, who uses θ = 0.25, 0.5 and 0.75. Ours: `subtree` is an
/// option because the paper's "nested block level elements are not considered" speaks against it.
#[derive(Debug, Clone, Copy)]
pub struct Lqf {
    /// θ: largest share of link characters that a block may have.
    pub theta: f64,
    /// Whether a discarded block takes the blocks inside of it along.
    pub subtree: bool,
}

impl Lqf {
    /// The middle one of the paper's three thresholds.
    pub const PAPER: Lqf = Lqf { theta: 0.5, subtree: false };
}

impl MainTextExtractor for Lqf {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: "lqf", paper: "Gottron, Evaluating Content Extraction, §5.4", cost: "O(n)" }
    }

    parameters! {
        "theta" theta in 0.0..=1.0, "θ: largest share of link characters in a block's own text";
        "subtree" subtree, "whether a discarded block takes nested blocks along";
    }

    fn select(&self, page: &Page<'_>, _: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        // (characters, link characters) of each block's own text; all leaves of a row have the row's block.
        let mut own = vec![(0u32, 0u32); page.doc.len()];
        for row in &page.rows {
            let (chars, link_chars) = &mut own[row.block.index()];
            *chars += row.chars;
            *link_chars += row.link_chars;
        }
        let ratio = |(chars, link_chars): (u32, u32)| f64::from(link_chars) / f64::from(chars.max(1));
        trace
            .note("ratios", || TraceValue::Series(page.rows.iter().map(|row| ratio(own[row.block.index()])).collect()));
        let discarded = |block: (u32, u32)| ratio(block) > self.theta;
        let mut selection = Selection::none(page);
        // With `subtree`: everything before this node lies in a discarded block. Rows come in document order, but a
        // block may have own text after a nested one, so the blocks are looked at first.
        let mut within = vec![false; if self.subtree { page.doc.len() } else { 0 }];
        for id in page.doc.ids().take(within.len()) {
            let above = page.doc.parent(id).is_some_and(|parent| within[parent.index()]);
            within[id.index()] = above || discarded(own[id.index()]);
        }
        for row in &page.rows {
            let gone = if self.subtree { within[row.block.index()] } else { discarded(own[row.block.index()]) };
            if !gone {
                selection.keep_row(row);
            }
        }
        selection
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    fn select(lqf: Lqf, html: &str) -> Vec<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let selection = lqf.select(&page, &MethodInput::default(), &mut Trace::default());
        let kept = page.rows.iter().filter(|row| selection.keeps_whole(row));
        kept.map(|row| page.row_text(row).to_owned()).collect()
    }

    #[test]
    fn a_block_with_thirty_percent_of_links_goes_at_a_quarter_and_stays_at_a_half() {
        let html = format!("<p>{}<a href=x>{}</a></p>", "x".repeat(28), "y".repeat(12));
        for (theta, kept) in [(0.25, 0), (0.3, 1), (0.5, 1), (0.75, 1)] {
            assert_eq!(select(Lqf { theta, subtree: false }, &html).len(), kept, "{theta}");
        }
    }

    #[test]
    fn the_own_text_of_a_block_goes_without_the_blocks_inside() {
        let text = "t".repeat(200);
        let html = format!("<div><a>Home</a><p>{text}</p></div>");
        assert_eq!(select(Lqf::PAPER, &html), std::slice::from_ref(&text));
        assert!(select(Lqf { subtree: true, ..Lqf::PAPER }, &html).is_empty());
        // Text after the nested block is own text as well.
        let html = format!("<div><p>{text}</p><a>Home</a></div>");
        assert!(select(Lqf { subtree: true, ..Lqf::PAPER }, &html).is_empty());
    }

    #[test]
    fn line_breaks_do_not_divide_a_block() {
        assert_eq!(select(Lqf::PAPER, "<p>twelve words<br><a>four</a></p>").len(), 2);
    }
}
