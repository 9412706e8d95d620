//! A dictionary learnt from half of a shop's pages finds more on the other half, in a language that nobody knows.
//!
//! Needs the test data (`GRISTMILL_DATA`, default `../shared/data` beside the workspace); says so when it is missing. The two shops are
//! the largest of those whose licence keeps their pages out of the shipped model.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use gristmill_html::{Doc, TreeLimits, decode};
use gristmill_page::Page;
use gristmill_records::name_induction::{Learner, to_file};
use gristmill_records::training::PseudoLanguage;
use gristmill_records::{Dictionary, PairMethod, RecordOptions, records};

struct ShopPage {
    html: String,
    gold: HashSet<(String, String)>,
}

/// The pages of a shop in one language that does not exist.
fn pages(folder: &Path, language: PseudoLanguage) -> Vec<ShopPage> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let read = |file: PathBuf| {
        let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let mut bytes = Vec::new();
        let packed = std::fs::File::open(file.with_extension("html.gz")).unwrap();
        flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
        let pair = |pair: &serde_json::Value| {
            let text = |n: usize| plain(&language.text(pair[n].as_str().unwrap()));
            (text(0), text(1))
        };
        let gold = json["attributes"].as_array().unwrap().iter().map(pair).collect();
        ShopPage { html: language.html(&decode(&bytes, None).text), gold }
    };
    files.into_iter().map(read).collect()
}

fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    text.trim_matches([':', '：', '•', '·']).to_owned()
}

/// How many of the gold pairs are found, and how many pairs are found that are not gold.
fn judge(pages: &[&ShopPage], method: PairMethod, dictionary: &Dictionary) -> [usize; 2] {
    let options = RecordOptions { method, dictionary: dictionary.clone(), ..RecordOptions::default() };
    let (mut right, mut wrong) = (0, 0);
    for page in pages {
        let doc = Doc::parse(&page.html, &TreeLimits::default());
        let found = records(&Page::new(&doc), None, &options).pairs;
        let found: HashSet<(String, String)> =
            found.iter().map(|pair| (plain(&pair.name), plain(&pair.value))).collect();
        right += found.intersection(&page.gold).count();
        wrong += found.difference(&page.gold).count();
    }
    [right, wrong]
}

#[test]
fn names_learnt_from_half_of_a_shop_raise_the_recall_on_its_other_half() {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = PathBuf::from(std::env::var("GRISTMILL_DATA").unwrap_or_else(|_| default.into())).join("products");
    if !data.exists() {
        return eprintln!("SKIPPED: no product pages in `{}` (set GRISTMILL_DATA)", data.display());
    }
    for (shop, seed) in [("zh-jd", 11), ("swde-book-booksamillion", 13)] {
        let pages = pages(&data.join(shop).join("pages"), PseudoLanguage::new(seed));
        let mut learner = Learner::new();
        for page in pages.iter().step_by(2) {
            learner.read_page(shop, &Doc::parse(&page.html, &TreeLimits::default()));
        }
        let learnt = learner.finish(&Dictionary::built_in());
        let extended = Dictionary::built_in().extended(&to_file(&learnt)).unwrap();
        let others: Vec<&ShopPage> = pages.iter().skip(1).step_by(2).collect();
        let n_gold: usize = others.iter().map(|page| page.gold.len()).sum();
        for method in [PairMethod::Hmm, PairMethod::Records] {
            let [before, after] =
                [Dictionary::built_in(), extended.clone()].map(|names| judge(&others, method, &names));
            println!(
                "{shop}, {}: {} names learnt; of {n_gold} pairs {} found before, {} after; others {} and {}",
                method.as_str(),
                learnt.len(),
                before[0],
                after[0],
                before[1],
                after[1]
            );
            let [more, other] = [0, 1].map(|n| after[n] as isize - before[n] as isize);
            assert!(more >= 0 && other <= more + n_gold as isize / 10, "{shop} {before:?} {after:?}");
            // The paper's method needs to know names; the other one reads what repeats.
            assert!(method == PairMethod::Records || more > 0, "{shop} {before:?} {after:?}");
        }
    }
}
