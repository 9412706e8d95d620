//! The worked examples of CETD, and small pages.

use gristmill_html::{Doc, LocalName, TreeLimits};

use super::counts::Count;
use super::density::{composite, stretch};
use super::*;

fn kept(cetd: Cetd, html: &str) -> (Vec<String>, Trace) {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let mut trace = Trace::recording();
    let selection = cetd.select(&page, &MethodInput::default(), &mut trace);
    let leaves = (0..page.leaves.len()).filter(|&at| selection.keeps(at));
    (leaves.map(|at| page.leaf_text(&page.leaves[at]).to_owned()).collect(), trace)
}

#[test]
fn composite_density_follows_the_worked_examples() {
    let density = |chars, tags, link_chars, link_tags| composite(Count { chars, link_chars, tags, link_tags }, 0.2);
    assert!((density(400, 3, 20, 1) - 355.60).abs() < 0.005);
    assert!((density(120, 20, 110, 10) - 2.370).abs() < 0.0005);
    assert!((density(200, 0, 0, 0) - 797.26).abs() < 0.005);
    assert_eq!(density(0, 5, 0, 0), 0.0);
}

#[test]
fn densities_are_finite_and_not_negative_where_the_original_has_none() {
    let link_ratio = super::density::link_ratio(Count { chars: 500, ..Count::default() });
    let all_links = composite(Count { chars: 10, link_chars: 10, tags: 3, link_tags: 9 }, link_ratio);
    assert_eq!(all_links, 0.0);
    assert!(composite(Count { chars: 1, link_chars: 0, tags: 0, link_tags: 0 }, link_ratio).is_finite());
    assert!(stretch(u32::MAX, link_ratio).is_finite() && stretch(1, link_ratio) == 0.0);
}

#[test]
fn counts_tell_link_tags_from_others() {
    // The list item and its list hold nothing but link tags and link text, so they count as link tags.
    let html = "<body><ul><li><a href=x>ab</a></li></ul><p>text <b>here</b></p><button>go <i>on</i></button>";
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let body = doc.body().unwrap();
    let counts = TagCounts::new(&page, body, &Cetd::COMPOSITE);
    let of = |name: LocalName| {
        let count = counts.of(doc.first(name).unwrap());
        (count.chars, count.link_chars, count.tags, count.link_tags)
    };
    assert_eq!(of(LocalName::LI), (2, 2, 1, 1));
    assert_eq!(of(LocalName::UL), (2, 2, 2, 2));
    assert_eq!(of(LocalName::P), (8, 0, 1, 0));
    assert_eq!(of(LocalName::BUTTON), (4, 4, 1, 1));
    assert_eq!(of(LocalName::BODY), (14, 6, 7, 5));
}

const PAGE: &str = "<body><ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li><li><a href=/s>Sport</a></li></ul>
    <div><div><h1>Flood</h1><p>The river rose over its banks in the night, and the mill stood in the water.</p>
    <p>Nobody was hurt, as far as anybody knows, and the millers have begun to pump.</p>
    <p style='display:none'>An old paragraph that nobody sees any more, kept for no reason at all in the page.</p>
    <p>They hope to grind again on Monday, if the gears dry, which is far from sure.</p></div>
    <ul><li><a href=/1>More</a></li><li><a href=/2>Again</a></li></ul></div><div><a href=/i>Imprint</a></div>";

#[test]
fn the_element_with_the_largest_sum_is_kept_and_link_lists_are_not() {
    for cetd in [Cetd::COMPOSITE, Cetd::PLAIN] {
        let (text, trace) = kept(cetd, PAGE);
        assert_eq!(text.first().map(String::as_str), Some("Flood"), "{}", cetd.name);
        assert_eq!(text.len(), 5, "{}: {text:?}", cetd.name);
        assert!(matches!(trace.get("threshold"), Some(TraceValue::Number(n)) if *n > 0.0));
    }
}

#[test]
fn hidden_paragraphs_go_when_asked() {
    for cetd in [Cetd::COMPOSITE, Cetd::PLAIN] {
        let (text, _) = kept(Cetd { hidden: HiddenPolicy::Drop, ..cetd }, PAGE);
        assert_eq!(text.len(), 4, "{}: {text:?}", cetd.name);
        assert!(!text.iter().any(|text| text.contains("nobody sees")));
    }
}

#[test]
fn the_sums_add_children_and_own_stretches() {
    let (_, trace) = kept(Cetd::PLAIN, "<body><div>own <b>bold</b> text<a href=x>no</a></div>");
    let Some(TraceValue::Series(sums)) = trace.get("density_sum") else { panic!("a series") };
    // document, html, head, body, div, "own", b, …: the children's densities 4 and 0, and 3 + 4 own characters.
    assert_eq!(sums[4], 11.0);
    assert_eq!(sums[6], 4.0, "an element without children is worth its density");
}

#[test]
fn a_page_without_text_or_with_links_only_keeps_nothing_or_all() {
    assert!(kept(Cetd::COMPOSITE, "").0.is_empty());
    assert!(kept(Cetd::PLAIN, "<a href=x>only</a>").0.is_empty());
    assert!(kept(Cetd::COMPOSITE, "<frameset><frame src=x></frameset>").0.is_empty());
}

/// The authors' recursion, which searches the whole subtree of every element that it visits.
fn mark_by_recursion(doc: &Doc, id: NodeId, threshold: f64, densities: &Densities, marked: &mut [bool]) {
    if marked[id.index()] || densities.density(id) < threshold {
        return;
    }
    let best = doc
        .subtree(id)
        .filter(|&id| doc.is_element(id))
        .fold(id, |best, id| if densities.sum(id) > densities.sum(best) { id } else { best });
    marked[best.index()..doc.end(best)].fill(true);
    let children: Vec<NodeId> = doc.children(id).filter(|&child| doc.is_element(child)).collect();
    children.into_iter().for_each(|child| mark_by_recursion(doc, child, threshold, densities, marked));
}

proptest::proptest! {
    #[test]
    fn one_walk_marks_what_the_recursion_of_the_authors_marks(
        parts in proptest::collection::vec(
            proptest::sample::select(&[
                "<div>", "</div>", "<p>", "</p>", "<ul><li>", "</ul>", "<a href=x>", "</a>", "<b>", "</b>", "<br>",
                "word ", "Some more words. ", "A long sentence, with all that belongs to one, stands here.",
            ][..]),
            0..60,
        ),
        plain in proptest::bool::ANY,
    ) {
        let doc = Doc::parse(&parts.concat(), &TreeLimits::default());
        let page = Page::new(&doc);
        let body = doc.body().unwrap();
        let cetd = if plain { Cetd::PLAIN } else { Cetd::COMPOSITE };
        let counts = TagCounts::new(&page, body, &cetd);
        let densities = Densities::new(&page, body, &counts, cetd.density);
        let target = densities.best(body);
        let threshold = threshold(&page, body, target, &densities);
        let mut expected = vec![false; doc.len()];
        expected[target.index()..doc.end(target)].fill(true);
        mark_by_recursion(&doc, body, threshold, &densities, &mut expected);
        let mut marked = vec![false; doc.len()];
        let marks = mark(&page, body, target, threshold, &densities);
        roots(&marks).for_each(|at| marked[at..doc.end(doc.id(at))].fill(true));
        proptest::prop_assert_eq!(marked, expected);
        proptest::prop_assert!(densities.sum(target).is_finite() && threshold >= 0.0);
    }
}
