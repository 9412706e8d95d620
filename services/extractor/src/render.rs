//! Pages and browsers: which page is given to one, and which of its two forms counts.

use gristmill_log::Record;
use gristmill_proto::{Document, FetchKind, Link, LinkSource, Links, Page, encode, topics};
use gristmill_reading::Reading;
use gristmill_rendering::{Got, Render, THRESHOLD, need};
use gristmill_urls::CanonicalUrl;

/// What a page was read as, in one of its forms.
pub(crate) struct Form {
    /// One of [`crate::metrics::RESULTS`].
    pub(crate) result: &'static str,
    pub(crate) document: Option<Document>,
    /// Whether a browser would add to it.
    pub(crate) need: Need,
}

/// Whether a page is given to a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// The settings say no, or it has no use.
    No,
    /// The settings say yes.
    Yes,
    /// By what the page says it is, or is not; what is known of its site is not reckoned in.
    Perhaps(bool),
}

impl Form {
    /// Characters of text.
    fn chars(&self) -> usize {
        self.document.as_ref().map_or(0, |document| document.text.chars().count())
    }

    fn pairs(&self) -> usize {
        self.document.as_ref().map_or(0, |document| document.attributes.len())
    }

    /// Whether the page gave something to be kept: what asks not to be kept is obeyed in either form.
    fn is_kept(&self) -> bool {
        matches!(self.result, "document" | "empty")
    }
}

/// What a browser brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gain {
    /// A fifth of the text, or records.
    Added,
    /// Less.
    InVain,
}

impl Gain {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Gain::Added => "added",
            Gain::InVain => "in_vain",
        }
    }
}

/// The form of a page that counts: what the browser drew where it says more.
pub(crate) fn better(raw: Form, drawn: Form) -> (Form, Gain) {
    if !raw.is_kept() || !drawn.is_kept() {
        // `noindex` by a script is a wish like any other.
        let gain = Gain::InVain;
        return if raw.is_kept() { (drawn, gain) } else { (raw, gain) };
    }
    let (before, after) = ((raw.pairs(), raw.chars()), (drawn.pairs(), drawn.chars()));
    let added = after.0 > before.0 || after.1 * 5 >= before.1 * 6 && after.1 > before.1;
    let says_more = after.0 > before.0 || after.0 == before.0 && after.1 > before.1;
    (if says_more { drawn } else { raw }, if added && says_more { Gain::Added } else { Gain::InVain })
}

/// Whether a browser is to draw a page that was read as `reading`.
pub(crate) fn need_of(render: Render, reading: &Reading<'_>, product: f32, pairs: usize) -> Need {
    match render {
        Render::Never => Need::No,
        Render::Always => Need::Yes,
        Render::Auto => {
            let document = &reading.document;
            let got = Got {
                chars: document.text.chars().count(),
                confidence: document.confidence,
                product,
                pairs,
                declared: document.rescued.is_some(),
            };
            Need::Perhaps(need(&reading.parsed.doc, &got) >= THRESHOLD)
        }
    }
}

/// The message that asks the scheduler for a browser.
pub(crate) fn wish(page: &Page) -> Option<Record> {
    let url = CanonicalUrl::parse(&page.url, None).ok()?;
    let link = Link {
        url: page.url.clone(),
        kind: FetchKind::Render,
        source: LinkSource::Extractor,
        depth: 0,
        hops: 0,
        anchor: None,
        modified_at: Some(page.fetched_at),
    };
    let message = Links { from: page.url.clone(), found_at: page.fetched_at, links: vec![link] };
    let key = url.registrable_domain().to_owned();
    Some(Record { topic: topics::LINKS, key, payload: encode(&message) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(result: &'static str, chars: usize, pairs: usize) -> Form {
        let empty = Document::removal("k".into(), "http://a.test/".into());
        let attributes = vec![gristmill_proto::Attribute::default(); pairs];
        let document = Some(Document { text: "x".repeat(chars), attributes, ..empty });
        Form { result, document, need: Need::No }
    }

    fn judged(raw: (usize, usize), drawn: (usize, usize)) -> (usize, Gain) {
        let (form, gain) = better(form("document", raw.0, raw.1), form("document", drawn.0, drawn.1));
        (form.chars(), gain)
    }

    #[test]
    fn the_form_that_says_more_counts_and_a_fifth_of_text_or_a_record_is_a_gain() {
        assert_eq!(judged((10, 0), (500, 0)), (500, Gain::Added));
        assert_eq!(judged((500, 0), (510, 0)), (510, Gain::InVain));
        assert_eq!(judged((500, 0), (100, 4)), (100, Gain::Added));
        assert_eq!(judged((500, 4), (900, 0)), (500, Gain::InVain), "records are not given up for text");
        assert_eq!(judged((500, 0), (20, 0)), (500, Gain::InVain), "a login wall");
        assert_eq!(judged((0, 0), (0, 0)), (0, Gain::InVain));
    }

    #[test]
    fn a_page_that_asks_not_to_be_indexed_in_either_form_is_not() {
        let (raw, drawn) = (|| form("document", 10, 0), || form("noindex", 500, 0));
        assert_eq!(better(raw(), drawn()).0.result, "noindex");
        assert_eq!(better(drawn(), raw()).0.result, "noindex");
    }
}
