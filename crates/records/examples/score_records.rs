//! Scores the methods as they ship on packages of product and article pages.
//!
//! ```text
//! cargo run --release -p gristmill-records --example score_records -- [--method a,b] [--pages] PACKAGE_DIR...
//! ```
//! Prints micro precision, recall and F1 by package, language, layout (of the found pairs) and the mean of the shops;
//! with `--pages` the wrong and the missed pairs. Pages without gold count through their false pairs; for articles the
//! number of pages that are taken for a product is shown. What the model knows it learnt from some of these pages:
//! `train_records` gives the figures on shops it has not seen.

#[path = "common/mod.rs"]
#[allow(dead_code, reason = "shared by the examples; none needs all of it")]
mod common;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::{Pairs, TestPage, load};
use gristmill_records::score::{Score, compare, normal_name, normal_value};
use gristmill_records::{Method, Options, Records, records};

#[derive(Default)]
struct Table {
    groups: BTreeMap<String, Score>,
    articles: usize,
    taken: usize,
    false_pairs: usize,
    parse: Duration,
    work: Duration,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut methods, mut list, mut packages) = (Method::ALL.to_vec(), false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--method" => {
                let names = arguments.next().ok_or("--method needs names")?;
                methods = names.split(',').map(str::parse).collect::<Result<_, _>>()?;
            }
            "--pages" => list = true,
            _ => packages.push(PathBuf::from(argument)),
        }
    }
    for method in methods {
        let mut table = Table::default();
        for package in &packages {
            for page in load(package, &["article"])? {
                table.add(&page, method, list);
            }
        }
        table.print(method);
    }
    Ok(())
}

impl Table {
    fn add(&mut self, page: &TestPage, method: Method, list: bool) {
        let start = Instant::now();
        let doc = page.doc();
        self.parse += start.elapsed();
        let start = Instant::now();
        let found = records(&doc, page.url.as_deref(), &Options { method, ..Options::default() });
        self.work += start.elapsed();
        if !page.is_product {
            self.articles += 1;
            self.taken += usize::from(!found.products.is_empty());
            self.false_pairs += found.pairs.len();
            if list && !found.products.is_empty() {
                println!(
                    "{}/{} taken for a product, markup: {}",
                    page.package, page.id, found.products[0].structured.is_product
                );
            }
            return;
        }
        let both: Vec<(String, String)> =
            found.pairs.iter().map(|pair| (normal_name(&pair.name), normal_value(&pair.value))).collect();
        let pairs: Pairs = both.iter().cloned().collect();
        let score = compare(&pairs, &page.gold, &page.optional);
        for group in [
            format!("all {}", method.as_str()),
            format!("package {}", page.package),
            format!("language {}", page.language),
            format!("site {}", page.site),
        ] {
            self.groups.entry(group).or_default().add(score);
        }
        for (pair, key) in found.pairs.iter().zip(&both) {
            let right = usize::from(page.gold.contains(key));
            if right == 1 || !page.optional.contains(key) {
                let group = format!("layout {}", pair.provenance.source.as_str());
                self.groups.entry(group).or_default().add(Score { right, found: 1, gold: 0 });
            }
        }
        if list {
            errors(page, &found, &both);
        }
    }

    fn print(&self, method: Method) {
        let show = |score: &Score| format!("{:.3} | {:.3} | {:.3}", score.precision(), score.recall(), score.f1());
        println!("\n| {} | P | R | F1 |\n|---|---:|---:|---:|", method.as_str());
        for (group, score) in self.groups.iter().filter(|(group, _)| !group.starts_with("site")) {
            if group.starts_with("layout") {
                println!("| {group} ({} pairs) | {:.3} | | |", score.found, score.precision());
            } else {
                println!("| {group} ({} pairs) | {} |", score.gold, show(score));
            }
        }
        let sites: Vec<&Score> =
            self.groups.iter().filter(|(group, _)| group.starts_with("site")).map(|(_, s)| s).collect();
        let mean =
            |of: fn(Score) -> f64| sites.iter().map(|&&score| of(score)).sum::<f64>() / sites.len().max(1) as f64;
        println!(
            "| mean of {} shops | {:.3} | {:.3} | {:.3} |",
            sites.len(),
            mean(Score::precision),
            mean(Score::recall),
            mean(Score::f1)
        );
        println!(
            "articles: {} pages, {} taken for products, {} false pairs",
            self.articles, self.taken, self.false_pairs
        );
        println!(
            "time: parse {:?}, records {:?} ({:.2} of the parse)",
            self.parse,
            self.work,
            self.work.as_secs_f64() / self.parse.as_secs_f64()
        );
    }
}

fn errors(page: &TestPage, found: &Records, both: &[(String, String)]) {
    let cut = |text: &str| text.chars().take(100).collect::<String>();
    for (pair, key) in found.pairs.iter().zip(both) {
        if !page.gold.contains(key) && !page.optional.contains(key) {
            println!(
                "{}/{} WRONG {} [{}] = [{}]",
                page.package,
                page.id,
                pair.provenance.source.as_str(),
                pair.name,
                cut(&pair.value)
            );
        }
    }
    for (name, value) in &page.attributes {
        if !both.contains(&(normal_name(name), normal_value(value))) {
            println!("{}/{} MISSED [{name}] = [{}]", page.package, page.id, cut(value));
        }
    }
}
