//! Scratch: upper bound of the readers, and the accept model by cross-validation.
#[path = "common/mod.rs"]
mod common;
use common::*;
use gristmill_records::score::*;
use gristmill_records::trees::*;
use gristmill_records::{Dictionary, training::*};
use std::collections::*;
use std::path::Path;

fn main() {
    let data = "/work/shared/data/products";
    let mut pages = vec![];
    let args: Vec<String> = std::env::args().collect();
    for e in std::fs::read_dir(data).unwrap() {
        let p = e.unwrap().path();
        if p.is_dir() { pages.extend(load(&p, &[]).unwrap()); }
    }
    let n_neg: usize = std::env::var("NEG").ok().and_then(|v| v.parse().ok()).unwrap_or(300);
    let mut neg = load(Path::new("/work/shared/data/articles/wcxb-dev"), &["article", "forum", "documentation", "service"]).unwrap();
    let step = (neg.len() / n_neg.max(1)).max(1);
    neg = neg.into_iter().step_by(step).collect();
    let n_products = pages.len();
    if n_neg > 0 { pages.extend(neg); }
    let dict = Dictionary::hand_written();
    let samples: Vec<Vec<Sample>> = pages.iter().map(|p| samples(&p.doc(), &dict)).collect();
    let labels: Vec<Vec<i8>> = pages.iter().zip(&samples).map(|(p, s)| s.iter().map(|x| {
        let k = (normal_name(&x.name), normal_value(&x.value));
        if p.gold.contains(&k) { 1 } else if p.optional.contains(&k) { -1 } else { 0 }
    }).collect()).collect();
    // oracle
    let (mut hit, mut gold, mut cand) = (0, 0, 0);
    for ((p, s), l) in pages.iter().zip(&samples).zip(&labels) {
        let found: Pairs = s.iter().zip(l).filter(|(_, l)| **l == 1).map(|(x, _)| (normal_name(&x.name), normal_value(&x.value))).collect();
        hit += found.len(); gold += p.gold.len(); cand += s.len();
        if args.iter().any(|a| a == "--missed") {
            for (n, v) in &p.attributes {
                if !found.contains(&(normal_name(n), normal_value(v))) { println!("MISS {}/{}\t{}\t{}", p.package, p.id, n, v.chars().take(150).collect::<String>()); }
            }
        }
    }
    println!("oracle recall {:.4} gold {gold} candidates {cand}", hit as f64 / gold as f64);
    if args.iter().any(|a| a == "--missed") { return; }
    let env = |k: &str, d: f32| std::env::var(k).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
    let growth = Growth { n_trees: env("TREES", 100.) as usize, depth: env("DEPTH", 5.) as usize, rate: env("RATE", 0.12), lambda: env("LAMBDA", 2.), min_weight: env("MINW", 1.), feature_share: env("FS", 0.4) };
    let n_folds = env("FOLDS", 10.) as u64;
    let fold_of = |site: &str| -> String { if n_folds == 0 { site.to_owned() } else { format!("f{}", site.bytes().fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(b as u64)) % n_folds) } };
    let all_train = args.iter().any(|a| a == "--all");
    let rows = |held: &str| {
        let mut r = Rows { width: feature_names().len(), ..Rows::default() };
        for ((p, s), l) in pages.iter().zip(&samples).zip(&labels) {
            if !(p.permissive || all_train) || (held != "-" && fold_of(&p.site) == held) || s.is_empty() { continue; }
            let n = s.len() as f32;
            let base = if p.is_product { env("PW", 60.) } else { env("NW", 20.) } ;
            let w = (base / n).min(1.0).max(0.05).powf(env("WP", 0.5));
            let max_neg = env("MAXNEG", 150.) as usize;
            let n_neg = l.iter().filter(|y| **y == 0).count();
            let keep = (max_neg as f32 / n_neg.max(1) as f32).min(1.0);
            for (k, (x, y)) in s.iter().zip(l).enumerate() {
                if *y < 0 { continue; }
                // Easy negatives are thinned out evenly.
                let mut w = w;
                if *y == 0 {
                    if ((k as f32 + 1.0) * keep).floor() == (k as f32 * keep).floor() { continue; }
                    w /= keep.max(0.2);
                }
                r.features.extend(&x.features); r.labels.push(*y as f32); r.weights.push(w);
            }
        }
        r
    };
    let folds: BTreeSet<String> = pages[..n_products].iter().filter(|p| p.permissive || all_train).map(|p| fold_of(&p.site)).collect();
    let folds: Vec<String> = folds.into_iter().chain([String::from("-")]).collect();
    let models: BTreeMap<String, Forest> = std::thread::scope(|sc| {
        let hs: Vec<_> = (0..2).map(|k| { let folds = &folds; let rows = &rows; let growth = &growth; sc.spawn(move || folds.iter().skip(k).step_by(2).map(|f| (f.clone(), grow(&rows(f), growth))).collect::<Vec<_>>()) }).collect();
        hs.into_iter().flat_map(|h| h.join().unwrap()).collect()
    });
    let show = args.iter().any(|a| a == "--pages");
    let mut best = (0.0, 0.0);
    let predict = |i: usize| -> Vec<f32> {
        let m = models.get(&fold_of(&pages[i].site)).unwrap_or(&models["-"]);
        samples[i].iter().map(|x| m.as_ref().probability(&x.features)).collect()
    };
    let preds: Vec<Vec<f32>> = (0..pages.len()).map(predict).collect();
    for t in [0.2f32, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8] {
        let mut sum = Score::default(); let mut perm = Score::default();
        for i in 0..n_products {
            let p = &pages[i];
            let k = select(&samples[i], &preds[i], t);
            let found: Pairs = k.iter().map(|&j| (normal_name(&samples[i][j].name), normal_value(&samples[i][j].value))).collect();
            let s = compare(&found, &p.gold, &p.optional); sum.add(s); if p.permissive { perm.add(s); }
        }
        let mut negp = 0; let mut neg2 = 0;
        for i in n_products..pages.len() { let k = select(&samples[i], &preds[i], t).len(); negp += k; neg2 += usize::from(k >= 2); }
        println!("t {t:.2} P {:.4} R {:.4} F1 {:.4}   perm P {:.4} R {:.4} F1 {:.4}   neg pairs {negp} pages>=2 {neg2}/{}", sum.precision(), sum.recall(), sum.f1(), perm.precision(), perm.recall(), perm.f1(), pages.len() - n_products);
        if sum.f1() > best.0 { best = (sum.f1(), t as f64); }
    }
    let t = env("T", best.1 as f32);
    let mut by: BTreeMap<String, Score> = BTreeMap::new();
    for i in 0..n_products {
        let p = &pages[i];
        let k = select(&samples[i], &preds[i], t);
        let found: Pairs = k.iter().map(|&j| (normal_name(&samples[i][j].name), normal_value(&samples[i][j].value))).collect();
        let s = compare(&found, &p.gold, &p.optional);
        by.entry(format!("site {}", p.site)).or_default().add(s);
        by.entry(format!("package {}", p.package)).or_default().add(s);
        if show {
            println!("== {}/{} {} right {} found {} gold {}", p.package, p.id, p.site, s.right, s.found, s.gold);
            for &j in &k { let x = &samples[i][j]; let key = (normal_name(&x.name), normal_value(&x.value));
                if !p.gold.contains(&key) && !p.optional.contains(&key) { println!("  WRONG {:.2} {:?} [{}] = [{}]", preds[i][j], x.layout, x.name, x.value.chars().take(100).collect::<String>()); } }
            for (n, v) in &p.attributes { let key = (normal_name(n), normal_value(v)); if !found.contains(&key) {
                let c = samples[i].iter().zip(&preds[i]).filter(|(x, _)| (normal_name(&x.name), normal_value(&x.value)) == key).map(|(x, p)| format!("{:?} {p:.2}", x.layout)).collect::<Vec<_>>().join(",");
                println!("  MISSED [{}] = [{}] {}", n, v.chars().take(100).collect::<String>(), c); } }
        }
    }
    let mut v: Vec<_> = by.into_iter().collect();
    v.sort_by_key(|(k, s)| (k.starts_with("site"), std::cmp::Reverse(s.found + s.gold - 2 * s.right)));
    for (k, s) in v.iter().take(45) { println!("{k}: P {:.3} R {:.3} F1 {:.3}  wrong {} missed {} gold {}", s.precision(), s.recall(), s.f1(), s.found - s.right, s.gold - s.right, s.gold); }
    if args.iter().any(|a| a == "--use") {
        let names = feature_names(); let mut c = vec![0; names.len()];
        for n in &models["-"].nodes { if n.feature != Node::LEAF { c[n.feature as usize] += 1; } }
        let mut o: Vec<_> = c.iter().zip(&names).collect(); o.sort(); o.reverse(); println!("{:?}", o);
    }
}
