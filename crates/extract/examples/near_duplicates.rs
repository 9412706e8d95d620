//! How far fingerprints tell different pages apart and find near-duplicates, by language.
//!
//! ```sh
//! cargo run --release -p gristmill-extract --example near_duplicates en=DIR de=DIR …
//! ```
//!
//! Each argument is a language and a folder of pages (`*.html`, `*.html.gz`, at any depth); where `ID.json` beside a page gives its
//! `language` (test packages), pages in another one are passed over. The main text of each page is extracted, and texts of fewer
//! than 20 words are left out. Two texts are unrelated when they share less than a tenth of their pairs of neighbouring words.
//! Near-duplicates are made: a paragraph goes elsewhere, one word in twenty becomes one of another page, or the main text is put
//! into another template, with a menu, a side column and a footer of other pages' titles, and extracted again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use gristmill_extract::{ExtractOptions, Page, extract_from, render_html};
use gristmill_html::{Doc, TreeLimits, decode};
use gristmill_text::{CharacterSegmenter, MAX_DISTANCE, distance, fingerprint, for_each_word, is_unspaced};

const MIN_WORDS: usize = 20;
/// Pairs farther apart than this are not looked at closely: texts that share a tenth of their weight are some 29 apart.
const CLOSE: u32 = 16;
/// Pages from which near-duplicates are made.
const SAMPLE: usize = 1000;
const KINDS: [&str; 3] = ["paragraph moved", "5 % of words", "other template"];

struct Text {
    path: PathBuf,
    /// The folder of the argument, so that pages of one manual can be told from those of different ones.
    folder: usize,
    title: String,
    text: String,
    html: String,
    print: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut languages: BTreeMap<String, Vec<Text>> = BTreeMap::new();
    for (folder, argument) in std::env::args().skip(1).enumerate() {
        let (language, dir) = argument.split_once('=').ok_or("an argument is LANGUAGE=FOLDER")?;
        let texts = languages.entry(language.to_owned()).or_default();
        let mut paths = Vec::new();
        pages_below(Path::new(dir), &mut paths)?;
        paths.sort();
        for path in paths.into_iter().filter(|path| is_in(path, language)) {
            texts.extend(text_of(path, folder)?.filter(|text| words_of(&text.text).len() >= MIN_WORDS));
        }
    }
    println!(
        "| | pages | unrelated pairs | mean distance | at most {MAX_DISTANCE} apart | related pairs | {} |",
        KINDS.join(" | ")
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (language, texts) in &languages {
        let pairs = Pairs::of(texts);
        let found = found(texts).map(|share| format!("{share:.3}")).join(" | ");
        let mean = pairs.sum as f64 / pairs.unrelated.max(1) as f64;
        println!(
            "| {language} | {} | {} | {mean:.2} | {} (of different folders {}) | {} | {found} |",
            texts.len(),
            pairs.unrelated,
            pairs.near,
            pairs.near_elsewhere,
            pairs.related
        );
    }
    Ok(())
}

fn pages_below(dir: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            pages_below(&path, found)?;
        } else if name.ends_with(".html") || name.ends_with(".html.gz") {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether nothing beside the page says that it is in another language.
fn is_in(path: &Path, language: &str) -> bool {
    let name = path.to_string_lossy();
    let beside = format!("{}.json", name.trim_end_matches(".gz").trim_end_matches(".html"));
    let Ok(bytes) = std::fs::read(beside) else { return true };
    let said: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
    said["language"].as_str().is_none_or(|said| said == language)
}

fn text_of(path: PathBuf, folder: usize) -> std::io::Result<Option<Text>> {
    let (file, mut bytes) = (std::fs::File::open(&path)?, Vec::new());
    match path.extension().is_some_and(|end| end == "gz") {
        true => flate2::read::GzDecoder::new(file).read_to_end(&mut bytes)?,
        false => { file }.read_to_end(&mut bytes)?,
    };
    let (text, title, html) = extracted(&decode(&bytes, None).text);
    let print = fingerprint(&text);
    Ok((print != 0).then_some(Text { path, folder, title, text, html, print }))
}

/// Main text, title, and the main text as HTML.
fn extracted(html: &str) -> (String, String, String) {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let options = ExtractOptions { attach_title: false, ..ExtractOptions::default() };
    let (document, selection) = extract_from(&page, &options);
    let html = match &document.rescued {
        Some(_) => document.text.lines().map(|line| format!("<p>{line}</p>\n")).collect(),
        None => render_html(&page, &selection),
    };
    (document.text, document.title.unwrap_or_default(), html)
}

/// Words, characters in scripts without spaces.
fn words_of(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for_each_word(text, &CharacterSegmenter, |word| words.push(word));
    words
}

#[derive(Default)]
struct Pairs {
    unrelated: u64,
    related: u64,
    sum: u64,
    near: u64,
    near_elsewhere: u64,
}

impl Pairs {
    fn of(texts: &[Text]) -> Pairs {
        let mut pairs = Pairs::default();
        let mut shingles: HashMap<usize, HashSet<(String, String)>> = HashMap::new();
        for a in 0..texts.len() {
            for b in 0..a {
                let far = distance(texts[a].print, texts[b].print);
                if far <= CLOSE && resemblance(a, b, texts, &mut shingles) >= 0.1 {
                    pairs.related += 1;
                    continue;
                }
                pairs.unrelated += 1;
                pairs.sum += u64::from(far);
                if far <= MAX_DISTANCE {
                    eprintln!("{far} apart: {} {}", texts[a].path.display(), texts[b].path.display());
                    pairs.near += 1;
                    pairs.near_elsewhere += u64::from(texts[a].folder != texts[b].folder);
                }
            }
        }
        pairs
    }
}

/// The share of pairs of neighbouring words that two texts have in common.
fn resemblance(a: usize, b: usize, texts: &[Text], shingles: &mut HashMap<usize, HashSet<(String, String)>>) -> f64 {
    for at in [a, b] {
        shingles.entry(at).or_insert_with(|| {
            let words: Vec<String> = words_of(&texts[at].text).iter().map(|word| word.to_lowercase()).collect();
            words.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
        });
    }
    let (a, b) = (&shingles[&a], &shingles[&b]);
    a.intersection(b).count() as f64 / a.union(b).count().max(1) as f64
}

/// The share of made near-duplicates that are near, by kind.
fn found(texts: &[Text]) -> [f64; KINDS.len()] {
    let mut chance = Chance(1);
    let step = texts.len().div_ceil(SAMPLE).max(1);
    let mut near = [0u32; KINDS.len()];
    let mut n = 0;
    for text in texts.iter().step_by(step) {
        let made = [moved(text, &mut chance), replaced(text, texts, &mut chance), wrapped(text, texts, &mut chance)];
        for (near, made) in near.iter_mut().zip(made) {
            *near += u32::from(distance(fingerprint(&made), text.print) <= MAX_DISTANCE);
        }
        n += 1;
    }
    near.map(|near| f64::from(near) / f64::from(n.max(1)))
}

/// A row elsewhere; of a text of one row its second half before the first.
fn moved(text: &Text, chance: &mut Chance) -> String {
    let mut rows: Vec<&str> = text.text.lines().collect();
    if rows.len() < 2 {
        let middle = text.text.floor_char_boundary(text.text.len() / 2);
        return format!("{}\n{}", &text.text[middle..], &text.text[..middle]);
    }
    let row = rows.remove(chance.below(rows.len()));
    rows.insert(chance.below(rows.len() + 1), row);
    rows.join("\n")
}

/// One word in twenty replaced by one of the other texts, at least one; in scripts without spaces, two characters are a word.
fn replaced(text: &Text, texts: &[Text], chance: &mut Chance) -> String {
    let words = words_of(&text.text);
    let unspaced = |word: &str| word.starts_with(is_unspaced);
    let n = (words.len() as f64 * 0.05).round().max(1.0) as usize;
    let mut chosen: HashSet<usize> = HashSet::new();
    while chosen.len() < n {
        let at = chance.below(words.len());
        chosen.insert(at);
        if unspaced(words[at]) && words.get(at + 1).is_some_and(|next| unspaced(next)) {
            chosen.insert(at + 1);
        }
    }
    let (mut out, mut end) = (String::new(), 0);
    for (at, word) in words.iter().enumerate() {
        let start = word.as_ptr() as usize - text.text.as_ptr() as usize;
        out.push_str(&text.text[end..start]);
        end = start + word.len();
        if !chosen.contains(&at) {
            out.push_str(word);
            continue;
        }
        let other = words_of(&texts[chance.below(texts.len())].text);
        let same: Vec<&&str> = other.iter().filter(|other| unspaced(other) == unspaced(word)).collect();
        out.push_str(same.get(chance.below(same.len().max(1))).map_or("other", |word| word));
    }
    out.push_str(&text.text[end..]);
    out
}

/// The main text in a page of another site.
fn wrapped(text: &Text, texts: &[Text], chance: &mut Chance) -> String {
    let mut links = |n: usize, tag: &str| -> String {
        let title = |chance: &mut Chance| texts[chance.below(texts.len())].title.replace('<', " ");
        (0..n).map(|n| format!("<{tag}><a href='/p{n}'>{}</a></{tag}>", title(chance))).collect()
    };
    let (menu, side, foot) = (links(8, "li"), links(10, "li"), links(5, "span"));
    let html = format!(
        "<!doctype html><html><head><title>{title}</title></head><body><header><a href='/'>Site</a><nav><ul>{menu}</ul></nav>\
         </header><div class='columns'><div class='story-body'><h1>{title}</h1>{body}</div><div class='side-column'><h3>…</h3>\
         <ul>{side}</ul></div></div><footer>{foot}<p>© 2024</p></footer></body></html>",
        title = text.title.replace('<', " "),
        body = text.html,
    );
    let (body, title, _) = extracted(&html);
    // The headline stands in the body here, whether or not it did before.
    body.strip_prefix(title.as_str()).unwrap_or(&body).to_owned()
}

/// Numbers that are the same in each run (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}
