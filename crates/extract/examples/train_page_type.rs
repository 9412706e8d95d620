//! scratch
use std::io::Read;
use std::path::{Path, PathBuf};
use gristmill_extract::*;
use gristmill_html::{Doc, Limits, decode};
use serde_json::Value;
fn env(key: &str, d: f32) -> f32 { std::env::var(key).ok().and_then(|t| t.parse().ok()).unwrap_or(d) }
const PERMISSIVE: [&str; 6] = ["CC-BY-4.0", "CC-BY-3.0", "CC0", "MIT", "Apache-2.0", "BSD"];
fn permissive(l: &str) -> bool { PERMISSIVE.iter().any(|k| l.starts_with(k)) && !l.contains("unstated") && !l.contains("GPL") }
struct P { package: String, id: String, lang: String, kind: String }
fn main() {
    let data = PathBuf::from(std::env::args().nth(1).unwrap());
    let mut dirs: Vec<PathBuf> = ["articles", "products"].iter().flat_map(|k| std::fs::read_dir(data.join(k)).unwrap()).map(|e| e.unwrap().path()).filter(|p| p.join("package.json").exists()).collect();
    dirs.sort();
    let mut todo: Vec<(PathBuf, String, Value)> = Vec::new();
    for d in &dirs {
        let package = d.file_name().unwrap().to_string_lossy().into_owned();
        let about: Value = serde_json::from_slice(&std::fs::read(d.join("package.json")).unwrap()).unwrap();
        let mut js: Vec<PathBuf> = std::fs::read_dir(d.join("pages")).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "json")).collect();
        js.sort();
        for j in js { if package == "wcxb-product-dev" { continue; } todo.push((j, package.clone(), about["licence"].clone())); }
    }
    let half = todo.len() / 2;
    let t = std::time::Instant::now();
    let work = |part: &[(PathBuf, String, Value)]| part.iter().map(|(j, package, licence)| one(j, package, licence)).collect::<Vec<_>>();
    let all = std::thread::scope(|s| { let a = s.spawn(|| work(&todo[..half])); let b = work(&todo[half..]); let mut a = a.join().unwrap(); a.extend(b); a });
    println!("{} pages in {:?}", all.len(), t.elapsed());
    let (info, pages): (Vec<P>, Vec<TypedPage>) = all.into_iter().unzip();
    let mut trainer = TypeTrainer::default();
    trainer.growth.n_trees = env("T", trainer.growth.n_trees as f32) as usize;
    trainer.growth.depth = env("D", trainer.growth.depth as f32) as usize;
    trainer.growth.rate = env("R", trainer.growth.rate);
    trainer.growth.lambda = env("L", trainer.growth.lambda);
    trainer.growth.min_weight = env("W", trainer.growth.min_weight);
    trainer.growth.feature_share = env("F", trainer.growth.feature_share);
    trainer.balance = env("B", trainer.balance);
    let t = std::time::Instant::now();
    let cv = trainer.cross_validate(&pages, 5);
    println!("cv {:?} sharpness {}", t.elapsed(), cv.sharpness);
    for view in View::ALL {
        let mut conf = [[0u32; 7]; 7];
        let (mut wn, mut wr, mut k4, mut ll) = (0, 0, 0, 0.0);
        let (mut fa, mut na, mut mp, mut np) = (0, 0, 0, 0);
        for (n, (i, p)) in info.iter().zip(&pages).enumerate() {
            let types = cv.types(n, view);
            let best = types.best().0;
            let prod = types.of_type(PageType::Product) > env("PT", 0.5);
            if let Some(l) = p.label {
                if i.package == "wcxb-dev" { conf[l as usize][best as usize] += 1; wn += 1; wr += u32::from(l == best); k4 += u32::from(kind(l) == kind(best)); ll -= f64::from(types.of_type(l).max(1e-6)).ln(); }
                if l == PageType::Article { na += 1; fa += u32::from(prod); if prod && view == View::Whole { println!("FALSE {}/{} {:.2}", i.package, i.id, types.of_type(PageType::Product)); } }
                if l == PageType::Product { np += 1; mp += u32::from(!prod); if !prod && std::env::var("V").is_ok() && view == View::Whole { println!("MISSED {}/{} {:.2} {:?}", i.package, i.id, types.of_type(PageType::Product), best); } }
            }
        }
        println!("{view:?}: wcxb acc {:.4} kinds {:.4} logloss {:.4}; false product {fa}/{na}; missed product {mp}/{np}", f64::from(wr) / f64::from(wn), f64::from(k4) / f64::from(wn), ll / f64::from(wn));
        if view == View::Whole || view == View::Bare {
            for (l, row) in PageType::ALL.iter().zip(conf) { println!("  {:14} {row:?} {:.3}", l.as_str(), f64::from(row[*l as usize]) / f64::from(row.iter().sum::<u32>())); }
            let mut by: std::collections::BTreeMap<(String, String), (u32, [u32; 7])> = Default::default();
            for (n, (i, _)) in info.iter().zip(&pages).enumerate() {
                if i.package == "wcxb-dev" { continue; }
                let e = by.entry((i.package.clone(), format!("{} {}", i.kind, if i.lang == "zh" { "zh" } else { "" }))).or_default();
                e.0 += 1; e.1[cv.types(n, view).best().0 as usize] += 1;
            }
            for (k, v) in by { println!("  {k:?} {v:?}"); }
        }
    }
    if let Ok(file) = std::env::var("OUT") { std::fs::write(file, trainer.train(&pages, cv.sharpness, &["x".into()])).unwrap(); }
}
fn kind(p: PageType) -> u8 { match p { PageType::Article => 0, PageType::Product => 1, PageType::Listing | PageType::Collection => 2, _ => 3 } }
fn one(j: &Path, package: &str, licence: &Value) -> (P, TypedPage) {
    let m: Value = serde_json::from_slice(&std::fs::read(j).unwrap()).unwrap();
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(j.with_extension("html.gz")).unwrap()).read_to_end(&mut bytes).unwrap();
    let html = decode(&bytes, None).text.into_owned();
    let doc = Doc::parse(&html, &Limits::default());
    let page = Page::new(&doc);
    let kind = m["page_type"].as_str().unwrap_or("product");
    let label = PageType::ALL.into_iter().find(|t| t.as_str() == kind);
    let ok = match licence { Value::String(l) => permissive(l), l => m["source"]["repo"].as_str().and_then(|r| l[r].as_str()).is_some_and(permissive) };
    let site = m["domain"].as_str().or(m["site"].as_str()).unwrap_or("");
    let id = j.file_stem().unwrap().to_string_lossy().into_owned();
    (P { package: package.into(), id, lang: m["language"].as_str().unwrap_or("").into(), kind: kind.into() }, TypedPage::new(&page, m["url"].as_str(), label, site, ok))
}
