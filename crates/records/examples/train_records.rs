//! Trains the accept model, scores it on shops that it did not see, and writes its table.
//!
//! ```text
//! cargo run --release -p gristmill-records --example train_records -- [--write FILE] [--folds 12] [--pages] DATA_DIR
//! ```
//! `DATA_DIR` holds `products/` and `articles/`. Only pages under permissive licences train; all product pages are
//! scored. Folds are by shop, all countries of a brand together, and every page is scored by a model that has seen no
//! page of its shop. `--folds 1000` is leave-one-shop-out in the strict sense.

#[path = "common/mod.rs"]
#[allow(dead_code, reason = "shared by the examples; none needs all of it")]
mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::{Pairs, TestPage, load};
use gristmill_records::score::{Score, compare, normal_name, normal_value};
use gristmill_records::training::{PageSamples, Sample, feature_names, samples, select};
use gristmill_records::{Dictionary, THRESHOLD};
use gristmill_trees::{Forest, Growth, Node, Rows, grow};

/// Negatives of one page beyond this number are thinned out evenly and weighted up.
const MAX_NEGATIVES: usize = 130;
/// Pages of articles, forums, manuals and services that take part as negatives.
const N_OTHER_PAGES: usize = 240;
/// Folds inside of a training set, for the first look's honest opinions that the second look learns from.
const N_INNER: u64 = 4;

struct Set {
    pages: Vec<TestPage>,
    samples: Vec<PageSamples>,
    /// 1 right, 0 wrong, −1 optional.
    labels: Vec<Vec<i8>>,
}

/// Both looks.
struct Model {
    first: Forest,
    second: Forest,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut write, mut n_folds, mut list, mut data) = (None, 12, false, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--write" => write = arguments.next().map(PathBuf::from),
            "--folds" => n_folds = arguments.next().ok_or("--folds needs a number")?.parse()?,
            "--pages" => list = true,
            _ => data = Some(PathBuf::from(argument)),
        }
    }
    let set = read(&data.ok_or("DATA_DIR is missing")?)?;
    let fold = |page: &TestPage| fold(&page.site, n_folds);
    let held: Vec<Option<u64>> = (0..n_folds).map(Some).chain([None]).collect();
    let models = in_two_threads(&held, |&held| train(&set, &|page| page.permissive && Some(fold(page)) != held));
    let opinions: Vec<Vec<f32>> = (0..set.pages.len())
        .map(|n| {
            let page = &set.pages[n];
            models[fold(page) as usize].predict(&set.samples[n])
        })
        .collect();
    let header = report(&set, &opinions, list);
    if let Some(path) = write {
        std::fs::write(path, table(&models[n_folds as usize], &set, &header))?;
    }
    Ok(())
}

fn read(data: &Path) -> Result<Set, Box<dyn std::error::Error>> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(data.join("products"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let mut pages = Vec::new();
    for folder in folders {
        pages.extend(load(&folder, &[])?);
    }
    let other = load(&data.join("articles/wcxb-dev"), &["article", "forum", "documentation", "service"])?;
    let step = (other.len() / N_OTHER_PAGES).max(1);
    pages.extend(other.into_iter().step_by(step));
    let dictionary = Dictionary::built_in();
    let samples: Vec<PageSamples> = pages.iter().map(|page| samples(&page.doc(), &dictionary)).collect();
    let labels = pages.iter().zip(&samples).map(|(page, all)| all.samples.iter().map(|one| label(page, one)).collect());
    let labels = labels.collect();
    Ok(Set { pages, samples, labels })
}

fn key(sample: &Sample) -> (String, String) {
    (normal_name(&sample.name), normal_value(&sample.value))
}

fn label(page: &TestPage, sample: &Sample) -> i8 {
    let key = key(sample);
    if page.gold.contains(&key) {
        1
    } else if page.optional.contains(&key) {
        -1
    } else {
        0
    }
}

fn fold(site: &str, n: u64) -> u64 {
    site.bytes().fold(7u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte))) % n
}

fn in_two_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..2)
            .map(|k| {
                let mine = items.iter().enumerate().skip(k).step_by(2);
                scope.spawn(move || mine.map(|(n, item)| (n, work(item))).collect::<Vec<_>>())
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a trainer panicked")).collect()
    });
    results.sort_by_key(|(n, _)| *n);
    results.into_iter().map(|(_, result)| result).collect()
}

fn env(key: &str, default: f32) -> f32 {
    std::env::var(key).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn growth(second: bool) -> Growth {
    let (n_trees, depth) = if second { (env("T2", 80.0), env("D2", 2.0)) } else { (env("T1", 140.0), env("D1", 4.0)) };
    Growth {
        n_trees: n_trees as usize,
        depth: depth as usize,
        rate: env("RATE", 0.12),
        lambda: 2.0,
        min_weight: env("MINW", 5.0),
        feature_share: if second { env("FS2", 0.3) } else { env("FS1", 0.2) },
        row_share: env("RS", 0.7),
    }
}

fn train(set: &Set, taken: &dyn Fn(&TestPage) -> bool) -> Model {
    let inner = |page: &TestPage| fold(&page.site, 1_009) % N_INNER;
    let first = |n: usize| set.samples[n].samples.iter().map(|sample| sample.features.clone()).collect::<Vec<_>>();
    let folds: Vec<Forest> = (0..N_INNER)
        .map(|held| grow(&rows(set, &|page| taken(page) && inner(page) != held, &first), &growth(false)))
        .collect();
    let honest = |n: usize| {
        let forest = &folds[inner(&set.pages[n]) as usize];
        set.samples[n].second(&probabilities(forest, &set.samples[n]))
    };
    let second = grow(&rows(set, taken, &honest), &growth(true));
    Model { first: grow(&rows(set, taken, &first), &growth(false)), second }
}

fn probabilities(forest: &Forest, page: &PageSamples) -> Vec<f32> {
    page.samples.iter().map(|sample| forest.as_ref().probability(&sample.features)).collect()
}

impl Model {
    fn predict(&self, page: &PageSamples) -> Vec<f32> {
        let second = page.second(&probabilities(&self.first, page));
        let opinion = |(features, sample): (&Vec<f32>, &Sample)| {
            if sample.is_elsewhere { 0.0 } else { self.second.as_ref().probability(features) }
        };
        second.iter().zip(&page.samples).map(opinion).collect()
    }
}

fn rows(set: &Set, taken: &dyn Fn(&TestPage) -> bool, features: &dyn Fn(usize) -> Vec<Vec<f32>>) -> Rows {
    let mut rows = Rows::default();
    for (n, page) in set.pages.iter().enumerate().filter(|(_, page)| taken(page)) {
        let n_samples = set.labels[n].len().max(1) as f32;
        let most = if page.is_product { env("PW", 60.0) } else { env("NW", 5.0) };
        let weight = (most / n_samples).clamp(0.05, 1.0).sqrt();
        let n_wrong = set.labels[n].iter().filter(|&&label| label == 0).count();
        let kept = (MAX_NEGATIVES as f32 / n_wrong.max(1) as f32).min(1.0);
        for (k, (features, &label)) in features(n).into_iter().zip(&set.labels[n]).enumerate() {
            let thinned = (k as f32 * kept).floor() == ((k + 1) as f32 * kept).floor();
            if label < 0 || label == 0 && thinned {
                continue;
            }
            rows.width = features.len();
            rows.features.extend(features);
            rows.labels.push(f32::from(label));
            rows.weights.push(if label == 0 { weight / kept.max(0.2) } else { weight * env("POS", 1.0) });
        }
    }
    rows
}

fn found(set: &Set, n: usize, opinions: &[f32], threshold: f32) -> Vec<usize> {
    select(&set.samples[n].samples, opinions, threshold)
}

/// Prints the scores; returns the lines that the table's header keeps.
fn report(set: &Set, opinions: &[Vec<f32>], list: bool) -> String {
    let mut header = String::new();
    for threshold in [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8] {
        let (mut all, mut trained, mut n_false, mut n_pages) = (Score::default(), Score::default(), 0, 0);
        for (n, page) in set.pages.iter().enumerate() {
            let kept = found(set, n, &opinions[n], threshold);
            if !page.is_product {
                n_false += kept.len();
                n_pages += usize::from(kept.len() >= 2);
                continue;
            }
            let score = score(set, n, &kept);
            all.add(score);
            if page.permissive {
                trained.add(score);
            }
        }
        let show = |score: Score| format!("P {:.4} R {:.4} F1 {:.4}", score.precision(), score.recall(), score.f1());
        let line = format!(
            "threshold {threshold:.2}: all {}; permissive {}; other pages: {n_false} pairs, {n_pages} with two",
            show(all),
            show(trained)
        );
        println!("{line}");
        if threshold == THRESHOLD {
            header = line;
        }
    }
    by_site(set, opinions, list);
    header
}

fn score(set: &Set, n: usize, kept: &[usize]) -> Score {
    let page = &set.pages[n];
    let found: Pairs = kept.iter().map(|&k| key(&set.samples[n].samples[k])).collect();
    compare(&found, &page.gold, &page.optional)
}

fn by_site(set: &Set, opinions: &[Vec<f32>], list: bool) {
    let mut groups: BTreeMap<String, Score> = BTreeMap::new();
    let threshold = env("T", THRESHOLD);
    for (n, page) in set.pages.iter().enumerate().filter(|(_, page)| page.is_product) {
        let kept = found(set, n, &opinions[n], threshold);
        let score = score(set, n, &kept);
        for group in [
            format!("0 package {}", page.package),
            format!("1 language {}", page.language),
            format!("2 site {}", page.site),
        ] {
            groups.entry(group).or_default().add(score);
        }
        if list {
            errors(set, n, &kept, &opinions[n]);
        }
    }
    for (group, score) in &groups {
        println!(
            "{group}: P {:.3} R {:.3} F1 {:.3} wrong {} missed {} gold {}",
            score.precision(),
            score.recall(),
            score.f1(),
            score.found - score.right,
            score.gold - score.right,
            score.gold
        );
    }
}

fn errors(set: &Set, n: usize, kept: &[usize], opinions: &[f32]) {
    let page = &set.pages[n];
    let all = &set.samples[n].samples;
    let cut = |text: &str| text.chars().take(100).collect::<String>();
    let found: Pairs = kept.iter().map(|&k| key(&all[k])).collect();
    for &k in kept {
        if !page.gold.contains(&key(&all[k])) && !page.optional.contains(&key(&all[k])) {
            println!(
                "{}/{} WRONG {:.2} {:?} [{}] = [{}]",
                page.package,
                page.id,
                opinions[k],
                all[k].layout,
                all[k].name,
                cut(&all[k].value)
            );
        }
    }
    for (name, value) in &page.attributes {
        let wanted = (normal_name(name), normal_value(value));
        if !found.contains(&wanted) {
            let readings = all.iter().zip(opinions).filter(|(one, _)| key(one) == wanted);
            let readings: Vec<String> = readings.map(|(one, p)| format!("{:?} {p:.2}", one.layout)).collect();
            println!("{}/{} MISSED [{name}] = [{}] {}", page.package, page.id, cut(value), readings.join(", "));
        }
    }
}

fn table(model: &Model, set: &Set, header: &str) -> String {
    let trained = set.pages.iter().filter(|page| page.permissive);
    let hash = trained.clone().fold(0xcbf2_9ce4_8422_2325_u64, |hash, page| {
        page.html.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    });
    let mut out = format!(
        "//! Weights of the accept model, written by `examples/train_records.rs`; do not edit.\n//!\n\
         //! Trained on {} pages of wcxb-product-dev and wcxb-dev (CC-BY-4.0), inventory-hunter and\n\
         //! zyte-product-benchmark (MIT), zh-mia and zh-mogujie (Apache-2.0) and on the pages of amazon-fixtures,\n\
         //! assorted-fixtures and zh-jd whose repositories are under MIT or Apache-2.0. FNV-1a of the pages: {hash:016x}.\n\
         //! Scores on shops outside of the training set:\n//! {header}.\n//! {} + {} features.\n\n\
         use gristmill_trees::{{ForestRef, Node}};\n\n",
        trained.count(),
        feature_names(false).len(),
        feature_names(true).len() - feature_names(false).len(),
    );
    for (name, forest) in [("FIRST", &model.first), ("SECOND", &model.second)] {
        out.push_str(&format!(
            "pub(crate) static {name}: ForestRef<'static> =\n    ForestRef {{ bias: {:?}, roots: &{name}_ROOTS, nodes: &{name}_NODES }};\n\n",
            forest.bias
        ));
        out.push_str(&format!("static {name}_ROOTS: [u16; {}] = {:?};\n\n", forest.roots.len(), forest.roots));
        out.push_str(&format!("static {name}_NODES: [Node; {}] = [\n", forest.nodes.len()));
        for Node { feature, left, threshold } in &forest.nodes {
            out.push_str(&format!("    Node {{ feature: {feature}, left: {left}, threshold: {threshold:?} }},\n"));
        }
        out.push_str("];\n\n");
    }
    out.trim_end().to_owned() + "\n"
}
