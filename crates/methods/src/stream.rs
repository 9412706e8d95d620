//! What the token methods share: the stream of the wanted unit, the best run, and the words that are kept.

use std::borrow::Cow;

use gristmill_page::{
    Page, Selection,
    tokens::{StreamToken, TokenStream, WordUnit},
};

/// The token stream of a page; the usual one is computed once and shared.
pub(super) fn stream<'p>(page: &'p Page<'_>, unit: WordUnit) -> Cow<'p, [StreamToken]> {
    match unit {
        WordUnit::Word => Cow::Borrowed(&page.tokens().stream),
        WordUnit::Char => Cow::Owned(TokenStream::new(page, unit).stream),
    }
}

/// Keeps the words that `kept` names by their place in the stream; it is asked in ascending order. Neighbours in one
/// leaf are kept with what stands between them.
pub(super) fn keep_words(page: &Page<'_>, stream: &[StreamToken], kept: impl IntoIterator<Item = usize>) -> Selection {
    let mut selection = Selection::none(page);
    // (leaf, start, end, place of the last word)
    let mut open: Option<(u32, u32, u32, usize)> = None;
    for at in kept {
        let StreamToken::Word { leaf, start, end } = stream[at] else { continue };
        match &mut open {
            Some((last_leaf, _, last_end, last)) if *last_leaf == leaf && *last + 1 == at => {
                (*last_end, *last) = (end, at);
            }
            _ => {
                if let Some((leaf, start, end, _)) = open.replace((leaf, start, end, at)) {
                    selection.keep_part(page, leaf as usize, start, end);
                }
            }
        }
    }
    if let Some((leaf, start, end, _)) = open {
        selection.keep_part(page, leaf as usize, start, end);
    }
    selection
}

#[cfg(test)]
pub(super) mod testing {
    //! Streams made from a pattern of tags and words.

    use gristmill_html::{Doc, TreeLimits};

    use gristmill_page::{MainTextExtractor, MethodInput, Page, Trace};

    /// The body whose stream is this pattern: `1` a tag, `0` a word, numbered by its place in the stream.
    pub fn html(pattern: &str) -> String {
        let token = |(at, c): (usize, char)| if c == '1' { "<br>".to_owned() } else { format!("w{at} ") };
        format!("<body>{}", pattern.chars().filter(|c| !c.is_whitespace()).enumerate().map(token).collect::<String>())
    }

    /// The words that a method keeps, and its trace.
    pub fn run(method: &dyn MainTextExtractor, html: &str) -> (String, Trace) {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let mut trace = Trace::recording();
        let selection = method.select(&page, &MethodInput::default(), &mut trace);
        let pieces = page.rows.iter().flat_map(|row| selection.kept(&page, row));
        let texts: Vec<&str> = pieces.map(|p| page.text[p.start as usize..p.end as usize].trim()).collect();
        (texts.join(" "), trace)
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    #[test]
    fn words_are_kept_in_runs_and_a_gap_cuts_the_leaf() {
        let doc = Doc::parse("<body>a b c d<p>e f", &TreeLimits::default());
        let page = Page::new(&doc);
        let tokens = stream(&page, WordUnit::Word);
        // a b c d <p> e f </p>
        let selection = keep_words(&page, &tokens, [0, 1, 3, 4, 5, 6, 7]);
        let kept: Vec<&str> = page
            .rows
            .iter()
            .flat_map(|row| selection.kept(&page, row))
            .map(|piece| &page.text[piece.start as usize..piece.end as usize])
            .collect();
        assert_eq!(kept, ["a b", "d", "e f"]);
        assert_eq!(keep_words(&page, &tokens, 0..tokens.len()), Selection::all(&page));
    }
}
