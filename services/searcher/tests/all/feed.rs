//! A search as a feed: valid XML whatever pages say, the newest first, and nothing twice over the wire.

use crate::support;

use gristmill_index::{DocumentKind, Edit, History, IndexDocument, PastOffer};
use quick_xml::Reader;
use quick_xml::events::Event;
use support::{Server, library, page};

/// The texts of all elements with this name, entities resolved; fails where the XML is not well-formed.
fn texts(xml: &str, element: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    let (mut texts, mut inside) = (Vec::<String>::new(), false);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {xml}")) {
            Event::Start(start) if start.name().as_ref() == element => {
                inside = true;
                texts.push(String::new());
            }
            Event::End(_) => inside = false,
            Event::Text(text) if inside => texts.last_mut().unwrap().push_str(&text),
            Event::GeneralRef(name) if inside => {
                texts.last_mut().unwrap().push_str(match &*name {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "quot" => "\"",
                    "#39" => "'",
                    other => panic!("&{other}; is no entity of XML"),
                });
            }
            Event::Eof => return texts,
            _ => {}
        }
    }
}

fn seen(key: &str, first_seen: u64, edited: Option<u64>) -> IndexDocument {
    let edits = edited.map(|at| Edit { at, words_added: 1, ..Edit::default() }).into_iter().collect();
    IndexDocument { history: History { first_seen, edits, ..History::default() }, ..page(key, key, "a mill") }
}

#[test]
fn what_changed_or_came_last_stands_first() {
    let server =
        Server::start(&[seen("old", 1_000, None), seen("edited", 2_000, Some(9_000)), seen("new", 5_000, None)]);
    let (status, headers, xml) = server.get("/feed?q=mill");
    assert_eq!(status, 200);
    assert!(headers.to_lowercase().contains("content-type: application/atom+xml"), "{headers}");
    assert_eq!(texts(&xml, "title"), ["mill", "edited", "new", "old"]);
    assert_eq!(texts(&xml, "updated")[..3], ["1970-01-01T00:00:09Z", "1970-01-01T00:00:09Z", "1970-01-01T00:00:05Z"]);
    assert_eq!(texts(&server.get("/feed?q=mill&limit=1").2, "title").len(), 2);
    assert_eq!(texts(&server.get("/feed?q=title:new").2, "title"), ["title:new", "new"]);
    assert_eq!(server.get("/feed?q=mill&limit=0").0, 400);
    assert!(server.get("/search?q=mill&kind=article").2.contains("href=\"/feed?q=mill&amp;kind=article\""));
}

#[test]
fn a_product_is_told_with_its_price_and_the_one_before() {
    let offer = |at, price| PastOffer { at, price: Some(price), currency: "EUR".into(), ..PastOffer::default() };
    let history = History { first_seen: 1, offers: vec![offer(1, 20.0), offer(2, 15.0)], ..History::default() };
    let product = IndexDocument { kind: DocumentKind::Product, history, ..page("p", "Mill", "A mill of granite.") };
    let xml = Server::start(&[product]).get("/feed?q=").2;
    assert_eq!(texts(&xml, "summary"), ["15 EUR · before: 20 EUR · A mill of granite."]);
}

#[test]
fn no_page_breaks_the_xml() {
    let nasty = "]]> & <b> \" ' \u{0} \u{b} \u{fffe} \u{ffff} \u{1f9c0}\r\n&nbsp; needle";
    let document = IndexDocument {
        author: nasty.into(),
        url: "javascript:alert('needle')".into(),
        fetched_at: i64::MAX,
        ..page("n\"<&", nasty, nasty)
    };
    let server = Server::start(&[document]);
    let query = "%5D%5D%3E%22%3C%26 needle".replace(' ', "%20");
    for path in [format!("/feed?q={query}"), "/feed?q=needle".to_owned(), "/feed".to_owned()] {
        let (status, _, xml) = server.get(&path);
        assert_eq!(status, 200, "{path}");
        assert_eq!(texts(&xml, "entry").len(), texts(&xml, "updated").len() - 1, "{xml}");
        let forbidden = |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
        assert!(!xml.contains(forbidden) && !xml.contains("javascript:"), "{xml}");
    }
    assert!(texts(&server.get("/feed?q=needle").2, "title")[1].starts_with("]]> & <b> \" '"));
}

#[test]
fn what_a_reader_has_is_not_sent_again_until_something_changes() {
    let server = Server::start(&library());
    let head = server.get("/feed?q=asyncio").1;
    let field = |name: &str| {
        let line = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: "))).unwrap();
        line.split_once(": ").unwrap().1.to_owned()
    };
    let (tag, modified) = (field("etag"), field("last-modified"));
    let ask = |fields: &str| server.send(&format!("GET /feed?q=asyncio HTTP/1.1\r\n{fields}"));
    for known in [
        format!("If-None-Match: {tag}"),
        format!("If-None-Match: \"other\", W/{tag}"),
        format!("If-Modified-Since: {modified}"),
    ] {
        let (status, head, body) = ask(&known);
        assert_eq!((status, body.as_str()), (304, ""), "{known}");
        assert!(head.to_lowercase().contains("etag: "), "{head}");
    }
    for unknown in ["If-None-Match: \"other\"", "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"] {
        assert_eq!(ask(unknown).0, 200, "{unknown}");
    }
    server.index(&[page("late", "Late", "asyncio comes late")]);
    server.until(|| ask(&format!("If-None-Match: {tag}")).0 == 200);
}
