//! Scores extraction methods on test packages: word F1 against gold text, per package and page type.
//!
//! ```text
//! cargo run --release -p gristmill-extract --example score -- [--method a,b] [--ladder] PACKAGE_DIR...
//! ```
//! A package is a folder with `pages/<id>.html.gz`, `<id>.txt` (gold) and `<id>.json` (at least `page_type`). The
//! measure is the bag of lower-cased words, one token a character for Chinese, Japanese, Korean and Thai; the mean
//! is over pages. Pages marked `fragmented`, and those whose gold is empty or not in the page, are left out.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gristmill_extract::{Method, Options, Page, extract_from, methods};
use gristmill_html::{Doc, Limits, decode};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut names: Vec<String> = methods().iter().map(|info| info.name.to_owned()).collect();
    let (mut packages, mut ladder, mut list) = (Vec::new(), false, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--method" => {
                names = arguments.next().ok_or("--method needs names")?.split(',').map(str::to_owned).collect();
            }
            "--ladder" => ladder = true,
            "--pages" => list = Some(arguments.next().ok_or("--pages needs a method")?),
            _ => packages.push(PathBuf::from(argument)),
        }
    }
    let methods = names.iter().map(|name| name.parse()).collect::<Result<Vec<Method>, _>>()?;
    // As methods call themselves: an alias may hide what ran.
    let mut table = Table::new(methods.iter().map(|method| method.name().to_owned()).collect());
    for package in &packages {
        score_package(package, &methods, ladder, list.as_deref(), &mut table)?;
    }
    table.print();
    Ok(())
}

struct Table {
    methods: Vec<String>,
    /// Row name → (pages, sum of F1 by method), packages first, types of `wcxb-dev` indented below.
    rows: BTreeMap<String, (usize, Vec<f64>)>,
    parse: Duration,
    extract: Vec<Duration>,
    bytes: usize,
    pages: usize,
}

impl Table {
    fn new(methods: Vec<String>) -> Table {
        let extract = vec![Duration::ZERO; methods.len()];
        Table { methods, rows: BTreeMap::new(), parse: Duration::ZERO, extract, bytes: 0, pages: 0 }
    }

    fn add(&mut self, row: String, scores: &[f64]) {
        let (n, sums) = self.rows.entry(row).or_insert_with(|| (0, vec![0.0; scores.len()]));
        *n += 1;
        sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
    }

    fn print(&self) {
        println!("| package (pages) | {} |", self.methods.join(" | "));
        println!("|---|{}", "---:|".repeat(self.methods.len()));
        let mut macro_sum = vec![0.0; self.methods.len()];
        let mut n_packages = 0;
        for (row, (n, sums)) in &self.rows {
            let means: Vec<f64> = sums.iter().map(|sum| sum / *n as f64).collect();
            let cells: Vec<String> = means.iter().map(|mean| format!("{mean:.3}")).collect();
            println!("| {row} ({n}) | {} |", cells.join(" | "));
            if !row.contains(": ") {
                n_packages += 1;
                macro_sum.iter_mut().zip(&means).for_each(|(sum, mean)| *sum += mean);
            }
        }
        let macro_means: Vec<String> = macro_sum.iter().map(|sum| format!("{:.3}", sum / n_packages as f64)).collect();
        println!("| mean of packages | {} |", macro_means.join(" | "));
        let per_page = |time: Duration| format!("{:.0}", time.as_secs_f64() * 1e6 / self.pages.max(1) as f64);
        let times: Vec<String> = self.extract.iter().map(|&time| per_page(time)).collect();
        println!("| µs a page after the parse | {} |", times.join(" | "));
        eprintln!(
            "{} pages, {:.1} kB a page, parse {} µs a page",
            self.pages,
            self.bytes as f64 / 1e3 / self.pages.max(1) as f64,
            per_page(self.parse)
        );
    }
}

fn score_package(
    package: &Path,
    methods: &[Method],
    ladder: bool,
    list: Option<&str>,
    table: &mut Table,
) -> Result<(), Box<dyn std::error::Error>> {
    let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut pages: Vec<PathBuf> = std::fs::read_dir(package.join("pages"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(".html.gz"))
        .collect();
    pages.sort();
    for path in pages {
        let stem = path.to_string_lossy().trim_end_matches(".html.gz").to_owned();
        let about: serde_json::Value = serde_json::from_slice(&std::fs::read(format!("{stem}.json"))?)?;
        let flags = about["flags"].to_string();
        let skip = ["empty_gold", "gold_not_in_source"].iter().any(|flag| flags.contains(flag));
        if skip || about["fragmented"].as_bool() == Some(true) {
            continue;
        }
        let gold = tokens(&std::fs::read_to_string(format!("{stem}.txt"))?);
        let mut html = Vec::new();
        flate2::read::GzDecoder::new(std::fs::File::open(&path)?).read_to_end(&mut html)?;
        let scores = score_page(&html, &about, methods, ladder, &gold, table);
        table.add(name.clone(), &scores);
        if name == "wcxb-dev" {
            table.add(format!("{name}: {}", about["page_type"].as_str().unwrap_or("?")), &scores);
        }
        if let Some(at) = list.and_then(|wanted| methods.iter().position(|method| method.name() == wanted)) {
            eprintln!("{:.3} {stem}", scores[at]);
        }
    }
    Ok(())
}

fn score_page(
    html: &[u8],
    about: &serde_json::Value,
    methods: &[Method],
    ladder: bool,
    gold: &HashMap<String, i64>,
    table: &mut Table,
) -> Vec<f64> {
    let start = Instant::now();
    let decoded = decode(html, None);
    let doc = Doc::parse(&decoded.text, &Limits::default());
    table.parse += start.elapsed();
    table.bytes += html.len();
    table.pages += 1;
    let mut scores = Vec::new();
    for (method, time) in methods.iter().zip(&mut table.extract) {
        let start = Instant::now();
        let options = Options {
            method: method.clone(),
            url: about["url"].as_str(),
            never_empty: ladder,
            attach_title: false,
            ..Options::default()
        };
        let page = Page::new(&doc);
        let (document, _) = extract_from(&page, &options);
        *time += start.elapsed();
        scores.push(f1(&tokens(&document.text), gold));
    }
    scores
}

/// Lower-cased runs of letters, digits and `_`; a character of an unspaced script or of Hangul stands alone.
fn tokens(text: &str) -> HashMap<String, i64> {
    let mut bag = HashMap::new();
    let mut word = String::new();
    let mut flush = |word: &mut String| {
        if !word.is_empty() {
            *bag.entry(std::mem::take(word)).or_insert(0) += 1;
        }
    };
    for c in text.chars() {
        if gristmill_text::is_cjk(c) || gristmill_text::is_unspaced(c) {
            flush(&mut word);
            word.push(c);
            flush(&mut word);
        } else if c.is_alphanumeric() || c == '_' {
            word.extend(c.to_lowercase());
        } else {
            flush(&mut word);
        }
    }
    flush(&mut word);
    bag
}

/// 2·|E ∩ M| / (|E| + |M|); both empty give 1.
fn f1(extracted: &HashMap<String, i64>, gold: &HashMap<String, i64>) -> f64 {
    let total: i64 = extracted.values().sum::<i64>() + gold.values().sum::<i64>();
    let shared: i64 = gold.iter().map(|(word, n)| n.min(extracted.get(word).unwrap_or(&0))).sum();
    if total == 0 { 1.0 } else { 2.0 * shared as f64 / total as f64 }
}
