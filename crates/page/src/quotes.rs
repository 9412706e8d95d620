//! The marks that browsers put around `q`.

use gristmill_html::{Doc, LocalName};

/// Writes them into the text: around each `q` whose text does not begin with a quotation mark. O(nodes + text of quotes).
pub(crate) fn write(doc: &mut Doc) {
    const MARKS: &str = "\"'“”„‟«»‹›‘’‚「」『』";
    const MAX_DEPTH: usize = 8;
    let quotes: Vec<_> = doc.ids().filter(|&id| doc.name(id) == LocalName::Q && !doc.is_foreign(id)).collect();
    let mut depth: Vec<usize> = Vec::new();
    let mut marks = Vec::new();
    for quote in quotes {
        while depth.pop_if(|end| *end <= quote.index()).is_some() {}
        if depth.len() >= MAX_DEPTH {
            continue;
        }
        let is_seen = |id: &gristmill_html::NodeId| !doc.text(*id).trim().is_empty();
        let first = doc.subtree(quote).find(is_seen);
        let last = doc.subtree(quote).rev().find(is_seen);
        let (Some(first), Some(last)) = (first, last) else { continue };
        if doc.text(first).trim_start().starts_with(|c| MARKS.contains(c)) && depth.is_empty() {
            continue;
        }
        let (open, close) = if depth.len().is_multiple_of(2) { ("“", "”") } else { ("‘", "’") };
        depth.push(doc.end(quote));
        marks.push((first, last, open, close));
    }
    // The inner ones stand next to the words.
    for (first, last, open, close) in marks.into_iter().rev() {
        doc.set_text(first, &format!("{open}{}", doc.text(first).trim_start()));
        doc.set_text(last, &format!("{}{close}", doc.text(last).trim_end()));
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn marks_stand_around_quotes_and_those_of_inner_ones_within() {
        for (html, expected) in [
            ("<q>yes, <q>no</q></q>", "“yes, ‘no’”"),
            ("<q><q>No</q> is no</q> and <q><q>no</q></q>", "“‘No’ is no” and “‘no’”"),
            ("<q>«ja»</q> or <q>„nein“</q>", "«ja» or „nein“"),
        ] {
            let mut doc = Doc::parse(html, &TreeLimits::default());
            write(&mut doc);
            assert_eq!(doc.text_content(doc.body().unwrap()), expected);
        }
    }
}
