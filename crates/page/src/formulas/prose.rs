//! TeX that is written out in the text, for a typesetter that the page loads.

use std::ops::Range;

use gristmill_html::{Doc, FormulaStyle, LocalName};

use super::tex;

/// A formula in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// Where it stands in the text, with its delimiters.
    pub range: Range<usize>,
    /// Its TeX, on one line, without them; empty where it only defines commands.
    pub tex: String,
    /// How it stands on the page.
    pub style: FormulaStyle,
}

/// Longer ones are two signs that have nothing to do with one another.
const MAX_BYTES: usize = 8_000;
/// The same of a single dollar sign.
const MAX_INLINE: usize = 600;

/// Whether a page loads a program that typesets formulas in its text. O(nodes).
pub fn has_typesetter(doc: &Doc) -> bool {
    const PROGRAMS: [&[u8]; 6] = [b"MathJax", b"mathjax", b"katex", b"KaTeX", b"renderMathInElement", b"tex2jax"];
    let names = |text: &str| PROGRAMS.iter().any(|name| memchr::memmem::find(text.as_bytes(), name).is_some());
    let is_script = |id| doc.name(id) == LocalName::SCRIPT;
    let scripts = doc.ids().filter(|&id| is_script(id) || doc.name(id) == LocalName::LINK);
    scripts.into_iter().any(|id| {
        [LocalName::SRC, LocalName::HREF, LocalName::ID].iter().any(|name| doc.attr(id, *name).is_some_and(names))
            || is_script(id) && doc.children(id).any(|text| names(doc.text(text)))
    })
}

/// The formulas of a text, in order. A dollar sign begins one where it cannot be a price: by the rules of pandoc (what is between stands
/// close to both signs, no digit follows), and with what only TeX has between them, unless the page loads a typesetter. O(text).
pub fn formulas_of(text: &str, has_typesetter: bool) -> Vec<Formula> {
    let mut found = Vec::new();
    if memchr::memchr2(b'$', b'\\', text.as_bytes()).is_none() && !text.contains("[/") && !text.contains("##") {
        return found;
    }
    let mut scan = Scan { text, next: [0; tex::DELIMITERS.len()] };
    let mut at = 0;
    while let Some(sign) = text.as_bytes()[at..].iter().position(|byte| matches!(byte, b'$' | b'\\' | b'[' | b'#')) {
        at += sign;
        match scan.formula(at, has_typesetter) {
            Some((end, style)) => {
                found.push(Formula { range: at..end, tex: tidy(&text[at..end]), style });
                at = end;
            }
            // What is escaped begins nothing.
            None if text.as_bytes()[at] == b'\\' => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            None if text[at..].starts_with("$$") || text[at..].starts_with("##") => at += 2,
            None => at += 1,
        }
    }
    found
}

fn tidy(source: &str) -> String {
    // WordPress writes the name of the language behind the sign.
    match source.strip_prefix("$latex ") {
        Some(rest) => tex::tidy(&format!("${rest}")),
        None => tex::tidy(source),
    }
}

struct Scan<'t> {
    text: &'t str,
    /// Where the closing sign of each pair was last found, so that no part is searched twice.
    next: [usize; tex::DELIMITERS.len()],
}

impl Scan<'_> {
    fn formula(&mut self, at: usize, has_typesetter: bool) -> Option<(usize, FormulaStyle)> {
        let rest = &self.text[at..];
        if let Some(end) = environment(rest) {
            return Some((at + end, FormulaStyle::Display));
        }
        let kind = tex::DELIMITERS.iter().position(|(open, ..)| rest.starts_with(open))?;
        let (open, close, is_display) = tex::DELIMITERS[kind];
        let begin = at + open.len();
        let end = self.close(kind, close, begin)?;
        let inner = &self.text[begin..end];
        let fits = match open {
            "$" => self.is_close(at, end) && (tex::has_command(inner) || is_short_formula(inner, has_typesetter)),
            "##" => {
                has_typesetter && self.is_close(at + 1, end) && (tex::is_likely(inner) || is_short_formula(inner, true))
            }
            _ => inner.len() <= MAX_BYTES && (has_typesetter || tex::is_likely(inner) || open.starts_with('[')),
        };
        let style = if is_display { FormulaStyle::Display } else { FormulaStyle::Inline };
        (fits && !inner.trim().is_empty()).then_some((end + close.len(), style))
    }

    /// Where the next closing sign stands that is not escaped.
    fn close(&mut self, kind: usize, close: &str, begin: usize) -> Option<usize> {
        let next = &mut self.next[kind];
        if *next < begin {
            let mut from = begin;
            *next = loop {
                let Some(found) = self.text[from..].find(close) else { break usize::MAX };
                let at = from + found;
                if close != "$" || !self.text[..at].ends_with('\\') {
                    break at;
                }
                from = at + 1;
            };
        }
        (*next != usize::MAX).then_some(*next)
    }

    /// Whether two dollar signs stand close to what is between them, and to nothing else.
    fn is_close(&self, at: usize, end: usize) -> bool {
        let inner = &self.text[at + 1..end];
        let before = self.text[..at].chars().next_back();
        let behind = self.text[end + 1..].chars().next();
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '$');
        inner.len() <= MAX_INLINE
            && (!inner.starts_with(char::is_whitespace) && !inner.ends_with(char::is_whitespace)
                || inner.starts_with("latex "))
            && !is_word(before)
            && !is_word(behind)
    }
}

/// Without a command: a formula has signs of its own or next to no words.
fn is_short_formula(inner: &str, has_typesetter: bool) -> bool {
    let longest = inner.split(|c: char| !c.is_alphabetic()).map(|word| word.chars().count()).max().unwrap_or(0);
    let has_script = inner.contains(['^', '_']) && longest <= 3;
    has_script || has_typesetter && longest <= 3 || inner.starts_with("latex ")
}

/// The end of an environment of formulas that a text begins with.
fn environment(text: &str) -> Option<usize> {
    const NAMES: [&str; 8] =
        ["align", "equation", "gather", "multline", "eqnarray", "flalign", "alignat", "displaymath"];
    let name = text.strip_prefix("\\begin{")?;
    let name = &name[..name.bytes().take(20).position(|byte| byte == b'}')?];
    if !NAMES.contains(&name.trim_end_matches('*')) {
        return None;
    }
    let end = format!("\\end{{{name}}}");
    let found = text[..text.floor_char_boundary(MAX_BYTES)].find(&end)?;
    Some(found + end.len())
}

/// Displayed formulas whose lines are divided by `br` become one text: for a typesetter a line break is white space. O(nodes + text).
pub(super) fn join_lines(doc: &mut Doc) {
    const MAX_LINES: usize = 200;
    let is_line = |doc: &Doc, id| doc.is_text(id) || doc.name(id) == LocalName::BR;
    let opens = |text: &str| {
        [("$$", "$$"), ("\\[", "\\]"), ("\\begin{", "\\end{")].into_iter().find(|(open, close)| match open == close {
            // Most texts have none, which a search from the front tells many times faster.
            _ if !text.contains(open) => false,
            true => text.matches(open).count() % 2 == 1,
            false => text.rfind(open) > text.rfind(close),
        })
    };
    // Most pages have no such text: then their scripts need not be read.
    let mut typesets = None;
    let mut at = 1;
    while at < doc.len() {
        let id = doc.id(at);
        at += 1;
        let goes_on = doc.is_text(id) && doc.next_sibling(id).is_some_and(|line| is_line(doc, line));
        let Some((_, close)) = Some(doc.text(id)).filter(|_| goes_on).and_then(opens) else { continue };
        if !*typesets.get_or_insert_with(|| has_typesetter(doc)) {
            return;
        }
        let behind = std::iter::successors(doc.next_sibling(id), |&id| doc.next_sibling(id)).take(MAX_LINES);
        let mut lines = Vec::new();
        let mut is_closed = false;
        for line in behind.take_while(|&line| is_line(doc, line)) {
            lines.push(line);
            is_closed = doc.text(line).contains(close);
            if is_closed {
                break;
            }
        }
        if is_closed {
            let text = std::iter::once(id).chain(lines.iter().copied()).map(|id| doc.text(id)).collect::<Vec<_>>();
            let text = text.join("\n");
            lines.iter().for_each(|&line| doc.clear(line));
            doc.set_text(id, &text);
        }
        at = lines.last().map_or(at, |last| last.index() + usize::from(is_closed));
    }
}
