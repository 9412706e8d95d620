use gristmill_html::{Doc, TreeLimits};

use super::Notes;
use crate::blocks::BlockRules;
use crate::rows::Rows;

/// Each note: its label, how many refer to it, and its text without label and signs.
fn notes(html: &str) -> Vec<(String, usize, String)> {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Rows::new(&doc, BlockRules::TEXT);
    let notes = Notes::new(&page, &crate::attribute_words::AttributeWords::new(page.doc));
    let said = |at: usize| {
        let note = &notes.notes[at];
        let within = page.leaves_in(note.nodes.clone());
        let mut text = String::new();
        for leaf in &page.leaves[within] {
            for byte in leaf.start..leaf.end {
                if !note.own_label.iter().chain(&note.signs).any(|range| range.contains(&byte)) {
                    text.push(page.text.as_bytes()[byte as usize] as char);
                }
            }
        }
        let n = notes.references.iter().filter(|reference| reference.note == at).count();
        (note.label.clone(), n, text.trim().to_owned())
    };
    (0..notes.notes.len()).map(said).collect()
}

fn note(label: &str, n: usize, text: &str) -> (String, usize, String) {
    (label.to_owned(), n, text.to_owned())
}

#[test]
fn notes_of_every_form_are_found_with_their_labels_and_without_what_leads_back() {
    for html in [
        // Markdown processors.
        "<p>a<sup id=fnref:1><a href=#fn:1 role=doc-noteref>1</a></sup><ol><li id=fn:1><p>Note<b>.</b> <a href=#fnref:1>↩</a></p></ol>",
        // Word.
        "<p>a<a href=#_ftn1 name=_ftnref1>[1]</a><p><a href=#_ftnref1 name=_ftn1>[1]</a> Note.",
        // MediaWiki.
        "<p>a<sup id=cite_ref-1 class=reference><a href=#cite_note-1><span>[</span>1<span>]</span></a></sup>\
         <ol class=references><li id=cite_note-1><span><b><a href=#cite_ref-1>^</a></b></span> <span>Note.</span></ol>",
        // By hand.
        "<p>a<sup><a href=#n1 name=r1>1</a></sup><p><a name=n1></a><a href=#r1>1</a>. Note.",
        "<p>a <a href=#note1 id=back1>(1)</a><div><a id=note1></a>(1) Note. [<a href=#back1>back</a>]</div>",
        // In terms, tables and lines.
        "<p>a<a href=#fn1 id=r1><sup>1</sup></a><dl><dt id=fn1>1<dd>Note. <a href=#r1>↩</a></dl>",
        "<p>a<a href=#fn1 id=r1><sup>1</sup></a><table><tr><td><a href=#r1 id=fn1>1</a><td>Note.</table>",
        "<p>a<a href=#fn1 id=r1><sup>1</sup></a><p>x<br><a href=#r1 id=fn1>1.</a> Note.<br>y",
        // Fragments with signs, references within long inline elements, sidenotes.
        "<p><em>a long text before it<a href=#fn%3A1 id=r1><sup>1</sup></a> and behind it</em><div id=fn:1>1. Note. <a href=#r1>↩</a></div>",
        "<p>a<label for=s class=sidenote-number></label><input type=checkbox id=s><span class=sidenote>Note.</span> b",
        "<p>a<span class=ltx_note><sup>1</sup><span class=ltx_note_outer><span class=ltx_note_content><sup>1</sup>Note.</span></span></span> b",
        // Without links.
        "<p>a.<sup>1</sup> b<p>c 10<sup>6</sup><p><sup>1</sup> Note.",
    ] {
        assert_eq!(notes(html), [note("1", 1, "Note.")], "{html}");
    }
}

#[test]
fn labels_are_those_of_the_page_where_they_are_words_and_of_one_note() {
    let html = "<p>a<sup><a href=#f1>*</a></sup> b<sup><a href=#f2>2</a></sup> c<sup><a href=#g2>2</a></sup> d<sup><a href=#f2>2</a></sup>\
        <div class=footnotes><p id=f1>* One.<p id=f2>2 Two.<p id=g2>2 Three.</div>";
    assert_eq!(notes(html), [note("1", 1, "One."), note("2", 2, "2 Two."), note("3", 1, "2 Three.")]);
}

#[test]
fn other_links_within_a_page_are_no_references() {
    for html in [
        "<ul><li><a href=#one>1</a> <a href=#two>2</a></ul><h2 id=one>One</h2><p>Text.<h2 id=two>Two</h2>",
        "<p><a href=#page2>2</a><div id=page2><p>The next page of it.</div>",
        "<p>see <a href=#method>the method</a><p id=method>Method.",
        "<p>10<sup>6</sup> and m<sup>2</sup>",
        "<p id=top>a<p><a href=#top>↑</a>",
    ] {
        assert_eq!(notes(html), [], "{html}");
    }
}

#[test]
fn many_notes_take_linear_time() {
    let start = cpu_time::ThreadTime::now();
    let many = |part: &dyn Fn(usize) -> String| (0..20_000).map(part).collect::<String>();
    let references = many(&|n| format!("<sup><a href=#f{n} id=r{n}>{}</a></sup> ", n % 1000));
    let list = many(&|n| format!("<li id=f{n}>Note <a href=#r{n}>↩</a>"));
    notes(&format!("<p>{references}<ol class=footnotes>{list}</ol>"));
    notes(&format!("<p>{}<p id=f1>{references}", many(&|_| "<a href=#f1>1</a> ".into())));
    notes(&many(&|n| format!("<p>a.<sup>{}</sup><p><sup>{}</sup> b", n % 1000, n % 999)));
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn words_of_a_sentence_refer_to_entries_of_a_list_of_references() {
    let html = "<p>low (<a href=#b1>Kern, 1901</a>) and [<a href=#b2>2</a>]<section class=ref-list><ul class='ref-list'>\
        <li id=b1><cite>The roll.</cite><li id=b2><span>2.</span><cite>On rents.</cite></ul></section>";
    assert_eq!(
        notes(html).iter().map(|(_, n, text)| (*n, text.as_str())).collect::<Vec<_>>(),
        [(1, "The roll."), (1, "On rents.")]
    );
}
