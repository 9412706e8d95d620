//! Histories are bounded, ordered, and the same however often captures come.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::document::ProductAttribute;

fn product(price: Option<f64>, availability: &str) -> IndexDocument {
    let fact =
        |name: &str, value: &str| ProductAttribute { canonical: name.into(), ..ProductAttribute::new(name, value) };
    let mut attributes = vec![fact("availability", availability)];
    attributes.extend(price.map(|price| ProductAttribute {
        number: Some(price),
        unit: "EUR".into(),
        ..fact("price", "some")
    }));
    IndexDocument { kind: DocumentKind::Product, title: "Mill".into(), attributes, ..IndexDocument::default() }
}

fn article(text: &str) -> IndexDocument {
    IndexDocument { title: "Storm".into(), text: text.into(), ..IndexDocument::default() }
}

/// The fold: what the index holds after these captures.
fn fold(captures: &[(u64, IndexDocument)], keep_versions: usize) -> IndexDocument {
    let mut stored: Option<IndexDocument> = None;
    for (at, capture) in captures {
        let mut now = capture.clone();
        carry_on(stored.as_ref(), &mut now, *at, keep_versions);
        stored = Some(now);
    }
    stored.unwrap_or_default()
}

#[test]
fn an_offer_is_noted_when_it_is_first_seen_and_when_something_of_it_changes() {
    let captures = [
        (1, product(Some(20.0), "InStock")),
        (2, product(Some(20.0), "InStock")),
        (3, product(Some(15.0), "InStock")),
        (4, product(Some(15.0), "OutOfStock")),
        (5, product(Some(15.0), "OutOfStock")),
    ];
    let history = fold(&captures, 0).history;
    let offers: Vec<_> =
        history.offers.iter().map(|offer| (offer.at, offer.price, offer.availability.as_str())).collect();
    assert_eq!(offers, [(1, Some(20.0), "InStock"), (3, Some(15.0), "InStock"), (4, Some(15.0), "OutOfStock")]);
    assert_eq!((history.first_seen, history.changed(), history.price_drop()), (1, Some(4), Some(25.0)));
    assert_eq!(fold(&captures[..2], 0).history.changed(), None);
}

#[test]
fn a_drop_is_told_from_the_price_before_in_the_same_currency() {
    let drop = |prices: &[(Option<f64>, &str)]| {
        let offer = |(price, currency): &(Option<f64>, &str)| PastOffer {
            price: *price,
            currency: (*currency).into(),
            ..PastOffer::default()
        };
        History { offers: prices.iter().map(offer).collect(), ..History::default() }.price_drop()
    };
    assert_eq!(drop(&[(Some(20.0), "EUR"), (None, ""), (Some(10.0), "EUR")]), Some(50.0));
    assert_eq!(drop(&[(Some(20.0), "EUR"), (Some(10.0), "EUR"), (Some(10.0), "EUR")]), Some(50.0));
    assert_eq!(drop(&[(Some(10.0), "EUR"), (Some(15.0), "EUR"), (None, "")]), Some(-50.0));
    assert_eq!(drop(&[(Some(20.0), "EUR"), (Some(10.0), "USD")]), None);
    assert_eq!(drop(&[(Some(0.0), "EUR"), (Some(10.0), "EUR")]), None);
    assert_eq!((drop(&[(Some(20.0), "EUR")]), drop(&[])), (None, None));
}

#[test]
fn an_edit_has_its_size_and_a_text_that_moves_is_none() {
    let captures = [
        (1, article("The storm hits the coast.\nMore tomorrow.")),
        (2, article("More tomorrow.\n\nThe storm hits the coast!")),
        (3, article("The storm hits the coast and the town.\nMore tomorrow.")),
        (
            4,
            IndexDocument {
                title: "Storm over".into(),
                ..article("The storm hits the coast and the town.\nMore tomorrow.")
            },
        ),
    ];
    let history = fold(&captures, 0).history;
    let edits: Vec<_> = history.edits.iter().map(|edit| (edit.at, edit.words_added, edit.words_removed)).collect();
    assert_eq!(edits, [(3, 3, 0), (4, 0, 0)]);
    assert_eq!(history.edits[1].title_before.as_deref(), Some("Storm"));
    assert_eq!((history.edits[0].text_before.as_deref(), history.changed()), (None, Some(4)));
    assert_eq!(words_changed("暴风雨来了", "暴风雪来了"), (1, 1));
}

#[test]
fn the_texts_before_the_newest_edits_stay_as_many_as_are_asked_for() {
    let captures: Vec<_> = ["one", "two", "three", "four"].into_iter().map(article).collect();
    let captures: Vec<_> = (1..).zip(captures).collect();
    let texts = |keep| {
        let history = fold(&captures, keep).history;
        history.edits.into_iter().map(|edit| edit.text_before).collect::<Vec<_>>()
    };
    assert_eq!(texts(0), [None, None, None]);
    assert_eq!(texts(2), [None, Some("two".to_owned()), Some("three".to_owned())]);
    assert_eq!(texts(9)[0].as_deref(), Some("one"));
}

#[test]
fn a_listing_changes_all_day_and_has_no_edits() {
    let listing = |text: &str| IndexDocument { kind: DocumentKind::Listing, ..article(text) };
    let history = fold(&[(1, listing("a")), (2, listing("b"))], 3).history;
    assert_eq!((history.first_seen, history.edits.len(), history.changed()), (1, 0, None));
}

#[test]
fn a_document_of_an_index_without_histories_begins_one() {
    let old = IndexDocument { fetched_at: 7, ..product(Some(20.0), "InStock") };
    let mut now = product(Some(10.0), "InStock");
    assert_eq!(carry_on(Some(&old), &mut now, 9_000, 0), CaptureChange::Offer);
    let times: Vec<u64> = now.history.offers.iter().map(|offer| offer.at).collect();
    assert_eq!((now.history.first_seen, times, now.history.price_drop()), (7_000, vec![7_000, 9_000], Some(50.0)));
}

#[test]
fn a_history_comes_back_from_json_as_it_went() {
    let captures = [(1_250, article("one")), (2_000, article("two")), (3_000, product(Some(1.5), ""))];
    let history = fold(&captures, 1).history;
    let json = serde_json::to_string(&history).unwrap();
    assert!(json.contains(r#""first_seen":"1970-01-01T00:00:01.25Z""#), "{json}");
    assert_eq!(serde_json::from_str::<History>(&json).unwrap(), history);
}

#[test]
fn a_history_holds_the_newest_entries() {
    let n = MAX_HISTORY as u64 + 5;
    let offers: Vec<_> = (1..=n).map(|at| (at, product(Some(at as f64), "InStock"))).collect();
    let history = fold(&offers, 0).history;
    assert_eq!((history.offers.len(), history.offers[0].at, history.first_seen), (MAX_HISTORY, 6, 1));
    let edits: Vec<_> = (1..=n).map(|at| (at, article(&at.to_string()))).collect();
    let history = fold(&edits, 0).history;
    assert_eq!((history.edits.len(), history.edits[0].at, history.changed()), (MAX_HISTORY, 6, Some(n)));
}

fn capture() -> impl Strategy<Value = IndexDocument> {
    let offer = (proptest::option::of(0u32..3), 0usize..2);
    let offer = offer.prop_map(|(price, stock)| product(price.map(f64::from), ["InStock", "OutOfStock"][stock]));
    prop_oneof![offer, "[ab] [ab]( c)?".prop_map(|text| article(&text))]
}

proptest! {
    #[test]
    fn captures_that_come_again_change_nothing(captures in vec(capture(), 1..12), again in any::<proptest::sample::Index>()) {
        let captures: Vec<_> = (1u64..).zip(captures).collect();
        let once = fold(&captures, 2);
        // From some capture on everything is delivered twice; the index passes over what is older than what it has.
        let last = captures.last().unwrap().clone();
        let twice = fold(&[&captures[..], &[last.clone(), last]].concat(), 2);
        prop_assert_eq!(&once.history, &twice.history);
        let at = again.index(captures.len());
        let repeated: Vec<_> = captures.iter().enumerate()
            .flat_map(|(n, capture)| vec![capture.clone(); if n == at { 3 } else { 1 }]).collect();
        prop_assert_eq!(&once.history, &fold(&repeated, 2).history);
        // A kill in between: what was folded before goes on from what is stored.
        let mut stored = fold(&captures[..=at], 2);
        for (time, capture) in &captures[at..] {
            let mut now = capture.clone();
            carry_on(Some(&stored), &mut now, *time, 2);
            stored = now;
        }
        prop_assert_eq!(&once.history, &stored.history);
    }

    #[test]
    fn entries_are_in_order_and_neighbours_differ(captures in vec(capture(), 1..12)) {
        let captures: Vec<_> = (1u64..).zip(captures).collect();
        let history = fold(&captures, 0).history;
        prop_assert!(history.offers.windows(2).all(|pair| pair[0].at < pair[1].at && !pair[0].is_same(&pair[1])));
        prop_assert!(history.edits.windows(2).all(|pair| pair[0].at < pair[1].at));
        prop_assert_eq!(history.first_seen, 1);
    }
}
