//! A page as another template would write it, so that a model learns what does not hang on names.

use gristmill_html::{Doc, DocBuilder, LocalName, TreeLimits};

use crate::train::pages::fnv;

/// Tags that templates write one for the other, with how often they are written so: one page in so many.
const TAGS: [(&[&str], &str, u64); 6] = [
    (&["ul", "ol", "li"], "div", 3),
    (&["dl", "dt", "dd"], "div", 3),
    (&["main", "article", "section", "aside", "header", "footer", "nav"], "div", 3),
    (&["table", "tbody", "thead", "tr", "td", "th"], "div", 6),
    (&["p"], "div", 6),
    (&["div"], "section", 8),
];

/// The page with class names and ids that say nothing, in one page of three with none, and with other tags for its boxes. The same `seed`
/// gives the same page. O(nodes).
pub fn disguised(doc: &Doc, seed: u64) -> Doc {
    let turn = |of: u64| fnv(&[seed.to_le_bytes(), of.to_le_bytes()].concat()) >> 20;
    let tags: Vec<(&[&str], &str)> = TAGS
        .iter()
        .zip(1..)
        .filter(|((.., one_in), at)| turn(*at).is_multiple_of(*one_in))
        .map(|((tags, tag, _), _)| (*tags, *tag))
        .collect();
    let nameless = turn(0).is_multiple_of(3);
    let mut builder = DocBuilder::new(&TreeLimits::default());
    let mut ends: Vec<usize> = Vec::new();
    for id in doc.ids().skip(1) {
        while ends.pop_if(|end| *end <= id.index()).is_some() {
            builder.close();
        }
        if doc.is_text(id) {
            // What is beyond a limit was refused when the page was read.
            let _ = builder.text(doc.text(id));
            continue;
        }
        let name = doc.name_str(doc.name(id));
        let other = tags.iter().find(|(tags, _)| tags.contains(&name) && !doc.is_foreign(id));
        let attributes: Vec<(&str, String)> = doc
            .attributes(id)
            .filter(|attribute| !nameless || !is_name(attribute.name))
            .map(|attribute| {
                let value =
                    if is_name(attribute.name) { strange(attribute.value, seed) } else { attribute.value.to_owned() };
                (doc.name_str(attribute.name), value)
            })
            .collect();
        let borrowed = attributes.iter().map(|(name, value)| (*name, value.as_str()));
        if builder.open(other.map_or(name, |(_, tag)| tag), doc.is_foreign(id), borrowed).is_ok() {
            ends.push(doc.end(id));
        }
    }
    builder.finish()
}

fn is_name(name: LocalName) -> bool {
    matches!(name, LocalName::CLASS | LocalName::ID)
}

/// Each word of a name as letters that mean nothing, equal words alike.
fn strange(names: &str, seed: u64) -> String {
    let letters = |word: &str| -> String {
        let mut rest = fnv(word.as_bytes()) ^ seed;
        let letter = |_| {
            let letter = char::from(b'a' + (rest % 26) as u8);
            rest /= 26;
            letter
        };
        (0..6).map(letter).collect()
    };
    names.split_whitespace().map(letters).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use gristmill_extract::Page;

    use super::*;

    #[test]
    fn text_and_order_stay_and_names_go() {
        let html = "<body><ul class='menu list' id=top><li class=menu>Rye<li>Oats</ul><main><p>A <b>grass</b>.</main>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let mut shapes = std::collections::HashSet::new();
        for seed in 0..64 {
            let other = disguised(&doc, seed);
            assert_eq!(Page::new(&other).text, Page::new(&doc).text);
            let names = other.ids().flat_map(|id| other.attributes(id)).filter(|attribute| is_name(attribute.name));
            let words: Vec<&str> = names.flat_map(|attribute| attribute.value.split_whitespace()).collect();
            assert!(words.iter().all(|word| !["menu", "list", "top"].contains(word)), "{words:?}");
            assert!(words.is_empty() || words.len() == 4 && words[0] == words[3], "{words:?}");
            let tags = other.ids().filter(|&id| other.is_element(id)).map(|id| other.name_str(other.name(id)));
            shapes.insert(tags.collect::<Vec<_>>().join(" "));
        }
        assert!(shapes.len() > 4, "{shapes:?}");
    }
}
