//! Histories go with their pages: through commits, within a batch, into a new index; and they can be searched.

use gristmill_index::{
    CaptureChange, DocumentKind, IndexConfig, IndexDocument, IndexReader, IndexWriter, Positions, ProductAttribute,
    SearchQuery, Sort, parse_period, salvage,
};

fn open(dir: &std::path::Path) -> IndexWriter {
    IndexWriter::open(dir, &IndexConfig { heap_bytes: 15_000_000, max_text_bytes: 100 }).unwrap()
}

fn page(key: &str, kind: DocumentKind, text: &str) -> IndexDocument {
    IndexDocument { key: key.into(), kind, title: "Mill".into(), text: text.into(), ..IndexDocument::default() }
}

fn product(key: &str, price: f64) -> IndexDocument {
    let price = ProductAttribute {
        canonical: "price".into(),
        number: Some(price),
        unit: "EUR".into(),
        ..ProductAttribute::new("Price", "some")
    };
    IndexDocument { attributes: vec![price], ..page(key, DocumentKind::Product, "A mill of granite.") }
}

/// Takes in a capture made at this second.
fn take(writer: &mut IndexWriter, second: u64, document: &IndexDocument) -> CaptureChange {
    let mut document = IndexDocument { fetched_at: second as i64, ..document.clone() };
    let (_, change) = writer.carry_history(&mut document, second * 1000, 0).unwrap();
    writer.upsert(&document).unwrap();
    change
}

/// Takes in captures of one product: second and price.
fn take_prices(writer: &mut IndexWriter, captures: &[(u64, f64)]) {
    for (second, price) in captures {
        take(writer, *second, &product("a", *price));
    }
}

fn commit(writer: &mut IndexWriter) {
    writer.commit(&Positions::new()).unwrap();
}

fn times(document: &IndexDocument) -> Vec<u64> {
    document.history.offers.iter().map(|offer| offer.at / 1000).collect()
}

#[test]
fn a_history_goes_on_over_commits_within_a_batch_and_over_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open(dir.path());
    assert_eq!(take(&mut writer, 1, &product("a", 20.0)), CaptureChange::First);
    assert_eq!(take(&mut writer, 2, &product("a", 15.0)), CaptureChange::Offer, "one that waits for its commit");
    commit(&mut writer);
    assert_eq!(take(&mut writer, 3, &product("a", 12.0)), CaptureChange::Offer, "one that is committed");
    commit(&mut writer);
    drop(writer);
    let mut writer = open(dir.path());
    assert_eq!(take(&mut writer, 3, &product("a", 12.0)), CaptureChange::None, "the same once more");
    assert_eq!(take(&mut writer, 4, &product("a", 10.0)), CaptureChange::Offer);
    commit(&mut writer);
    let document = IndexReader::open(dir.path()).unwrap().get("a").unwrap().unwrap();
    assert_eq!((times(&document), document.history.first_seen), (vec![1, 2, 3, 4], 1000));
}

#[test]
fn what_was_not_committed_comes_out_the_same_when_it_comes_again() {
    let captures = [(1, 20.0), (2, 15.0), (3, 15.0), (4, 18.0)];
    let calm = tempfile::tempdir().unwrap();
    let mut writer = open(calm.path());
    take_prices(&mut writer, &captures);
    commit(&mut writer);
    let calm = IndexReader::open(calm.path()).unwrap().get("a").unwrap().unwrap();
    for killed_at in 1..=captures.len() {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = open(dir.path());
        take_prices(&mut writer, &captures[..1]);
        commit(&mut writer);
        take_prices(&mut writer, &captures[1..killed_at]);
        drop(writer);
        let mut writer = open(dir.path());
        take_prices(&mut writer, &captures[1..]);
        commit(&mut writer);
        assert_eq!(IndexReader::open(dir.path()).unwrap().get("a").unwrap().unwrap(), calm, "{killed_at}");
    }
}

#[test]
fn a_removed_page_begins_anew_and_others_keep_theirs() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open(dir.path());
    take(&mut writer, 1, &product("a", 20.0));
    take(&mut writer, 1, &product("b", 20.0));
    commit(&mut writer);
    writer.remove("a").unwrap();
    assert_eq!(writer.stored("a").unwrap(), None);
    assert_eq!(take(&mut writer, 2, &product("a", 15.0)), CaptureChange::First);
    assert_eq!(take(&mut writer, 2, &product("b", 15.0)), CaptureChange::Offer);
    commit(&mut writer);
    assert_eq!(writer.stored("b").unwrap().map(|document| times(&document)), Some(vec![1, 2]));
    assert_eq!(writer.stored("c").unwrap(), None);
}

#[test]
fn a_text_longer_than_the_index_takes_is_no_edit() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open(dir.path());
    let long = page("a", DocumentKind::Article, &"word ".repeat(50));
    for second in 1..4 {
        let change = take(&mut writer, second, &long);
        assert_eq!(change, if second == 1 { CaptureChange::First } else { CaptureChange::None });
        if second == 2 {
            commit(&mut writer);
        }
    }
}

#[test]
fn a_new_index_takes_histories_over() {
    let dir = tempfile::tempdir().unwrap();
    let (old, new) = (dir.path().join("old"), dir.path().join("new"));
    let mut writer = open(&old);
    take_prices(&mut writer, &[(1, 20.0), (2, 15.0)]);
    commit(&mut writer);
    let mut writer = open(&new);
    salvage(&old, |document| writer.upsert(&document)).unwrap();
    // The log holds the last capture still, and one more.
    assert_eq!(take(&mut writer, 2, &product("a", 15.0)), CaptureChange::None);
    assert_eq!(take(&mut writer, 3, &product("a", 14.0)), CaptureChange::Offer);
    commit(&mut writer);
    assert_eq!(
        IndexReader::open(&new).unwrap().get("a").unwrap().map(|document| times(&document)),
        Some(vec![1, 2, 3])
    );
}

#[test]
fn pages_are_found_by_what_changed_and_when() {
    let noon = parse_period("2026-11-26T12:00").unwrap().start as u64;
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open(dir.path());
    let article = |text: &str| page("text", DocumentKind::Article, text);
    for (second, document) in [
        (noon - 90_000, product("half", 20.0)),
        (noon - 90_000, product("tenth", 20.0)),
        (noon - 90_000, product("dearer", 20.0)),
        (noon - 90_000, product("same", 20.0)),
        (noon - 90_000, article("The mill grinds.")),
        (noon - 86_400, product("half", 10.0)),
        (noon - 60, product("tenth", 18.0)),
        (noon - 30, product("dearer", 21.0)),
        (noon, product("same", 20.0)),
        (noon, article("The mill grinds rye.")),
    ] {
        take(&mut writer, second, &document);
    }
    commit(&mut writer);
    let reader = IndexReader::open(dir.path()).unwrap();
    let search = |text: &str, sort| {
        let query = SearchQuery { text: text.into(), now: Some(noon as i64), sort, ..SearchQuery::default() };
        let results = reader.search(&query).unwrap();
        let keys: Vec<String> = results.hits.into_iter().map(|hit| hit.key).collect();
        (keys, results.warnings)
    };
    for (text, expected) in [
        ("price_dropped:[10 TO *]", "half tenth"),
        ("price_dropped:>10", "half"),
        ("price_dropped:10", "half tenth"),
        ("price_dropped:*", "half tenth"),
        ("price_dropped:<0", "dearer"),
        ("price_dropped:[* TO 20]", "dearer tenth"),
        ("price_dropped:[* TO *]", "dearer half tenth"),
        ("changed:today", "dearer tenth text"),
        ("changed:yesterday", "half"),
        ("changed:[2026-11-26T11:59:30 TO *]", "dearer text"),
        ("changed:*", "dearer half tenth text"),
        ("-changed:*", "same"),
        ("changed:today price_dropped:*", "tenth"),
        ("changed:2025", ""),
    ] {
        let (mut keys, warnings) = search(text, Sort::Score);
        keys.sort();
        assert_eq!((keys.join(" ").as_str(), warnings), (expected, vec![]), "{text}");
    }
    assert_eq!(search("mill", Sort::Updated).0, ["text", "dearer", "tenth", "half", "same"]);
    let (_, warnings) = search("price_dropped:much", Sort::Score);
    assert!(warnings.iter().any(|warning| warning.contains("price_dropped:[10 TO 20]")), "{warnings:?}");
    let (_, warnings) = search("changed:lately", Sort::Score);
    assert!(warnings.iter().any(|warning| warning.contains("`lately`")), "{warnings:?}");
}
