//! The flat document against the HTML5 tree it stands for, and against hostile pages.

use std::time::Duration;

use cpu_time::ThreadTime;
use gristmill_html::{Doc, LimitHit, LocalName, NodeId, TreeLimits};
use proptest::prelude::*;

fn parse(html: &str) -> Doc {
    Doc::parse(html, &TreeLimits::default())
}

/// The tree as `html(head body(p('text')))`, without recursion.
fn outline(doc: &Doc) -> String {
    let mut out = String::new();
    let mut ends = Vec::new();
    for id in doc.ids().skip(1) {
        while ends.last().is_some_and(|&end| end <= id.index()) {
            out.push(')');
            ends.pop();
        }
        if !out.is_empty() && !out.ends_with('(') {
            out.push(' ');
        }
        match doc.is_text(id) {
            true => out.push_str(&format!("'{}'", doc.text(id))),
            false => out.push_str(doc.name_str(doc.name(id))),
        }
        if doc.first_child(id).is_some() {
            out.push('(');
            ends.push(doc.end(id));
        }
    }
    out + &")".repeat(ends.len())
}

fn body(html: &str) -> String {
    let outline = outline(&parse(html));
    let at = outline.find("body").expect("every page has a body");
    outline[at..outline.len() - 1].to_owned()
}

#[test]
fn implied_elements_are_there() {
    assert_eq!(outline(&parse("x<table><td>y")), "html(head body('x' table(tbody(tr(td('y'))))))");
    assert_eq!(outline(&parse("")), "html(head body)");
}

#[test]
fn misnested_formatting_is_mended_by_the_adoption_agency() {
    assert_eq!(body("<p>1<b>2<i>3</b>4</i>5</p>"), "body(p('1' b('2' i('3')) i('4') '5'))");
    assert_eq!(body("<b>1<p>2</b>3</p>"), "body(b('1') p(b('2') '3'))");
}

#[test]
fn stray_text_in_a_table_stands_before_it_as_one_text() {
    assert_eq!(body("<table>a<td>b</td>c</table>"), "body('ac' table(tbody(tr(td('b')))))");
}

#[test]
fn a_comment_parts_two_texts_and_vanishes() {
    assert_eq!(body("a<!-- x -->b"), "body('a' 'b')");
}

#[test]
fn noscript_and_noframes_are_content_and_raw_text_is_not_markup() {
    assert_eq!(body("<body><noscript><p>x</noscript>"), "body(noscript(p('x')))");
    assert_eq!(body("<frameset><frame src=a><noframes><p>x</noframes></frameset>"), "body(p('x'))");
    assert_eq!(body("<textarea><p>x</textarea><xmp><b></xmp>"), "body(textarea('<p>x') xmp('<b>'))");
}

#[test]
fn attributes_keep_their_order_and_late_ones_join_the_body() {
    let doc = parse("<body class=a id=b><body class=c onload=d><x-tag data-x='&lt;1'>");
    let body = doc.body().unwrap();
    let pairs: Vec<_> = doc.attributes(body).map(|attr| (doc.name_str(attr.name), attr.value)).collect();
    assert_eq!(pairs, [("class", "a"), ("id", "b"), ("onload", "d")]);
    let tag = doc.first(doc.find_name("x-tag").unwrap()).unwrap();
    assert_eq!(doc.attr(tag, doc.find_name("data-x").unwrap()), Some("<1"));
}

#[test]
fn relatives_agree_with_each_other() {
    let doc = parse("<ul><li>a<li><b>b</b>c</ul><p>d");
    for id in doc.ids().skip(1) {
        let parent = doc.parent(id).unwrap();
        assert!(doc.children(parent).any(|child| child == id) && doc.contains(parent, id));
        assert_eq!(doc.depth(id), doc.ancestors(id).count());
        if let Some(next) = doc.next_sibling(id) {
            assert_eq!((doc.prev_sibling(next), doc.parent(next)), (Some(id), Some(parent)));
        } else {
            assert_eq!(doc.last_child(parent), Some(id));
        }
        if doc.prev_sibling(id).is_none() {
            assert_eq!(doc.first_child(parent), Some(id));
        }
    }
    assert_eq!(doc.children(NodeId::DOCUMENT).count(), 1);
}

#[test]
fn each_limit_cuts_and_says_so() {
    let limits = TreeLimits { max_bytes: 40, ..TreeLimits::default() };
    let doc = Doc::parse(&format!("<p>{}", "é".repeat(100)), &limits);
    assert_eq!(doc.limits_hit().collect::<Vec<_>>(), [LimitHit::Bytes]);
    let limits = TreeLimits { max_nodes: 100, ..TreeLimits::default() };
    let doc = Doc::parse(&"<p>x".repeat(1000), &limits);
    assert!(doc.len() < 120);
    assert_eq!(doc.limits_hit().collect::<Vec<_>>(), [LimitHit::Nodes]);
    let limits = TreeLimits { max_attributes: 2, ..TreeLimits::default() };
    let doc = Doc::parse("<p a=1 b=2 c=3>", &limits);
    assert_eq!(doc.attributes(doc.first(LocalName::P).unwrap()).count(), 2);
    assert_eq!(doc.limits_hit().collect::<Vec<_>>(), [LimitHit::Attributes]);
}

#[test]
fn nesting_is_flattened_in_place() {
    let limits = TreeLimits { max_depth: 20, ..TreeLimits::default() };
    let doc = Doc::parse(&format!("{}deep{}<p>after", "<div>".repeat(100), "</div>".repeat(100)), &limits);
    assert_eq!(doc.limits_hit().collect::<Vec<_>>(), [LimitHit::Depth]);
    assert!(doc.ids().all(|id| doc.depth(id) <= 24));
    let p = doc.first(LocalName::P).unwrap();
    assert_eq!(doc.parent(p), doc.body(), "the end tags that were left out must not close what is open");
    assert_eq!(doc.text_content(doc.body().unwrap()), "deepafter");
}

/// `max_steps` counts what is looked through, so that this is a bound on work and not on time.
#[test]
fn what_looks_like_tags_and_is_none_is_looked_through_once() {
    for (begin, token) in
        [("<p>", "</"), ("<p>", "</1"), ("<p>", "</ "), ("<svg><![CDATA[", "</a>"), ("<p>", "<!a "), ("", "<")]
    {
        let html = format!("{begin}{}", token.repeat(1_000_000));
        let doc = Doc::parse(&html, &TreeLimits { max_steps: 8 * html.len() as u64, ..TreeLimits::default() });
        assert_eq!(doc.limits_hit().collect::<Vec<_>>(), [], "{begin}{token}");
    }
}

#[test]
fn a_page_ends_where_its_steps_are_spent() {
    let deep = format!("{}{}", "<div>".repeat(500), "</li><p>x</p>".repeat(10_000));
    let limits = TreeLimits { max_steps: 1_000_000, ..TreeLimits::default() };
    let doc = Doc::parse(&deep, &limits);
    assert!(doc.limits_hit().any(|hit| hit == LimitHit::Steps));
    let paragraphs = doc.ids().filter(|&id| doc.name(id) == LocalName::P).count();
    assert!((100..9_000).contains(&paragraphs), "{paragraphs}");
    assert!(doc.body().is_some());
}

/// The list of formatting elements is walked for each of them: without a bound this page reopens
/// them until it has no room for nodes.
#[test]
fn unclosed_formatting_elements_are_bounded() {
    let html: String = (0..100_000).map(|n| format!("<div><b id={n}></div>")).collect();
    let doc = parse(&html);
    assert_eq!(doc.limits_hit().collect::<Vec<_>>(), [LimitHit::Depth]);
}

/// Generous for a loaded machine and a debug build, far below what quadratic behaviour takes.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn hostile_pages_are_parsed_in_linear_time() {
    let n = 100_000;
    let unclosed = |tag: &str| tag.repeat(n);
    let pages = [
        ("div", unclosed("<div>")),
        ("b", unclosed("<b>")),
        ("table", unclosed("<table>")),
        ("table cells", unclosed("<table><tr><td>")),
        ("svg", unclosed("<svg>")),
        ("font", (0..n).map(|n| format!("<font color={n}>")).collect()),
        (
            "reopened",
            format!("{}{}", (0..2000).map(|n| format!("<b id={n}>")).collect::<String>(), "<p>x".repeat(50_000)),
        ),
        ("adoption", "<a><b><div></a></b>".repeat(n / 4)),
        ("fostered text", format!("<table>{}", "x<td>y</td>".repeat(n))),
        ("body attributes", (0..n).map(|n| format!("<body a{n}>")).collect()),
        ("one tag", format!("<p {}>", (0..n).map(|n| format!("a{n} ")).collect::<String>())),
        ("end tags", format!("{}{}", "<div>".repeat(500), "</p>".repeat(n))),
    ];
    for (what, html) in pages {
        let start = ThreadTime::now();
        let doc = parse(&html);
        let took = start.elapsed();
        println!("{what}: {} kB, {} nodes, {took:?}", html.len() / 1000, doc.len());
        assert!(took < PATIENCE, "{what} took {took:?}");
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_well_formed_document(html in "(<[a-z/!]{0,6}[ =\"'a-z]{0,8}>?|\\PC{0,6}|[<>&;#\0]){0,40}") {
        let doc = parse(&html);
        let mut open = vec![doc.len()];
        for id in doc.ids() {
            while open.last().is_some_and(|&end| end <= id.index()) {
                open.pop();
            }
            prop_assert!(doc.end(id) <= *open.last().unwrap(), "a subtree reaches beyond its parent's");
            open.push(doc.end(id));
        }
    }
}
