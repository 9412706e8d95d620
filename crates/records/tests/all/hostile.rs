//! Pages made to hurt: every one must end quickly and without a panic.

use std::time::Duration;

use cpu_time::ThreadTime;
use gristmill_html::{Doc, TreeLimits};
use gristmill_page::Page;
use gristmill_records::{PairMethod, RecordOptions, records};
use proptest::prelude::*;

fn all(html: &str) -> Duration {
    let doc = Doc::parse(html, &TreeLimits::default());
    let start = ThreadTime::now();
    for method in PairMethod::ALL {
        let found = records(&Page::new(&doc), None, &RecordOptions { method, ..RecordOptions::default() });
        assert!(found.pairs.len() <= 1_000);
    }
    start.elapsed()
}

/// Generous, so that a busy machine does not fail it; a quadratic path takes minutes.
const BOUND: Duration = Duration::from_secs(20);

#[test]
fn a_hundred_thousand_candidates_are_cut_off_with_a_warning() {
    let html = format!("<dl>{}</dl>", "<dt>Name</dt><dd>value</dd>".repeat(100_000));
    let doc = Doc::parse(&html, &TreeLimits::default());
    let found = records(&Page::new(&doc), None, &RecordOptions::default());
    assert!(found.warnings.iter().any(|warning| warning.contains("candidate pairs")), "{:?}", found.warnings);
    assert!(all(&html) < BOUND);
    assert!(all(&"<p>a: b<br>".repeat(60_000)) < BOUND);
    assert!(all(&format!("<div>{}</div>", "<b>a</b><i>b</i>".repeat(60_000))) < BOUND);
}

#[test]
fn spans_beyond_all_bounds_and_nested_tables_are_survived() {
    let cell = "<td colspan=2147483648 rowspan=99999999999999999999>x</td>";
    assert!(all(&format!("<table>{}</table>", format!("<tr>{}</tr>", cell.repeat(200)).repeat(100))) < BOUND);
    assert!(all(&"<table><tr><td>a<td>".repeat(2_000)) < BOUND);
    assert!(all(&"<dl><dt>a<dd>".repeat(5_000)) < BOUND);
}

#[test]
fn endless_tables_of_variants_are_cut_off_with_a_warning() {
    let table = |n_rows: usize| {
        let rows = (0..n_rows).map(|n| format!("<tr><td>name {n}x<td>{n} cm<td>{n} kg"));
        format!("<table><tr><td><td>Nova white<td>Nova black{}</table>", rows.collect::<String>())
    };
    for tables in [table(50_000), table(3).repeat(10_000)] {
        let html = format!("<h1>Nova</h1><button>Add to cart</button>{tables}");
        let found = records(&Page::new(&Doc::parse(&html, &TreeLimits::default())), None, &RecordOptions::default());
        assert_eq!(found.pairs.len(), 1_000);
        assert!(found.warnings.iter().any(|warning| warning.contains("max_pairs")), "{:?}", found.warnings);
        assert!(all(&html) < BOUND);
    }
}

#[test]
fn deep_trees_and_long_texts_are_survived() {
    assert!(all(&"<div><span>a:</span>".repeat(20_000)) < BOUND);
    assert!(all(&format!("<p>{}</p>", "<b>".repeat(600) + &"a: b ".repeat(100_000))) < BOUND);
    assert!(all(&"a:".repeat(1 << 20)) < BOUND);
    assert!(all("") < BOUND);
}

#[test]
fn microdata_that_refers_to_itself_is_survived() {
    let item = |n| {
        format!(
            "<div id=i{n} itemscope itemtype=http://schema.org/Product itemprop=isRelatedTo itemref='i0 i1 i2 i3 i4 i5 i6 i7'><b itemprop=name>x</b></div>"
        )
    };
    assert!(all(&(0..2_000).map(item).collect::<String>()) < BOUND);
}

fn json_ld(script: &str) -> Duration {
    all(&format!("<h1>Lamp</h1><script type=application/ld+json>{script}</script><dl><dt>Brand<dd>Acme</dl>"))
}

#[test]
fn hostile_json_ld_is_survived() {
    // Nesting far beyond any stack, closed and left open, as objects and as lists.
    for n in [100, 100_000] {
        assert!(json_ld(&format!("{}1{}", "{\"offers\":".repeat(n), "}".repeat(n))) < BOUND);
        assert!(json_ld(&"[".repeat(n)) < BOUND);
    }
    // Ten megabytes that are valid, of one string and of many small items.
    assert!(json_ld(&format!("{{\"@type\":\"Product\",\"name\":\"{}\"}}", "x".repeat(10 << 20))) < BOUND);
    let item = "{\"@type\":\"Product\",\"name\":\"x\",\"offers\":{\"price\":1}}";
    assert!(json_ld(&format!("[{}]", vec![item; (3 << 20) / item.len()].join(","))) < BOUND);
    // One key again and again, references in a circle, types that no field expects.
    assert!(json_ld(&format!("{{{}\"@type\":\"Product\"}}", "\"name\":\"x\",".repeat(100_000))) < BOUND);
    let circle = (0..3_000)
        .map(|n| format!("{{\"@type\":\"Product\",\"@id\":\"#{n}\",\"offers\":{{\"@id\":\"#{}\"}}}}", (n + 1) % 3_000));
    assert!(json_ld(&format!("[{}]", circle.collect::<Vec<_>>().join(","))) < BOUND);
    let wrong = "{\"@type\":[1,null,{\"a\":[]}],\"name\":{\"name\":{\"name\":[]}},\"offers\":\"free\",\"brand\":[[[]]],\"additionalProperty\":[1,{\"name\":2,\"value\":{}}]}";
    assert!(json_ld(wrong) < BOUND);
}

#[test]
fn nested_json_ld_costs_the_rest_of_the_page_nothing() {
    let rows =
        "<tr><th>Brand</th><td>Acme</td></tr><tr><th>Weight</th><td>1 kg</td></tr><tr><th>Colour</th><td>red</td></tr>";
    let script = format!("<script type=application/ld+json>{}</script>", "[".repeat(100_000));
    let html = format!("<h1>Lamp</h1><p>$5</p><h2>Specifications</h2><table class=specs>{rows}</table>{script}");
    let found = records(&Page::new(&Doc::parse(&html, &TreeLimits::default())), None, &RecordOptions::default());
    assert_eq!(found.pairs.len(), 3, "{:?}", found.warnings);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_soup_of_tags_and_colons_is_read(pieces in proptest::collection::vec(prop_oneof![
        Just("<table>"), Just("<tr>"), Just("<td>"), Just("<th colspan=9>"), Just("</table>"), Just("<dl><dt>"), Just("<dd>"),
        Just("<li>"), Just("<br>"), Just("<b>"), Just("</b>"), Just("<div class=spec>"), Just("</div>"), Just("Brand: Acme"),
        Just("品牌：联想"), Just(":"), Just("|"), Just("10:30"), Just("é\u{200b}\u{301}"), Just("<h2>Specs</h2>"), Just("$5"), Just("\u{a0}"),
        Just("<h1>灯 Lamp</h1>"), Just("<button>Add to cart</button>"), Just("۱٬۲۴۹٬۰۰۰ تومان"), Just("٤٫٥/٥"), Just("（٣）"), Just("<s>"),
        Just("1,000円(税込1,100円)"), Just("£1.2m"), Just("%٢٥"), Just(" zł"), Just("<p>"),
    ], 0..60)) {
        all(&pieces.concat());
    }
}
