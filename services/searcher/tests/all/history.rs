//! What changed on a page, as the API and the page of its document show it.

use crate::support;

use gristmill_index::{DocumentKind, Edit, History, IndexDocument, PastOffer};
use serde_json::json;
use support::{Server, page};

fn offer(at: u64, price: Option<f64>, title: &str) -> PastOffer {
    PastOffer { at, price, currency: "EUR".into(), availability: "InStock".into(), title: title.into() }
}

fn shop(offers: Vec<PastOffer>) -> IndexDocument {
    let history = History { first_seen: 1_704_067_200_000, offers, edits: Vec::new() };
    IndexDocument { kind: DocumentKind::Product, history, ..page("mill", "Hand mill", "A small mill for grain.") }
}

#[test]
fn a_price_is_drawn_and_listed_with_the_times_of_its_changes() {
    let day = |n: u64| 1_704_067_200_000 + n * 86_400_000;
    let offers = vec![
        offer(day(0), Some(20.0), "Hand <mill>"),
        offer(day(1), Some(15.5), "Hand <mill>"),
        offer(day(2), None, "Hand mill"),
        offer(day(3), Some(18.0), "Hand mill"),
    ];
    let document = IndexDocument { fetched_at: (day(4) / 1000) as i64, ..shop(offers) };
    let server = Server::start(&[document]);
    let body = server.get("/document/mill").2;
    // A step down, a gap, and a step back up; the line goes on to the last visit.
    let path = body.split("<path d=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(path, "M6.0 6.0H153.0V154.0H300.0M447.0 71.8H594.0");
    assert!(body.contains("Prices from 15.50 to 20 EUR, 2024-01-01 to 2024-01-05"), "{body}");
    assert!(body.contains("<tr><td>2024-01-02</td><td>15.50 EUR</td><td>InStock</td>"), "{body}");
    assert!(body.contains("<dt>Last changed</dt><dd dir=\"auto\">2024-01-04</dd>"), "{body}");
    assert!(!body.contains("<mill>") && !body.contains("NaN"), "{body}");
    let said = server.json("/api/v1/document/mill");
    assert_eq!(said["history"]["first_seen"], "2024-01-01T00:00:00Z");
    let second = json!({
        "at": "2024-01-02T00:00:00Z", "price": 15.5, "currency": "EUR", "availability": "InStock", "title": "Hand <mill>",
    });
    assert_eq!((&said["history"]["offers"][1], &said["history"]["edits"]), (&second, &json!([])));
}

#[test]
fn one_offer_is_no_change_and_odd_ones_are_drawn_all_the_same() {
    let now = 1_704_067_200_000;
    let hostile = [f64::MAX, -1.0, 1e-300, 0.0].map(|price| offer(now, Some(price), "\u{202e}\"><script>")).to_vec();
    for (offers, is_shown) in [
        (vec![offer(now, Some(20.0), "Mill")], false),
        (vec![offer(now, Some(20.0), "Mill"), offer(now + 1, Some(20.0), "A mill")], true),
        (vec![offer(now, None, "Mill"), offer(now + 1, None, "A mill")], true),
        (hostile, true),
    ] {
        let body = Server::start(&[shop(offers)]).get("/document/mill").2;
        assert_eq!(body.contains("Price over time"), is_shown, "{body}");
        assert!(!body.contains("NaN") && !body.contains("inf") && !body.contains("<script"), "{body}");
    }
}

#[test]
fn edits_are_listed_newest_first_with_the_text_before_where_it_was_kept() {
    let edit = |at, words_added| Edit { at, words_added, words_removed: 1, ..Edit::default() };
    let last =
        Edit { title_before: Some("Old & new".into()), text_before: Some("It was <so>.".into()), ..edit(2000, 7) };
    let history = History { first_seen: 1000, offers: Vec::new(), edits: vec![edit(1500, 3), last] };
    let server = Server::start(&[IndexDocument { history, ..page("story", "New", "It is so.") }]);
    let body = server.get("/document/story").2;
    let (newest, oldest) = (body.find("7 words came, 1 went"), body.find("3 words came, 1 went"));
    assert!(newest.is_some() && newest < oldest, "{body}");
    assert!(body.contains("Old &amp; new") && body.contains("It was &lt;so&gt;."), "{body}");
    assert_eq!(server.json("/api/v1/document/story")["history"]["edits"][1]["text_before"], "It was <so>.");
}
