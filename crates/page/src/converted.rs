//! Lists and bold words as programs write them that make pages of documents: paragraphs with a dot in front, lists that say how deep they
//! are, classes with a number that a style sheet makes bold.

use std::collections::HashMap;

use gristmill_html::{Doc, LocalName, NodeId};

/// Makes items of what Word writes as paragraphs of a list, puts the inner lists of Google's documents into the items before them, and
/// makes bold and slanted what numbered classes are said to be. O(nodes + styles).
pub(crate) fn write(doc: &mut Doc) {
    if doc.mentions("mso-list") {
        items_of_word(doc);
    }
    if doc.mentions("font:7.0pt") {
        filtered_items_of_word(doc);
    }
    if doc.mentions("lst-kix_") {
        inner_lists(doc);
    }
    numbered_styles(doc);
}

/// Paragraphs of a list with a dot; where they have numbers the text has them.
fn items_of_word(doc: &mut Doc) {
    let says = |doc: &Doc, id: NodeId, what: &str| {
        doc.attr(id, LocalName::STYLE).is_some_and(|style| style.to_ascii_lowercase().contains(what))
    };
    let is_item = |id: &NodeId| doc.name(*id) == LocalName::P && says(doc, *id, "mso-list:l");
    let paragraphs: Vec<NodeId> = doc.ids().filter(is_item).collect();
    for paragraph in paragraphs {
        let sign = doc.subtree(paragraph).skip(1).find(|&id| says(doc, id, "mso-list:ignore"));
        if let Some(sign) = sign.filter(|&sign| is_dot(doc.text_content(sign).trim())) {
            doc.clear(sign);
            doc.set_name(paragraph, LocalName::LI);
        }
    }
}

/// The same where Word was asked to leave out what is for itself: the gap behind a dot is in another font all the same.
fn filtered_items_of_word(doc: &mut Doc) {
    let is_gap = |doc: &Doc, id: NodeId| {
        doc.attr(id, LocalName::STYLE).is_some_and(|style| style.trim_start().starts_with("font:7.0pt"))
    };
    let first =
        |doc: &Doc, id: NodeId| doc.children(id).find(|&id| doc.is_element(id) || !doc.text(id).trim().is_empty());
    let paragraphs: Vec<NodeId> = doc.ids().filter(|&id| doc.name(id) == LocalName::P).collect();
    for paragraph in paragraphs {
        let sign = first(doc, paragraph).filter(|&sign| doc.name(sign) == LocalName::SPAN);
        let Some(sign) = sign.filter(|&sign| is_dot(doc.text_content(sign).trim())) else { continue };
        if doc.subtree(sign).any(|id| is_gap(doc, id)) {
            doc.clear(sign);
            doc.set_name(paragraph, LocalName::LI);
        }
    }
}

/// The signs of Word's lists, some of which are letters in the font that draws them.
fn is_dot(text: &str) -> bool {
    matches!(
        text,
        "·" | "•"
            | "o"
            | "§"
            | "-"
            | "–"
            | "—"
            | "*"
            | "▪"
            | "◦"
            | "■"
            | "□"
            | "\u{f0b7}"
            | "\u{f0a7}"
            | "\u{f0d8}"
            | "Ø"
            | "ü"
            | "v"
            | "q"
    )
}

/// Lists behind one that is less deep become a part of its last item.
fn inner_lists(doc: &mut Doc) {
    const MAX_DEPTH: usize = 10;
    let depth = |id: NodeId| {
        let class = doc.attr(id, LocalName::CLASS)?;
        let list = class.split_ascii_whitespace().find(|class| class.starts_with("lst-kix_"))?;
        list.rsplit_once('-').and_then(|(_, depth)| depth.parse::<usize>().ok()).filter(|depth| *depth < MAX_DEPTH)
    };
    let is_list = |id: &NodeId| matches!(doc.name(*id), LocalName::UL | LocalName::OL);
    let element = |id: NodeId| {
        std::iter::successors(doc.next_sibling(id), |&id| doc.next_sibling(id)).take(2).find(|&id| doc.is_element(id))
    };
    let last_item = |list: NodeId| doc.children(list).filter(|&id| doc.name(id) == LocalName::LI).last();
    // Of each depth the item that was last, in a run of lists right behind one another.
    let mut open: Vec<Option<NodeId>> = Vec::new();
    let (mut moves, mut next) = (Vec::new(), None);
    for list in doc.ids().filter(is_list) {
        let Some(own) = depth(list) else { continue };
        if next != Some(list) {
            open.clear();
        }
        open.truncate(own);
        let outer = open.iter().rev().find_map(|item| *item);
        moves.extend(outer.map(|item| (list, item)));
        open.resize(own, None);
        open.push(last_item(list));
        next = element(list);
    }
    if !moves.is_empty() {
        doc.rearrange(&moves);
    }
}

/// Spans whose classes are a letter or two and a number: nobody calls a part of a page so.
fn numbered_styles(doc: &mut Doc) {
    let is_styled = |class: &str| !class.is_empty() && class.split_ascii_whitespace().any(is_numbered);
    let is_span =
        |id: &NodeId| doc.name(*id) == LocalName::SPAN && doc.attr(*id, LocalName::CLASS).is_some_and(is_styled);
    let spans: Vec<NodeId> = doc.ids().filter(is_span).collect();
    if spans.is_empty() {
        return;
    }
    let said = said(doc);
    let name = |id: NodeId| {
        let classes = doc.attr(id, LocalName::CLASS)?.split_ascii_whitespace().filter(|class| is_numbered(class));
        classes.filter_map(|class| said.get(class).copied()).max()
    };
    let names: Vec<(NodeId, LocalName)> = spans.iter().filter_map(|&id| Some((id, name(id)?.name()))).collect();
    names.into_iter().for_each(|(id, name)| doc.set_name(id, name));
}

fn is_numbered(class: &str) -> bool {
    let letters = class.bytes().take_while(u8::is_ascii_alphabetic).count();
    (1..=2).contains(&letters)
        && letters < class.len()
        && class.len() <= 6
        && class.bytes().skip(letters).all(|byte| byte.is_ascii_digit())
}

/// How a class writes its words; of two the bolder counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WordStyle {
    Slanted,
    Bold,
}

impl WordStyle {
    fn name(self) -> LocalName {
        match self {
            WordStyle::Slanted => LocalName::I,
            WordStyle::Bold => LocalName::B,
        }
    }
}

/// What style sheets say of classes with a number: `.c3{font-weight:700}`, `span.s1 {font-style: italic}`.
fn said(doc: &Doc) -> HashMap<String, WordStyle> {
    const MAX_BYTES: usize = 300_000;
    let mut said = HashMap::new();
    for id in doc.ids().filter(|&id| doc.name(id) == LocalName::STYLE && !doc.is_foreign(id)) {
        let sheet = doc.first_child(id).map_or("", |text| doc.text(text));
        for rule in sheet[..sheet.floor_char_boundary(MAX_BYTES)].split('}') {
            let Some((selectors, style)) = rule.split_once('{') else { continue };
            let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
            let has = |what: &[&str]| style.split(';').any(|declaration| what.contains(&declaration));
            let written = match () {
                () if has(&["font-weight:700", "font-weight:bold", "font-weight:600"]) => WordStyle::Bold,
                () if has(&["font-style:italic", "font-style:oblique"]) => WordStyle::Slanted,
                () => continue,
            };
            let classes = selectors.split(',').filter_map(|selector| {
                let selector = selector.trim();
                selector.strip_prefix("span").unwrap_or(selector).strip_prefix('.').filter(|class| is_numbered(class))
            });
            said.extend(classes.map(|class| (class.to_owned(), written)));
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    fn names(html: &str) -> (String, Vec<LocalName>) {
        let mut doc = Doc::parse(html, &TreeLimits::default());
        write(&mut doc);
        let body = doc.body().unwrap();
        let names = doc.subtree(body).skip(1).filter(|&id| doc.is_element(id)).map(|id| doc.name(id)).collect();
        (doc.text_content(body), names)
    }

    #[test]
    fn paragraphs_of_word_with_a_dot_are_items() {
        let html = "<p style='text-indent:-.25in;mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<i>&nbsp;&nbsp; </i></span>One<p style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.</span>Two";
        let (text, names) = names(html);
        assert_eq!(text, "One1.Two");
        assert_eq!(names, [LocalName::LI, LocalName::P, LocalName::SPAN]);
    }

    #[test]
    fn paragraphs_of_filtered_word_with_a_dot_are_items() {
        let gap = "<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span>";
        let html = format!(
            "<p class=MsoListParagraph><span style='font-family:Symbol'>·{gap}</span>One<p>\n<span>1.{gap}</span>Two<p><span>o</span> Three"
        );
        let (text, names) = names(&html);
        assert!(text.starts_with("One\n1."), "{text}");
        assert_eq!((names[0], names[1], names[2]), (LocalName::LI, LocalName::P, LocalName::SPAN));
        assert_eq!(names[names.len() - 2..], [LocalName::P, LocalName::SPAN]);
    }

    #[test]
    fn lists_of_google_stand_in_the_items_above_them() {
        let html = "<ul class='c1 lst-kix_a-0 start'><li>a</ul>\n<ul class='lst-kix_a-1 start'><li>b<li>c</ul><ul class=lst-kix_a-0><li>d</ul><p>e<ul class=lst-kix_a-1><li>f</ul>";
        let (text, names) = names(html);
        assert_eq!(text.replace('\n', ""), "abcdef");
        use LocalName as N;
        assert_eq!(names, [N::UL, N::LI, N::UL, N::LI, N::LI, N::UL, N::LI, N::P, N::UL, N::LI]);
    }

    #[test]
    fn numbered_classes_are_bold_as_their_sheet_has_it() {
        let html = "<style>.c3{color:red;font-weight:700}.c4 , span.s1 { font-style: italic }.big{font-weight:700}</style><p><span class=c3>a</span><span class='c9 s1'>b</span><span class=big>c</span><span class='c3 c4'>d</span>";
        let expected = [LocalName::P, LocalName::B, LocalName::I, LocalName::SPAN, LocalName::B];
        assert_eq!(names(html).1, expected);
    }

    #[test]
    fn broken_sheets_and_lists_end() {
        names("<style>}{.c3{.c3</style><span class=c3>a</span>");
        names(&"<ul class=lst-kix_a-9><li>".repeat(3_000));
        names(&"<ul class=lst-kix_a-0><li></ul><ul class=lst-kix_a-1><li></ul>".repeat(3_000));
    }
}
