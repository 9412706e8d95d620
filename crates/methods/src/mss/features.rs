//! What the supervised form of MSS sees of a token: the trigram that starts at it, and the tag that it stands in.

use gristmill_html::{Doc, LocalName};
use gristmill_page::{
    Page,
    tokens::{StreamToken, is_void},
};
use gristmill_text::hash;

/// The two features of one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TokenFeatures {
    /// Hash of the token and the two after it.
    pub trigram: u32,
    /// The most recent tag that is not closed; `None` directly in the body.
    pub tag: Option<LocalName>,
}

/// The features of every token in order. Words are lower-cased with each number written `1`; tags are their names.
/// The hashes are the same on every platform. O(text + tokens).
pub(super) fn features(page: &Page<'_>, stream: &[StreamToken]) -> Vec<TokenFeatures> {
    let mut word = String::new();
    let mut hashes: Vec<u64> = stream.iter().map(|&token| token_hash(page, token, &mut word)).collect();
    hashes.extend([0, 0]);
    let mut open: Vec<LocalName> = Vec::new();
    let features = stream.iter().zip(hashes.windows(3)).map(|(&token, hashes)| {
        let tag = open.last().copied();
        match token {
            StreamToken::Open(id) if !is_void(page.doc.name(id)) => open.push(page.doc.name(id)),
            StreamToken::Close(_) => {
                open.pop();
            }
            StreamToken::Open(_) | StreamToken::Word { .. } => {}
        }
        TokenFeatures { trigram: trigram(hashes), tag }
    });
    features.collect()
}

fn trigram(hashes: &[u64]) -> u32 {
    let mix = |sum: u64, hash: &u64| (sum.rotate_left(23) ^ hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hashes.iter().fold(0, mix) >> 32) as u32
}

fn token_hash(page: &Page<'_>, token: StreamToken, word: &mut String) -> u64 {
    match token {
        StreamToken::Open(id) => tag_hash(page.doc, page.doc.name(id), b"<"),
        StreamToken::Close(id) => tag_hash(page.doc, page.doc.name(id), b"</"),
        StreamToken::Word { start, end, .. } => {
            normalise(&page.text[start as usize..end as usize], word);
            hash(word.as_bytes())
        }
    }
}

/// Lower case, and `1` for each run of digits.
fn normalise(text: &str, word: &mut String) {
    word.clear();
    for c in text.chars() {
        if c.is_ascii_digit() {
            if !word.ends_with('1') {
                word.push('1');
            }
        } else if c.is_ascii() {
            word.push(c.to_ascii_lowercase());
        } else {
            word.extend(c.to_lowercase());
        }
    }
}

/// Longer names are cut, so that no allocation is needed.
const LONGEST_NAME: usize = 22;

fn tag_hash(doc: &Doc, name: LocalName, prefix: &[u8]) -> u64 {
    let text = doc.name_str(name).as_bytes();
    let text = &text[..text.len().min(LONGEST_NAME)];
    let mut tag = [0u8; LONGEST_NAME + 2];
    tag[..prefix.len()].copy_from_slice(prefix);
    tag[prefix.len()..prefix.len() + text.len()].copy_from_slice(text);
    hash(&tag[..prefix.len() + text.len()])
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    fn of(html: &str) -> Vec<TokenFeatures> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        features(&page, &page.tokens().stream)
    }

    #[test]
    fn case_numbers_and_addresses_do_not_matter_but_order_does() {
        assert_eq!(of("<p>In 2019, 14 Mills closed"), of("<p class=x>in 7, 3 mills CLOSED"));
        assert_ne!(of("<p>one two three")[1].trigram, of("<p>two one three")[1].trigram);
    }

    #[test]
    fn a_token_stands_in_the_most_recent_tag_that_is_not_closed() {
        // a <p> b <br> c <i> d </i> e </p>
        let tags: Vec<Option<LocalName>> =
            of("<body>a<p>b<br>c<i>d</i>e").iter().map(|features| features.tag).collect();
        let (p, i) = (Some(LocalName::P), Some(LocalName::I));
        assert_eq!(tags, [None, None, p, p, p, p, i, i, p, p]);
    }
}
