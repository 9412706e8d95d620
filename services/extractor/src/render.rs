//! Pages and browsers: which page is given to one, and which of its two forms counts.

use gristmill_html::{Doc, Name, NodeId};
use gristmill_log::Record;
use gristmill_proto::{Document, FetchKind, Link, LinkSource, Links, Page, Rendered, encode, topics};
use gristmill_reading::Reading;
use gristmill_rendering::{Amount, Got, Render, THRESHOLD, need};
use gristmill_urls::CanonicalUrl;

/// What a page was read as, in one of its forms.
pub(crate) struct Form {
    /// One of [`crate::metrics::RESULTS`].
    pub(crate) result: &'static str,
    pub(crate) document: Option<Document>,
    /// Whether a browser would add to it.
    pub(crate) need: Need,
    /// Whether it asks for a password; looked for where there are two forms.
    pub(crate) asks_password: bool,
}

/// Whether a page is given to a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// The settings say no, or it has no use.
    No,
    /// The settings say yes.
    Yes,
    /// It has scripts that could add something, and looks as if they did, or not; what is known of its site is not reckoned in.
    Perhaps(bool),
}

impl Form {
    fn amount(&self) -> Amount {
        self.document.as_ref().map_or(Amount::default(), |document| Amount {
            chars: document.text.chars().count(),
            pairs: document.attributes.len(),
        })
    }

    /// Whether the page gave something to be kept: what asks not to be kept is obeyed in either form.
    fn is_kept(&self) -> bool {
        matches!(self.result, "document" | "empty")
    }
}

/// What became of a drawn page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) gain: Gain,
    /// Whether the page as it came looked as if it needed a browser.
    pub(crate) was_expected: bool,
}

/// What a browser brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gain {
    /// A fifth of the text, or records.
    Added,
    /// Less.
    InVain,
    /// Less, and it asks for a password, which the page did not do before.
    Login,
    /// Less, and it wanted to go on to another address.
    LedAway,
    /// Less, and a server refused some of what it asked for.
    Denied,
}

impl Gain {
    pub(crate) const ALL: [Gain; 5] = [Gain::Added, Gain::InVain, Gain::Login, Gain::LedAway, Gain::Denied];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Gain::Added => "added",
            Gain::InVain => "in_vain",
            Gain::Login => "login",
            Gain::LedAway => "led_away",
            Gain::Denied => "denied",
        }
    }

    /// Why the page as it came stays, where the site is the cause; for the topic `rejects`.
    pub(crate) fn reason(self, rendered: &Rendered) -> Option<String> {
        let why = match self {
            Gain::Added | Gain::InVain => return None,
            Gain::Login => "it asks for a password".to_owned(),
            Gain::LedAway => format!("it wants to go on to {}", rendered.leads_to.as_deref().unwrap_or_default()),
            Gain::Denied => format!("servers refused {} of its {} requests", rendered.denied, rendered.requests),
        };
        Some(format!("drawn by a browser, but the page as it came stays: {why}"))
    }
}

/// As `gain`, with the cause if it was in vain.
pub(crate) fn cause(gain: Gain, rendered: &Rendered, asks_password: bool) -> Gain {
    match gain {
        Gain::InVain if asks_password => Gain::Login,
        Gain::InVain if rendered.leads_to.is_some() => Gain::LedAway,
        Gain::InVain if rendered.denied > 0 => Gain::Denied,
        gain => gain,
    }
}

/// Whether a page asks for a password. O(nodes).
pub(crate) fn asks_password(doc: &Doc) -> bool {
    let is_password = |id: &NodeId| {
        doc.name(*id) == Name::INPUT
            && doc.attr(*id, Name::TYPE).is_some_and(|kind| kind.trim().eq_ignore_ascii_case("password"))
    };
    doc.ids().any(|id| is_password(&id))
}

/// The form of a page that counts: what the browser drew where it says more.
pub(crate) fn better(raw: Form, drawn: Form) -> (Form, Gain) {
    if !raw.is_kept() || !drawn.is_kept() {
        // `noindex` by a script is a wish like any other.
        let gain = Gain::InVain;
        return if raw.is_kept() { (drawn, gain) } else { (raw, gain) };
    }
    let (before, after) = (raw.amount(), drawn.amount());
    let gain = if after.adds_to(before) { Gain::Added } else { Gain::InVain };
    (if after.says_more_than(before) { drawn } else { raw }, gain)
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
            need(&reading.parsed.doc, &got).map_or(Need::No, |p| Need::Perhaps(p >= THRESHOLD))
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
        Form { result, document, need: Need::No, asks_password: false }
    }

    fn judged(raw: (usize, usize), drawn: (usize, usize)) -> (usize, Gain) {
        let (form, gain) = better(form("document", raw.0, raw.1), form("document", drawn.0, drawn.1));
        (form.amount().chars, gain)
    }

    #[test]
    fn the_form_that_says_more_counts() {
        assert_eq!(judged((10, 0), (500, 0)), (500, Gain::Added));
        assert_eq!(judged((500, 0), (510, 0)), (510, Gain::InVain));
        assert_eq!(judged((500, 4), (900, 0)), (500, Gain::InVain), "records are not given up for text");
        assert_eq!(judged((500, 0), (20, 0)), (500, Gain::InVain), "a login wall");
        assert_eq!(judged((0, 0), (0, 0)), (0, Gain::InVain));
    }

    #[test]
    fn what_was_drawn_in_vain_has_a_cause_if_the_site_gave_one() {
        let rendered = Rendered {
            mode: "scripts".into(),
            ended: "loaded".into(),
            millis: 9,
            requests: 5,
            denied: 2,
            leads_to: None,
            encoding: gristmill_proto::WireEncoding::Identity,
            unpacked: 0,
            body: gristmill_proto::Body::Inline(Vec::new()),
        };
        let denied = cause(Gain::InVain, &rendered, false);
        assert_eq!(denied, Gain::Denied);
        assert!(denied.reason(&rendered).unwrap().ends_with("servers refused 2 of its 5 requests"));
        assert_eq!(cause(Gain::InVain, &rendered, true), Gain::Login);
        assert_eq!(cause(Gain::Added, &rendered, true), Gain::Added);
        let elsewhere = Rendered { leads_to: Some("http://a.test/login".into()), ..rendered };
        assert_eq!(cause(Gain::InVain, &elsewhere, false), Gain::LedAway);
        assert_eq!(Gain::InVain.reason(&elsewhere), None);
    }

    #[test]
    fn a_password_is_asked_for_by_an_input_of_that_type() {
        let asks = |html: &str| asks_password(&Doc::parse(html, &gristmill_html::Limits::default()));
        assert!(asks("<form><input name=p type=' Password'></form>"));
        assert!(!asks("<input type=text name=password><p>Password</p>"));
    }

    #[test]
    fn a_page_that_asks_not_to_be_indexed_in_either_form_is_not() {
        let (raw, drawn) = (|| form("document", 10, 0), || form("noindex", 500, 0));
        assert_eq!(better(raw(), drawn()).0.result, "noindex");
        assert_eq!(better(drawn(), raw()).0.result, "noindex");
    }
}
