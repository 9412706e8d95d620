//! Files whose bits have flipped: no command panics or passes over them in silence, and the index is built anew.

use crate::common;

use std::path::{Path, PathBuf};
use std::process::Output;

use common::{Crawl, finish, gristmill, text};
use gristmill_index::{
    IndexConfig, IndexDocument, IndexError, IndexReader, IndexWriter, Positions, SearchQuery, check, salvage,
};
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};

const SMALL: IndexConfig = IndexConfig { heap_bytes: 15_000_000, max_text_bytes: 4 << 20 };

fn document(n: usize) -> IndexDocument {
    let words = ["stone", "water", "wheel", "grain", "flour", "miller", "石磨", "豆腐"];
    let text: Vec<String> =
        (0..120).map(|i| format!("{} {}", words[(n * 7 + i * i) % words.len()], (n * 31 + i) % 997)).collect();
    IndexDocument {
        key: format!("key{n}"),
        url: format!("https://example.org/{n}"),
        title: format!("Mill {n}"),
        text: text.join(" "),
        site: "example.org".into(),
        language: "en".into(),
        simhash: 0x1234_5678_9abc_def0 ^ n as u64,
        published: Some(n as i64),
        ..IndexDocument::default()
    }
}

/// An index of five segments, some of whose documents were replaced.
fn index(dir: &Path) {
    let mut writer = IndexWriter::open(dir, &SMALL).unwrap();
    for part in 0..5 {
        (0..40).for_each(|n| writer.upsert(&document(part * 30 + n)).unwrap());
        writer.commit(&Positions::new()).unwrap();
    }
    writer.close().unwrap();
}

const DOCUMENTS: u64 = 160;

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)
        } else {
            _ = std::fs::copy(entry.path(), target).unwrap()
        }
    }
}

fn flip(file: &Path, at: usize, bit: u8) {
    let mut bytes = std::fs::read(file).unwrap();
    bytes[at] ^= 1 << bit;
    std::fs::write(file, bytes).unwrap();
}

/// The files of an index with this ending, largest first.
fn files(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    found.sort_by_key(|path| (std::cmp::Reverse(path.metadata().unwrap().len()), path.clone()));
    found
}

fn run(data: &Path, arguments: &[&str]) -> Output {
    let mut command = gristmill();
    command.arg("--data").arg(data).args(arguments);
    let output = finish(command);
    let said = text(&output);
    assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {said}");
    for wrong in ["panicked", "RUST_BACKTRACE", "another process", "old an tantivy", "tantivy 0.15"] {
        assert!(!said.contains(wrong), "{arguments:?} says `{wrong}`: {said}");
    }
    output
}

/// Everything that reads an index; what fails must fail with an error.
fn read_all(dir: &Path) -> Result<(), IndexError> {
    let reader = IndexReader::open(dir)?;
    for text in ["stone", "\"water wheel\"", "site:example.org grain", "石磨豆腐", "published:[0 TO 9]"] {
        for collapse in [false, true] {
            let _ = reader.search(&SearchQuery { text: text.into(), limit: 50, collapse, ..SearchQuery::default() });
        }
    }
    if let Ok(Some(found)) = reader.get("key7") {
        let _ = reader.near_duplicates(&found, 10);
    }
    let _ = reader.get("https://example.org/9");
    reader.documents().for_each(drop);
    Ok(())
}

#[test]
fn a_flipped_bit_anywhere_in_an_index_makes_nothing_panic_and_is_found() {
    gristmill_index::install_panic_hook();
    let whole = tempfile::tempdir().unwrap();
    index(whole.path());
    assert!(check(whole.path()).unwrap().damaged.is_empty());
    let (mut flips, mut failed) = (0, 0);
    for ending in [".idx", ".term", ".pos", ".store", ".fast", ".fieldnorm", ".del"] {
        let file = files(whole.path(), ending)[0].file_name().unwrap().to_owned();
        let length = whole.path().join(&file).metadata().unwrap().len() as usize;
        let steps = if common::soak() { 24 } else { 6 };
        for step in 0..steps {
            let dir = tempfile::tempdir().unwrap();
            copy(whole.path(), dir.path());
            let (at, bit) = ((length - 1) * step / (steps - 1), (step % 8) as u8);
            flip(&dir.path().join(&file), at, bit);
            failed += u32::from(read_all(dir.path()).is_err());
            flips += 1;
            let found = check(dir.path()).unwrap().damaged;
            assert!(found.iter().any(|damaged| damaged.path.ends_with(&file)), "{file:?} at {at} of {length}");
            let told = IndexReader::open(dir.path()).map(drop).unwrap_err().to_string();
            assert!(told.contains(&*file.to_string_lossy()) && told.contains("reindex"), "{told}");
            let mut count = 0;
            let salvaged = salvage(dir.path(), |_| {
                count += 1;
                Ok(())
            })
            .unwrap();
            assert_eq!(salvaged.documents, count);
            if ending != ".store" && ending != ".del" {
                assert_eq!((salvaged.documents, salvaged.lost), (DOCUMENTS, 0), "{file:?} at {at}");
            }
        }
    }
    println!("{flips} flips, of which {failed} kept the index from opening");
}

#[test]
fn damaged_lists_of_files_are_told_as_such() {
    let whole = tempfile::tempdir().unwrap();
    index(&whole.path().join("index"));
    let list = whole.path().join("index/meta.json");
    let good = std::fs::read(&list).unwrap();
    std::fs::write(&list, &good[..good.len() / 2]).unwrap();
    for arguments in [&["search", "stone"][..], &["export"], &["check"]] {
        let output = run(whole.path(), arguments);
        let said = text(&output);
        assert!(
            output.status.code() == Some(1) && said.to_lowercase().contains("damaged") && said.contains("reindex"),
            "{said}"
        );
    }
    let digit = good.iter().rposition(u8::is_ascii_digit).unwrap();
    let mut other = good.clone();
    other[digit] ^= 1;
    std::fs::write(&list, other).unwrap();
    let output = run(whole.path(), &["search", "stone"]);
    assert!(output.status.code() == Some(1) && text(&output).contains("meta.json"), "{}", text(&output));
    std::fs::write(&list, good).unwrap();
    // Only a writer has need of this one.
    std::fs::write(whole.path().join("index/.managed.json"), "[").unwrap();
    assert!(run(whole.path(), &["search", "stone"]).status.success());
}

#[test]
fn an_export_goes_on_past_what_cannot_be_read_and_an_index_is_built_anew() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path();
    index(&data.join("index"));
    let sound = run(data, &["check"]);
    assert!(sound.status.success(), "{}", text(&sound));
    let export = data.join("all.jsonl");
    assert!(run(data, &["export", "--out", export.to_str().unwrap()]).status.success());
    let digest = IndexReader::open(&data.join("index")).unwrap().digest().unwrap();

    // Zeros in the middle of a block of documents cannot be unpacked.
    let store = &files(&data.join("index"), ".store")[0];
    let mut bytes = std::fs::read(store).unwrap();
    let middle = bytes.len() / 3;
    bytes[middle..middle + 64].fill(0);
    std::fs::write(store, bytes).unwrap();
    let output = run(data, &["export"]);
    let (kept, said) = (output.stdout.iter().filter(|byte| **byte == b'\n').count() as u64, text(&output));
    assert!(output.status.code() == Some(1) && kept > 100 && kept < DOCUMENTS, "{kept} documents");
    let lost = DOCUMENTS - kept;
    assert!(
        String::from_utf8_lossy(&output.stderr).contains(&format!("{lost} more documents cannot be read")),
        "{said}"
    );
    let output = run(data, &["check"]);
    let said = text(&output);
    assert!(output.status.code() == Some(1) && said.contains(store.file_name().unwrap().to_str().unwrap()), "{said}");

    let rebuilt = run(data, &["reindex"]);
    let said = text(&rebuilt);
    assert_eq!(rebuilt.status.code(), Some(1), "something is lost: {said}");
    assert!(said.contains(&format!("{lost} documents of the index that was there cannot be read")), "{said}");
    assert!(data.join("index.old").is_dir(), "what may be wanted stays");
    assert_eq!(IndexReader::open(&data.join("index")).unwrap().count(), kept);
    assert!(run(data, &["check"]).status.success());

    let rebuilt = run(data, &["reindex", "--from", export.to_str().unwrap()]);
    assert!(rebuilt.status.success(), "{}", text(&rebuilt));
    assert_eq!(IndexReader::open(&data.join("index")).unwrap().digest().unwrap(), digest, "the export has all of it");
}

#[test]
fn postings_that_cannot_be_read_lose_no_document() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path();
    index(&data.join("index"));
    let digest = IndexReader::open(&data.join("index")).unwrap().digest().unwrap();
    for ending in [".idx", ".pos", ".term", ".fast"] {
        for file in files(&data.join("index"), ending) {
            let length = file.metadata().unwrap().len() as usize;
            std::fs::write(&file, vec![0xab; length]).unwrap();
        }
    }
    let output = run(data, &["search", "stone"]);
    assert!(output.status.code() == Some(1) && text(&output).contains("gristmill reindex"), "{}", text(&output));
    let rebuilt = run(data, &["reindex"]);
    assert!(rebuilt.status.success(), "{}", text(&rebuilt));
    assert_eq!(IndexReader::open(&data.join("index")).unwrap().digest().unwrap(), digest);
    assert!(!data.join("index.old").exists(), "nothing of it is wanted");
}

#[test]
fn a_merge_that_panics_ends_the_writer_with_the_reason() {
    gristmill_index::install_panic_hook();
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(dir.path(), &SMALL).unwrap();
    for n in 0..7 {
        (0..20).for_each(|i| writer.upsert(&document(n * 20 + i)).unwrap());
        writer.commit(&Positions::new()).unwrap();
    }
    writer.close().unwrap();
    // Lengths of blocks that lead beyond the end of the file.
    for file in files(dir.path(), ".idx") {
        let mut bytes = std::fs::read(&file).unwrap();
        let body = bytes.len() - 130;
        bytes[body / 4..body / 2].fill(0xff);
        std::fs::write(&file, bytes).unwrap();
    }
    let outcome = IndexWriter::open(dir.path(), &SMALL).and_then(|mut writer| {
        for n in 7..12 {
            (0..20).for_each(|i| writer.upsert(&document(n * 20 + i)).unwrap());
            writer.commit(&Positions::new())?;
        }
        writer.close()
    });
    let error = outcome.unwrap_err();
    assert!(matches!(error, IndexError::Damaged { .. }), "{error:?}");
    assert!(error.to_string().contains("gristmill reindex"), "{error}");
}

#[test]
fn a_crawl_over_damaged_postings_ends_with_1_and_the_reason() {
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 4, n_pages: 60, ..TestSiteConfig::default() })).unwrap();
    // Few pages at a time and a commit for each: segments enough that merges begin, on a busy machine too.
    let settings =
        "[frontier.politeness]\nip_delay = \"0s\"\n[indexer]\ncommit_bytes = 1\n[fetcher]\nmax_waiting_pages = 1\n";
    let crawl = Crawl::of(&web, "0s", settings);
    let mut first = crawl.command();
    first.args(["--max-pages", "60"]);
    let first = finish(first);
    assert!(first.status.success(), "{}", text(&first));
    let index = crawl.data().join("index");
    for file in files(&index, ".idx").iter().chain(&files(&index, ".term")) {
        let length = file.metadata().unwrap().len() as usize;
        let mut bytes = std::fs::read(file).unwrap();
        bytes[length / 8..length / 2].fill(0xff);
        std::fs::write(file, bytes).unwrap();
    }
    let output = finish(crawl.command());
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("damaged") && said.contains("gristmill reindex") && !said.contains("panicked at"), "{said}");
}

#[test]
fn a_damaged_log_or_frontier_is_named_with_the_remedy_which_works() {
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 3, n_pages: 30, ..TestSiteConfig::default() })).unwrap();
    let crawl = Crawl::of(&web, "0s", "[frontier.politeness]\nip_delay = \"0s\"\n");
    crawl.run();
    let calm = crawl.documents();
    let sound = run(&crawl.data(), &["check"]);
    assert!(sound.status.success(), "{}", text(&sound));
    for store in ["log", "frontier"] {
        let journal = &files(&crawl.data().join(store), ".jnl")[0];
        let good = std::fs::read(journal).unwrap();
        let used = good.iter().rposition(|byte| *byte != 0).unwrap();
        flip(journal, used / 2, 3);
        let seed = web.site().seeds()[0].clone();
        for command in
            [crawl.command(), command(&crawl.data(), &["check"]), command(&crawl.data(), &["explain", &seed])]
        {
            let shown = format!("{command:?}");
            let output = finish(command);
            let said = text(&output);
            // A log whose end is cut off has all that `explain` asks.
            if !(store == "log" && shown.contains("explain")) {
                assert_eq!(output.status.code(), Some(1), "{shown} {said}");
                assert!(
                    said.to_lowercase().contains("damaged") && said.contains("gristmill reindex"),
                    "{shown} {said}"
                );
            }
            assert!(!said.contains("another") && !said.contains("panicked"), "{shown} {said}");
        }
        std::fs::write(journal, good).unwrap();
    }
    for store in ["log", "frontier"] {
        std::fs::remove_dir_all(crawl.data().join(store)).unwrap();
    }
    let rebuilt = run(&crawl.data(), &["reindex"]);
    assert!(rebuilt.status.success(), "{}", text(&rebuilt));
    crawl.run();
    assert_eq!(crawl.documents().0.len(), calm.0.len(), "every document stands once");
    assert!(crawl.documents().1.values().all(|count| *count == 1));
}

/// Writes what stands in the journals of a store into its tables, as happens by itself when there is more of it.
fn flush(store: &Path) {
    let database = fjall::Database::builder(store).open().unwrap();
    for name in database.list_keyspace_names() {
        database.keyspace(&name, fjall::KeyspaceCreateOptions::default).unwrap().rotate_memtable_and_wait().unwrap();
    }
}

/// All files in folders called `tables`, largest first.
fn tables(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        found.extend(if entry.ends_with("tables") { files(&entry, "") } else { tables(&entry) });
    }
    found.sort_by_key(|path| std::cmp::Reverse(path.metadata().unwrap().len()));
    found
}

#[test]
fn a_flipped_bit_in_any_table_of_log_or_frontier_is_found() {
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 3, n_pages: 30, ..TestSiteConfig::default() })).unwrap();
    let crawl = Crawl::of(&web, "0s", "[frontier.politeness]\nip_delay = \"0s\"\n");
    crawl.run();
    for store in ["log", "frontier"] {
        let folder = crawl.data().join(store);
        flush(&folder);
        let sound = run(&crawl.data(), &["check"]);
        assert!(sound.status.success(), "{}", text(&sound));
        let tables = tables(&folder);
        assert!(tables.len() > 1, "{store}: {tables:?}");
        // A store that does not even open names its folder.
        let mut named = 0;
        for table in &tables {
            let good = std::fs::read(table).unwrap();
            flip(table, good.len() / 3, 5);
            let output = run(&crawl.data(), &["check"]);
            let said = text(&output);
            named += u32::from(said.contains(table.to_str().unwrap()));
            assert!(output.status.code() == Some(1) && said.contains("DAMAGED"), "{table:?}: {said}");
            assert!(said.contains("gristmill reindex"), "{said}");
            std::fs::write(table, good).unwrap();
        }
        assert!(named > 0, "{store}");
    }
    crawl.run();
}

#[test]
fn a_flipped_bit_in_the_list_of_segments_is_found_where_the_list_can_still_be_read() {
    let whole = tempfile::tempdir().unwrap();
    index(&whole.path().join("index"));
    let list = whole.path().join("index/meta.json");
    let good = String::from_utf8(std::fs::read(&list).unwrap()).unwrap();
    let sound = run(whole.path(), &["check"]);
    assert!(sound.status.success(), "{}", text(&sound));
    // Another digit of a number is JSON as good as before.
    let at = good.find("\"max_doc\": ").unwrap() + "\"max_doc\": ".len();
    flip(&list, at, 0);
    let output = run(whole.path(), &["check"]);
    let said = text(&output);
    assert!(output.status.code() == Some(1) && said.contains("meta.json") && said.contains("reindex"), "{said}");
    // The list of an earlier version has no checksum, and is no damage.
    let (_, rest) = good.split_once('\n').unwrap();
    std::fs::write(&list, format!("{{\n{rest}")).unwrap();
    assert!(run(whole.path(), &["check"]).status.success());
}

#[test]
fn an_index_of_another_version_is_told_with_the_remedy_which_works() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path();
    index(&data.join("index"));
    let list = data.join("index/meta.json");
    let good = std::fs::read_to_string(&list).unwrap();
    let (_, rest) = good.split_once('\n').unwrap();
    let old = format!("{{\n{}", rest.replacen("\"simhash_version\"", "\"simhash_kind\"", 1));
    assert_ne!(old.len(), good.len());
    std::fs::write(&list, old).unwrap();
    for arguments in [&["search", "stone"][..], &["export"], &["crawl", "http://127.0.0.1:9/"]] {
        let output = run(data, arguments);
        let said = text(&output);
        assert!(output.status.code() == Some(1) && said.contains("gristmill reindex"), "{arguments:?}: {said}");
    }
    let rebuilt = run(data, &["reindex"]);
    assert!(rebuilt.status.success(), "{}", text(&rebuilt));
    assert!(run(data, &["check"]).status.success());
    let reader = IndexReader::open(&data.join("index")).unwrap();
    assert_eq!(reader.count(), DOCUMENTS);
    assert_eq!(reader.get("key7").unwrap().unwrap().title, "Mill 7");
    assert!(run(data, &["search", "stone"]).status.success());
}

fn command(data: &Path, arguments: &[&str]) -> std::process::Command {
    let mut command = gristmill();
    command.arg("--data").arg(data).args(arguments);
    command
}

#[test]
fn segment_files_of_a_run_that_never_committed_are_removed_at_the_start() {
    let (dir, crashed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut writer = IndexWriter::open(dir.path(), &SMALL).unwrap();
    writer.upsert(&document(0)).unwrap();
    writer.commit(&Positions::new()).unwrap();
    let committed = files(dir.path(), "").len();
    // More than the heap holds, so that segments are written without a commit.
    let mut n = 1;
    while files(dir.path(), ".store").len() < 3 {
        // Long words without forms: they fill the heap in few steps.
        let letter = |digit: char| digit.to_digit(16).and_then(|value| char::from_digit(value + 10, 36)).unwrap();
        let word = |at: usize| format!("{:z>150} ", format!("{at:x}").chars().map(letter).collect::<String>());
        let text: String = (0..20_000).map(|at| word(usize::wrapping_mul(n * 20_000 + at, 0x9e37_79b9))).collect();
        writer.upsert(&IndexDocument { text, language: String::new(), ..document(n) }).unwrap();
        n += 1;
        assert!(n < 2_000, "no segment is written");
    }
    // What a kill would leave.
    copy(dir.path(), crashed.path());
    assert!(files(crashed.path(), "").len() >= committed + 10);
    drop(writer);
    let writer = IndexWriter::open(crashed.path(), &SMALL).unwrap();
    let left = files(crashed.path(), "");
    assert!(left.len() <= committed + 1, "{left:?}");
    drop(writer);
    assert_eq!(IndexReader::open(crashed.path()).unwrap().count(), 1);
}
