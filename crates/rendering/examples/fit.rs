//! Fits the weights, and tells how well they do on sites that they have not seen (docs/crawling-with-browsers.md).
//!
//! ```text
//! cargo run --release -p gristmill-rendering --example fit -- [--shells DIR] PACKAGE_DIR...
//! ```
//! Pages of test packages are pages that need no browser where their gold text is found without one. Each of them with scripts also
//! gives two that need one, as a server would send it that leaves the drawing to scripts: with an empty root in place of its body, and
//! with an empty box in place of the part that has most of its text. `--shells` names a folder of `NAME/index.html`, start pages of
//! frameworks as their project templates have them.

use std::collections::{BTreeMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use gristmill_extract::PageKind;
use gristmill_html::{Doc, Limits, Name, NodeId, decode};
use gristmill_reading::PageReader;
use gristmill_rendering::{Features, Got, N_FEATURES, NAMES, THRESHOLD, need, probability};

/// One page, with what a browser would do for it.
struct Sample {
    site: String,
    /// `page`, `shell`, `hole` or `template`.
    class: &'static str,
    needs: bool,
    features: Features,
    /// Whether the rules before the model end the matter.
    ruled_out: bool,
    seconds: f64,
}

const FOLDS: u64 = 5;

/// Which way each feature may speak: for a browser, against it, or either.
const SIGNS: [f64; N_FEATURES] = [-1.0, -1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0];

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let shells = arguments.iter().position(|argument| argument == "--shells");
    let shells = shells.map(|at| arguments.drain(at..at + 2).nth(1).expect("`--shells` names a folder"));
    let mut samples = Vec::new();
    for package in &arguments {
        for json in files(&Path::new(package).join("pages"), "json") {
            samples.extend(of_page(&json));
        }
    }
    for folder in shells.iter().flat_map(|folder| files(Path::new(folder), "")) {
        let html = std::fs::read_to_string(folder.join("index.html")).unwrap_or_default();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        samples.push(sample(name, "template", true, &Doc::parse(&html, &Limits::default())));
    }
    let mut judged = Vec::new();
    for fold in 0..FOLDS {
        let weights = fit(samples.iter().filter(|sample| fold_of(sample) != fold));
        let held_out = samples.iter().filter(|sample| fold_of(sample) == fold);
        judged.extend(held_out.map(|sample| (sample, judge(sample, &weights))));
    }
    report(&judged);
    let weights = fit(samples.iter());
    println!("\nweights of all pages: {weights:?}");
    for (name, weight) in ["bias"].iter().chain(&NAMES).zip(weights) {
        println!("  {name:<28}{weight:>8.3}");
    }
}

/// Files of a folder with this ending, or its folders, in the order of their names.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|found| found == ending) || ending.is_empty() && path.is_dir())
        .collect();
    found.sort();
    found
}

fn of_page(json: &Path) -> Vec<Sample> {
    let meta: serde_json::Value = serde_json::from_slice(&std::fs::read(json).expect("it was listed")).expect("JSON");
    let html = json.with_extension("html.gz");
    let (Ok(packed), Ok(gold)) = (std::fs::read(html), std::fs::read_to_string(json.with_extension("txt"))) else {
        return Vec::new();
    };
    let mut bytes = Vec::new();
    if flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).is_err() || meta["fragmented"] == true {
        return Vec::new();
    }
    let doc = Doc::parse(&decode(&bytes, None).text, &Limits::default());
    let site = meta["domain"].as_str().unwrap_or_default().to_owned();
    let flags = meta["flags"].to_string();
    let mut samples = Vec::new();
    let text = read(&doc).0;
    let found = recall(&gold, &text);
    if flags.contains("gold_not_in_source") {
        samples.push(sample(site.clone(), "page", true, &doc));
    } else if found >= 0.8 || flags.contains("gold_only_in_scripts") {
        samples.push(sample(site.clone(), "page", false, &doc));
    }
    if found < 0.8 || text.chars().count() < 200 {
        return samples;
    }
    for (class, rest) in [("shell", shell(&doc)), ("hole", hole(&doc))] {
        let Some(rest) = rest else { continue };
        let made = sample(site.clone(), class, true, &rest);
        // What is left may be enough, or nothing may be there that could draw it.
        if made.features.has_scripts && read(&rest).0.chars().count() * 6 < text.chars().count() * 5 {
            samples.push(made);
        }
    }
    samples
}

/// The page without all of its body but the scripts and an element that may be where they draw.
fn shell(doc: &Doc) -> Option<Doc> {
    let body = doc.body()?;
    let scripts = |id: NodeId| doc.subtree(id).filter(|node| doc.name(*node) == Name::SCRIPT).count();
    let parts: Vec<NodeId> = doc.children(body).filter(|child| scripts(*child) == 0).collect();
    Some(doc.without(&parts)).filter(|rest| rest.len() < doc.len())
}

/// The page without what stands below the deepest element that has most of its text.
fn hole(doc: &Doc) -> Option<Doc> {
    let mut at = doc.body()?;
    let size = |id: NodeId| {
        doc.subtree(id).filter(|node| doc.is_text(*node)).map(|node| doc.text(node).trim().len()).sum::<usize>()
    };
    let all = size(at);
    while let Some(child) = doc.children(at).find(|child| doc.is_element(*child) && size(*child) * 10 >= all * 6) {
        at = child;
    }
    let parts: Vec<NodeId> = doc.children(at).collect();
    Some(doc.without(&parts)).filter(|_| Some(at) != doc.body())
}

/// Text, and what the model is told of it.
fn read(doc: &Doc) -> (String, Got) {
    let reader = PageReader::default();
    let parsed = reader.parsed(doc.clone(), None);
    let reading = parsed.read(reader.options());
    let decision = reading.decide();
    let pairs =
        decision.records.as_ref().map_or(0, |records| records.pairs.len() + usize::from(!records.products.is_empty()));
    let document = &reading.document;
    let got = Got {
        chars: document.text.chars().count(),
        confidence: document.confidence,
        product: document.types.kinds()[PageKind::Product as usize],
        pairs,
        declared: document.rescued.is_some(),
    };
    (reading.document.text.clone(), got)
}

fn sample(site: String, class: &'static str, needs: bool, doc: &Doc) -> Sample {
    let got = read(doc).1;
    let features = Features::of(doc, &got);
    let begun = Instant::now();
    let ruled_out = (0..10).map(|_| need(doc, &got)).sum::<f32>() == 0.0;
    Sample { site, class, needs, features, ruled_out, seconds: begun.elapsed().as_secs_f64() / 10.0 }
}

/// The share of the gold's words that the text has.
fn recall(gold: &str, text: &str) -> f64 {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<HashSet<_>>();
    let (gold, text) = (words(gold), words(text));
    gold.intersection(&text).count() as f64 / gold.len().max(1) as f64
}

fn fold_of(sample: &Sample) -> u64 {
    let hash = sample
        .site
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32) % FOLDS
}

fn judge(sample: &Sample, weights: &[f32; N_FEATURES + 1]) -> f32 {
    if sample.ruled_out { 0.0 } else { probability(&sample.features, weights) }
}

/// Logistic regression by gradient descent on standardised features; classes weigh the same, templates of frameworks ten times a page.
fn fit<'s>(samples: impl Iterator<Item = &'s Sample>) -> [f32; N_FEATURES + 1] {
    let samples: Vec<&Sample> = samples.filter(|sample| !sample.ruled_out).collect();
    let n = samples.len() as f64;
    let column = |at: usize| samples.iter().map(move |sample| f64::from(sample.features.values[at]));
    let mean: Vec<f64> = (0..N_FEATURES).map(|at| column(at).sum::<f64>() / n).collect();
    let spread: Vec<f64> = (0..N_FEATURES)
        .map(|at| (column(at).map(|x| (x - mean[at]).powi(2)).sum::<f64>() / n).sqrt().max(1e-3))
        .collect();
    let rows: Vec<Vec<f64>> = samples
        .iter()
        .map(|sample| {
            (0..N_FEATURES).map(|at| (f64::from(sample.features.values[at]) - mean[at]) / spread[at]).collect()
        })
        .collect();
    let weight = |sample: &Sample| if sample.class == "template" { 10.0 } else { 1.0 };
    let total =
        |needs: bool| samples.iter().filter(|sample| sample.needs == needs).map(|sample| weight(sample)).sum::<f64>();
    let totals = [total(false), total(true)];
    let mut weights = [0.0; N_FEATURES + 1];
    for _ in 0..3_000 {
        let mut gradient = [0.0; N_FEATURES + 1];
        for (sample, row) in samples.iter().zip(&rows) {
            let sum = weights[0] + row.iter().zip(&weights[1..]).map(|(x, w)| x * w).sum::<f64>();
            let error = 1.0 / (1.0 + (-sum).exp()) - f64::from(u8::from(sample.needs));
            let error = error * weight(sample) / totals[usize::from(sample.needs)] / 2.0;
            gradient[0] += error;
            row.iter().zip(&mut gradient[1..]).for_each(|(x, slope)| *slope += error * x);
        }
        for (at, slope) in gradient.iter().enumerate() {
            let pull = if at == 0 { 0.0 } else { 1e-3 * weights[at] };
            weights[at] -= 0.5 * (slope + pull);
            // What means the contrary of what it says is a quirk of these pages.
            let sign = if at == 0 { 0.0 } else { SIGNS[at - 1] };
            if weights[at] * sign < 0.0 {
                weights[at] = 0.0;
            }
        }
    }
    let mut plain = [0.0_f32; N_FEATURES + 1];
    let mut bias = weights[0];
    for at in 0..N_FEATURES {
        plain[at + 1] = (weights[at + 1] / spread[at]) as f32;
        bias -= weights[at + 1] * mean[at] / spread[at];
    }
    plain[0] = bias as f32;
    plain
}

fn report(judged: &[(&Sample, f32)]) {
    let mut classes: BTreeMap<(&str, bool), (usize, usize, usize)> = BTreeMap::new();
    for (sample, p) in judged {
        let counts = classes.entry((sample.class, sample.needs)).or_default();
        counts.0 += 1;
        counts.1 += usize::from(*p >= THRESHOLD);
        counts.2 += usize::from(sample.ruled_out);
    }
    let sites: HashSet<&str> = judged.iter().map(|(sample, _)| sample.site.as_str()).collect();
    println!("{} pages of {} sites, by sites that were not seen:", judged.len(), sites.len());
    for ((class, needs), (n, drawn, ruled_out)) in &classes {
        let kind = if *needs { "needs one" } else { "needs none" };
        println!("  {class:<10}{kind:<12}{n:>6} pages, {drawn:>5} drawn, {ruled_out:>5} ruled out before the model");
    }
    for threshold in [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8] {
        let of = |needs: bool| judged.iter().filter(|(sample, p)| sample.needs == needs && *p >= threshold).count();
        let (hit, vain) = (of(true), of(false));
        let all = judged.iter().filter(|(sample, _)| sample.needs).count();
        let (recall, in_vain) = (hit as f64 / all as f64, vain as f64 / (hit + vain) as f64);
        println!(
            "  from {threshold:.2}: recall {recall:.3}; of all that is drawn, in vain {in_vain:.3} ({vain} pages)"
        );
    }
    let mut seconds: Vec<f64> = judged.iter().map(|(sample, _)| sample.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| seconds[((seconds.len() - 1) as f64 * share) as usize] * 1e6;
    let mean = seconds.iter().sum::<f64>() / seconds.len() as f64 * 1e6;
    println!("  decision: mean {mean:.1} µs, median {:.1}, 95 % {:.1}, longest {:.1}", at(0.5), at(0.95), at(1.0));
}
