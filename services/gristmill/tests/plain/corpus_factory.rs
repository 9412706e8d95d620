//! From an index to a corpus for training: duplicates, rules of quality, personal data, lists, test sets, tokens.

use crate::common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use common::{finish, gristmill, text};
use gristmill_index::{IndexConfig, IndexDocument, IndexWriter, Positions};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Sentences that look like none of another number.
fn prose(seed: u64, sentences: u64) -> String {
    const WORDS: [&str; 24] = [
        "mill", "river", "rye", "wheat", "baker", "town", "winter", "stone", "wheel", "water", "sack", "flour",
        "night", "field", "harvest", "bread", "oven", "salt", "road", "cart", "horse", "farmer", "market", "price",
    ];
    let word = |at: u64| {
        let mixed = (seed << 32 | at).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        format!("{}{}", WORDS[(mixed >> 40) as usize % 24], (mixed >> 20) % 40)
    };
    let sentence = |n: u64| {
        let words: Vec<String> = (0..9).map(|at| word(n * 9 + at)).collect();
        format!("The {} and the {} of {}.", words[..4].join(" "), words[4..7].join(" "), words[7..].join(" "))
    };
    (0..sentences).map(sentence).collect::<Vec<_>>().join("\n")
}

fn document(n: u64, text: String) -> IndexDocument {
    IndexDocument {
        key: format!("{:032x}", u128::from(n) * 0x9e37_79b9_7f4a_7c15_f39c_0c5f_u128),
        url: format!("https://site{}.example/{n}", n % 7),
        site: format!("site{}.example", n % 7),
        host: format!("site{}.example", n % 7),
        language: "en".into(),
        fetched_at: 1_760_000_000 + n as i64,
        method: "best/1".into(),
        text,
        ..IndexDocument::default()
    }
}

fn write(data: &Path, documents: &[IndexDocument]) {
    let mut writer = IndexWriter::open(&data.join("index"), &IndexConfig::default()).unwrap();
    documents.iter().for_each(|document| writer.upsert(document).unwrap());
    writer.commit(&Positions::new()).unwrap();
    writer.close().unwrap();
}

fn corpus(texts: impl IntoIterator<Item = String>) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &(0..).zip(texts).map(|(n, text)| document(n, text)).collect::<Vec<_>>());
    dir
}

fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = gristmill();
    command.current_dir(data).arg("--data").arg(data).args(["export", "--format", "jsonl"]).args(arguments);
    command
}

fn export(data: &Path, arguments: &[&str]) -> String {
    let output = finish(command(data, arguments));
    assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    String::from_utf8(output.stderr).unwrap()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows of a dataset, by the number in their addresses.
fn rows(out: &Path) -> Vec<(u64, Value)> {
    let mut files: Vec<_> = std::fs::read_dir(out.join("data")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let number = |row: &Value| row["url"].as_str().unwrap().rsplit('/').next().unwrap().parse().unwrap();
    files.iter().flat_map(|file| lines(file)).map(|row| (number(&row), row)).collect()
}

fn numbers(out: &Path) -> BTreeSet<u64> {
    rows(out).into_iter().map(|(number, _)| number).collect()
}

fn counts(out: &Path) -> Value {
    serde_json::from_slice::<Value>(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap()["counts"].clone()
}

#[test]
fn the_longest_of_a_cluster_stays_and_later_documents_are_compared_with_what_is_there() {
    // Each text five times, with more and more of its sentences.
    let data = corpus((0..50).map(|n| prose(n / 5, 36 + n % 5)));
    export(data.path(), &["--out", "set/", "--dedup", "minhash", "--since", "last", "--shard-rows", "7"]);
    let out = data.path().join("set");
    assert_eq!(numbers(&out), (0..10).map(|n| 5 * n + 4).collect());
    let report = lines(&out.join("duplicates.jsonl"));
    let number = |url: &Value| url.as_str().unwrap().rsplit('/').next().unwrap().parse::<u64>().unwrap();
    assert_eq!(report.len(), 40);
    for line in report {
        assert_eq!(number(&line["duplicate_of"]), number(&line["url"]) / 5 * 5 + 4, "{line}");
    }
    assert_eq!(counts(&out), json!({"--dedup": 40, "documents": 10}));
    // What came first stays, though this is longer; and what is like no other comes in.
    write(data.path(), &[document(100, prose(3, 42)), document(101, prose(77, 30))]);
    export(data.path(), &["--out", "set/", "--dedup", "minhash", "--since", "last", "--shard-rows", "7"]);
    assert_eq!(numbers(&out), (0..10).map(|n| 5 * n + 4).chain([101]).collect());
    assert_eq!(number(&lines(&out.join("duplicates.jsonl"))[40]["duplicate_of"]), 19);
    // Another dataset, against this one.
    export(data.path(), &["--out", "other/", "--dedup", "minhash", "--against", "set"]);
    assert_eq!(numbers(&data.path().join("other")), BTreeSet::new());
    assert!(!out.join("dedup/stage").exists());
    let other = finish(command(
        data.path(),
        &["--out", "third/", "--dedup", "minhash", "--minhash", "5x5", "--against", "set"],
    ));
    assert!(text(&other).contains("not made with the same `--dedup`"), "{}", text(&other));
}

#[test]
fn lines_of_several_documents_stay_in_one_of_them() {
    let footer = "All rights of this page are reserved by the mill.";
    let data = corpus((0..30).map(|n| format!("{}\n{footer}\nShort line.", prose(n, 3))));
    export(data.path(), &["--out", "set/", "--dedup", "lines", "--shard-rows", "10"]);
    let rows = rows(&data.path().join("set"));
    let with_footer = rows.iter().filter(|(_, row)| row["text"].as_str().unwrap().contains(footer)).count();
    assert_eq!((rows.len(), with_footer), (30, 1));
    for (n, row) in rows {
        let text = row["text"].as_str().unwrap();
        assert!(text.starts_with(&prose(n, 3)) && text.ends_with("Short line."), "{text}");
        assert_eq!(row["token_count"], text.split_whitespace().count());
    }
    assert_eq!(counts(&data.path().join("set"))["shortened"], 29);
}

#[test]
fn rules_of_quality_leave_texts_out_with_value_and_limit_and_signals_are_columns() {
    let good = |n| prose(n, 20);
    let texts = [good(0), "Too short.".to_owned(), "Again and again we say this line of words.\n".repeat(30), good(1)];
    let data = corpus(texts);
    export(data.path(), &["--out", "set/", "--quality", "gopher-quality,gopher-repetition,fineweb", "--signals"]);
    let out = data.path().join("set");
    assert_eq!(numbers(&out), BTreeSet::from([0, 3]));
    let dropped = lines(&out.join("dropped.jsonl"));
    let of = |n: u64| dropped.iter().find(|line| line["url"] == document(n, String::new()).url).unwrap();
    assert_eq!(
        (&of(1)["rule"], &of(1)["value"], &of(1)["limit"]),
        (&json!("gopher-quality short"), &json!(2.0), &json!(50.0))
    );
    assert_eq!(of(2)["rule"], "gopher-repetition lines");
    assert_eq!(counts(&out)["--quality gopher-quality short"], 1);
    let (_, row) = &rows(&out)[0];
    assert!(row["words"].as_f64().unwrap() > 100.0 && row["repeated_lines"] == 0.0, "{row}");
    let wrong = finish(command(data.path(), &["--out", "x/", "--quality", "gophers"]));
    assert!(wrong.status.code() == Some(2) && text(&wrong).contains("unknown rules `gophers`"), "{}", text(&wrong));
}

#[test]
fn personal_data_is_masked_and_counted_by_kind() {
    let data = corpus([
        "Write to ann@mill.example or bob@mill.example, or call +49 30 1234567. See https://x.example/4111111111111111"
            .to_owned(),
    ]);
    export(data.path(), &["--out", "set/", "--mask", "pii"]);
    let out = data.path().join("set");
    let text = "Write to [email] or [email], or call [phone]. See https://x.example/4111111111111111";
    assert_eq!(rows(&out)[0].1["text"], text);
    assert_eq!(counts(&out), json!({"documents": 1, "masked email": 2, "masked phone": 1}));
}

#[test]
fn block_lists_and_test_sets_leave_pages_out() {
    let question = "Who owned the mill by the river when the town was flooded in the winter of 1914?";
    let texts = [
        prose(0, 5),
        prose(1, 5),
        format!("{} Free spins for all!", prose(2, 5)),
        format!("{}\n{question}", prose(3, 5)),
        prose(4, 5),
    ];
    let data = corpus(texts);
    let write = |path: &str, text: &str| {
        let path = data.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("lists/games/domains", "site0.example\n");
    write("lists/games/urls", "www.site1.example/1\n");
    write("words.txt", "# words\nfree spins\n");
    write("test.jsonl", &format!("{}\n", json!({"id": 1, "question": question, "answers": ["the miller"]})));
    let arguments = ["--out", "set/", "--block", "lists,words.txt", "--decontaminate", "test.jsonl"];
    export(data.path(), &arguments);
    let out = data.path().join("set");
    assert_eq!(numbers(&out), BTreeSet::from([4]));
    let wanted = json!({"--block address": 1, "--block host": 1, "--block word": 1, "--decontaminate test set": 1, "documents": 1});
    assert_eq!(counts(&out), wanted);
    // Another list makes another dataset.
    write("words.txt", "free spin\n");
    let refused = finish(command(data.path(), &arguments));
    assert!(text(&refused).contains("a dataset of other settings"), "{}", text(&refused));
}

#[test]
fn tokens_are_those_of_the_tokenizer_that_is_named() {
    let data = corpus(["rye and wheat, rye!".to_owned()]);
    let tokenizer = json!({
        "version": "1.0",
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": {"rye": 0, "and": 1, "wheat": 2, "[UNK]": 3}, "unk_token": "[UNK]"}
    });
    std::fs::write(data.path().join("tokenizer.json"), tokenizer.to_string()).unwrap();
    export(data.path(), &["--out", "set/", "--tokenizer", "tokenizer.json"]);
    assert_eq!(rows(&data.path().join("set"))[0].1["token_count"], 6);
    std::fs::write(data.path().join("wrong.json"), "{}").unwrap();
    let wrong = finish(command(data.path(), &["--out", "x/", "--tokenizer", "wrong.json"]));
    assert!(!wrong.status.success() && text(&wrong).contains("is no tokenizer"), "{}", text(&wrong));
}

#[test]
fn an_empty_result_is_a_dataset_that_says_so() {
    let data = corpus([prose(0, 3)]);
    for format in ["parquet", "jsonl", "csv"] {
        let name = format!("{format}/");
        let mut command = gristmill();
        command.current_dir(data.path()).arg("--data").arg(data.path());
        command.args([
            "export",
            "--out",
            &name,
            "--format",
            format,
            "--lang",
            "de",
            "--columns",
            "url,text,token_count",
        ]);
        assert!(finish(command).status.success());
        let out = data.path().join(format);
        assert!(out.join(format!("data/part-00000.{format}")).exists(), "{format}");
        let manifest: Value = serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap();
        assert_eq!((&manifest["rows"], manifest["shards"].as_array().unwrap().len()), (&json!(0), 1));
    }
}
