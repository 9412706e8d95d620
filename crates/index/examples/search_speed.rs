//! How long searches take over many made-up documents:
//! `cargo run --release -p gristmill-index --example search_speed -- N DIR [--all] [--writing] [--only=KIND]`.
//!
//! Makes N documents of 300 words each in DIR, unless an index is there. The words are drawn by Zipf's law from 300,000
//! (the n-th with a probability that goes like 1/n), and every twentieth document is Chinese. Then it asks each query many
//! times, with other words of the same frequency each time, and prints the time that a search takes. With `--all`
//! it asks by a visit to every match, too; with `--writing` while another thread adds documents, commits and merges.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gristmill_index::{
    DocumentKind, IndexConfig, IndexDocument, IndexReader, IndexWriter, Positions, SearchFilter, SearchQuery, Sort,
};

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const N_WORDS: usize = 300_000;
const TEXT_WORDS: usize = 300;
const TITLE_WORDS: usize = 7;
/// Documents between two commits while the index is made.
const BATCH: u64 = 200_000;
/// Documents of each commit while queries run.
const SMALL_BATCH: u64 = 2_000;
const ROUNDS: u64 = 20;
/// Chinese words, the most frequent first.
const CHINESE: [&str; 24] = [
    "的",
    "在",
    "了",
    "中国",
    "经济",
    "发展",
    "问题",
    "公司",
    "市场",
    "技术",
    "研究",
    "系统",
    "网页",
    "北京",
    "上海",
    "学习",
    "机器",
    "搜索",
    "引擎",
    "数据库",
    "豆腐",
    "石磨",
    "和服",
    "社会主义",
];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only = arguments.iter().find_map(|argument| argument.strip_prefix("--only=")).unwrap_or_default();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let [n, dir, ..] = arguments.as_slice() else {
        return Err("usage: search_speed N DIR [--all] [--writing]".into());
    };
    let (n, dir): (u64, PathBuf) = (n.parse()?, dir.into());
    if !dir.exists() {
        fill(&dir, n)?;
    }
    let reader = IndexReader::open(&dir)?;
    println!("{} documents", reader.count());
    if has("--writing") {
        return while_writing(&reader, &dir, n);
    }
    measure("best", only, |query| Ok(reader.search(query)?.total));
    if has("--all") {
        measure("all", only, |query| Ok(reader.sweep(query)?.total));
    }
    Ok(())
}

/// A pseudo-random sequence (splitmix64).
struct Dice(u64);

impl Dice {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n` by Zipf's law: `exp` of an even draw has a density that goes like 1/n.
    fn zipf(&mut self, n: usize) -> usize {
        let even = (self.draw() >> 11) as f64 / (1_u64 << 53) as f64;
        (((n + 1) as f64).powf(even) as usize - 1).min(n - 1)
    }

    fn english(&mut self, n_words: usize) -> String {
        let mut text = String::with_capacity(n_words * 7);
        for _ in 0..n_words {
            text.push_str(&word(self.zipf(N_WORDS)));
            text.push(' ');
        }
        text
    }

    fn chinese(&mut self, n_words: usize) -> String {
        (0..n_words).map(|_| CHINESE[self.zipf(CHINESE.len())]).collect()
    }
}

/// The word of a rank: syllables, the fewer the more frequent it is.
fn word(mut rank: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va"];
    let mut word = String::from("x");
    loop {
        word.push_str(SYLLABLES[rank % 16]);
        rank /= 16;
        if rank == 0 {
            return word;
        }
    }
}

fn document(n: u64) -> IndexDocument {
    let mut dice = Dice(n);
    let is_chinese = n.is_multiple_of(20);
    let text = |dice: &mut Dice, n| if is_chinese { dice.chinese(n) } else { dice.english(n) };
    let site = format!("site{}.example", dice.zipf(20_000));
    IndexDocument {
        key: format!("{:016x}{n:016x}", dice.draw()),
        url: format!("https://www.{site}/{n}"),
        title: text(&mut dice, TITLE_WORDS),
        text: text(&mut dice, TEXT_WORDS),
        host: format!("www.{site}"),
        site,
        language: if is_chinese { "zh" } else { ["en", "en", "en", "de", "fr"][dice.zipf(5)] }.into(),
        kind: [DocumentKind::Article, DocumentKind::Listing, DocumentKind::Product][dice.zipf(3)],
        published: (dice.draw() % 10 < 7).then(|| 1_400_000_000 + (dice.draw() % 300_000_000) as i64),
        ..IndexDocument::default()
    }
}

fn fill(dir: &Path, n: u64) -> Outcome<()> {
    let started = Instant::now();
    let partial = dir.with_extension("partial");
    let mut writer = IndexWriter::open(&partial, &IndexConfig::default())?;
    for number in 0..n {
        writer.upsert(&document(number))?;
        if (number + 1).is_multiple_of(BATCH) {
            writer.commit(&Positions::new())?;
            eprintln!("{} documents, {:.0} s", number + 1, started.elapsed().as_secs_f64());
        }
    }
    writer.commit(&Positions::new())?;
    writer.close()?;
    std::fs::rename(partial, dir)?;
    println!("made in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// What is asked, with other words each round: ranks around 40 are on a third of all documents, those around 3,000 on 1 %.
fn queries(round: u64) -> Vec<(&'static str, SearchQuery)> {
    let round = round as usize;
    let common = |n: usize| word(20 + 3 * round + 40 * n);
    let middle = |n: usize| word(3_000 + 7 * round + 500 * n);
    let rare = |n: usize| word(100_000 + 11 * round + 1_000 * n);
    let zh = |n: usize| CHINESE[3 + (round + 5 * n) % 20];
    let text = |text: String| SearchQuery { text, ..SearchQuery::default() };
    let filtered = |text: String, filter: SearchFilter| SearchQuery { text, filter, ..SearchQuery::default() };
    let newest = |text: String| SearchQuery { text, sort: Sort::Date, ..SearchQuery::default() };
    let site = || Some(format!("site{}.example", 3 + round));
    let from = || Some(1_640_000_000 + round as i64 * 86_400);
    vec![
        ("one rare word", text(rare(0))),
        ("one word", text(middle(0))),
        ("one common word", text(common(0))),
        ("the commonest word", text(word(round % 4))),
        ("two words", text(format!("{} {}", middle(0), middle(1)))),
        ("two common words", text(format!("{} {}", common(0), common(1)))),
        ("common and rare", text(format!("{} {}", common(0), rare(0)))),
        ("three common words", text(format!("{} {} {}", common(0), common(1), common(2)))),
        ("five words", text(format!("{} {} {} {} {}", common(0), common(1), middle(0), common(2), middle(1)))),
        ("a phrase of common words", text(format!("\"{} {}\"", common(0), common(1)))),
        ("a phrase of the commonest", text(format!("\"{} {}\"", word(round % 4), word(round % 3)))),
        ("common words with OR", text(format!("{} OR {}", common(0), common(1)))),
        ("one without another", text(format!("{} -{}", common(0), common(1)))),
        ("no match for all", text(format!("{} {} {} {}", rare(0), rare(1), common(0), rare(2)))),
        ("two Chinese words", text(format!("{}{}", zh(0), zh(1)))),
        ("a Chinese phrase", text(format!("\"{}{}\"", zh(0), zh(1)))),
        ("a word of a site", filtered(common(0), SearchFilter { site: site(), ..SearchFilter::default() })),
        (
            "a word of a language",
            filtered(common(0), SearchFilter { language: Some("fr".into()), ..SearchFilter::default() }),
        ),
        (
            "a word of a kind",
            filtered(common(0), SearchFilter { kind: Some(DocumentKind::Product), ..SearchFilter::default() }),
        ),
        ("a word since a date", filtered(common(0), SearchFilter { from: from(), ..SearchFilter::default() })),
        ("all of a site", filtered(String::new(), SearchFilter { site: site(), ..SearchFilter::default() })),
        ("all", text(String::new())),
        ("all by date", newest(String::new())),
        ("a common word by date", newest(common(0))),
        ("two common words by date", newest(format!("{} {}", common(0), common(1)))),
        ("one of each near-duplicate", SearchQuery { collapse: true, ..text(common(0)) }),
        ("the thousandth page", SearchQuery { offset: 9_990, ..text(format!("{} {}", common(0), common(1))) }),
    ]
}

/// Asks all queries round by round and prints a line for each kind, and one for all.
fn measure(name: &str, only: &str, ask: impl Fn(&SearchQuery) -> Outcome<u64>) {
    let mut times: Vec<(&str, Vec<Duration>, u64)> =
        queries(0).into_iter().map(|(kind, _)| (kind, Vec::new(), 0)).collect();
    for round in 0..ROUNDS {
        for ((kind, query), (_, times, total)) in queries(round).into_iter().zip(&mut times) {
            if !kind.contains(only) {
                continue;
            }
            let query = SearchQuery { time_limit: None, count_up_to: 10_000, ..query };
            let started = Instant::now();
            *total = ask(&query).expect("the files are whole");
            times.push(started.elapsed());
        }
    }
    println!("\n{name:28} {:>8} {:>8} {:>8} {:>8}  last total", "first ms", "p50 ms", "p95 ms", "max ms");
    let mut all = Vec::new();
    for (kind, times, total) in times.into_iter().filter(|(kind, ..)| kind.contains(only)) {
        line(kind, times.clone(), &total.to_string());
        all.extend(times);
    }
    line("together", all, "");
}

fn line(kind: &str, mut times: Vec<Duration>, total: &str) {
    let first = times[0].as_secs_f64() * 1e3;
    times.sort_unstable();
    let at =
        |part: f64| times[((times.len() as f64 * part).ceil() as usize).clamp(1, times.len()) - 1].as_secs_f64() * 1e3;
    println!("{kind:28} {first:8.2} {:8.2} {:8.2} {:8.2}  {total}", at(0.5), at(0.95), at(1.0));
}

/// Measures while a thread writes documents and commits; the reader takes up each commit.
fn while_writing(reader: &IndexReader, dir: &Path, first: u64) -> Outcome<()> {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| -> Outcome<u64> {
            let mut writer = IndexWriter::open(dir, &IndexConfig::default())?;
            let mut n_commits = 0;
            while !done.load(Ordering::Relaxed) {
                for n in 0..SMALL_BATCH {
                    writer.upsert(&document(first + n_commits * SMALL_BATCH + n))?;
                }
                writer.commit(&Positions::new())?;
                n_commits += 1;
            }
            writer.close()?;
            Ok(n_commits)
        });
        let last = std::cell::Cell::new(Instant::now());
        measure("while writing", "", |query| {
            if last.get().elapsed() > Duration::from_millis(500) {
                reader.reload()?;
                last.set(Instant::now());
            }
            Ok(reader.search(query)?.total)
        });
        done.store(true, Ordering::Relaxed);
        println!("{} commits of {SMALL_BATCH} documents", writing.join().expect("no panic")?);
        Ok(())
    })
}
