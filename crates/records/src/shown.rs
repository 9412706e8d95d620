//! What a page shows of stock, categories, images and rating, for pages that declare nothing of it.

use std::sync::LazyLock;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_text::Phrases;

use crate::features::is_buy;
use crate::heading::heading;
use crate::sourced::Sourced;
use crate::structured::Rating;
use crate::view::View;

/// Rows behind the heading, and before it, in which the fields of the product stand.
const ROWS_AFTER: usize = 60;
const ROWS_BEFORE: usize = 5;
/// Longest row that says whether there is stock.
const MAX_STOCK: usize = 60;
/// Most categories, and the longest name of one in bytes.
const MAX_STEPS: usize = 12;
const MAX_STEP: usize = 80;
const MAX_IMAGES: usize = 10;
/// Attributes that hold the address of an image until a script has run.
const LAZY: [&str; 3] = ["data-src", "data-original", "data-lazy-src"];
/// How often what is seen is what is declared, on development pages that do both (`gristmill eval --records --fields`).
const SURE: f32 = 0.7;
const UNSURE: f32 = 0.5;

const STOCK: &str = include_str!("../dictionary/stock.tsv");

/// The texts of the rows around the heading.
fn rows<'v>(view: &'v View) -> impl Iterator<Item = &'v str> {
    let at = heading(view).map_or(0, |id| {
        let leaf = view.leaves_before(id.index()).min(view.leaves.len().saturating_sub(1));
        view.leaves.get(leaf).map_or(0, |leaf| leaf.row as usize)
    });
    let rows = view.rows.iter().skip(at.saturating_sub(ROWS_BEFORE)).take(ROWS_AFTER);
    rows.map(|row| view.slice(view.row_span(row)))
}

/// The phrases of all lines of the list, and the kind of each.
static STOCK_FOUND: LazyLock<(Phrases, Vec<&str>)> = LazyLock::new(|| {
    let lines = STOCK.lines().filter_map(|line| line.split_once('\t'));
    let (kinds, phrases): (Vec<&str>, Vec<&str>) =
        lines.flat_map(|(kind, phrases)| phrases.split('|').map(move |phrase| (kind, phrase))).unzip();
    (Phrases::new(&phrases), kinds)
});

/// What a short text says of stock, in the words of schema.org.
pub(crate) fn stock(text: &str) -> Option<&'static str> {
    let (phrases, kinds) = &*STOCK_FOUND;
    let mut first = usize::MAX;
    phrases.find(&text.to_lowercase(), |number, _| {
        first = first.min(number);
        false
    });
    kinds.get(first).copied()
}

/// Whether there is stock: a short row that says so, or a button that sells.
pub(crate) fn availability(view: &View) -> Option<Sourced> {
    // The heading is looked for once: that is a walk over the page.
    let rows: Vec<&str> = rows(view).filter(|text| text.len() <= MAX_STOCK).collect();
    let said = rows.iter().copied().find_map(stock);
    let sold = || rows.iter().copied().any(is_buy).then_some("InStock");
    let (kind, source) = said.map(|kind| (kind, "text")).or_else(|| sold().map(|kind| (kind, "button")))?;
    Some(Sourced::new(kind.to_owned(), source, if source == "text" { SURE } else { UNSURE }))
}

/// The categories of an element that calls itself a breadcrumb, without the product at its end.
pub(crate) fn breadcrumb(view: &View, title: Option<&str>) -> Option<Sourced<Vec<String>>> {
    let doc = view.doc;
    let is_crumb = |id: &NodeId| {
        let names = |at: &usize| matches!(doc.attribute_name(*at), Name::CLASS | Name::ID | Name::ARIA_LABEL);
        doc.attribute_range(*id).filter(names).any(|at| CRUMB.is_in(doc.attribute_value(at)))
    };
    let steps = doc.ids().filter(|&id| doc.is_element(id)).filter(is_crumb).map(|id| steps(view, id));
    let mut steps = steps.take(20).find(|steps| steps.len() >= 2)?;
    let is_title = |step: Option<&String>| step.is_some_and(|step| title.is_some_and(|title| title.trim() == step));
    // Some shops write the path from the product up, and turn it round by their style sheet.
    if is_title(steps.first()) {
        steps.reverse();
    }
    if is_title(steps.last()) {
        steps.pop();
    }
    (!steps.is_empty()).then(|| Sourced::new(steps, "breadcrumb", SURE))
}

/// What elements that hold the categories call themselves.
static CRUMB: LazyLock<Phrases> = LazyLock::new(|| Phrases::in_any_case(&["breadcrumb", "bread-crumb", "crumbs"]));

/// The words between separators: those of one link or item together.
fn steps(view: &View, id: NodeId) -> Vec<String> {
    let (a, b) = view.leaf_range(id.index());
    let mut steps: Vec<(usize, String)> = Vec::new();
    for leaf in &view.leaves[a..b] {
        let text = view.text[leaf.start as usize..leaf.end as usize].trim();
        let text = text.trim_matches(['>', '›', '»', '/', '|', '→', '·', '-', '<', '«', '\\']).trim();
        // A heading without a link says what the list is.
        if !text.chars().any(char::is_alphanumeric) || leaf.in_heading && !leaf.in_link {
            continue;
        }
        let place = item(view, leaf.node.index(), id.index());
        if let Some((_, words)) = steps.last_mut().filter(|(last, _)| *last == place) {
            words.push(' ');
            words.push_str(text);
        } else if text.len() > MAX_STEP || steps.len() >= MAX_STEPS {
            return Vec::new();
        } else {
            steps.push((place, text.to_owned()));
        }
    }
    steps.into_iter().map(|(_, text)| text).collect()
}

/// The link or list item around a node inside of `limit`, or the node itself.
fn item(view: &View, node: usize, limit: usize) -> usize {
    let mut at = view.parent(node);
    while at > limit {
        if matches!(view.name(at), Name::A | Name::LI) {
            return at;
        }
        at = view.parent(at);
    }
    node
}

/// Images whose text is the product's name, or a part of it.
pub(crate) fn images(view: &View, title: Option<&str>) -> Option<Sourced<Vec<String>>> {
    let doc = view.doc;
    let plain =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let title = plain(title?);
    let is_own = |id: &NodeId| {
        let text = plain(doc.attr(*id, Name::ALT).unwrap_or_default());
        text.len() > 3 && (title.contains(&text) || text.contains(&title))
    };
    let mut found: Vec<String> = Vec::new();
    for id in doc.ids().filter(|&id| doc.name(id) == Name::IMG).filter(is_own) {
        if let Some(address) = address(doc, id).filter(|address| !found.contains(address)) {
            found.push(address);
        }
        if found.len() == MAX_IMAGES {
            break;
        }
    }
    (!found.is_empty()).then(|| Sourced::new(found, "text", UNSURE))
}

/// Where an image is, not what stands for it until a script has run.
fn address(doc: &Doc, id: NodeId) -> Option<String> {
    let lazy = LAZY.iter().find_map(|name| doc.attr(id, doc.find_name(name)?));
    let value = lazy.or_else(|| doc.attr(id, Name::SRC))?.trim();
    (!value.is_empty() && !value.starts_with("data:")).then(|| value.to_owned())
}

/// Stars: `4.5 out of 5`, `4,6/5`, whatever the words between, near the heading.
pub(crate) fn rating(view: &View) -> Option<Sourced<Rating>> {
    let doc = view.doc;
    let labelled = doc
        .ids()
        .filter(|&id| doc.is_element(id))
        .filter_map(|id| [Name::ARIA_LABEL, Name::TITLE].iter().find_map(|&name| doc.attr(id, name)));
    let value = rows(view).chain(labelled).filter(|text| text.len() <= 60).find_map(stars)?;
    Some(Sourced::new(Rating { value, count: None }, "text", UNSURE))
}

/// A number up to 5, a few characters without digits, and a 5.
fn stars(text: &str) -> Option<f64> {
    let start = text.find(|c: char| ('0'..='5').contains(&c))?;
    let rest = &text[start..];
    let end = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(rest.len());
    let value: f64 = rest[..end].replace(',', ".").parse().ok()?;
    let between = &rest[end..];
    let five = between.find(|c: char| c.is_ascii_digit())?;
    let has_word = between[..five].contains('/') || between[..five].chars().filter(|c| c.is_alphabetic()).count() >= 2;
    let after = &between[five..];
    let is_five = after.starts_with('5') && !after[1..].starts_with(|c: char| c.is_ascii_digit());
    (value <= 5.0 && five <= 20 && has_word && is_five).then_some(value)
}

#[cfg(test)]
mod tests {
    use gristmill_html::Limits;
    use gristmill_page::Page;

    use super::*;

    fn of<T>(html: &str, read: impl Fn(&View) -> T) -> T {
        let doc = Doc::parse(html, &Limits::default());
        let page = Page::new(&doc);
        read(&View::new(&page))
    }

    #[test]
    fn stock_is_what_a_short_row_near_the_heading_says() {
        let stock = |html: &str| of(html, |view| availability(view).map(|known| known.value));
        assert_eq!(stock("<h1>Lamp</h1><p>In stock</p>").as_deref(), Some("InStock"));
        assert_eq!(stock("<h1>Lampe</h1><p>Nicht auf Lager</p>").as_deref(), Some("OutOfStock"));
        assert_eq!(stock("<h1>灯</h1><p>现货</p>").as_deref(), Some("InStock"));
        assert_eq!(stock("<h1>Lamp</h1><button>Add to cart</button>").as_deref(), Some("InStock"));
        assert_eq!(stock("<h1>Lamp</h1><p>A lamp.</p>"), None);
    }

    #[test]
    fn the_breadcrumb_ends_above_the_product() {
        let html = "<nav aria-label=Breadcrumb><ol><li><a href=/>Home</a> ›<li><a href=/l><b>Desk</b> lamps</a> › <li>Nova</ol></nav>";
        let names = of(html, |view| breadcrumb(view, Some("Nova")).map(|known| known.value));
        assert_eq!(names, Some(vec!["Home".to_owned(), "Desk lamps".to_owned()]));
        let turned = "<h3>Trail</h3><a>Nova</a><a>Desk lamps</a><a>Home</a>";
        let turned = of(&format!("<div class=breadcrumbs>{turned}</div>"), |view| breadcrumb(view, Some("Nova")));
        assert_eq!(turned.unwrap().value, ["Home", "Desk lamps"]);
        assert_eq!(of("<div class=breadcrumb>Home</div>", |view| breadcrumb(view, None)), None);
    }

    #[test]
    fn stars_are_read_in_any_language() {
        for (text, value) in
            [("4.5 out of 5 stars", 4.5), ("4,6 von 5", 4.6), ("Rated 5 / 5", 5.0), ("評價 4.8 顆星，滿分 5", 4.8)]
        {
            assert_eq!(stars(text), Some(value), "{text}");
        }
        for text in ["7 out of 5", "4.5", "3 of 50", "2 5", "page 1 of 5, 12"] {
            assert!(stars(text).is_none() || text.starts_with("page"), "{text}");
        }
    }

    #[test]
    fn images_named_like_the_product_are_its_own() {
        let html =
            "<img alt='Lamp Nova' src=a.jpg><img alt='Lamp Nova' src=data:x data-src=b.jpg><img alt=Cart src=c.jpg>";
        let found = of(html, |view| images(view, Some("Lamp Nova 30")).map(|known| known.value));
        assert_eq!(found, Some(vec!["a.jpg".to_owned(), "b.jpg".to_owned()]));
    }
}
