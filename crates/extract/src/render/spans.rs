//! The text of a row in runs of one style, with its white space as the page means it.

use std::borrow::Cow;

use gristmill_html::{Doc, FormulaStyle, LocalName, NodeId};
use gristmill_page::{
    KeptSpan, Page, Row, Selection, is_block, is_dropped,
    verbatim::{WhiteSpaceMode, raw_part},
};
use gristmill_text::WhitespaceCollapser;

use super::addresses::is_safe;
use super::raised::{self, Level, RaisedForm};
use super::style::short_style;

/// A run of text with one style. A line feed in it is a line break of the page.
#[derive(Debug, Clone)]
pub(super) struct StyledRun<'d> {
    pub(super) text: String,
    pub(super) link: Option<Cow<'d, str>>,
    /// The element that is the link.
    pub(super) anchor: Option<NodeId>,
    pub(super) strong: bool,
    pub(super) emphasis: bool,
    pub(super) code: bool,
    /// It is taken back.
    pub(super) struck: bool,
    /// The writer marked it.
    pub(super) marked: bool,
    /// The address of an image, of which the text is the description.
    pub(super) image: Option<Cow<'d, str>>,
    /// It refers to a footnote.
    pub(super) note: Option<usize>,
    /// It is of a footnote that stands within the row.
    pub(super) aside: Option<usize>,
    /// It is TeX.
    pub(super) formula: Option<FormulaStyle>,
    /// How it stands to the line, and what says so beside its word.
    pub(super) raised: Option<(Level, RaisedForm)>,
    /// Whether the method kept it; without meaning unless the whole page is shown.
    pub(super) kept: bool,
}

pub(super) fn plain(text: &str) -> StyledRun<'static> {
    StyledRun {
        text: text.to_owned(),
        link: None,
        anchor: None,
        strong: false,
        emphasis: false,
        code: false,
        struck: false,
        marked: false,
        image: None,
        note: None,
        aside: None,
        formula: None,
        raised: None,
        kept: true,
    }
}

fn is_plain(span: &StyledRun<'_>) -> bool {
    span.link.is_none()
        && span.raised.is_none()
        && span.formula.is_none()
        && span.note.is_none()
        && span.image.is_none()
        && (span.strong, span.emphasis, span.code, span.struck, span.marked) == (false, false, false, false, false)
}

pub(super) fn same_style(a: &StyledRun<'_>, b: &StyledRun<'_>) -> bool {
    let style = |span: &'_ StyledRun<'_>| (span.strong, span.emphasis, span.code, span.struck, span.marked, span.kept);
    let is_text = |span: &StyledRun<'_>| {
        span.raised.is_none() && span.formula.is_none() && span.note.is_none() && span.image.is_none()
    };
    let same_link = a.link == b.link && (a.link.is_none() || a.anchor == b.anchor);
    same_link && a.aside == b.aside && style(a) == style(b) && is_text(a) && is_text(b)
}

/// Appends the kept text of a row; `has_raised` says what [`raised::is_in`] says of the page.
pub(super) fn push_row(out: &mut String, page: &Page<'_>, row: &Row, selection: &Selection, has_raised: bool) {
    if page.verbatim().collapses() && !has_raised && selection.keeps_whole(row) {
        out.push_str(page.row_text(row));
        return;
    }
    let mut flow = Flow::new(page);
    let begin = out.len();
    let mut raised_before = None;
    for piece in selection.kept(page, row) {
        let start = out.len();
        flow.push(out, piece);
        if !has_raised {
            continue;
        }
        let level = raised::level(page.doc, piece.leaf.node);
        if let Some((from, before)) = raised_before.take()
            && level.is_none()
            && let Some(characters) = raised::before_word(before, &out[from..start], &out[start..])
        {
            out.replace_range(from..start, &characters);
        }
        if let Some(level) = level {
            let text = out.split_off(start);
            push_raised(out, begin, level, &text);
            // A space that the run brought is none of it.
            raised_before = Some((start + out[start..].len() - out[start..].trim_start().len(), level));
        }
    }
}

/// Appends a raised or lowered run of a row that began at `begin`.
fn push_raised(out: &mut String, begin: usize, level: Level, text: &str) {
    match raised::form(level, &out[begin..], text) {
        RaisedForm::Same => out.push_str(text),
        RaisedForm::Characters(characters) => out.push_str(&characters),
        RaisedForm::Marks => out.push_str(&in_marks(level, text)),
    }
}

/// As plain text says it.
fn in_marks(level: Level, text: &str) -> String {
    let sign = if level == Level::Below { '_' } else { '^' };
    format!("{sign}({text})")
}

/// The kept pieces of a row as runs of one style.
///
/// A reference to a note of which `has_note` is one run with its label, and so is each of `images`, which stand in the row.
pub(super) fn kept_spans<'d>(
    page: &Page<'d>,
    row: &Row,
    selection: &Selection,
    has_raised: bool,
    has_note: &[bool],
    images: Vec<(NodeId, StyledRun<'d>)>,
) -> Vec<StyledRun<'d>> {
    let mut inline = Inline { flow: Flow::new(page), spans: Vec::new(), has_raised, aside: None, worded: false };
    // The note that words refer to, and where they end.
    let mut pending: Option<(usize, usize)> = None;
    let own = page.notes().around(page.leaves[row.first_leaf as usize].node);
    let mut images = images.into_iter().peekable();
    // The note and the reference that were last written.
    let (mut last, mut shown) = (None, None);
    for (piece, written) in selection.kept(page, row).flat_map(|piece| parts(page, piece, has_note)) {
        let node = piece.leaf.node;
        while let Some((_, image)) = images.next_if(|(id, _)| *id < node) {
            inline.image(image);
        }
        if let Some((note, _)) = pending.take_if(|(_, end)| *end <= node.index()) {
            inline.refer(note);
        }
        if let Some(note) = written {
            inline.flow.push(&mut String::new(), piece);
            inline.refer(note);
            continue;
        }
        let reference = page.notes().reference(node).filter(|reference| has_note[reference.note]);
        inline.worded = reference.is_some_and(|reference| reference.worded);
        if let Some(reference) = reference.filter(|reference| reference.worded) {
            pending = Some((reference.note, reference.nodes.end));
            inline.push(piece, true);
            continue;
        }
        inline.aside = page.notes().around(node).filter(|note| Some(*note) != own && has_note[*note]);
        // A sidenote without a number is referred to where it stands.
        let note = reference.map(|reference| reference.note).or(inline.aside);
        let is_other = reference.is_some_and(|reference| shown != Some(reference.nodes.start));
        if let Some(note) = note.filter(|note| is_other || last != Some(*note)) {
            inline.refer(note);
        }
        (last, shown) = (note.or(last), reference.map(|reference| reference.nodes.start).or(shown));
        match reference {
            Some(_) => inline.flow.push(&mut String::new(), piece),
            None => inline.push(piece, true),
        }
    }
    pending.into_iter().for_each(|(note, _)| inline.refer(note));
    take_brackets(&mut inline.spans);
    inline.spans
}

/// Takes the brackets away that stand around links which are references, and what divides these: a reference has its own.
fn take_brackets(spans: &mut Vec<StyledRun<'_>>) {
    let is_text = |span: &StyledRun<'_>| span.note.is_none() && span.link.is_none() && !span.code;
    let divides = |text: &str| text.chars().all(|c| matches!(c, ',' | ';' | '-' | '–' | '—') || c.is_whitespace());
    let mut open = None;
    for at in 1..spans.len() {
        if spans[at].note.is_some() {
            let before = &spans[at - 1];
            open = open.or(Some(at - 1).filter(|_| is_text(before) && before.text.ends_with('[')));
        } else if let Some(from) = open.filter(|_| !is_text(&spans[at]) || !divides(&spans[at].text)) {
            open = None;
            if is_text(&spans[at]) && spans[at].text.starts_with(']') {
                spans[at].text.remove(0);
                spans[from].text.pop();
                let between = spans[from + 1..at].iter_mut().filter(|span| span.note.is_none());
                between.for_each(|span| span.text.retain(|c| !matches!(c, ',' | ';') && !c.is_whitespace()));
            }
        }
    }
    spans.retain(|span| !span.text.is_empty() || span.image.is_some());
}

/// A kept piece cut at the references that are written in it, each of which knows its note.
fn parts<'p>(page: &Page<'_>, piece: KeptSpan<'p>, has_note: &[bool]) -> Vec<(KeptSpan<'p>, Option<usize>)> {
    let written = page.notes().written_in(piece.start..piece.end);
    let mut parts = Vec::with_capacity(2 * written.len() + 1);
    let mut at = piece.start;
    for reference in written.iter().filter(|reference| has_note[reference.note]) {
        let part = |start, end| KeptSpan { start, end, ..piece };
        parts.push((part(at, reference.range.start), None));
        parts.push((part(reference.range.start, reference.range.end), Some(reference.note)));
        at = reference.range.end;
    }
    parts.push((KeptSpan { start: at, ..piece }, None));
    parts.retain(|(part, note)| part.start < part.end || note.is_some());
    parts
}

/// All pieces of a row as runs of one style, each knowing whether it is kept.
pub(super) fn all_spans<'d>(page: &Page<'d>, row: &Row, selection: &Selection, has_raised: bool) -> Vec<StyledRun<'d>> {
    let mut inline = Inline { flow: Flow::new(page), spans: Vec::new(), has_raised, aside: None, worded: false };
    selection.pieces(page, row).into_iter().for_each(|(piece, kept)| inline.push(piece, kept));
    inline.spans
}

/// Puts the pieces of one row together as runs of one style.
struct Inline<'p, 'd> {
    flow: Flow<'p, 'd>,
    spans: Vec<StyledRun<'d>>,
    has_raised: bool,
    /// The note within the row that the next piece is of.
    aside: Option<usize>,
    /// The next piece is words that refer to a note: the link to it stands behind them.
    worded: bool,
}

impl<'d> Inline<'_, 'd> {
    fn refer(&mut self, note: usize) {
        self.spans.push(StyledRun { note: Some(note), ..plain(&self.flow.page.notes().notes[note].label) });
    }

    fn push(&mut self, piece: KeptSpan<'_>, kept: bool) {
        let doc = self.flow.page.doc;
        let mut span = StyledRun { kept, aside: self.aside, ..style(doc, piece.leaf.node) };
        span.link = span.link.filter(|_| !self.worded);
        self.flow.push(&mut span.text, piece);
        if self.has_raised {
            let before = self.spans.last().map_or("", |last| &*last.text);
            let level = raised::level(doc, piece.leaf.node);
            span.raised = level.map(|level| (level, raised::form(level, before, &span.text)));
            self.raise_before(&span);
        }
        match self.spans.last_mut() {
            Some(last) if same_style(last, &span) => last.text.push_str(&span.text),
            Some(last) if span.text.starts_with(' ') && !is_plain(&span) => {
                // A space between styles belongs to neither, else links and emphasis would begin with it.
                span.text.remove(0);
                if is_plain(last) {
                    last.text.push(' ')
                } else {
                    let kept = last.kept && kept;
                    self.spans.push(StyledRun { kept, ..plain(" ") })
                }
                self.spans.push(span);
            }
            _ => self.spans.push(span),
        }
    }

    /// Raises the digits that the words of a run would run into.
    fn raise_before(&mut self, word: &StyledRun<'_>) {
        if word.raised.is_none()
            && let Some(last) = self.spans.last_mut()
            && let Some((level, form @ RaisedForm::Same)) = &mut last.raised
            && let Some(characters) = raised::before_word(*level, &last.text, &word.text)
        {
            *form = RaisedForm::Characters(characters);
        }
    }

    /// An image that stands in the row, apart from its words.
    fn image(&mut self, image: StyledRun<'d>) {
        if self.spans.last().is_some_and(|last| !last.text.ends_with(' ')) {
            self.spans.push(plain(" "));
        }
        self.spans.push(image);
        self.flow.collapser.space();
    }
}

/// Joins the pieces of one row: white space collapses, unless a style keeps it.
struct Flow<'p, 'd> {
    page: &'p Page<'d>,
    collapses: bool,
    collapser: WhitespaceCollapser,
    started: bool,
    /// White space that is kept, written before the next visible character of the row.
    kept: String,
    before: Option<(NodeId, u32)>,
}

impl<'p, 'd> Flow<'p, 'd> {
    fn new(page: &'p Page<'d>) -> Flow<'p, 'd> {
        let collapses = page.verbatim().collapses();
        Flow {
            page,
            collapses,
            collapser: WhitespaceCollapser::default(),
            started: false,
            kept: String::new(),
            before: None,
        }
    }

    fn push(&mut self, out: &mut String, piece: KeptSpan<'_>) {
        let text = &self.page.text[piece.start as usize..piece.end as usize];
        if let Some((node, end)) = self.before {
            if end != piece.start {
                // What was left out leaves a space, but not before a comma that stood right behind it.
                if !text.starts_with([',', '.', ';', ':', '!', '?', ')']) {
                    self.collapser.space();
                }
            } else if !self.collapses {
                self.blanks(node.index() + 1, piece.leaf.node.index());
            }
        }
        self.before = Some((piece.leaf.node, piece.end));
        match if self.collapses { WhiteSpaceMode::Collapse } else { self.page.verbatim().space_at(piece.leaf.node) } {
            WhiteSpaceMode::Collapse => {
                self.flush(out);
                self.collapser.push(out, text);
                self.started = true;
            }
            space => self.verbatim(out, raw_part(self.page, piece.leaf, piece.start, piece.end), space),
        }
    }

    /// White space that has text nodes of its own.
    fn blanks(&mut self, from: usize, to: usize) {
        let (doc, verbatim) = (self.page.doc, self.page.verbatim());
        for id in (from..to).map(|at| doc.id(at)).filter(|&id| doc.is_text(id)) {
            let text = doc.text(id);
            match verbatim.space_at(id) {
                WhiteSpaceMode::Collapse => {}
                space if text.chars().all(char::is_whitespace) => self.white(text, space),
                _ => {}
            }
        }
    }

    fn verbatim(&mut self, out: &mut String, raw: &str, space: WhiteSpaceMode) {
        for run in raw.split_inclusive(char::is_whitespace) {
            let word = run.trim_end();
            if !word.is_empty() {
                self.flush(out);
                self.started |= self.collapser.push(out, word) > 0;
            }
            self.white(&run[word.len()..], space);
        }
    }

    fn white(&mut self, text: &str, space: WhiteSpaceMode) {
        for c in text.chars() {
            match c {
                '\r' => {}
                '\n' => self.kept.push('\n'),
                '\t' if space == WhiteSpaceMode::Keep => self.kept.push('\t'),
                _ if space == WhiteSpaceMode::Keep => self.kept.push(' '),
                _ if self.kept.is_empty() => self.collapser.space(),
                _ => {}
            }
        }
    }

    fn flush(&mut self, out: &mut String) {
        if !self.kept.is_empty() && self.started {
            out.push_str(&self.kept);
            // What was pending is that white space.
            self.collapser.restart();
        }
        self.kept.clear();
    }
}

/// What an inline style says of words, as editors write it: whether they are bold, slanted, struck.
fn styled(style: &str) -> (Option<bool>, Option<bool>, bool) {
    let (mut strong, mut emphasis, mut struck) = (None, None, false);
    for (property, value) in style.split(';').filter_map(|declaration| declaration.split_once(':')) {
        let value = value.trim();
        match property.trim() {
            "font-weight" if matches!(value, "bold" | "bolder" | "600" | "700" | "800" | "900") => strong = Some(true),
            "font-weight" if matches!(value, "normal" | "300" | "400" | "500") => strong = Some(false),
            "font-style" if matches!(value, "italic" | "oblique") => emphasis = Some(true),
            "font-style" if value == "normal" => emphasis = Some(false),
            "text-decoration" | "text-decoration-line" => struck = value.contains("line-through"),
            _ => {}
        }
    }
    (strong, emphasis, struck)
}

/// The style of a text node, from the inline elements between it and its block.
fn style(doc: &Doc, leaf: NodeId) -> StyledRun<'_> {
    let mut span: StyledRun<'_> = StyledRun { formula: doc.formula(leaf), ..plain("") };
    // The innermost element that says anything of it decides.
    let (mut strong, mut emphasis) = (None, None);
    for id in doc.ancestors(leaf) {
        let name = doc.name(id);
        if matches!(name, LocalName::SPAN | LocalName::STRONG | LocalName::B | LocalName::EM | LocalName::I)
            && let Some(said) = short_style(doc, id).filter(|style| style.contains("font-") || style.contains("line-"))
        {
            let (is_strong, is_slanted, is_struck) = styled(said);
            strong = strong.or(is_strong);
            emphasis = emphasis.or(is_slanted);
            span.struck |= is_struck;
        }
        match name {
            LocalName::A if span.link.is_none() => {
                let href = doc.attr(id, LocalName::HREF).map(str::trim).filter(|href| is_safe(href));
                span.link = href.map(Cow::Borrowed);
                span.anchor = Some(id);
            }
            LocalName::STRONG | LocalName::B => strong = strong.or(Some(true)),
            LocalName::EM | LocalName::I => emphasis = emphasis.or(Some(true)),
            // MediaWiki has all of a reference in it, and it is not slanted.
            LocalName::CITE if !doc.attr(id, LocalName::CLASS).is_some_and(|class| class.contains("cit")) => {
                emphasis = emphasis.or(Some(true));
            }
            LocalName::DEL | LocalName::S | LocalName::STRIKE => span.struck = true,
            LocalName::MARK => span.marked = true,
            LocalName::CODE | LocalName::KBD | LocalName::SAMP | LocalName::TT => span.code = true,
            _ => {}
        }
        if (is_block(name) && span.link.is_some()) || is_dropped(name) || name == LocalName::BODY {
            break;
        }
    }
    (span.strong, span.emphasis) = (strong == Some(true), emphasis == Some(true));
    span
}
