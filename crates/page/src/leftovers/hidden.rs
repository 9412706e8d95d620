//! Single rows that the page hides by a style of their own or by a rule of its head, among rows that it shows.
//!
//! What is folded is content: panels, tabs, the rest behind `Read more`. It is told by its class, by what refers to it, by the title or
//! button beside it, and by siblings of its kind that are hidden, too.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::ByHash;
use memchr::memmem;

use super::known::LeftoverContext;
use crate::attribute_words::{each_word, is_named};
use crate::blocks::is_heading;
use crate::notes::Notes;
use crate::unseen::{hides, is_for_ears, is_hidden};

/// Longest such row in characters without white space, most of them on a page, and the bytes of style sheets that are read.
const MAX_CHARS: u32 = 400;
const MAX_HIDDEN: usize = 40;
const MAX_STYLES: usize = 150_000;
/// Elements in which words for the ear say what the eye sees: the colour of a tile, the tick of a cell.
const DRAWN: [LocalName; 8] = [
    LocalName::LI,
    LocalName::TD,
    LocalName::TH,
    LocalName::DT,
    LocalName::DD,
    LocalName::A,
    LocalName::LABEL,
    LocalName::BUTTON,
];
/// Elements around a row that may fold it.
const MAX_AROUND: usize = 5;
/// Siblings that are compared.
const MAX_SIBLINGS: usize = 40;

/// Parts of classes and roles of what is folded, of frameworks and by habit: around a row, and of its own.
const FOLDERS: [&str; 14] = [
    "collaps",
    "accordion",
    "tabpanel",
    "tab-",
    "tabs",
    "pane",
    "toggle",
    "faq",
    "spoiler",
    "expand",
    "slide",
    "carousel",
    "swiper",
    "dropdown",
];
const FOLDS: [&str; 14] = [
    "tab",
    "answer",
    "more",
    "reveal",
    "fold",
    "detail",
    "lang",
    "translat",
    "step",
    "excerpt",
    "anim",
    "fade",
    "lazy",
    "transcript",
];

/// Ranges of the text of such rows. O(nodes + styles + hidden rows × bytes), with at most 40 of the latter.
pub(super) fn find(page: &LeftoverContext, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    for_ears(page, found);
    let unseen = Unseen::new(page);
    if !unseen.may_be {
        return;
    }
    let body = doc.body().unwrap_or(NodeId::DOCUMENT);
    let (mut at, mut n_hidden) = (body.index() + 1, 0);
    while at < doc.end(body) {
        let id = doc.id(at);
        at += 1;
        if !unseen.is(doc, id) {
            continue;
        }
        // What is below a hidden element is part of it.
        at = doc.end(id).max(at);
        n_hidden += 1;
        if n_hidden > MAX_HIDDEN {
            return;
        }
        let row = single_row(page, id).filter(|_| !is_folded(doc, &unseen, id));
        let row = row.filter(|row| is_hidden(doc, id) || unseen.sheets.hide(doc, id, is_part_of_row(page, row)));
        found.extend(row.into_iter().flatten());
    }
}

/// Paragraphs and headings of which a class says that only screen readers have them. In lists, tables and links such words say what is drawn.
fn for_ears(page: &LeftoverContext, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    let spoken = page.named.of_values(doc, is_for_ears);
    if !spoken.contains(&true) {
        return;
    }
    let class = |id: NodeId| doc.attribute_range(id).find(|&at| doc.attribute_name(at) == LocalName::CLASS);
    let is_spoken = |id: &NodeId| class(*id).and_then(|at| page.named.at(at)).is_some_and(|value| spoken[value]);
    for id in doc.ids().filter(|&id| doc.is_element(id)).filter(is_spoken) {
        let leaves = &page.leaves[page.leaves_in(id.index()..doc.end(id))];
        let Some(first) = leaves.first() else { continue };
        let row = &page.rows[first.row as usize];
        let is_drawn =
            std::iter::once(id).chain(doc.ancestors(id)).take(MAX_AROUND).any(|id| DRAWN.contains(&doc.name(id)));
        let is_row = row.end_leaf - row.first_leaf == leaves.len() as u32 && row.chars <= MAX_CHARS;
        if is_row && !is_drawn && page.verbatim.block_of(page, row).is_none() {
            found.push(row.start..row.end);
        }
    }
}

/// What shows within a row when the mouse is over a word, notes left out. O(nodes) where a page speaks of it.
pub(super) fn tips(page: &LeftoverContext, notes: &Notes, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    if !doc.mentions("tooltip") {
        return;
    }
    let is_tip = |id: &NodeId| {
        doc.is_element(*id)
            && (doc.attr(*id, LocalName::ROLE) == Some("tooltip") || is_named(doc, *id, &["tooltiptext"]))
    };
    for id in doc.ids().filter(is_tip) {
        let texts = single_row(page, id).filter(|texts| is_part_of_row(page, texts) && notes.around(id).is_none());
        found.extend(texts.into_iter().flatten());
    }
}

/// What of a page is hidden, as far as one look at its attributes and rules tells.
struct Unseen<'p, 'd> {
    page: &'p LeftoverContext<'p, 'd>,
    sheets: Sheets<'d>,
    /// Of each value of a class or identifier whether some rule hides it.
    named: Vec<bool>,
    may_be: bool,
}

impl<'p, 'd> Unseen<'p, 'd> {
    fn new(page: &'p LeftoverContext<'p, 'd>) -> Unseen<'p, 'd> {
        let doc = page.doc;
        let sheets = Sheets::read(doc);
        let named = if sheets.names.is_empty() { Vec::new() } else { sheets.named(page) };
        let by_itself = || {
            (0..doc.n_attributes()).any(|at| match doc.attribute_name(at) {
                LocalName::HIDDEN => true,
                LocalName::STYLE => hides(doc.attribute_value(at)),
                _ => false,
            })
        };
        let may_be = named.iter().any(|is| *is) || by_itself();
        Unseen { page, sheets, named, may_be }
    }

    fn is(&self, doc: &Doc, id: NodeId) -> bool {
        doc.attribute_range(id).any(|at| match doc.attribute_name(at) {
            LocalName::HIDDEN => !doc.attribute_value(at).eq_ignore_ascii_case("until-found"),
            LocalName::STYLE => hides(doc.attribute_value(at)),
            LocalName::CLASS | LocalName::ID if !self.named.is_empty() => {
                self.page.named.at(at).is_some_and(|value| self.named[value])
            }
            _ => false,
        })
    }
}

/// The texts of an element within one row, or of a row of a table.
fn single_row(page: &LeftoverContext, id: NodeId) -> Option<Vec<Range<u32>>> {
    let leaves = &page.leaves[page.leaves_in(id.index()..page.doc.end(id))];
    let (first, last) = (leaves.first()?, leaves.last()?);
    let chars: u32 = leaves.iter().map(|leaf| leaf.chars).sum();
    let is_code = page.verbatim.block_of(page, &page.rows[first.row as usize]).is_some();
    let is_row = first.row == last.row || page.doc.name(id) == LocalName::TR;
    let texts = || leaves.chunk_by(|one, other| one.row == other.row).map(|row| row[0].start..row[row.len() - 1].end);
    (is_row && chars <= MAX_CHARS && !is_code && !first.in_heading).then(|| texts().collect())
}

/// Whether texts are not all of their row.
fn is_part_of_row(page: &LeftoverContext, texts: &[Range<u32>]) -> bool {
    let whole = |text: &Range<u32>| {
        let row = page.rows.partition_point(|row| row.end <= text.start);
        page.rows.get(row).is_some_and(|row| row.start == text.start && row.end == text.end)
    };
    !texts.iter().all(whole)
}

fn is_folded(doc: &Doc, unseen: &Unseen, id: NodeId) -> bool {
    let is_named = |id: NodeId, parts: &[&str]| {
        let names =
            [LocalName::CLASS, LocalName::ID, LocalName::ROLE].into_iter().filter_map(|name| doc.attr(id, name));
        names.map(str::to_ascii_lowercase).any(|name| parts.iter().any(|part| says(&name, part)))
    };
    let folds = |id: NodeId| doc.name(id) == LocalName::DETAILS || is_hidden(doc, id) || is_named(id, &FOLDERS);
    let is_page = |id: NodeId| matches!(doc.name(id), LocalName::BODY | LocalName::MAIN | LocalName::ARTICLE);
    let around = || doc.ancestors(id).take_while(|&id| !is_page(id)).take(MAX_AROUND);
    is_named(id, &FOLDS)
        || is_named(id, &FOLDERS)
        || around().any(folds)
        || is_referred(doc, id)
        || is_opened_beside(doc, id)
        || is_of_template(doc, unseen, id)
}

/// Whether a part stands in a name, and not denied: `noexcerpt` is no excerpt.
fn says(name: &str, part: &str) -> bool {
    name.match_indices(part).any(|(at, _)| {
        let before = name[..at].trim_end_matches('-');
        let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next();
        word != Some("no")
    })
}

/// Whether anything on the page names the element: an attribute of another, a link to it, a script.
fn is_referred(doc: &Doc, id: NodeId) -> bool {
    let own = doc.attr(id, LocalName::ID).into_iter();
    let classes = doc.attr(id, LocalName::CLASS).into_iter().flat_map(str::split_whitespace);
    let in_script = |name: &str| {
        let quoted = [format!("'{name}'"), format!("\"{name}\""), format!(".{name}'"), format!(".{name}\"")];
        // A page mentions its own attributes in quotes: only scripts are asked.
        let scripts = doc.ids().filter(|&id| doc.name(id) == LocalName::SCRIPT).filter_map(|id| doc.first_child(id));
        let mut texts = scripts.map(|id| doc.text(id));
        quoted.iter().any(|text| doc.mentions(text))
            && texts.any(|script| quoted.iter().any(|text| memmem::find(script.as_bytes(), text.as_bytes()).is_some()))
    };
    let refers = |name: &str| {
        let is_same = |at: usize| doc.attribute_name(at) != LocalName::ID && doc.attribute_value(at) == name;
        doc.mentions(&format!("#{name}'"))
            || doc.mentions(&format!("#{name}\""))
            || (0..doc.n_attributes()).any(|at| is_same(at) || doc.attribute_value(at).strip_prefix('#') == Some(name))
    };
    own.clone().any(refers) || own.chain(classes.take(4)).any(in_script)
}

/// Whether a title stands above it, or what may open it beside it.
fn is_opened_beside(doc: &Doc, id: NodeId) -> bool {
    const OPENERS: usize = 30;
    let opens = |id: NodeId| {
        let leads_nowhere = |href: &str| href.starts_with('#') || href.starts_with("javascript:");
        let name = doc.name(id);
        let by_name = matches!(name, LocalName::BUTTON | LocalName::SUMMARY | LocalName::LABEL | LocalName::DT);
        let by_link = name == LocalName::A && doc.attr(id, LocalName::HREF).is_none_or(leads_nowhere);
        let by_role = doc.attr(id, LocalName::ROLE) == Some("button");
        let by_script = doc.attributes(id).any(|attribute| {
            ["onclick", "aria-expanded"].iter().any(|name| doc.find_name(name) == Some(attribute.name))
        });
        by_name || by_link || by_role || by_script
    };
    let any_opens = |id: NodeId| doc.subtree(id).take(OPENERS).any(|id| doc.is_element(id) && opens(id));
    let before = element(id, |id| doc.prev_sibling(id), doc);
    let behind = element(id, |id| doc.next_sibling(id), doc);
    before.is_some_and(|id| is_heading(doc.name(id)) || any_opens(id)) || behind.is_some_and(any_opens)
}

/// The next element in a direction.
fn element(id: NodeId, next: impl Fn(NodeId) -> Option<NodeId>, doc: &Doc) -> Option<NodeId> {
    std::iter::successors(next(id), |&id| next(id)).take(5).find(|&id| doc.is_element(id))
}

/// Whether siblings of its kind are hidden as often as shown, or several others are: slides, steps, rows that a button shows.
fn is_of_template(doc: &Doc, unseen: &Unseen, id: NodeId) -> bool {
    let Some(parent) = doc.parent(id) else { return true };
    let class = doc.attr(id, LocalName::CLASS).unwrap_or_default();
    let (mut hidden, mut same_hidden, mut same_shown) = (0, 0, 0);
    for other in doc.children(parent).filter(|&other| doc.is_element(other)).take(MAX_SIBLINGS) {
        let is_unseen = unseen.is(doc, other);
        let is_same = doc.name(other) == doc.name(id) && doc.attr(other, LocalName::CLASS).unwrap_or_default() == class;
        hidden += usize::from(is_unseen);
        same_hidden += usize::from(is_unseen && is_same);
        same_shown += usize::from(!is_unseen && is_same);
    }
    hidden > 2 || same_hidden > 1 && same_hidden >= same_shown || !class.is_empty() && same_shown == 1
}

/// The style sheets of a page, and the classes and identifiers that some rule of theirs hides by itself.
struct Sheets<'d> {
    texts: Vec<&'d str>,
    names: HashSet<&'d str>,
}

impl<'d> Sheets<'d> {
    /// Only rules that may hide are looked at, by the words that do: sheets are long.
    fn read(doc: &'d Doc) -> Sheets<'d> {
        let mut sheets = Sheets { texts: Vec::new(), names: HashSet::new() };
        let mut left = MAX_STYLES;
        for id in doc.ids().filter(|&id| doc.name(id) == LocalName::STYLE && !doc.is_foreign(id)) {
            let text = doc.first_child(id).map_or("", |text| doc.text(text));
            if text.len() > left {
                return Sheets { texts: Vec::new(), names: HashSet::new() };
            }
            left -= text.len();
            sheets.texts.push(text);
            for word in ["none", "hidden"] {
                for at in memmem::find_iter(text.as_bytes(), word) {
                    let hiding = Rule::around(text, at).filter(|rule| hides(&without_comments(rule.style)));
                    sheets.names.extend(hiding.iter().flat_map(Rule::names).map(|(_, name)| name));
                }
            }
        }
        sheets
    }

    /// Of each value of a class or identifier whether it has one of the names. Most names are of other pages of the site, which the
    /// words of this one tell.
    fn named(&self, page: &LeftoverContext) -> Vec<bool> {
        let mut firsts: ByHash<()> = ByHash::default();
        let mut has_short = false;
        for name in &self.names {
            let mut first = None;
            each_word(name, |word| first = first.or(Some(word)));
            // A single letter is no word.
            has_short |= first.is_none();
            firsts.extend(first.map(|word| (word, ())));
        }
        let may_be = page.named.by_value(|word| firsts.contains_key(&word), |may: &mut bool, is| *may |= is);
        let number = Cell::new(0);
        page.named.of_values(page.doc, |value| {
            (has_short || may_be[number.replace(number.get() + 1)])
                && value.split_ascii_whitespace().any(|name| self.names.contains(name))
        })
    }

    /// Whether a rule for pages of any width hides the element, and none shows what has its names, but on small screens. Of words
    /// within a row that show under a pointer the row is read without.
    fn hide(&self, doc: &Doc, id: NodeId, is_part_of_row: bool) -> bool {
        let classes = doc.attr(id, LocalName::CLASS).into_iter().flat_map(str::split_ascii_whitespace);
        let names = classes.chain(doc.attr(id, LocalName::ID));
        names.filter(|name| self.names.contains(name)).take(2).any(|name| {
            let rules = || self.texts.iter().flat_map(move |sheet| Rule::naming(sheet, name));
            rules().any(|rule| rule.hides_by(doc, id, name)) && !rules().any(|rule| rule.may_show(is_part_of_row))
        })
    }
}

/// A rule of a style sheet.
struct Rule<'s> {
    sheet: &'s str,
    start: usize,
    selectors: &'s str,
    style: &'s str,
}

/// Longest rule that is read, in bytes.
const MAX_RULE: usize = 2_000;

/// Where what stands before a brace begins.
fn begin(sheet: &str, brace: usize) -> usize {
    let from = sheet.ceil_char_boundary(brace.saturating_sub(MAX_RULE));
    memchr::memrchr3(b'{', b'}', b';', &sheet.as_bytes()[from..brace]).map_or(from, |at| from + at + 1)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}

impl<'s> Rule<'s> {
    /// The rule whose declarations hold a place.
    fn around(sheet: &'s str, at: usize) -> Option<Rule<'s>> {
        let from = at.saturating_sub(MAX_RULE);
        let open = from + memchr::memrchr2(b'{', b'}', &sheet.as_bytes()[from..at])?;
        (sheet.as_bytes()[open] == b'{').then(|| Rule::at(sheet, open))
    }

    /// The rule whose declarations begin with this brace.
    fn at(sheet: &'s str, open: usize) -> Rule<'s> {
        let start = begin(sheet, open);
        let selectors = &sheet[start..open];
        let selectors = selectors.rfind("*/").map_or(selectors, |at| &selectors[at + 2..]);
        let style = &sheet[open + 1..sheet.floor_char_boundary(open + 1 + MAX_RULE)];
        Rule { sheet, start, selectors, style: &style[..style.find('}').unwrap_or(style.len())] }
    }

    /// The rules whose selectors have a name in them.
    fn naming(sheet: &'s str, name: &'s str) -> impl Iterator<Item = Rule<'s>> {
        const MOST: usize = 20;
        let places = memmem::find_iter(sheet.as_bytes(), name).filter(move |&at| {
            let (before, behind) = (&sheet[..at], &sheet[at + name.len()..]);
            before.ends_with(['.', '#']) && !behind.starts_with(is_of_name)
        });
        places.take(MOST).filter_map(move |at| {
            let end = sheet.floor_char_boundary(at + MAX_RULE);
            let open = at + memchr::memchr2(b'{', b'}', &sheet.as_bytes()[at..end])?;
            (sheet.as_bytes()[open] == b'{').then(|| Rule::at(sheet, open))
        })
    }

    /// Its selectors that are one class or identifier, perhaps of a kind of element, and the class around it that they ask for.
    fn names(&self) -> impl Iterator<Item = (Option<&'s str>, &'s str)> {
        let single = |selector: &'s str| {
            let selector = selector.trim();
            let (outer, selector) =
                selector.split_once(' ').map_or(("", selector), |(outer, inner)| (outer, inner.trim()));
            let outer = if outer.is_empty() { None } else { Some(outer.strip_prefix('.')?) };
            let (element, name) = selector.split_once(['.', '#'])?;
            let all = element.chars().chain(name.chars()).chain(outer.unwrap_or("").chars());
            (all.into_iter().all(is_of_name) && !name.is_empty()).then_some((outer, name))
        };
        self.selectors.split(',').filter_map(single)
    }

    /// Whether it hides an element by this name of its, outside of what is said of some widths and media only.
    fn hides_by(&self, doc: &Doc, id: NodeId, name: &str) -> bool {
        let has = |id: NodeId, outer: &str| {
            doc.attr(id, LocalName::CLASS).is_some_and(|class| class.split_ascii_whitespace().any(|word| word == outer))
        };
        // A browser takes `no-js` away.
        let is_within = |outer: &str| !outer.contains("js") && doc.ancestors(id).any(|id| has(id, outer));
        self.names().any(|(outer, own)| own == name && outer.is_none_or(is_within))
            && hides(&without_comments(self.style))
            && self.media().is_none()
    }

    fn may_show(&self, is_part_of_row: bool) -> bool {
        let says = self.style.contains("display") || self.style.contains("visibility");
        if !says || hides(&without_comments(self.style)) {
            return false;
        }
        // A screen for which words are repeated beside each value is small.
        let is_other = |media: &str| media.contains("print") || is_part_of_row && media.contains("max-width");
        let is_pointed_at = [":hover", ":focus"].iter().any(|state| self.selectors.contains(state));
        let shows = !is_part_of_row || !is_pointed_at;
        shows && !self.media().is_some_and(is_other)
    }

    /// What it is said for, where it stands within other braces.
    fn media(&self) -> Option<&'s str> {
        let mut open = Vec::new();
        for at in memchr::memchr2_iter(b'{', b'}', &self.sheet.as_bytes()[..self.start]) {
            match self.sheet.as_bytes()[at] {
                b'{' => open.push(at),
                _ => drop(open.pop()),
            }
        }
        let at = *open.last()?;
        Some(&self.sheet[begin(self.sheet, at)..at])
    }
}

fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use crate::page::Page;

    use super::*;

    fn left_out(html: &str) -> Vec<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        page.leftovers()
            .iter()
            .map(|range| page.text[range.start as usize..range.end as usize].trim().to_owned())
            .collect()
    }

    #[test]
    fn a_row_alone_that_a_style_hides_is_not_for_readers() {
        for html in [
            "<p>a</p><p style='display:none'>x</p><p>b</p>",
            "<div><p>a</p><div style='visibility: hidden'>x</div><p>b</p></div>",
            "<style>.hp, p.x-1 { display: none }</style><p>a</p><p class=hp>x</p><p>b</p>",
            "<style>/* .a */ #trap{visibility:hidden} @media print { #trap { display: block } }</style><p>a<p id=trap>x<p>b",
            "<style>.hp{display:none}</style><p>a <span class=hp>x</span> b</p>",
            "<style>body{margin:0}.a,.hp-note{visibility:hidden!important}</style><p>a</p><p class=\"hp-note\">x</p><p>b</p>",
            "<ul><li>a<li style='display:none'>x<li>b<li>c</ul>",
            "<table><tr><td>a<td>b<tr style='display:none'><td>x<tr><td>c<td>d</table>",
            "<div class='entry-content'><p>a</p><p hidden>x</p><p>b</p></div>",
            "<style>.z{display:none}</style><p>a<span class=z>x</span> b</p>",
            "<div class='shortdescription noexcerpt' style='display:none'>x</div><p>a</p><p>b</p>",
            "<style>.mw .z{display:none}</style><div class=mw><p>a <span class=z>x</span> b</p></div>",
            "<style>.t .z{visibility:hidden} .t:hover .z{visibility:visible}</style><p>a <i class=t>b<b class=z>x</b></i> c",
            "<style>.z{display:none}@media (max-width:9em){.z{display:inline}}</style><table><tr><td>a<td><i class=z>x</i> b</table>",
        ] {
            assert_eq!(left_out(html), ["x"], "{html}");
        }
    }

    #[test]
    fn what_is_folded_is_content() {
        for html in [
            "<h3>Title</h3><p style='display:none'>x</p>",
            "<button aria-controls=a>Open</button><p>a</p><p id=a hidden>x</p>",
            "<p>a</p><a href=#more>Open</a><p>b</p><p id=more style='display:none'>x</p>",
            "<div class=accordion-item><p>a</p><div style='display:none'>x</div></div>",
            "<div role=tabpanel hidden>x</div>",
            "<p>a</p><div id=rest style='display:none'>x</div><p>b</p><script>show('rest')</script>",
            "<p>a</p><p style='display:none'>x</p><a href='javascript:void(0)'>Open</a>",
            "<div class=q>a</div><div class=q style='display:none'>x</div><div class=q style='display:none'>y</div>",
            "<style>.t{display:none} .t.on{display:block}</style><p>a</p><p class=t>x</p><p>b</p>",
            "<style>@media (max-width: 9px) {.t{display:none}}</style><p>a</p><p class=t>x</p><p>b</p>",
            "<style>.no-js .t{display:none}</style><p>a</p><p class=t>x</p><p>b</p>",
            "<style>.no-js .t{display:none}</style><div class=no-js><p>a</p><p class=t>x</p><p>b</p></div>",
            "<details><p hidden>x</p></details>",
            "<style>.z{display:none} .c:hover .z{display:block}</style><div class=c><p>a</p><p class=z>x</p></div>",
            "<div style='display:none'><p>x</p><p>y</p></div>",
        ] {
            assert_eq!(left_out(html), [] as [&str; 0], "{html}");
        }
    }

    #[test]
    fn broken_sheets_end() {
        for sheet in [
            "{",
            "}",
            "@media print {",
            "/*",
            "a{b",
            ".a{display:none",
            "@import 'x';.b{display:none}",
            "}}.c{display:none}",
        ] {
            left_out(&format!("<style>{sheet}</style><p class='a b c'>x</p><p>y</p>"));
        }
    }
}
