//! The heading that names what a page shows.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::{BigramSegmenter, for_each_word};

use crate::view::RecordView;

/// Headings looked at, and the longest part of a title that they are compared with.
const MAX_HEADINGS: usize = 20;
const MAX_BYTES: usize = 1_000;
/// So many headings that share less than that with the title are those of cards.
const CARDS: usize = 4;
const LIKE: f64 = 0.2;

/// Least likeness of an `h2` or `h3` that stands for the `h1`.
const MUCH_LIKE: f64 = 0.5;

/// The `h1` that is most like the declared title by the F1 of their words, the first of equals: dialogs, help texts and the shop's logo are
/// an `h1`, too, often before the page's own. The first where no title is declared; none of several cards that are nothing like it. Where
/// no `h1` is, or it leads home, an `h2` or `h3` that is much like the title, as in EC-CUBE and MakeShop.
pub(crate) fn heading(view: &RecordView) -> Option<NodeId> {
    let doc = view.doc;
    let declared = ["og:title", "twitter:title"].into_iter().find_map(|key| doc.meta(key).map(str::to_owned));
    let declared = words(&declared.or_else(|| doc.title()).unwrap_or_default());
    let found = most_alike(view, LocalName::H1, &declared);
    if let Some((id, _)) = found.filter(|(id, _)| !leads_home(doc, *id)) {
        return Some(id);
    }
    let below = [LocalName::H2, LocalName::H3].into_iter().filter_map(|level| most_alike(view, level, &declared));
    let mut below = below.filter(|&(id, likeness)| likeness >= MUCH_LIKE && is_at_edge(view, id, &declared));
    below.next().or(found).map(|(id, _)| id)
}

/// Whether a heading has no word but those of the title, and begins as it does or ends it: `Buy Oak tray` and `by Jane Doe` are of something
/// else.
fn is_at_edge(view: &RecordView, id: NodeId, declared: &[String]) -> bool {
    let own = words(view.slice(view.span_of(id.index())));
    own.iter().all(|word| declared.contains(word)) && (own.first() == declared.first() || declared.ends_with(&own))
}

/// Whether an element has a link to the first page of the site in it.
fn leads_home(doc: &Doc, id: NodeId) -> bool {
    const MAX_NODES: usize = 10;
    let is_home = |href: &str| {
        let href = href.trim();
        let path = href.split_once("://").map_or(href, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
        matches!(path, "/" | "./" | "/index.html" | "/index.php")
    };
    let links = doc.subtree(id).take(MAX_NODES).filter(|&id| doc.name(id) == LocalName::A);
    links.filter_map(|id| doc.attr(id, LocalName::HREF)).any(is_home)
}

/// The heading of one level that is most like the title, and how much.
fn most_alike(view: &RecordView, level: LocalName, declared: &[String]) -> Option<(NodeId, f64)> {
    let doc = view.doc;
    let headings = doc.ids().filter(|&id| doc.name(id) == level && !doc.is_foreign(id)).take(MAX_HEADINGS);
    let (mut best, mut n_headings): (Option<(NodeId, f64)>, usize) = (None, 0);
    for id in headings {
        let own = words(view.slice(view.span_of(id.index())));
        let shared = own.iter().filter(|word| declared.contains(word)).count();
        let likeness = 2.0 * shared as f64 / (own.len() + declared.len()).max(1) as f64;
        if best.is_none_or(|(_, most)| likeness > most) {
            best = Some((id, likeness));
        }
        n_headings += 1;
    }
    let are_cards = n_headings >= CARDS && best.is_some_and(|(_, most)| most < LIKE) && !declared.is_empty();
    best.filter(|_| !are_cards)
}

/// The words of the beginning of a text, in lower case.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for_each_word(&text[..text.floor_char_boundary(MAX_BYTES)].to_lowercase(), &BigramSegmenter, |word| {
        words.push(word.to_owned())
    });
    words
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;
    use gristmill_page::Page;

    use super::*;

    fn of(html: &str) -> Option<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        heading(&view).map(|id| view.slice(view.span_of(id.index())).to_owned())
    }

    #[test]
    fn the_heading_that_the_title_repeats_is_the_pages() {
        let help = "<div><h1>Buying and sending gifts to others</h1></div>";
        let page =
            format!("<title>The Whole Truth - Kindle edition</title>{help}<h1>The Whole Truth</h1><h1>Reviews</h1>");
        assert_eq!(of(&page).as_deref(), Some("The Whole Truth"));
        assert_eq!(
            of("<title>石磨豆腐机 - 商城</title><h1>购物指南</h1><h1>石磨豆腐机</h1>").as_deref(),
            Some("石磨豆腐机")
        );
        assert_eq!(of("<title>Shop</title><h1>Lamp</h1><h1>Reviews</h1>").as_deref(), Some("Lamp"));
        assert_eq!(of("<title>Shop</title><p>Lamp"), None);
        let logo = "<title>Lamp Nova 30 - Lampshop</title><h1>Lampshop</h1><h1>Lamp Nova 30</h1>";
        assert_eq!(of(logo).as_deref(), Some("Lamp Nova 30"));
        let home = "<title>Oak tray - Wood works</title><h1><a href='/'>Wood works</a></h1>";
        assert_eq!(of(&format!("{home}<h2>News</h2><h2>Oak tray</h2>")).as_deref(), Some("Oak tray"));
        assert_eq!(of(&format!("{home}<h2>News</h2>")).as_deref(), Some("Wood works"));
        let without = "<title>Oak tray - Wood works</title><h2>News</h2>";
        assert_eq!(of(&format!("{without}<h2>Oak tray</h2>")).as_deref(), Some("Oak tray"));
        assert_eq!(of(&format!("{without}<h3>Oak tray</h3>")).as_deref(), Some("Oak tray"));
        assert_eq!(of(without), None);
        let by = "<title>Oak tray by Jane Doe: Wood works</title><h2>News</h2><h3>by Jane Doe</h3>";
        assert_eq!(of(by), None, "the maker of a thing");
        assert_eq!(of("<title>Oak tray on Steam</title><h2>Buy Oak tray</h2>"), None, "a part of the page");
        assert_eq!(of("<title>Oak tray on Steam</title><h2>Oak tray sizes</h2>"), None, "another part");
        let cards = "<h1>Red pot</h1><h1>Blue pot with lid</h1><h1>Plate</h1><h1>Tea</h1>";
        assert_eq!(of(&format!("<title>Magazine: subscription for one year ( gift ) - Mall</title>{cards}")), None);
    }
}
