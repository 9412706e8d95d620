//! Leaves and rows of a page, gathered in one walk: the statistics that everything else works on.

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::{PunctuationCounts, WhitespaceCollapser, is_letter, punctuation};

use crate::attribute_words::has;
use crate::blocks::{BlockRules, heading_rank, is_heading};
use crate::unseen::{hides_text, may_hide};

/// A text node with at least one visible character, outside of dropped subtrees. Words that the page hides within a row are none; a row
/// that is hidden whole is there, since what is folded is content, and a page that a script shows hides all of it at first.
#[derive(Debug, Clone)]
pub struct TextNode {
    /// The text node.
    pub node: NodeId,
    /// Index of the row that it belongs to.
    pub row: u32,
    /// Byte range of its normalised text in [`Rows::text`], a leading space that it shares with the leaf before
    /// included.
    pub start: u32,
    /// End of that range.
    pub end: u32,
    /// Characters without white space.
    pub chars: u32,
    /// Punctuation marks.
    pub marks: PunctuationCounts,
    /// Whether it lies under an `a`.
    pub in_link: bool,
    /// Whether it lies under `h1` to `h6`.
    pub in_heading: bool,
}

/// The text between two block boundaries: starts and ends of block elements, and `br`.
#[derive(Debug, Clone)]
pub struct Row {
    /// Byte range of its text in [`Rows::text`].
    pub start: u32,
    /// End of that range.
    pub end: u32,
    /// Its leaves are `first_leaf..end_leaf`.
    pub first_leaf: u32,
    /// One past its last leaf.
    pub end_leaf: u32,
    /// Characters without white space.
    pub chars: u32,
    /// Those of them under `a`.
    pub link_chars: u32,
    /// Punctuation marks of the whole row (a mark between two leaves is judged in context).
    pub marks: PunctuationCounts,
    /// Elements opened since the row before.
    pub tags: u32,
    /// The nearest block element around its first leaf.
    pub block: NodeId,
    /// Whether it lies under `h1` to `h6`.
    pub in_heading: bool,
}

/// Whether an `a` names a place and leads nowhere. Where the manner of XML closes it, `<a id="x"/>`, all that follows stands in it.
fn is_place(doc: &Doc, id: NodeId) -> bool {
    let mut attributes = doc.attributes(id).peekable();
    attributes.peek().is_some() && attributes.all(|attribute| matches!(attribute.name, LocalName::ID | LocalName::NAME))
}

impl Row {
    /// Whether more than half of its characters are link text.
    #[inline]
    pub fn is_link(&self) -> bool {
        self.link_chars * 2 > self.chars
    }
}

/// A document with its leaves and rows, in flat arrays.
#[derive(Debug, Clone)]
pub struct Rows<'d> {
    /// The document.
    pub doc: &'d Doc,
    /// The rows, normalised, one a line.
    pub text: String,
    /// Leaves in document order.
    pub leaves: Vec<TextNode>,
    /// Rows in document order; none is empty.
    pub rows: Vec<Row>,
}

impl<'d> Rows<'d> {
    /// Gathers leaves and rows of `doc`.
    pub fn new(doc: &'d Doc, rules: BlockRules) -> Rows<'d> {
        let mut walk = Walk::new(doc, rules);
        walk.run();
        let mut page = walk.page;
        count_gaps_as_marks(&mut page);
        page
    }

    /// The text of a row.
    #[inline]
    pub fn row_text(&self, row: &Row) -> &str {
        &self.text[row.start as usize..row.end as usize]
    }

    /// The text of a leaf, normalised and trimmed.
    #[inline]
    pub fn leaf_text(&self, leaf: &TextNode) -> &str {
        self.text[leaf.start as usize..leaf.end as usize].trim()
    }

    /// Which of the leaves stand at these positions of nodes. O(log leaves).
    pub fn leaves_in(&self, nodes: Range<usize>) -> Range<usize> {
        let before = |at: usize| self.leaves.partition_point(|leaf| leaf.node.index() < at);
        let first = before(nodes.start);
        first..before(nodes.end).max(first)
    }

    /// 1 to 6 for a row in a heading of that rank, 0 for other rows. Of a heading further than six elements away, 6.
    pub fn row_rank(&self, row: &Row) -> u8 {
        if !row.in_heading {
            return 0;
        }
        let mut around = std::iter::once(row.block).chain(self.doc.ancestors(row.block)).take(6);
        around.find_map(|id| heading_rank(self.doc.name(id))).unwrap_or(6)
    }

    /// The leaves of a row.
    #[inline]
    pub fn row_leaves(&self, row: &Row) -> &[TextNode] {
        &self.leaves[row.first_leaf as usize..row.end_leaf as usize]
    }
}

/// What holds for everything below an element.
#[derive(Clone, Copy)]
struct Inherited {
    block: NodeId,
    link: bool,
    heading: bool,
}

struct Walk<'d> {
    page: Rows<'d>,
    rules: BlockRules,
    collapser: WhitespaceCollapser,
    /// (index of the first node after the element, what held outside of it, whether it is a block)
    open: Vec<(usize, Inherited, bool)>,
    state: Inherited,
    row_start: u32,
    row_first_leaf: u32,
    row_block: NodeId,
    tags: u32,
    /// An element of the page may hide words.
    may_hide: bool,
    /// A class of the page may be that of values beside their names.
    has_values: bool,
    /// Up to here reaches the code that is open, whose classes mean other things.
    code_end: usize,
    /// Elements of the row that are hidden, with what holds around them.
    unseen: Vec<(NodeId, Inherited)>,
}

impl<'d> Walk<'d> {
    fn new(doc: &'d Doc, rules: BlockRules) -> Walk<'d> {
        Walk {
            rules,
            page: Rows {
                doc,
                text: String::with_capacity(8 * doc.len()),
                leaves: Vec::with_capacity(doc.len() / 3),
                rows: Vec::with_capacity(doc.len() / 6),
            },
            collapser: WhitespaceCollapser::default(),
            open: Vec::new(),
            state: Inherited { block: NodeId::DOCUMENT, link: false, heading: false },
            row_start: 0,
            row_first_leaf: 0,
            row_block: NodeId::DOCUMENT,
            tags: 0,
            may_hide: !rules.hears() && may_hide(doc),
            has_values: has_values(doc),
            code_end: 0,
            unseen: Vec::new(),
        }
    }

    fn run(&mut self) {
        let doc = self.page.doc;
        // The document node itself is no element.
        let mut at = 1;
        while at < doc.len() {
            self.close_until(at);
            let id = doc.id(at);
            let name = doc.name(id);
            if name == LocalName::TEXT {
                self.leaf(id);
            } else if self.rules.is_dropped(name) {
                if self.rules.is_block(name) {
                    self.end_row();
                }
                at = doc.end(id);
                continue;
            } else if self.is_unseen(id, name) {
                if self.may_be_shown(id, name) {
                    self.unseen.push((id, self.state));
                }
                at = doc.end(id);
                continue;
            } else {
                self.element(id, name);
            }
            at += 1;
        }
        self.close_until(usize::MAX);
        self.end_row();
    }

    /// Whether hidden words stand for a row that has no others: none do that wait in a field for a script, that say where a link to a
    /// place of this page leads, or that caption what is seen.
    fn may_be_shown(&self, id: NodeId, name: LocalName) -> bool {
        const AROUND: usize = 3;
        let doc = self.page.doc;
        let is_place = |id: NodeId| doc.attr(id, LocalName::HREF).is_some_and(|href| href.starts_with('#'));
        let is_spoken = |id: NodeId| match doc.name(id) {
            LocalName::A => is_place(id),
            LocalName::FIGCAPTION => true,
            _ => false,
        };
        name != LocalName::TEXTAREA && !doc.ancestors(id).take(AROUND).any(is_spoken)
    }

    /// Whether it is hidden and does not end the row.
    fn is_unseen(&mut self, id: NodeId, name: LocalName) -> bool {
        let doc = self.page.doc;
        if !self.may_hide || self.rules.is_block(name) || id.index() < self.code_end {
            return false;
        }
        let is_field = name == LocalName::TEXTAREA;
        if name == LocalName::CODE || is_field && !hides_text(doc, id) {
            self.code_end = doc.end(id);
            return false;
        }
        let ends_row = |id: NodeId| self.rules.is_block(doc.name(id)) || doc.name(id) == LocalName::BR;
        hides_text(doc, id) && !doc.subtree(id).any(ends_row)
    }

    fn element(&mut self, id: NodeId, name: LocalName) {
        if name == LocalName::PRE {
            self.code_end = self.page.doc.end(id);
        }
        let block = self.rules.is_block(name);
        if block || name == LocalName::BR {
            self.end_row();
        }
        if name == LocalName::P && self.follows_drop_cap(id) {
            self.open_row_again();
            self.row_block = id;
        }
        self.tags += 1;
        if !block && self.stands_apart(id, name) {
            self.collapser.space();
        }
        let end = self.page.doc.end(id);
        if (block || name == LocalName::A) && end > id.index() + 1 {
            self.open.push((end, self.state, block));
            if block {
                self.state.block = id;
            }
            self.state.link |= name == LocalName::A && !is_place(self.page.doc, id);
            self.state.heading |= is_heading(name);
        }
    }

    /// Whether a paragraph goes on with the word whose first letter stands before it, in an element of its own: `T`, `he mill turns`.
    /// What may be a word alone is not joined.
    fn follows_drop_cap(&self, paragraph: NodeId) -> bool {
        const LEAST_BYTES: usize = 60;
        const WORDS: [char; 15] = ['A', 'I', 'O', 'E', 'Y', 'À', 'É', 'Ó', 'А', 'В', 'И', 'К', 'О', 'С', 'У'];
        let last = self.page.rows.last().filter(|row| row.chars == 1);
        let Some(letter) = last.and_then(|row| self.page.leaves.get(row.first_leaf as usize)) else { return false };
        let doc = self.page.doc;
        let is_cap = |c: char| c.is_uppercase() && !WORDS.contains(&c);
        let is_blank = |id: NodeId| doc.is_text(id) && doc.text(id).trim().is_empty();
        let before = doc.prev_sibling(paragraph);
        let before = before.filter(|&id| !is_blank(id)).or_else(|| doc.prev_sibling(before?));
        let n_bytes = || doc.subtree(paragraph).filter(|&id| doc.is_text(id)).map(|id| doc.text(id).len());
        let mut texts = doc.subtree(paragraph).take(4).filter(|&id| doc.is_text(id)).map(|id| doc.text(id));
        !letter.in_heading
            && !letter.in_link
            && before.is_some_and(|before| doc.contains(before, letter.node))
            && self.page.text[letter.start as usize..].starts_with(is_cap)
            && texts.next().is_some_and(|text| text.starts_with(char::is_lowercase))
            && n_bytes().sum::<usize>() >= LEAST_BYTES
    }

    /// Whether a style parts an inline element from the one right before it: labels of a row, and a value behind its name.
    fn stands_apart(&self, id: NodeId, name: LocalName) -> bool {
        const VALUES: [&str; 4] = ["value", "content", "val", "data"];
        const NAMES: [&str; 5] = ["label", "name", "key", "title", "term"];
        let doc = self.page.doc;
        let before = || doc.prev_sibling(id).filter(|&before| doc.is_element(before));
        match name {
            LocalName::LABEL => before().is_some_and(|before| doc.name(before) == LocalName::LABEL),
            LocalName::SPAN | LocalName::B | LocalName::STRONG | LocalName::A => {
                let is_value = || doc.attr(id, LocalName::CLASS).is_some_and(|class| has(class, &VALUES));
                // `*args` is one word.
                let ends_word = || self.page.text.ends_with(char::is_alphanumeric);
                let is_named = || {
                    self.has_values
                        && is_value()
                        && before()
                            .and_then(|before| doc.attr(before, LocalName::CLASS))
                            .is_some_and(|class| has(class, &NAMES))
                };
                id.index() >= self.code_end
                    && (is_named() || before().is_some_and(|before| ends_word() && is_pair(doc, before, id)))
            }
            _ => false,
        }
    }

    fn close_until(&mut self, at: usize) {
        while let Some(&(end, outside, block)) = self.open.last() {
            if end > at {
                return;
            }
            if block {
                self.end_row();
            }
            self.state = outside;
            self.open.pop();
        }
    }

    fn leaf(&mut self, id: NodeId) {
        if self.follows_number(id) {
            self.collapser.space();
        } else if self.state.link && self.row_leaves().last().is_some_and(|last| last.in_link) {
            self.collapser.keep_lines_apart();
        }
        let start = self.page.text.len();
        let chars = self.collapser.push(&mut self.page.text, self.page.doc.text(id));
        if chars == 0 {
            return;
        }
        if self.page.leaves.len() == self.row_first_leaf as usize {
            self.row_block = self.state.block;
        }
        self.page.leaves.push(TextNode {
            node: id,
            row: self.page.rows.len() as u32,
            start: start as u32,
            end: self.page.text.len() as u32,
            chars,
            marks: punctuation(&self.page.text[start..]),
            in_link: self.state.link,
            in_heading: self.state.heading,
        });
    }

    /// The leaves of the row that is open.
    fn row_leaves(&self) -> &[TextNode] {
        &self.page.leaves[self.row_first_leaf as usize..]
    }

    /// Whether a text stands right behind the number, or the name, with which its row begins: a style parts them.
    fn follows_number(&self, id: NodeId) -> bool {
        let [first] = self.row_leaves() else { return false };
        let doc = self.page.doc;
        let inside =
            |name| doc.ancestors(first.node).take_while(|&id| id != self.row_block).any(|id| doc.name(id) == name);
        let is_code = id.index() < self.code_end || inside(LocalName::CODE);
        let number = self.page.text[first.start as usize..].trim();
        let next = doc.text(id);
        !is_code
            && (parts_from(number, next) && !inside(LocalName::SUP) && !inside(LocalName::SUB)
                || number.ends_with(':') && next.starts_with(char::is_alphabetic) && inside(LocalName::CITE))
    }

    /// The hidden words of a row that has no others.
    fn restore_unseen(&mut self) {
        let around = self.state;
        for (id, state) in std::mem::take(&mut self.unseen) {
            self.state = state;
            let doc = self.page.doc;
            let mut at = id.index();
            while at < doc.end(id) {
                let id = doc.id(at);
                let name = doc.name(id);
                at = if self.rules.is_dropped(name) { doc.end(id) } else { at + 1 };
                if name == LocalName::TEXT {
                    self.leaf(id);
                }
            }
        }
        self.state = around;
    }

    /// Takes back the end of the last row.
    fn open_row_again(&mut self) {
        if let Some(row) = self.page.rows.pop() {
            self.page.text.pop();
            (self.row_start, self.row_first_leaf, self.tags) = (row.start, row.first_leaf, row.tags);
        }
    }

    fn end_row(&mut self) {
        if self.page.leaves.len() == self.row_first_leaf as usize {
            self.restore_unseen();
        }
        self.unseen.clear();
        self.collapser.restart();
        let end_leaf = self.page.leaves.len() as u32;
        if end_leaf == self.row_first_leaf {
            return;
        }
        let leaves = &self.page.leaves[self.row_first_leaf as usize..];
        let end = self.page.text.len() as u32;
        let marks = match leaves {
            [leaf] => leaf.marks,
            _ => punctuation(&self.page.text[self.row_start as usize..]),
        };
        let row = Row {
            start: self.row_start,
            end,
            first_leaf: self.row_first_leaf,
            end_leaf,
            chars: leaves.iter().map(|leaf| leaf.chars).sum(),
            link_chars: leaves.iter().filter(|leaf| leaf.in_link).map(|leaf| leaf.chars).sum(),
            marks,
            tags: self.tags,
            block: self.row_block,
            in_heading: leaves[0].in_heading,
        };
        self.page.rows.push(row);
        self.page.text.push('\n');
        self.row_start = self.page.text.len() as u32;
        self.row_first_leaf = end_leaf;
        self.tags = 0;
    }
}

/// Whether two elements of different classes are all of a row that stands beside one like it: `Wheel`, `3 m` above `Stones`, `two`.
fn is_pair(doc: &Doc, name: NodeId, value: NodeId) -> bool {
    let class = |id: NodeId| doc.attr(id, LocalName::CLASS).filter(|class| !class.is_empty());
    let parts = |row: NodeId| {
        let mut parts = doc.children(row);
        match (parts.next(), parts.next(), parts.next()) {
            (Some(name), Some(value), None) => Some((class(name)?, class(value)?)),
            _ => None,
        }
    };
    let Some(row) = doc.parent(value).filter(|&row| doc.parent(name) == Some(row)) else { return false };
    let Some(own) = parts(row).filter(|(name, value)| name != value) else { return false };
    let is_alike =
        |other: NodeId| (doc.name(other), class(other)) == (doc.name(row), class(row)) && parts(other) == Some(own);
    doc.elements_behind(row).next().is_some_and(is_alike) || doc.elements_before(row).next().is_some_and(is_alike)
}

/// Whether the begin of a row numbers the text behind it: `(a)` before any word, `1.` and `1` before one that does not go on with them, as
/// `1st` and `3月` do, or says when that was said: `00:12:04`.
fn parts_from(number: &str, next: &str) -> bool {
    const MAX_BYTES: usize = 6;
    let is_word = |n: usize| next.chars().take(n).filter(|c| c.is_alphabetic()).count() == n;
    if is_time(number) {
        return is_word(3);
    }
    if number.is_empty() || number.len() > MAX_BYTES || !is_word(1) {
        return false;
    }
    let is_count = |text: &str| (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_label = |text: &str| {
        let is_roman = || text.bytes().all(|byte| b"ivxIVX".contains(&byte));
        is_count(text) || !text.is_empty() && (text.len() == 1 && text.is_ascii() || is_roman())
    };
    let bracketed = number.strip_prefix('(').and_then(|number| number.strip_suffix(')'));
    bracketed.is_some_and(is_label)
        || number.strip_suffix(['.', ')']).is_some_and(is_count) && !next.starts_with(char::is_lowercase)
        || is_count(number) && next.starts_with(char::is_uppercase) && is_word(3)
}

/// Whether a text is a time of day or of a recording: `9:05`, `00:12:04`.
fn is_time(text: &str) -> bool {
    const BYTES: std::ops::RangeInclusive<usize> = 4..=8;
    let is_part = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    BYTES.contains(&text.len()) && text.contains(':') && text.split(':').all(is_part)
}

/// Whether any class of a page speaks of values. O(attributes).
fn has_values(doc: &Doc) -> bool {
    (0..doc.n_attributes()).any(|at| {
        let says = |part: &&str| doc.attribute_value(at).contains(*part);
        doc.attribute_name(at) == LocalName::CLASS && ["val", "content", "data"].iter().any(says)
    })
}

/// Thai, Lao, Khmer and Burmese hardly use punctuation: on a page with more than 30 % such letters one gap
/// between words counts as one sentence mark.
fn count_gaps_as_marks(page: &mut Rows<'_>) {
    let gap_script = |c: char| matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}');
    if !page.text.bytes().any(|byte| byte == 0xE0 || byte == 0xE1) {
        return;
    }
    let letters = page.text.chars().filter(|&c| is_letter(c)).count();
    let of_script = page.text.chars().filter(|&c| gap_script(c) && is_letter(c)).count();
    if of_script * 10 <= letters * 3 {
        return;
    }
    let gaps = |text: &str| text.trim().bytes().filter(|&byte| byte == b' ').count() as u32;
    for leaf in &mut page.leaves {
        let n = gaps(&page.text[leaf.start as usize..leaf.end as usize]);
        leaf.marks.all += n;
        leaf.marks.sentence += n;
    }
    for row in &mut page.rows {
        let n = gaps(&page.text[row.start as usize..row.end as usize]);
        row.marks.all += n;
        row.marks.sentence += n;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::TreeLimits;

    fn rows(html: &str) -> Vec<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Rows::new(&doc, BlockRules::TEXT);
        page.rows.iter().map(|row| page.row_text(row).to_owned()).collect()
    }

    #[test]
    fn rows_end_at_blocks_and_line_breaks_and_empty_ones_vanish() {
        let html = "<title>no</title>a<br><br>b <i>c</i>\n<p>d<div> e </div><hr>f<br> <br>g<script>x</script><!--y-->";
        assert_eq!(rows(html), ["a", "b c", "d", "e", "f", "g"]);
    }

    #[test]
    fn a_number_that_a_style_parts_from_its_text_stands_apart() {
        for (html, expected) in [
            ("<p><span class=no>(1)</span><span>The keeper</span>", "(1) The keeper"),
            ("<p><span>(a)</span>has a card", "(a) has a card"),
            ("<h2><span class=rank>3</span><span>Wet Paper</span></h2>", "3 Wet Paper"),
            ("<h2><b>12.</b>Wet Paper</h2>", "12. Wet Paper"),
            ("<blockquote><cite>tilda wrote:</cite>We have", "tilda wrote: We have"),
            ("<div><span>00:12:04</span><span>Anna", "00:12:04 Anna"),
            ("<p><b>9:30</b>am", "9:30am"),
            ("<p><b>3:1:2</b>x", "3:1:2x"),
            ("<p><b>1</b>st of May", "1st of May"),
            ("<p><b>3</b>D print", "3D print"),
            ("<p><b>3</b>月历", "3月历"),
            ("<p><sup>1</sup>Fassung", "1Fassung"),
            ("<p>f<b>(a)</b>is", "f(a)is"),
            ("<pre><i>(a)</i>has", "(a)has"),
        ] {
            assert_eq!(rows(html), [expected], "{html}");
        }
    }

    #[test]
    fn lines_of_chinese_that_are_wrapped_at_elements_have_no_spaces() {
        assert_eq!(rows("<p>他说：\n<b>“好。”</b>\n然后走了。"), ["他说：“好。”然后走了。"]);
        assert_eq!(rows("<p><a href=/>首页\n</a>\n<a href=/x>\n新闻</a>"), ["首页 新闻"]);
    }

    #[test]
    fn readers_differ_in_buttons_and_choices() {
        let doc =
            Doc::parse("<p>Size <select><option>S<option>M</select> <button>Buy</button> now", &TreeLimits::default());
        let rows = |rules| Rows::new(&doc, rules).text;
        assert_eq!(rows(BlockRules::TEXT), "Size\nS\nM\nBuy now\n");
        assert_eq!(rows(BlockRules::RECORDS), "Size\nBuy\nnow\n");
    }

    #[test]
    fn words_that_the_page_hides_are_no_text_unless_the_row_has_no_others() {
        for (html, expected) in [
            ("<li><label><span class=sr-only>▢ </span>2 eggs</label>", "2 eggs"),
            ("<p>one <b hidden>two</b><i style='display:none'>three</i> four", "one four"),
            ("<h2><span class='visually-hidden'>Results</span></h2>", "Results"),
            ("<p>one <span hidden><div>two</div></span>", "one|two"),
            ("<p>Say <code>a<i class=sr-only>b</i></code>", "Say ab"),
            ("<p hidden>all of it", "all of it"),
            ("<h2>Steps</h2><a href=#steps><i class=sr-only>Section titled Steps</i></a><p>one", "Steps|one"),
            ("<figure><figcaption><i class=sr-only>Terminal window</i></figcaption><p>one</figure>", "one"),
            ("<p><b hidden>one <script>two</script><svg><title>three</title></svg></b>", "one"),
        ] {
            assert_eq!(rows(html).join("|"), expected, "{html}");
        }
        let doc = Doc::parse("<p><i class=sr-only>Old price</i> 5", &TreeLimits::default());
        assert_eq!(Rows::new(&doc, BlockRules::RECORDS).text, "Old price 5\n");
    }

    #[test]
    fn the_first_letter_of_a_paragraph_may_stand_before_it() {
        let rest = "urkey and Poland grow more of it than all other countries of the region";
        let whole = format!("T{rest}");
        for html in [
            format!("<div><span>T</span><p><a href=/t>urkey</a>{}</p></div>", &rest[5..]),
            format!("<div><div class=cap>T</div>\n<p>{rest}</p></div>"),
        ] {
            assert_eq!(rows(&html), [whole.as_str()], "{html}");
        }
        assert_eq!(rows("<div>B</div><p>urkey</p>"), ["B", "urkey"]);
        assert_eq!(rows(&format!("<div>A</div><p>{rest}</p>")).len(), 2, "it may be a word");
    }

    #[test]
    fn what_waits_in_a_hidden_field_is_no_text() {
        assert_eq!(rows("<p>one<textarea hidden><b>two</b></textarea><p>three<textarea>four"), ["one", "threefour"]);
    }

    #[test]
    fn labels_and_values_beside_their_names_stand_apart() {
        let html = "<p><label>Python</label><label>Rust</label><p><span class=label>Height</span><span class=value>12 cm</span>\
            <p><b class=tablesaw-cell-label>Line</b><span class=tablesaw-cell-content>East</span><p><span class=t>a</span><span class=value>b</span>";
        assert_eq!(rows(html), ["Python Rust", "Height 12 cm", "Line East", "ab"]);
        let pairs = "<div class=r><span class=k>Wheel</span><span class=v>3 m</span></div>\n<div class=r><span class=k>Stones</span><span class=v>two</span></div>";
        assert_eq!(rows(pairs), ["Wheel 3 m", "Stones two"]);
        assert_eq!(rows("<div class=r><span class=k>Wheel</span><span class=v>s</span></div><div>a"), ["Wheels", "a"]);
        let sphinx =
            "<i class=p><b class=o>*</b><b class=n>args</b></i>, <i class=p><b class=o>*</b><b class=n>more</b></i>";
        assert_eq!(rows(sphinx), ["*args, *more"]);
    }

    #[test]
    fn noscript_is_ordinary_content() {
        assert_eq!(rows("<body><noscript><p>whole thread</p></noscript>"), ["whole thread"]);
    }

    #[test]
    fn leaves_know_links_headings_and_their_own_text() {
        let doc = Doc::parse("<h2>A <a href=x>link, here</a></h2><p>b", &TreeLimits::default());
        let page = Rows::new(&doc, BlockRules::TEXT);
        let [a, link, b] = &page.leaves[..] else { panic!("three leaves: {:?}", page.leaves) };
        assert_eq!((page.leaf_text(a), a.in_heading, a.in_link), ("A", true, false));
        assert_eq!(
            (page.leaf_text(link), link.in_heading, link.in_link, link.marks.all),
            ("link, here", true, true, 1)
        );
        assert_eq!((page.leaf_text(b), b.in_heading), ("b", false));
        assert_eq!((page.rows[0].chars, page.rows[0].link_chars, page.rows[0].tags), (10, 9, 4));
    }

    #[test]
    fn a_gap_is_a_mark_in_thai() {
        let doc = Doc::parse("<p>สวัสดี ครับ ผม", &TreeLimits::default());
        assert_eq!(Rows::new(&doc, BlockRules::TEXT).rows[0].marks, PunctuationCounts { all: 2, sentence: 2 });
    }
}
