//! Bytes that an earlier build wrote still open, and damaged bytes never do.

use std::path::PathBuf;

use gristmill_proto::{
    BodyRef, Capture, Change, ChangeKind, Comment, ControlAction, ControlCommand, Cookie, Cut, Departure, Document,
    DocumentChange, Epochs, FetchKind, FetchOrder, FetchOutcome, FetchedPage, Fingerprint, HEADER_LEN, HeadingLine,
    Instruction, LanguageShare, LinkSource, MessageKind, News, Notice, Outlink, OutlinkBatch, PageState,
    PartitionClaim, ProductAttribute, ProtoError, Reject, RejectCause, RenderInfo, RenderedPage, Rights, Tie, Verdict,
    WireEncoding, decode, encode, peek,
};
use proptest::prelude::*;

fn order() -> FetchOrder {
    FetchOrder {
        id: 42,
        url: "https://news.example/2018/storm.html".into(),
        kind: FetchKind::Page,
        robots_for: None,
        depth: 2,
        hops: 1,
        attempt: 3,
        anchor_title: Some("Storm hits coast 暴风雨".into()),
        etag: Some("\"abc\"".into()),
        last_modified: None,
        known: true,
        ordered_at: 1_700_000_000_000,
        pause: 1000,
        ip_pause: 100,
        epoch: 7,
        tdm_reserved: Some(true),
        tdm_policy: Some("https://news.example/tdm.json".into()),
        usage: Some("train-ai=n".into()),
        cookies: vec![cookie()],
    }
}

fn claim() -> PartitionClaim {
    PartitionClaim { partition: 3, epoch: 7, owner: 0x0123_4567_89ab_cdef, at: 1_700_000_000_600 }
}

fn outcome() -> FetchOutcome {
    FetchOutcome {
        order_id: 42,
        url: "https://news.example/robots.txt".into(),
        kind: FetchKind::Robots,
        verdict: Verdict::Ok,
        status: 200,
        ip: Some("192.0.2.7".into()),
        retry_after_ms: Some(120_000),
        redirect: None,
        etag: None,
        last_modified: Some("Tue, 14 Nov 2023 22:13:20 GMT".into()),
        content_hash: Some(0xfeed_beef),
        robots: Some(b"User-agent: *\nDisallow: /private\n".to_vec()),
        started_at: 1_700_000_000_100,
        finished_at: 1_700_000_000_250,
        bytes: 33,
        links: 0,
        error: None,
        brings_nothing: Some(true),
        canonical: Some("https://news.example/".into()),
        words_hash: Some(0xbeef_feed),
    }
}

fn links() -> OutlinkBatch {
    let link = Outlink {
        url: "https://news.example/2018/flood.html".into(),
        kind: FetchKind::Page,
        source: LinkSource::HomeAnchor,
        depth: 1,
        hops: 0,
        anchor: Some("River floods the old mill".into()),
        modified_at: Some(1_699_000_000_000),
    };
    OutlinkBatch { from: "https://news.example/".into(), found_at: 1_700_000_000_300, links: vec![link] }
}

fn page() -> FetchedPage {
    FetchedPage {
        order_id: 43,
        url: "https://news.example/2018/storm.html".into(),
        status: 200,
        content_type: Some("text/html; charset=utf-8".into()),
        robots_tags: vec!["noarchive".into()],
        tdm_reservation: Some("1".into()),
        tdm_policy: Some("https://news.example/tdm.json".into()),
        anchor_title: None,
        fetched_at: 1_700_000_000_400,
        encoding: WireEncoding::Identity,
        unpacked: Some(5_000_000),
        body: BodyRef::Stored { key: "bodies/2023-11-14-22/0123-43".into(), size: 5_000_000, checksum: 0xfeed_beef },
        rendered: Some(RenderedPage {
            mode: "scripts".into(),
            ended: "loaded".into(),
            millis: 1200,
            requests: 7,
            denied: 1,
            leads_to: Some("https://news.example/login".into()),
            encoding: WireEncoding::Identity,
            unpacked: 31,
            body: BodyRef::Inline(b"<p>Storm hits coast.</p><p>Now".to_vec()),
        }),
    }
}

fn change() -> Change {
    let state = |price| PageState {
        title: "Millstone".into(),
        price: Some(price),
        currency: Some("EUR".into()),
        availability: Some("InStock".into()),
    };
    Change {
        id: "00112233445566778899aabbccddeeff-1700000000700".into(),
        kind: ChangeKind::Changed,
        key: "00112233445566778899aabbccddeeff".into(),
        url: "https://shop.example/millstone".into(),
        site: "shop.example".into(),
        document_kind: "product".into(),
        at: 1_700_000_000_700,
        before: Some(state(20.0)),
        after: Some(state(15.5)),
        words_added: 3,
        words_removed: 1,
        position: 41,
    }
}

fn capture() -> Capture {
    let field = |name: &str, value: &[u8]| (name.to_owned(), value.to_vec());
    Capture {
        order_id: 43,
        url: "https://news.example/2018/storm.html".into(),
        kind: FetchKind::Page,
        started_at: 1_700_000_000_350,
        ip: Some("192.0.2.7".into()),
        protocol: "h2".into(),
        request: b"GET /2018/storm.html HTTP/1.1\r\nhost: news.example\r\n\r\n".to_vec(),
        status: 200,
        reason: b"OK".to_vec(),
        fields: vec![field("content-type", b"text/html"), field("x-place", b"M\xfcnchen")],
        body: BodyRef::Inline(b"<p>Storm hits coast.</p>".to_vec()),
        cut: Some(Cut::Time),
        resource: Some("script".into()),
    }
}

fn document() -> Document {
    Document {
        key: "00112233445566778899aabbccddeeff".into(),
        url: "https://news.example/2018/storm.html".into(),
        change: DocumentChange::Upsert,
        kind: "article".into(),
        kind_probability: Some(0.875),
        title: "Storm hits coast".into(),
        text: "Storm hits coast.".into(),
        headings: vec![HeadingLine { line: 0, level: 2 }],
        site: "news.example".into(),
        host: "news.example".into(),
        author: Some("A. Miller".into()),
        published: Some("2018-12-31T10:15:00+08:00".into()),
        language: Some("en".into()),
        language_score: Some(0.75),
        script: Some("Latn".into()),
        languages: vec![LanguageShare { language: "en".into(), share: 1.0 }],
        site_name: None,
        description: None,
        canonical: None,
        image: None,
        keywords: vec!["storm".into()],
        attributes: vec![ProductAttribute {
            name: "重量".into(),
            value: "1.2 公斤".into(),
            canonical: Some("weight".into()),
            number: Some(1.2),
            unit: Some("kg".into()),
            record: 1,
            source: "table".into(),
            confidence: 0.75,
        }],
        fetched_at: 1_700_000_000_400,
        simhash: 7,
        simhash_version: 2,
        anchor_title: Some("Live updates".into()),
        comments: vec![Comment {
            author: Some("Bo".into()),
            published: Some("2019-01-02".into()),
            text: "Not here.".into(),
        }],
        rights: Rights {
            robots: vec!["noai".into(), "max-snippet:50".into()],
            tdm_reserved: Some(true),
            tdm_policy: Some("https://news.example/tdm.json".into()),
            licence: Some("cc-by-4.0".into()),
            licence_url: Some("https://creativecommons.org/licenses/by/4.0/".into()),
            copyright: Some("© 2023 The Mill 磨坊".into()),
        },
        method: "twcem".into(),
        confidence: 0.5,
        rendered: Some(RenderInfo { mode: "scripts".into(), ended: "loaded".into() }),
        published_declared: true,
    }
}

fn reject() -> Reject {
    let reason = RejectCause::NotRendered.with("the page crashed its tab");
    Reject { url: "https://news.example/".into(), stage: "extractor".into(), reason, at: 1_700_000_000_500 }
}

fn control() -> ControlCommand {
    ControlCommand { action: ControlAction::TakeDown, target: "news.example".into(), at: 1_700_000_000_800 }
}

fn cookie() -> Cookie {
    Cookie { url: "https://news.example/".into(), field: "seen=1; Path=/".into() }
}

fn notices() -> [(&'static str, Notice); 5] {
    let notice = |news| Notice { url: "https://news.example/?from=mail".into(), at: 1_700_000_000_700, news };
    let fingerprint = Fingerprint { text: 0x0123_4567_89ab_cdef, title: 9 };
    let on = || "https://news.example/".to_owned();
    [
        ("notice-v1-read.bin", notice(News::Read { fingerprint: Some(fingerprint), asks_password: true })),
        ("notice-v1-depends.bin", notice(News::Depends { on: on(), tie: Tie::Copy(fingerprint) })),
        ("notice-v1-cookies.bin", notice(News::Cookies { cookies: vec![cookie()] })),
        ("notice-v1-indexed.bin", notice(News::Indexed { published: Some(1_700_000_000_000) })),
        ("notice-v1-settled.bin", notice(News::Settled { on: on(), departure: Some(Departure::Canonical) })),
    ]
}

/// Compares with the golden file; `GRISTMILL_BLESS=1` writes a file that does not exist yet, never one that does.
fn golden(name: &str, bytes: &[u8]) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if !path.exists() && std::env::var_os("GRISTMILL_BLESS").is_some() {
        std::fs::write(&path, bytes).unwrap();
    }
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_message_still_opens() {
    assert_eq!(decode::<FetchOrder>(&golden("order-v2.bin", &encode(&order()))), Ok(order()));
    assert_eq!(decode::<FetchOutcome>(&golden("outcome-v1.bin", &encode(&outcome()))), Ok(outcome()));
    assert_eq!(decode::<OutlinkBatch>(&golden("links-v1.bin", &encode(&links()))), Ok(links()));
    assert_eq!(decode::<FetchedPage>(&golden("page-v1.bin", &encode(&page()))), Ok(page()));
    assert_eq!(decode::<Document>(&golden("document-v4.bin", &encode(&document()))), Ok(document()));
    assert_eq!(decode::<Reject>(&golden("reject-v2.bin", &encode(&reject()))), Ok(reject()));
    for (name, notice) in notices() {
        assert_eq!(decode::<Notice>(&golden(name, &encode(&notice))), Ok(notice));
    }
    assert_eq!(decode::<ControlCommand>(&golden("control-v1.bin", &encode(&control()))), Ok(control()));
    assert_eq!(decode::<PartitionClaim>(&golden("claim-v1.bin", &encode(&claim()))), Ok(claim()));
    assert_eq!(decode::<Capture>(&golden("capture-v1.bin", &encode(&capture()))), Ok(capture()));
    assert_eq!(decode::<Change>(&golden("change-v1.bin", &encode(&change()))), Ok(change()));
}

#[test]
fn a_document_of_version_1_still_opens_with_its_language() {
    let old: Document = decode(&golden("document-v1.bin", &[])).unwrap();
    let unknown =
        Document { headings: Vec::new(), kind_probability: None, language_score: None, script: None, ..document() };
    assert_eq!(old, Document { languages: Vec::new(), ..unknown });
}

#[test]
fn a_document_of_version_2_still_opens_with_its_kind() {
    let old: Document = decode(&golden("document-v2.bin", &[])).unwrap();
    assert_eq!(old, Document { headings: Vec::new(), kind_probability: None, ..document() });
}

#[test]
fn a_document_of_version_3_still_opens_without_headings() {
    let old: Document = decode(&golden("document-v3.bin", &[])).unwrap();
    assert_eq!(old, Document { headings: Vec::new(), ..document() });
}

#[test]
fn a_reject_of_version_1_still_opens_with_its_sentence() {
    let old: Reject = decode(&golden("reject-v1.bin", &[])).unwrap();
    let reason = RejectCause::Other.with("the page has no text");
    assert_eq!(old.reason.to_string(), "the page has no text");
    assert_eq!(old, Reject { reason, ..reject() });
}

/// The closed lists grow at their end, which older bytes do not notice.
#[test]
fn orders_that_knew_no_preferences_of_use_open_without() {
    let old = FetchOrder { usage: None, ..order() };
    assert_eq!(decode::<FetchOrder>(&golden("order-v1.bin", &[])), Ok(old.clone()));
    let render = FetchOrder { kind: FetchKind::Render, ..old };
    assert_eq!(decode::<FetchOrder>(&golden("order-v1-render.bin", &[])), Ok(render));
}

#[test]
fn an_order_and_an_outcome_of_a_browser_still_open() {
    let order = FetchOrder { kind: FetchKind::Render, ..order() };
    assert_eq!(decode::<FetchOrder>(&golden("order-v2-render.bin", &encode(&order))), Ok(order));
    let outcome = FetchOutcome { kind: FetchKind::Render, verdict: Verdict::Unrendered, ..outcome() };
    assert_eq!(decode::<FetchOutcome>(&golden("outcome-v1-render.bin", &encode(&outcome))), Ok(outcome));
    let request = Outlink { kind: FetchKind::Render, source: LinkSource::Extractor, ..links().links.remove(0) };
    let links = OutlinkBatch { links: vec![request], ..links() };
    assert_eq!(decode::<OutlinkBatch>(&golden("links-v1-render.bin", &encode(&links))), Ok(links));
}

#[test]
fn a_cookie_is_no_part_of_what_is_logged() {
    assert!(!format!("{:?}", cookie()).contains("seen"));
}

#[test]
fn an_epoch_ends_with_the_claim_of_a_higher_one() {
    let order = |epoch| Instruction::read(&encode(&FetchOrder { epoch, ..order() })).unwrap();
    let claim = |epoch, owner| Instruction::read(&encode(&PartitionClaim { epoch, owner, ..claim() })).unwrap();
    let mut epochs = Epochs::default();
    assert!(epochs.take(&order(0)) && epochs.take(&claim(1, 5)) && epochs.take(&order(1)));
    assert!(!epochs.take(&claim(1, 6)), "the second of two equal claims lost");
    assert!(epochs.take(&claim(2, 6)));
    assert!(!epochs.take(&order(1)), "the predecessor did not know");
    assert!(epochs.take(&order(2)));
    assert_eq!(epochs.highest(), 2);
}

#[test]
fn every_flipped_bit_is_noticed() {
    let bytes = encode(&page());
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(decode::<FetchedPage>(&damaged).is_err(), "byte {at}");
    }
}

#[test]
fn every_cut_is_noticed() {
    let bytes = encode(&links());
    for length in 0..bytes.len() {
        assert!(decode::<OutlinkBatch>(&bytes[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn another_kind_and_a_later_version_are_named() {
    let bytes = encode(&order());
    assert_eq!(peek(&bytes), Ok((MessageKind::Order, 2)));
    let wrong = decode::<FetchedPage>(&bytes);
    assert_eq!(wrong, Err(ProtoError::WrongKind { expected: MessageKind::Page, found: MessageKind::Order }));
    let mut later = bytes;
    later[5] = 9;
    let crc = crc32c::crc32c_append(crc32c::crc32c(&later[..12]), &later[HEADER_LEN..]);
    later[12..16].copy_from_slice(&crc.to_le_bytes());
    assert!(matches!(decode::<FetchOrder>(&later), Err(ProtoError::Version { found: 9, supported: 2, .. })));
}

proptest! {
    #[test]
    fn any_bytes_get_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode::<OutlinkBatch>(&bytes);
        let mut framed = encode(&reject());
        framed.truncate(HEADER_LEN);
        framed.extend(bytes);
        let _ = decode::<Reject>(&framed);
    }

    #[test]
    fn what_goes_in_comes_out(body in proptest::collection::vec(any::<u8>(), 0..2000), title in any::<Option<String>>()) {
        let page = FetchedPage { body: BodyRef::Inline(body), anchor_title: title, ..page() };
        prop_assert_eq!(decode::<FetchedPage>(&encode(&page)), Ok(page));
    }
}
