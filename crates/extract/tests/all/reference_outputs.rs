//! Our outputs against those of published implementations, on 31 pages.
//!
//! Test data: `reference-outputs` below `GRISTMILL_DATA`; skipped, and said so, where it is missing.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use gristmill_extract::{ExtractOptions, Method, extract};
use gristmill_html::{Doc, TreeLimits, decode};

/// An implementation, the method of ours that does the same, and the least mean word F1 between the two.
struct Reference {
    folder: &'static str,
    method: &'static str,
    least_mean: f64,
}

/// A reference is a line here.
const REFERENCES: &[Reference] = &[
    Reference { folder: "bte-pomikalek", method: "bte", least_mean: 0.95 },
    // Its settings, see its README.
    Reference { folder: "conex-ccb", method: "accb(sigma=30)", least_mean: 0.90 },
    Reference { folder: "conex-cetr2d", method: "cetr(rescale=true)", least_mean: 0.90 },
];

/// Below this a page is listed.
const LISTED: f64 = 0.8;

fn data() -> PathBuf {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    PathBuf::from(std::env::var("GRISTMILL_DATA").unwrap_or_else(|_| default.into()))
}

#[test]
fn our_outputs_agree_with_those_of_published_implementations() {
    let data = data();
    let Ok(table) = std::fs::read_to_string(data.join("reference-outputs/pages.tsv")) else {
        eprintln!("SKIPPED: no reference outputs below {}", data.display());
        return;
    };
    let docs: Vec<(&str, Doc)> = table
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').next())
        .map(|id| (id, page(&data.join(format!("articles/wcxb-dev/pages/{id}.html.gz")))))
        .collect();
    assert_eq!(docs.len(), 31);
    let compared: Vec<(f64, &Reference)> = REFERENCES.iter().map(|it| (compare(&data, &docs, it), it)).collect();
    for (mean, reference) in compared {
        assert!(mean >= reference.least_mean, "{}: {mean:.3}", reference.folder);
    }
}

/// The mean word F1 over all pages.
fn compare(data: &Path, docs: &[(&str, Doc)], reference: &Reference) -> f64 {
    let folder = data.join("reference-outputs").join(reference.folder);
    let options = ExtractOptions {
        method: reference.method.parse::<Method>().unwrap(),
        never_empty: false,
        attach_title: false,
        ..ExtractOptions::default()
    };
    let mut sum = 0.0;
    for (id, doc) in docs {
        let theirs = std::fs::read_to_string(folder.join(format!("{id}.txt"))).unwrap();
        let ours = extract(doc, &options).text;
        let (ours, theirs) = (words(&ours), words(&theirs));
        let f1 = f1(&ours, &theirs);
        sum += f1;
        if f1 < LISTED {
            let count = |words: &HashMap<String, usize>| words.values().sum::<usize>();
            println!("  {f1:.3} {id}: {} words of ours, {} of {}", count(&ours), count(&theirs), reference.folder);
        }
    }
    let mean = sum / docs.len() as f64;
    println!("{mean:.3} {} against {}", reference.method, reference.folder);
    mean
}

fn page(path: &Path) -> Doc {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut html = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut html).unwrap();
    Doc::parse(&decode(&html, None).text, &TreeLimits::default())
}

/// Lower-cased runs of letters and digits, counted.
fn words(text: &str) -> HashMap<String, usize> {
    let mut bag = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *bag.entry(word.to_lowercase()).or_default() += 1;
    }
    bag
}

/// 2 · shared / all; both empty give 1.
fn f1(a: &HashMap<String, usize>, b: &HashMap<String, usize>) -> f64 {
    let all: usize = a.values().sum::<usize>() + b.values().sum::<usize>();
    let shared: usize = a.iter().map(|(word, n)| n.min(b.get(word).unwrap_or(&0))).sum();
    if all == 0 { 1.0 } else { 2.0 * shared as f64 / all as f64 }
}
