//! The tests of tree construction of html5lib-tests, which are read where they lie.

use std::fmt::Write;

use crate::limits::TreeLimits;
use crate::name::LocalName;
use crate::test_data::html5lib;
use crate::tree::{FrameHandling, build};
use crate::{Doc, NodeId};

struct Case {
    data: String,
    document: String,
    is_fragment: bool,
    script_on: bool,
}

fn cases(file: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for block in format!("\n{file}").split("\n#data\n").skip(1) {
        let (data, rest) = block.split_once("\n#errors").unwrap_or((block, ""));
        let data = if block.starts_with("#errors") { "" } else { data };
        let Some((head, document)) = rest.split_once("#document\n") else { continue };
        cases.push(Case {
            data: data.to_owned(),
            document: document.trim_end_matches('\n').to_owned(),
            is_fragment: head.contains("#document-fragment") || rest.contains("#document-fragment"),
            script_on: head.contains("#script-on"),
        });
    }
    cases
}

/// What a `Doc` holds of an expected tree: comments, doctypes and processing instructions are not in it, nor the spaces of names,
/// and attributes are in no order.
fn expected(document: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in document.split('\n') {
        match line.starts_with("| ") {
            true => lines.push(line.to_owned()),
            // A text or comment goes on.
            false => {
                if let Some(last) = lines.last_mut() {
                    last.push('\n');
                    last.push_str(line);
                }
            }
        }
    }
    let kept = lines.into_iter().filter(|line| {
        let what = line[2..].trim_start();
        !(what.starts_with("<!") || what.starts_with("<?"))
    });
    let mut kept: Vec<String> = kept.collect();
    // `content` is where the contents of a template hang: here it is the template itself.
    let mut out: Vec<String> = Vec::new();
    let mut shifts: Vec<usize> = Vec::new();
    for line in kept.drain(..) {
        let depth = line[2..].len() - line[2..].trim_start_matches(' ').len();
        while shifts.last().is_some_and(|shift| depth <= *shift) {
            shifts.pop();
        }
        if line[2..].trim_start() == "content" {
            shifts.push(depth);
            continue;
        }
        let less = 2 * shifts.len();
        let what = line[2..].trim_start_matches(' ');
        let what = what.replace("<svg ", "<").replace("<math ", "<");
        let what = match what.split_once('=') {
            Some((name, value)) if !what.starts_with(['<', '"']) => {
                format!("{}={value}", name.rsplit(' ').next().unwrap_or(name))
            }
            _ => what,
        };
        out.push(format!("{}{what}", " ".repeat(depth - less)));
    }
    out
}

fn shown(doc: &Doc) -> Vec<String> {
    let mut out = Vec::new();
    for id in doc.ids().skip(1) {
        let indent = " ".repeat(2 * (doc.depth(id) - 1));
        if doc.is_text(id) {
            out.push(format!("{indent}\"{}\"", doc.text(id)));
            continue;
        }
        out.push(format!("{indent}<{}>", doc.name_str(doc.name(id))));
        let mut attributes: Vec<String> = doc
            .attributes(id)
            .map(|attr| format!("{indent}  {}=\"{}\"", doc.name_str(attr.name), attr.value))
            .collect();
        attributes.sort();
        out.extend(attributes);
    }
    out
}

/// Attributes of one element sorted, as `shown` has them.
fn sorted(mut lines: Vec<String>) -> Vec<String> {
    let is_attribute = |line: &String| !line.trim_start_matches(' ').starts_with(['<', '"']);
    let mut at = 0;
    while at < lines.len() {
        let end = lines[at..].iter().position(|line| !is_attribute(line)).map_or(lines.len(), |n| at + n);
        lines[at..end].sort();
        at = end + 1;
    }
    lines
}

#[test]
fn html5lib_tests_of_tree_construction_pass() {
    let Some(files) = html5lib("tree-construction", "dat") else { return };
    let (mut n_passed, mut n_left_out, mut failed) = (0, 0, String::new());
    let mut n_failed = 0;
    for file in &files {
        let name = file.file_name().unwrap().to_string_lossy();
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        for case in cases(&text) {
            if case.is_fragment || case.script_on {
                n_left_out += 1;
                continue;
            }
            let data = case.data.replace("\r\n", "\n").replace('\r', "\n");
            let doc = build(&data, &TreeLimits::default(), FrameHandling::Kept);
            let (found, wanted) = (shown(&doc), sorted(expected(&case.document)));
            if found == wanted {
                n_passed += 1;
            } else {
                n_failed += 1;
                let _ = write!(
                    failed,
                    "\n== {name}: {:?}\nwanted\n{}\nfound\n{}\n",
                    case.data,
                    wanted.join("\n"),
                    found.join("\n")
                );
            }
        }
    }
    println!("{n_passed} passed, {n_failed} failed, {n_left_out} fragments and scripted cases left out");
    assert!(n_failed == 0, "{n_failed} failed: {failed}");
    assert!(n_passed > 1_000);
}

#[test]
fn an_empty_page_has_its_three_elements() {
    let doc = build("", &TreeLimits::default(), FrameHandling::Listed);
    let names: Vec<LocalName> = doc.ids().map(|id| doc.name(id)).collect();
    assert_eq!(names, [LocalName::DOCUMENT, LocalName::HTML, LocalName::HEAD, LocalName::BODY]);
    assert_eq!(doc.parent(NodeId(3)), Some(NodeId(1)));
}

#[test]
fn white_space_behind_rows_in_a_template_opens_nothing() {
    let doc = build("<template><td></td><div><a></div>\n<!-- -->", &TreeLimits::default(), FrameHandling::Listed);
    let template = doc.first(LocalName::TEMPLATE).unwrap();
    let children: Vec<LocalName> = doc.children(template).map(|id| doc.name(id)).collect();
    assert_eq!(children, [LocalName::TD, LocalName::DIV, LocalName::TEXT]);
}

#[test]
fn a_line_feed_behind_pre_is_left_out_though_an_error_stands_between() {
    // html5ever takes the report of the error for the token that comes next.
    for page in ["<pre>&#x0ax", "<pre></>\nx"] {
        let doc = build(page, &TreeLimits::default(), FrameHandling::Listed);
        assert_eq!(doc.text_content(NodeId::DOCUMENT), "x", "{page}");
    }
}

#[test]
fn an_end_tag_reaches_through_isindex() {
    // html5ever keeps it among the special elements, from which the standard dropped it.
    let doc = build("<x-y><isindex></x-y>z", &TreeLimits::default(), FrameHandling::Listed);
    let body = doc.body().unwrap();
    assert_eq!(doc.children(body).map(|id| doc.is_text(id)).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn text_of_a_row_in_a_template_stands_behind_what_the_row_gets_later() {
    let doc = build("<template><tr>x<script>", &TreeLimits::default(), FrameHandling::Listed);
    let below = doc.subtree(doc.first(LocalName::TEMPLATE).unwrap()).skip(1);
    let found: Vec<LocalName> = below.map(|id| doc.name(id)).collect();
    assert_eq!(found, [LocalName::TR, LocalName::SCRIPT, LocalName::TEXT]);
}
