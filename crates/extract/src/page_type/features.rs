//! What a page is judged by, as one row of numbers: declarations, address, shape of the text, structure, words.

use gristmill_page::Page;
use url::Url;

use super::numbers::{FeatureMask, FeatureVector};
use super::{address, declared, rows, structure};

/// The features of one page, kept in parts so that a trainer can hide some.
#[derive(Debug)]
pub(super) struct PageFacts {
    body: Vec<f32>,
    items: [u32; declared::N_TYPES],
}

impl PageFacts {
    /// Everything that is seen in the text and the tree. O(nodes · log nodes + text).
    pub(super) fn new(page: &Page<'_>) -> PageFacts {
        let mut features = FeatureVector::default();
        let scale = scale(page);
        let events = rows::add(page, scale, &mut features);
        let items = structure::add(page, scale, &events, &mut features);
        PageFacts { body: features.values, items }
    }

    /// With what may be seen of the declarations and of the address.
    pub(super) fn seen(&self, page: &Page<'_>, seen: &FeatureMask<'_>) -> Vec<f32> {
        let mut features = FeatureVector { values: self.body.clone() };
        declared::add(page, seen, &self.items, &mut features);
        address::add(seen.url, &mut features);
        features.values
    }
}

/// What a character counts: scripts that write a word with one or two characters need fewer of them.
fn scale(page: &Page<'_>) -> f32 {
    // First bytes of characters tell enough: E3 to ED begin Kana, Han and Hangul, those from C3 other letters.
    let count = |low: u8, high: u8| -> usize {
        // Sums of a byte each over few enough bytes: these loops become vector instructions.
        let of_few = |few: &[u8]| few.iter().map(|byte| u8::from(byte.wrapping_sub(low) <= high - low)).sum::<u8>();
        page.text.as_bytes().chunks(255).map(|few| usize::from(of_few(few))).sum()
    };
    let cjk = count(0xE3, 0xED);
    let letters = count(b'a', b'z') + count(b'A', b'Z') + count(0xC3, 0xE1) + cjk;
    1.0 + 1.5 * cjk as f32 / letters.max(1) as f32
}

/// The address as given, else as the page states it.
pub(super) fn address_of(page: &Page<'_>, url: Option<&str>) -> Option<Url> {
    let stated = || {
        let canonical = page.doc.links().find(|link| link.has_rel("canonical")).map(|link| link.href);
        canonical.or_else(|| page.doc.meta("og:url"))
    };
    let url = url.or_else(stated)?;
    Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::super::model::shipped;
    use super::*;

    fn features(html: &str, url: Option<&str>) -> Vec<f32> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let url = address_of(&page, url);
        PageFacts::new(&page).seen(&page, &FeatureMask { url: url.as_ref(), scripts: true })
    }

    #[test]
    fn every_page_has_as_many_features_as_the_model_was_trained_with_and_all_are_finite() {
        let deep = "<div class=product>".repeat(30_000);
        let wide = "<li><a href=/x><img>$5 item 2020</a>".repeat(25_000);
        let script = "<script type=application/ld+json>{\"@type\":\"Product\"}</script><p>$5";
        for html in ["", "<p>x", script, "\0\0<![CDATA[", deep.as_str(), wide.as_str()] {
            for url in [None, Some("https://a.example/shop/x-1?q"), Some("no address")] {
                let features = features(html, url);
                assert_eq!(features.len(), shipped().width, "features changed: train again");
                assert!(features.iter().all(|value| value.is_finite()), "{features:?}");
            }
        }
    }

    #[test]
    fn the_page_states_its_address_where_none_is_given() {
        let html = "<link rel=canonical href=https://a.example/docs/x/>";
        assert_eq!(features(html, None), features(html, Some("https://a.example/docs/x/")));
        assert_ne!(features(html, None), features("", None));
    }

    #[test]
    fn chinese_characters_count_more_than_latin_letters() {
        let of = |html: &str| {
            let doc = Doc::parse(html, &TreeLimits::default());
            scale(&Page::new(&doc))
        };
        assert_eq!(of("<p>plain words"), 1.0);
        assert!((of("<p>一个中文的段落在这里一个中文的段落") - 2.5).abs() < 1e-6);
    }
}
