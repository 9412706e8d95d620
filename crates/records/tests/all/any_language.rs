//! Specifications in a language that nobody knows: the page has to teach what its names are.

use gristmill_html::{Doc, TreeLimits};
use gristmill_page::Page;
use gristmill_records::training::PseudoLanguage;
use gristmill_records::{PairSource, RecordOptions, records};

const SPEC: [(&str, &str); 8] = [
    ("Brand", "Acme"),
    ("Weight", "1.2 kg"),
    ("Material", "Brushed steel"),
    ("Color", "Black"),
    ("Height", "30 cm"),
    ("Model number", "N-30"),
    ("Country of origin", "Italy"),
    ("Power", "9 W"),
];

/// A shop page around a specification, with what stands around specifications.
fn page(spec: &str) -> String {
    let cards: String = (0..6)
        .map(|n| {
            format!("<li class=card><a href=/p{n}><img src=a.jpg><b>Desk lamp {n}</b></a><span>€ 3{n}.90</span></li>")
        })
        .collect();
    format!(
        "<html><head><title>Lamp Nova 30 - Lampshop</title></head><body>
        <header><nav><a href=/>Home</a> <a href=/l>Lamps</a> <a href=/c>Contact us</a></nav></header>
        <main><h1>Lamp Nova 30</h1><img src=lamp.jpg><div>€ 49.90</div><button>Add to cart</button>
        <p>A quiet lamp for the desk. It turns on when you touch it, and it stays where you put it.</p>
        <h2>Specifications</h2>{spec}
        <h2>You may also like</h2><ul>{cards}</ul></main>
        <footer><h4>Service</h4><a href=/t>Terms</a> <a href=/p>Privacy</a> <p>Phone: 555 0100</p></footer></body></html>"
    )
}

fn each(make: impl Fn(&str, &str) -> String) -> String {
    SPEC.iter().map(|(name, value)| make(name, value)).collect()
}

/// How many pairs of the specification are found in a language that does not exist, and how many others.
fn found(spec: &str) -> (usize, Vec<(String, String)>) {
    let language = PseudoLanguage::new(11);
    let doc = Doc::parse(&language.html(&page(spec)), &TreeLimits::default());
    let gold = SPEC.map(|(name, value)| (language.text(name), language.text(value)));
    let pairs = records(&Page::new(&doc), None, &RecordOptions::default()).pairs;
    let pairs = pairs.into_iter().map(|pair| (pair.name, pair.value));
    let (right, wrong): (Vec<_>, Vec<_>) = pairs.partition(|pair| gold.contains(pair));
    (right.len(), wrong)
}

#[track_caller]
fn reads_all(spec: &str) {
    assert_eq!(found(spec), (SPEC.len(), vec![]));
}

#[test]
fn tables_of_two_columns_are_read() {
    reads_all(&format!("<table>{}</table>", each(|n, v| format!("<tr><td>{n}</td><td>{v}</td></tr>"))));
    reads_all(&format!("<table>{}</table>", each(|n, v| format!("<tr><th>{n}</th><td>{v}</td></tr>"))));
}

#[test]
fn definition_lists_are_read() {
    reads_all(&format!("<dl>{}</dl>", each(|n, v| format!("<dt>{n}</dt><dd>{v}</dd>"))));
}

#[test]
fn rows_of_divisions_and_spans_are_read() {
    let rows = each(|n, v| format!("<div class=row><div class=a>{n}</div><div class=b>{v}</div></div>"));
    reads_all(&format!("<div>{rows}</div>"));
    reads_all(&format!("<ul>{}</ul>", each(|n, v| format!("<li><span>{n}</span> <span>{v}</span></li>"))));
    let tip = |n: &str, v: &str| {
        format!(
            "<div class=row><div class=a><span>{n}</span><button><svg></svg></button></div><div class=b>{v}</div></div>"
        )
    };
    reads_all(&format!("<div>{}</div>", each(tip)));
}

#[test]
fn rows_beside_the_rest_of_the_page_are_read() {
    let row = |class: &str| each(|n, v| format!("<div{class}><span>{n}</span> <span>{v}</span></div>"));
    reads_all(&row(" class=row"));
    reads_all(&row(""));
    reads_all(&each(|n, v| format!("<p><b>{n}</b> <span>{v}</span></p>")));
}

#[test]
fn names_with_a_colon_are_read() {
    reads_all(&format!("<ul>{}</ul>", each(|n, v| format!("<li><strong>{n}:</strong> {v}</li>"))));
    reads_all(&format!("<ul>{}</ul>", each(|n, v| format!("<li>{n}: {v}</li>"))));
    reads_all(&format!("<p>{}</p>", each(|n, v| format!("{n}: {v}<br>"))));
}

#[test]
fn names_above_their_values_are_read() {
    reads_all(&format!("<div>{}</div>", each(|n, v| format!("<div><h5>{n}</h5><p>{v}</p></div>"))));
    reads_all(&format!("<div>{}</div>", each(|n, v| format!("<h5>{n}</h5><p>{v}</p>"))));
}

#[test]
fn what_is_folded_away_is_read() {
    let rows = each(|n, v| format!("<tr><td>{n}</td><td>{v}</td></tr>"));
    reads_all(&format!("<div class=tab style='display:none'><table>{rows}</table></div>"));
    reads_all(&format!("<details><summary>More</summary><table>{rows}</table></details>"));
}

#[test]
fn names_that_a_style_sheet_shows_from_attributes_are_read() {
    let cell = |n: &str, v: &str| format!("<td data-label='{n}'>{v}</td>");
    let html = page(&format!("<table><tr>{}</tr></table>", each(cell)));
    let doc = Doc::parse(&html, &TreeLimits::default());
    let pairs = records(&Page::new(&doc), None, &RecordOptions::default()).pairs;
    let found: Vec<_> = pairs.iter().map(|pair| (pair.name.as_str(), pair.value.as_str())).collect();
    assert_eq!(found, SPEC);
    assert!(pairs.iter().all(|pair| pair.provenance.source == PairSource::Attribute));
}

#[test]
fn tables_with_groups_and_with_two_pairs_a_row_are_read() {
    let row = |&(n, v): &(&str, &str)| format!("<tr><th>{n}</th><td>{v}</td></tr>");
    let (a, b) = SPEC.split_at(4);
    let groups = [("General", a), ("Technical", b)].map(|(group, pairs)| {
        format!("<tr><th colspan=2>{group}</th></tr>{}", pairs.iter().map(row).collect::<String>())
    });
    reads_all(&format!("<table>{}</table>", groups.concat()));
    let two = a
        .iter()
        .zip(b)
        .map(|(a, b)| format!("<tr><th>{}</th><td>{}</td><th>{}</th><td>{}</td></tr>", a.0, a.1, b.0, b.1));
    reads_all(&format!("<table>{}</table>", two.collect::<String>()));
}

#[test]
fn a_link_behind_every_value_is_no_part_of_it() {
    let spec = each(|n, v| format!("<tr><td>{n}</td><td>{v} <a href=/report>Report an error</a></td></tr>"));
    reads_all(&format!("<table>{spec}</table>"));
}

#[test]
fn a_page_without_a_specification_gives_no_pairs() {
    assert_eq!(found("<p>It is the lamp that we would buy ourselves.</p>"), (0, vec![]));
}
