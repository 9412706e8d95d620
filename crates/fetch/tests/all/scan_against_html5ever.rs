//! The pass over a page against the tree of a conforming parser: both must see the same links.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use gristmill_fetch::{ContentEncoding, DecodeLimits, ScanLimits, decode_body, scan_with};
use gristmill_html::{Doc, TreeLimits, decode};
use proptest::prelude::*;

/// Targets of `a` and `area` in the tree, as the scan writes them.
fn by_tree(html: &str) -> BTreeSet<String> {
    let doc = Doc::parse(html, &TreeLimits::default());
    let mut found = BTreeSet::new();
    for id in doc.ids().filter(|id| doc.is_element(*id)) {
        if !matches!(doc.name_str(doc.name(id)), "a" | "area") {
            continue;
        }
        for attribute in doc.attributes(id).filter(|attribute| doc.name_str(attribute.name) == "href") {
            let href = attribute.value.trim_matches(|c: char| c <= ' ');
            let dead = ["#", "javascript:", "mailto:", "tel:", "data:"];
            if !href.is_empty()
                && href.len() <= 4096
                && !dead.iter().any(|start| href.to_ascii_lowercase().starts_with(start))
            {
                found.insert(href.replace("\r\n", "\n"));
            }
        }
    }
    found
}

fn by_scan(html: &str) -> BTreeSet<String> {
    let limits = ScanLimits { max_anchors: usize::MAX, max_text_bytes: 0, ..ScanLimits::default() };
    scan_with(html, "http://a.test/", &limits)
        .anchors
        .into_iter()
        .map(|anchor| anchor.href.replace("\r\n", "\n"))
        .collect()
}

fn data() -> PathBuf {
    std::env::var_os("GRISTMILL_DATA")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")), PathBuf::from)
}

fn read_page(path: &Path) -> Option<String> {
    let mut packed = Vec::new();
    std::fs::File::open(path).ok()?.read_to_end(&mut packed).ok()?;
    let bytes =
        decode_body(&packed, ContentEncoding::Gzip, DecodeLimits { max_ratio: u32::MAX, ..DecodeLimits::default() })
            .ok()?;
    Some(decode(&bytes, None).text.to_string())
}

#[test]
fn on_real_pages_both_see_the_same_links() {
    let mut paths = Vec::new();
    for package in ["wcxb-dev", "zh-netease", "zh-extractor-fixtures", "magic-html-article", "fundus", "cleaneval-dev"]
    {
        let Ok(folder) = std::fs::read_dir(data().join("articles").join(package).join("pages")) else { continue };
        let mut pages: Vec<_> = folder
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "gz"))
            .collect();
        pages.sort();
        let step = (pages.len() / 60).max(1);
        paths.extend(pages.into_iter().step_by(step));
    }
    if paths.is_empty() {
        eprintln!("SKIPPED: no pages below {}", data().display());
        return;
    }
    let (mut n_both, mut n_either, mut n_same) = (0, 0, 0);
    for path in &paths {
        let html = read_page(path).unwrap_or_else(|| panic!("could not read {}", path.display()));
        let (tree, scan) = (by_tree(&html), by_scan(&html));
        let (both, either) = (tree.intersection(&scan).count(), tree.union(&scan).count());
        n_both += both;
        n_either += either;
        n_same += usize::from(both == either);
        if both != either {
            let only_tree: Vec<_> = tree.difference(&scan).take(2).collect();
            let only_scan: Vec<_> = scan.difference(&tree).take(2).collect();
            println!(
                "{}: {both} of {either}; only in the tree {only_tree:?}, only in the scan {only_scan:?}",
                path.display()
            );
        }
    }
    let share = n_both as f64 / n_either as f64;
    println!("{} pages, {n_either} links, {:.3} % seen by both; {n_same} pages the same", paths.len(), share * 100.0);
    assert!(share > 0.995, "{share}");
}

/// Pieces of pages that a tree builder neither drops nor moves.
fn body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z <>&;'=/!-]{0,12}".prop_map(|text| text.replace('<', "< ")),
        "[a-z]{1,5}".prop_map(|href| format!("<a href=\"/{href}?x=1&amp;y=2&copy=3\">")),
        "[a-z]{1,5}".prop_map(|href| format!("<a class='>' HREF = '{href}'/>")),
        "[a-z/=]{1,8}".prop_map(|href| format!("<area href={href}>")),
        Just("</a>".to_owned()),
        Just("<p>".to_owned()),
        Just("<div title=\"<a href=no>\">".to_owned()),
        Just("<!-- <a href=no> -- > -->".to_owned()),
        Just("<!--> <a href=yes1> -->".to_owned()),
        Just("<!---!> <a href=no> --!>".to_owned()),
        Just("<script>if (a<b) '<a href=no>'</script>".to_owned()),
        Just("<script><!-- <script> </script> <a href=no> --></script >".to_owned()),
        Just("<style><a href=no></style>".to_owned()),
        Just("<textarea><a href=no></textarea>".to_owned()),
        Just("<noscript><a href=yes2></noscript>".to_owned()),
        Just("<?php <a href=no> ?>".to_owned()),
        Just("</ <a href=no>".to_owned()),
        Just("<svg><title/><a href=yes3></a><![CDATA[<a href=no>]]></svg>".to_owned()),
        Just("<b x=\"&quot;\" y='&' z=&amp;>".to_owned()),
    ];
    proptest::collection::vec(piece, 0..25).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_made_up_pages_both_see_the_same_links(body in body(), cut in any::<prop::sample::Index>()) {
        let html = format!("<!DOCTYPE html><title>t</title><body>{body}");
        prop_assert_eq!(by_tree(&html), by_scan(&html));
        let mut end = 21 + cut.index(html.len() - 20);
        while !html.is_char_boundary(end) {
            end -= 1;
        }
        prop_assert_eq!(by_tree(&html[..end]), by_scan(&html[..end]), "cut at {}", end);
    }
}
