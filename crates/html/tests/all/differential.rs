//! Our tree against html5ever's, node by node.
//!
//! They differ by rule where html5ever leaves the specification (docs/conformance.md, HTML): `selectedcontent`, `search`, the special elements
//! of SVG and MathML, a doctype within a table. Made-up pages have none of these.

use crate::reference;

use std::path::PathBuf;

use gristmill_html::{Doc, TreeLimits, decode};
use proptest::prelude::*;
use reference::{html5ever_lines, lines};

fn limits() -> TreeLimits {
    TreeLimits { max_depth: 8_000, max_attributes: 100_000, max_nodes: 1 << 24, ..TreeLimits::default() }
}

/// Where both trees part, if they do. A page that ran into a limit is not compared.
fn difference(html: &str) -> Option<String> {
    let doc = Doc::parse(html, &limits());
    if doc.limits_hit().next().is_some() || html.contains("selectedcontent") {
        return None;
    }
    let (ours, theirs) = (lines(&doc), html5ever_lines(html));
    let at = ours.iter().zip(&theirs).position(|(own, other)| own != other);
    let at = at.or((ours.len() != theirs.len()).then_some(ours.len().min(theirs.len())))?;
    Some(format!("node {}: ours {:?}, html5ever's {:?}", at + 1, ours.get(at), theirs.get(at)))
}

/// The pages of the test data, decoded: one in eight, or all of them in a soak.
fn pages() -> Option<Vec<(PathBuf, String)>> {
    let data = std::env::var("GRISTMILL_DATA")
        .map_or_else(|_| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let mut files = Vec::new();
    for part in ["articles", "products"] {
        for package in std::fs::read_dir(data.join(part)).ok()?.flatten() {
            let pages = std::fs::read_dir(package.path().join("pages")).into_iter().flatten().flatten();
            files.extend(pages.map(|page| page.path()).filter(|path| path.to_string_lossy().ends_with(".html.gz")));
        }
    }
    files.sort();
    let step = if std::env::var_os("GRISTMILL_SOAK").is_some() { 1 } else { 8 };
    let read = |path: PathBuf| {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&path).unwrap();
        std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(file), &mut bytes).unwrap();
        let text = decode(&bytes, None).text.into_owned();
        (path, text)
    };
    Some(files.into_iter().step_by(step).map(read).collect())
}

#[test]
fn pages_of_the_test_data_have_the_tree_of_html5ever() {
    let Some(pages) = pages() else { return eprintln!("SKIPPED: no pages (GRISTMILL_DATA)") };
    let differ: Vec<String> =
        pages.iter().filter_map(|(path, html)| Some(format!("{}: {}", path.display(), difference(html)?))).collect();
    println!("{} pages", pages.len());
    assert!(differ.is_empty(), "{} differ: {}", differ.len(), differ.join("\n"));
    assert!(pages.len() > 250);
}

/// Tags, references and text that rules are about, in any order.
const PARTS: &str = "<(/?)(a|b|i|nobr|font|p|div|span|table|tbody|tr|td|th|caption|col|colgroup|select|option|optgroup|\
    hr|input|button|form|li|ul|dd|dt|h1|h2|svg|math|mrow|path|template|script|style|\
    textarea|head|body|html|br|img|applet|object|ruby|rt|rp|rtc|rb|pre|plaintext|noscript|iframe|xmp|frameset|main|x-y)\
    ( (class|encoding|color|type|a)(=(x|'y z'|\"text/html\"|hidden|&amp;&lt))?){0,2}/?>|x| |\n|&amp;|&notit;|&#x80;|\0|<!--c-->|\
    <!\\[CDATA\\[z\\]\\]>|</|<\\?p>|<!x>|\u{e9}";

proptest! {
    #[test]
    fn made_up_pages_have_the_tree_of_html5ever(doctype in "(<!doctype html>)?", parts in prop::collection::vec(PARTS, 0..40)) {
        let html = doctype + &parts.concat();
        prop_assert_eq!(difference(&html), None, "{:?}", html);
    }
}
