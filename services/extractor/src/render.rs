//! Pages and browsers: which page is given to one, and which of its two forms counts.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_log::ProducerRecord;
use gristmill_proto::{
    Document, FetchKind, FetchedPage, LinkSource, Outlink, OutlinkBatch, RejectCause, RejectReason, RenderedPage,
    encode, topics,
};
use gristmill_reading::Reading;
use gristmill_reading::need::{ContentSize, ExtractionSignals, RenderPolicy, THRESHOLD, need};
use gristmill_runtime::label_values;
use gristmill_urls::CanonicalUrl;

use crate::metrics::ExtractResult;

/// What a page was read as, in one of its forms.
pub(crate) struct PageVersion {
    pub(crate) result: ExtractResult,
    pub(crate) document: Option<Document>,
    /// Whether a browser would add to it.
    pub(crate) need: RenderNeed,
    /// Whether it asks for a password; looked for where there are two forms.
    pub(crate) asks_password: bool,
}

/// Whether a page is given to a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RenderNeed {
    /// The settings say no, or it has no use.
    No,
    /// The settings say yes.
    Yes,
    /// It has scripts that could add something, and looks as if they did, or not; what is known of its site is not reckoned in.
    Perhaps(bool),
}

impl PageVersion {
    fn amount(&self) -> ContentSize {
        self.document.as_ref().map_or(ContentSize::default(), |document| ContentSize {
            chars: document.text.chars().count(),
            pairs: document.attributes.len(),
        })
    }

    /// Whether the page gave something to be kept: what asks not to be kept is obeyed in either form.
    fn is_kept(&self) -> bool {
        matches!(self.result, ExtractResult::Document | ExtractResult::Empty)
    }
}

/// What became of a drawn page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RenderEvaluation {
    pub(crate) gain: RenderGain,
    /// Whether the page as it came looked as if it needed a browser.
    pub(crate) was_expected: bool,
}

label_values! {
    /// What a browser brought.
    pub(crate) enum RenderGain {
        /// A fifth of the text, or records.
        Added = "added",
        /// Less.
        NoGain = "no_gain",
        /// Less, and it asks for a password, which the page did not do before.
        Login = "login",
        /// Less, and it wanted to go on to another address.
        Navigated = "navigated",
        /// Less, and a server refused some of what it asked for.
        Denied = "denied",
    }
}

impl RenderGain {
    /// Why the page as it came stays, where the site is the cause; for the topic `rejects`.
    pub(crate) fn reason(self, rendered: &RenderedPage) -> Option<RejectReason> {
        let why = match self {
            RenderGain::Added | RenderGain::NoGain => return None,
            RenderGain::Login => "it asks for a password".to_owned(),
            RenderGain::Navigated => {
                format!("it wants to go on to {}", rendered.leads_to.as_deref().unwrap_or_default())
            }
            RenderGain::Denied => format!("servers refused {} of its {} requests", rendered.denied, rendered.requests),
        };
        Some(RejectCause::RenderUnused.with(format!("but the page as it came stays: {why}")))
    }
}

/// As `gain`, with the cause where there was none.
pub(crate) fn cause(gain: RenderGain, rendered: &RenderedPage, asks_password: bool) -> RenderGain {
    match gain {
        RenderGain::NoGain if asks_password => RenderGain::Login,
        RenderGain::NoGain if rendered.leads_to.is_some() => RenderGain::Navigated,
        RenderGain::NoGain if rendered.denied > 0 => RenderGain::Denied,
        gain => gain,
    }
}

/// Whether a page asks for a password. O(nodes).
pub(crate) fn asks_password(doc: &Doc) -> bool {
    let is_password = |id: &NodeId| {
        doc.name(*id) == LocalName::INPUT
            && doc.attr(*id, LocalName::TYPE).is_some_and(|kind| kind.trim().eq_ignore_ascii_case("password"))
    };
    doc.ids().any(|id| is_password(&id))
}

/// The form of a page that counts: what the browser drew where it says more.
pub(crate) fn better(raw: PageVersion, drawn: PageVersion) -> (PageVersion, RenderGain) {
    if !raw.is_kept() || !drawn.is_kept() {
        // `noindex` by a script is a wish like any other.
        let gain = RenderGain::NoGain;
        return if raw.is_kept() { (drawn, gain) } else { (raw, gain) };
    }
    let (before, after) = (raw.amount(), drawn.amount());
    let gain = if after.adds_to(before) { RenderGain::Added } else { RenderGain::NoGain };
    (if after.says_more_than(before) { drawn } else { raw }, gain)
}

/// Whether a browser is to draw a page that was read as `reading`.
pub(crate) fn need_of(render: RenderPolicy, reading: &Reading<'_>, product: f32, pairs: usize) -> RenderNeed {
    match render {
        RenderPolicy::Never => RenderNeed::No,
        RenderPolicy::Always => RenderNeed::Yes,
        RenderPolicy::Auto => {
            let document = &reading.document;
            let got = ExtractionSignals {
                chars: document.text.chars().count(),
                confidence: document.confidence,
                product,
                pairs,
                declared: document.rescued.is_some(),
            };
            need(&reading.parsed.doc, &got).map_or(RenderNeed::No, |p| RenderNeed::Perhaps(p >= THRESHOLD))
        }
    }
}

/// The message that asks the scheduler for a browser.
pub(crate) fn wish(page: &FetchedPage) -> Option<ProducerRecord> {
    let url = CanonicalUrl::parse(&page.url, None).ok()?;
    let link = Outlink {
        url: page.url.clone(),
        kind: FetchKind::Render,
        source: LinkSource::Extractor,
        depth: 0,
        hops: 0,
        anchor: None,
        modified_at: Some(page.fetched_at),
    };
    let message = OutlinkBatch { from: page.url.clone(), found_at: page.fetched_at, links: vec![link] };
    let key = url.registrable_domain().to_owned();
    Some(ProducerRecord { topic: topics::LINKS, key, payload: encode(&message) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(result: ExtractResult, chars: usize, pairs: usize) -> PageVersion {
        let empty = Document::removal("k".into(), "http://a.test/".into());
        let attributes = vec![gristmill_proto::ProductAttribute::default(); pairs];
        let document = Some(Document { text: "x".repeat(chars), attributes, ..empty });
        PageVersion { result, document, need: RenderNeed::No, asks_password: false }
    }

    fn judged(raw: (usize, usize), drawn: (usize, usize)) -> (usize, RenderGain) {
        let (form, gain) =
            better(form(ExtractResult::Document, raw.0, raw.1), form(ExtractResult::Document, drawn.0, drawn.1));
        (form.amount().chars, gain)
    }

    #[test]
    fn the_form_that_says_more_counts() {
        assert_eq!(judged((10, 0), (500, 0)), (500, RenderGain::Added));
        assert_eq!(judged((500, 0), (510, 0)), (510, RenderGain::NoGain));
        assert_eq!(judged((500, 4), (900, 0)), (500, RenderGain::NoGain), "records are not given up for text");
        assert_eq!(judged((500, 0), (20, 0)), (500, RenderGain::NoGain), "a login wall");
        assert_eq!(judged((0, 0), (0, 0)), (0, RenderGain::NoGain));
    }

    #[test]
    fn a_rendering_without_gain_has_a_cause_if_the_site_gave_one() {
        let rendered = RenderedPage {
            mode: "scripts".into(),
            ended: "loaded".into(),
            millis: 9,
            requests: 5,
            denied: 2,
            leads_to: None,
            encoding: gristmill_proto::WireEncoding::Identity,
            unpacked: 0,
            body: gristmill_proto::BodyRef::Inline(Vec::new()),
        };
        let denied = cause(RenderGain::NoGain, &rendered, false);
        assert_eq!(denied, RenderGain::Denied);
        assert!(denied.reason(&rendered).unwrap().detail.ends_with("servers refused 2 of its 5 requests"));
        assert_eq!(cause(RenderGain::NoGain, &rendered, true), RenderGain::Login);
        assert_eq!(cause(RenderGain::Added, &rendered, true), RenderGain::Added);
        let elsewhere = RenderedPage { leads_to: Some("http://a.test/login".into()), ..rendered };
        assert_eq!(cause(RenderGain::NoGain, &elsewhere, false), RenderGain::Navigated);
        assert_eq!(RenderGain::NoGain.reason(&elsewhere), None);
    }

    #[test]
    fn a_password_is_asked_for_by_an_input_of_that_type() {
        let asks = |html: &str| asks_password(&Doc::parse(html, &gristmill_html::TreeLimits::default()));
        assert!(asks("<form><input name=p type=' Password'></form>"));
        assert!(!asks("<input type=text name=password><p>Password</p>"));
    }

    #[test]
    fn a_page_that_asks_not_to_be_indexed_in_either_form_is_not() {
        let (raw, drawn) = (|| form(ExtractResult::Document, 10, 0), || form(ExtractResult::NoIndex, 500, 0));
        assert_eq!(better(raw(), drawn()).0.result, ExtractResult::NoIndex);
        assert_eq!(better(drawn(), raw()).0.result, ExtractResult::NoIndex);
    }
}
