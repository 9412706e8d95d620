//! Benches of indexing and searching: English documents of 2.8 kB, Chinese ones of 12 kB, made from word lists.

use std::path::Path;

use divan::counter::{BytesCount, ItemsCount};
use gristmill_index::{
    AnalysisMode, IndexConfig, IndexDocument, IndexReader, IndexWriter, Pattern, Positions, SearchQuery, Snippet,
    analyse,
};
use tempfile::TempDir;

const ENGLISH: &[&str] = &[
    "the",
    "crawler",
    "reads",
    "a",
    "page",
    "and",
    "of",
    "its",
    "links",
    "index",
    "search",
    "engine",
    "finds",
    "words",
    "in",
    "documents",
    "with",
    "positions",
    "query",
    "segment",
    "merge",
    "commit",
    "stone",
    "mill",
    "grain",
    "river",
];

const CHINESE: &[&str] = &[
    "搜索",
    "引擎",
    "的",
    "网页",
    "索引",
    "中国",
    "经济",
    "发展",
    "社会主义",
    "机器学习",
    "研究人员",
    "表示",
    "，",
    "。",
    "在",
    "了",
    "数据库",
    "系统",
    "人工智能",
    "技术",
    "公司",
    "市场",
    "北京",
    "上海",
    "问题",
    "进行",
    "文章",
    "作者",
];

/// The same pseudo-random text for the same seed (a linear congruential generator).
fn text(words: &[&str], blank: &str, bytes: usize, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::with_capacity(bytes + 32);
    while text.len() < bytes {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let low = (state >> 33) as usize % words.len();
        let high = (state >> 48) as usize % words.len();
        // The product of two even draws favours the words that stand first, as language does.
        text.push_str(words[low * high / words.len()]);
        text.push_str(blank);
    }
    text
}

fn english(n: u64) -> IndexDocument {
    let title = text(ENGLISH, " ", 40, n + 7);
    IndexDocument { key: format!("{n:032x}"), title, text: text(ENGLISH, " ", 2800, n), ..IndexDocument::default() }
}

fn chinese(n: u64) -> IndexDocument {
    let title = text(CHINESE, "", 40, n + 7);
    IndexDocument { key: format!("{n:032x}"), title, text: text(CHINESE, "", 12_000, n), ..IndexDocument::default() }
}

fn filled(dir: &Path, documents: impl Iterator<Item = IndexDocument>) {
    let mut writer = IndexWriter::open(dir, &IndexConfig::default()).expect("a fresh directory");
    documents.for_each(|document| writer.upsert(&document).expect("room on the disk"));
    writer.commit(&Positions::new()).expect("room on the disk");
    writer.close().expect("merges end");
}

fn add(bencher: divan::Bencher<'_, '_>, documents: Vec<IndexDocument>) {
    let bytes: usize = documents.iter().map(|document| document.text.len()).sum();
    bencher
        .counter(ItemsCount::new(documents.len()))
        .counter(BytesCount::new(bytes))
        .with_inputs(|| TempDir::new().expect("room for a directory"))
        .bench_refs(|dir| filled(dir.path(), documents.iter().cloned()));
}

#[divan::bench(sample_count = 5)]
fn add_2000_english(bencher: divan::Bencher<'_, '_>) {
    add(bencher, (0..2000).map(english).collect());
}

#[divan::bench(sample_count = 5)]
fn add_500_chinese(bencher: divan::Bencher<'_, '_>) {
    add(bencher, (0..500).map(chinese).collect());
}

#[divan::bench(args = [AnalysisMode::Index, AnalysisMode::Base])]
fn analyse_english(bencher: divan::Bencher<'_, '_>, mode: AnalysisMode) {
    let text = english(1).text;
    bencher.counter(BytesCount::of_str(&text)).bench(|| analyse(&text, mode).len());
}

#[divan::bench(args = [AnalysisMode::Index, AnalysisMode::Base])]
fn analyse_chinese(bencher: divan::Bencher<'_, '_>, mode: AnalysisMode) {
    let text = chinese(1).text;
    bencher.counter(BytesCount::of_str(&text)).bench(|| analyse(&text, mode).len());
}

#[divan::bench]
fn snippet_chinese(bencher: divan::Bencher<'_, '_>) {
    let text = chinese(1).text;
    let patterns = [Pattern::of_row(["机", "器", "学", "习"].map(str::to_owned).to_vec())];
    bencher.counter(BytesCount::of_str(&text)).bench(|| Snippet::best(&text, "zh", &patterns, 240));
}

#[divan::bench(args = ["crawler", "segment merge", "\"segment merge\"", "机器学习", "\"社会主义\"", "the"])]
fn search_20_000(bencher: divan::Bencher<'_, '_>, query: &str) {
    static LIBRARY: std::sync::OnceLock<(TempDir, IndexReader)> = std::sync::OnceLock::new();
    let (_, reader) = LIBRARY.get_or_init(|| {
        let dir = TempDir::new().expect("room for a directory");
        filled(dir.path(), (0..18_000).map(english).chain((18_000..20_000).map(chinese)));
        let reader = IndexReader::open(dir.path()).expect("just written");
        (dir, reader)
    });
    let query = SearchQuery { text: query.to_owned(), ..SearchQuery::default() };
    bencher.bench(|| reader.search(&query).expect("the files are whole").total);
}

fn main() {
    divan::main();
}
