//! The writer: one document a key, positions with every commit, one writer a directory, nothing half done.

use gristmill_index::{
    IndexConfig, IndexDocument, IndexError, IndexReader, IndexWriter, Positions, ProductAttribute, SearchQuery,
};

fn config() -> IndexConfig {
    IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() }
}

fn document(key: &str, title: &str) -> IndexDocument {
    let url = format!("https://example.org/{key}");
    IndexDocument {
        key: key.into(),
        url,
        title: title.into(),
        text: format!("Text of {title}."),
        ..IndexDocument::default()
    }
}

fn at(next: u64) -> Positions {
    Positions::from([(("documents".into(), 0), next)])
}

#[test]
fn six_upserts_of_one_key_leave_the_last_one() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    for n in 0..3 {
        writer.upsert(&document("a", &format!("version {n}"))).unwrap();
    }
    writer.commit(&at(3)).unwrap();
    for n in 3..6 {
        writer.upsert(&document("a", &format!("version {n}"))).unwrap();
    }
    writer.commit(&at(6)).unwrap();
    let reader = IndexReader::open(dir.path()).unwrap();
    assert_eq!(reader.count(), 1);
    let query = SearchQuery { text: "version".into(), ..SearchQuery::default() };
    assert_eq!(reader.search(&query).unwrap().total, 1);
    assert_eq!(reader.get("a").unwrap().unwrap().title, "version 5");
}

#[test]
fn a_writer_may_be_closed_while_merges_that_it_has_looked_at_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    for part in 0..12 {
        for n in 0..20 {
            let text: String =
                (0..400).map(|i| format!("w{} ", (part * 7919 + n * 104_729 + i * i) % 50_000)).collect();
            writer.upsert(&IndexDocument { text, ..document(&format!("{part}-{n}"), "A mill") }).unwrap();
        }
        // Each commit looks at the merges that the one before it has started.
        writer.commit(&at(part)).unwrap();
        writer.commit(&at(part)).unwrap();
    }
    writer.close().unwrap();
    assert_eq!(IndexReader::open(dir.path()).unwrap().count(), 240);
}

#[test]
fn a_document_comes_back_as_it_went_in_by_key_and_by_url() {
    let dir = tempfile::tempdir().unwrap();
    let full = IndexDocument {
        site: "example.org".into(),
        host: "www.example.org".into(),
        author: "张三, A. Author".into(),
        published: Some(-5),
        published_text: "long ago".into(),
        language: "zh".into(),
        kind: gristmill_index::DocumentKind::Product,
        attributes: vec![
            ProductAttribute {
                source: "table".into(),
                confidence: 0.5,
                record: 1,
                ..ProductAttribute::new("Color", "red")
            },
            ProductAttribute::new("Color", "blue"),
            ProductAttribute::new("", "x"),
        ],
        description: "d".into(),
        image: "https://example.org/i.png".into(),
        canonical: "https://example.org/c".into(),
        fetched_at: 1_700_000_000,
        simhash: u64::MAX,
        method: "twcem".into(),
        confidence: 0.5,
        ..document("0123", "标题 title")
    };
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    writer.upsert(&full).unwrap();
    writer.upsert(&document("bare", "")).unwrap();
    writer.commit(&at(1)).unwrap();
    let reader = IndexReader::open(dir.path()).unwrap();
    assert_eq!(reader.get("0123").unwrap(), Some(full.clone()));
    let other_spelling = full.url.replacen("://", "://reader@", 1) + "#part";
    assert_eq!(reader.get(&other_spelling).unwrap(), Some(full.clone()));
    assert_eq!(reader.get(&full.url).unwrap(), Some(full));
    assert_eq!(reader.get("bare").unwrap(), Some(document("bare", "")));
    assert_eq!(reader.get("absent").unwrap(), None);
}

#[test]
fn a_later_capture_is_known_before_and_after_its_commit_and_after_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    assert!(!writer.has_later("a", 0).unwrap());
    let fetched = |key: &str, fetched_at| IndexDocument { fetched_at, ..document(key, "A mill") };
    writer.upsert(&fetched("a", 50)).unwrap();
    writer.upsert(&fetched("b", 90)).unwrap();
    for n in 0..3 {
        let judge = |writer: &mut IndexWriter| [49, 50, 51].map(|at| writer.has_later("a", at).unwrap());
        assert_eq!(judge(&mut writer), [true, false, false], "{n}");
        assert!(!writer.has_later("c", 10).unwrap());
        writer.commit(&at(n)).unwrap();
        if n == 1 {
            writer.close().unwrap();
            writer = IndexWriter::open(dir.path(), &config()).unwrap();
        }
    }
    // An older one may be written all the same, and what was removed is forgotten.
    writer.upsert(&fetched("a", 20)).unwrap();
    writer.commit(&at(4)).unwrap();
    assert!(!writer.has_later("a", 20).unwrap() && writer.has_later("a", 19).unwrap());
    writer.remove("a").unwrap();
    assert!(!writer.has_later("a", 0).unwrap());
    writer.commit(&at(5)).unwrap();
    assert!(!writer.has_later("a", 0).unwrap());
}

#[test]
fn removal_takes_a_document_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    writer.upsert(&document("a", "one")).unwrap();
    writer.upsert(&document("b", "two")).unwrap();
    writer.remove("a").unwrap();
    writer.remove("never there").unwrap();
    assert_eq!(writer.pending(), 4);
    writer.commit(&at(4)).unwrap();
    assert_eq!(writer.pending(), 0);
    let reader = IndexReader::open(dir.path()).unwrap();
    let keys: Vec<_> = reader.documents().map(|document| document.unwrap().key).collect();
    assert_eq!(keys, ["b"]);
}

#[test]
fn positions_are_those_of_the_last_commit_after_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let two = Positions::from([(("documents".into(), 0), 10), (("documents".into(), 7), 3)]);
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    assert!(writer.positions().is_empty());
    writer.commit(&at(5)).unwrap();
    writer.upsert(&document("a", "one")).unwrap();
    writer.commit(&two).unwrap();
    drop(writer);
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    assert_eq!(writer.positions(), &two);
    writer.commit(&two).unwrap();
    writer.close().unwrap();
    assert_eq!(IndexReader::open(dir.path()).unwrap().positions().unwrap(), two);
}

#[test]
fn dropping_a_writer_loses_only_what_was_not_committed() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    writer.upsert(&document("a", "kept")).unwrap();
    writer.commit(&at(1)).unwrap();
    writer.upsert(&document("a", "lost")).unwrap();
    writer.upsert(&document("b", "lost too")).unwrap();
    drop(writer);
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    assert_eq!(writer.positions(), &at(1));
    let reader = IndexReader::open(dir.path()).unwrap();
    assert_eq!((reader.count(), reader.get("a").unwrap().unwrap().title.as_str()), (1, "kept"));
    writer.upsert(&document("b", "again")).unwrap();
    writer.commit(&at(2)).unwrap();
    assert_eq!(reader.count(), 1, "a reader stays at its commit");
    reader.reload().unwrap();
    assert_eq!(reader.count(), 2);
}

#[test]
fn a_second_writer_is_told_which_directory_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let _first = IndexWriter::open(dir.path(), &config()).unwrap();
    let error = IndexWriter::open(dir.path(), &config()).err().unwrap();
    assert!(matches!(error, IndexError::Locked { .. }), "{error:?}");
    assert!(error.to_string().contains(dir.path().to_str().unwrap()), "{error}");
}

#[test]
fn a_directory_without_an_index_is_missing_and_a_file_is_no_directory() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(IndexReader::open(dir.path()), Err(IndexError::Missing { .. })));
    let file = dir.path().join("file");
    std::fs::write(&file, "x").unwrap();
    assert!(matches!(IndexWriter::open(&file, &config()), Err(IndexError::Directory { .. })));
}

#[test]
fn unusable_keys_and_settings_are_refused_and_the_writer_lives_on() {
    let dir = tempfile::tempdir().unwrap();
    let tiny = IndexConfig { heap_bytes: 1, ..config() };
    let error = IndexWriter::open(dir.path(), &tiny).err().unwrap();
    assert!(error.to_string().contains("`index.heap_bytes`"), "{error}");
    let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
    assert!(matches!(writer.upsert(&document("", "x")), Err(IndexError::Key { .. })));
    assert!(matches!(writer.remove(&"k".repeat(300)), Err(IndexError::Key { .. })));
    assert!(!writer.is_dead());
    writer.upsert(&document("a", "x")).unwrap();
    writer.commit(&at(1)).unwrap();
}

#[test]
fn overlong_and_odd_texts_are_indexed_up_to_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(dir.path(), &IndexConfig { max_text_bytes: 1000, ..config() }).unwrap();
    let text = format!("first {} last", "漢".repeat(5000));
    writer.upsert(&IndexDocument { text, url: "u".repeat(100_000), ..document("a", "\0\u{202e}") }).unwrap();
    let attributes = vec![
        ProductAttribute { number: Some(f64::NAN), ..ProductAttribute::new("a.b\0c", "v".repeat(200_000)) },
        ProductAttribute { number: Some(f64::MAX), ..ProductAttribute::new("日期", "2024-01-01T00:00:00Z") },
    ];
    writer.upsert(&IndexDocument { attributes, ..document("b", "\u{fffd}") }).unwrap();
    writer.commit(&at(2)).unwrap();
    let reader = IndexReader::open(dir.path()).unwrap();
    assert_eq!(reader.count(), 2);
    let text = reader.get("a").unwrap().unwrap().text;
    assert!(text.len() <= 1000 && text.starts_with("first 漢"));
}

#[test]
fn the_digest_depends_on_the_documents_alone() {
    let digest = |order: &[usize], commit_each: bool| {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = IndexWriter::open(dir.path(), &config()).unwrap();
        for (fetched_at, &n) in order.iter().enumerate() {
            let fetched_at = fetched_at as i64;
            writer.upsert(&IndexDocument { fetched_at, ..document(&format!("k{n}"), &format!("title {n}")) }).unwrap();
            if commit_each {
                writer.commit(&at(n as u64)).unwrap();
            }
        }
        writer.commit(&at(9)).unwrap();
        IndexReader::open(dir.path()).unwrap().digest().unwrap()
    };
    let expected = digest(&[0, 1, 2, 3], false);
    assert_eq!(digest(&[3, 1, 0, 2, 1], true), expected);
    assert_ne!(digest(&[0, 1, 2], false), expected);
}
