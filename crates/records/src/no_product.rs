//! Pages that show attributes and amounts of what is not sold: a person, a share, the things that a visitor has chosen.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::amount_words::is_only;
use crate::heading::heading;
use crate::pair::Pair;
use crate::price_words::OWN;
use crate::view::RecordView;

const NAMES: &str = include_str!("../dictionary/no_products.tsv");

/// So many different names of one kind tell it.
const LEAST: usize = 2;

/// Names of attributes, by kind.
static KINDS: LazyLock<Vec<HashSet<&str>>> = LazyLock::new(|| {
    let lines = NAMES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    lines.map(|(_, names)| names.split('|').collect()).collect()
});

/// Whether the pairs are those of a person or of a share.
pub(crate) fn is_of_no_product(pairs: &[Pair]) -> bool {
    let names: HashSet<String> =
        pairs.iter().map(|pair| pair.name.trim_end_matches([':', '：', ' ']).to_lowercase()).collect();
    KINDS.iter().any(|kind| names.iter().filter(|name| kind.contains(name.as_str())).count() >= LEAST)
}

/// Whether the heading names what the visitor has chosen: `My wishlist`.
pub(crate) fn is_of_visitor(view: &RecordView) -> bool {
    const MAX_BYTES: usize = 60;
    let text = heading(view).map(|id| view.slice(view.span_of(id.index()))).unwrap_or_default();
    text.len() <= MAX_BYTES && is_only(&OWN, &text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};
    use gristmill_page::Page;

    use crate::records::{RecordOptions, records};

    fn confidence(html: &str) -> f32 {
        let doc = Doc::parse(html, &TreeLimits::default());
        let found = records(&Page::new(&doc), None, &RecordOptions::default());
        found.products.first().map_or(0.0, |product| product.confidence)
    }

    fn with_table(rows: &[(&str, &str)]) -> String {
        let rows: String = rows.iter().map(|(name, value)| format!("<tr><th>{name}<td>{value}")).collect();
        format!("<title>Anna Keel</title><h1>Anna Keel</h1><h2>Specifications</h2><table>{rows}</table>")
    }

    #[test]
    fn the_facts_of_a_person_or_a_share_are_no_product() {
        let person = [("Height", "182 cm"), ("Weight", "71 kg"), ("Market value", "€1.20m"), ("Club", "Fen Rovers")];
        assert!(confidence(&with_table(&person)) < 0.5);
        let share = [("Eröffnung", "40,80 €"), ("Tageshoch", "41,60 €"), ("KGV", "14,2"), ("Gewicht", "2 kg")];
        assert!(confidence(&with_table(&share)) < 0.5);
    }

    #[test]
    fn what_the_visitor_has_chosen_is_no_product() {
        let page = |heading: &str| {
            format!("<title>{heading}</title><h1>{heading}</h1><p>$19.00</p><button>Add to cart</button>")
        };
        assert!(confidence(&page("Saw")) >= 0.5);
        assert!(confidence(&page("My wishlist")) < 0.5 && confidence(&page("Mein Merkzettel (2)")) < 0.5);
    }
}
