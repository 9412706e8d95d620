//! Strings of the state that a page carries for its scripts: the path that has the most prose.

use std::collections::{HashMap, HashSet};

use gristmill_html::{Doc, LocalName};
use gristmill_page::state::{self, LEAST_BYTES};
use gristmill_text::{hash, punctuation};

use super::html::has_markup;
use super::words;

/// Most bytes of all scripts and attributes of a page, and most strings.
const MAX_BYTES: usize = 8 << 20;
const MAX_STRINGS: usize = 20_000;
/// JSON in a string in JSON in a string: no deeper.
const MAX_LEVELS: u8 = 3;
/// Deeper objects belong to the path at that depth.
const MAX_DEPTH: usize = 256;
/// Fewer words are no prose.
const LEAST_WORDS: usize = 8;

/// A main text has a string of so many words; messages and slogans have not.
const PARAGRAPH: usize = 15;

/// Keys whose values are no main text, in lower case.
const NOT_TEXT: &[&str] = &[
    "ads",
    "analytics",
    "config",
    "consent",
    "cookie",
    "cookies",
    "css",
    "errors",
    "features",
    "footer",
    "gdpr",
    "graphql",
    "header",
    "i18n",
    "i18nstore",
    "intl",
    "labels",
    "legal",
    "locale",
    "locales",
    "menu",
    "menus",
    "meta",
    "metadata",
    "nav",
    "navigation",
    "newsletter",
    "policy",
    "privacy",
    "query",
    "schema",
    "seo",
    "settings",
    "style",
    "styles",
    "svg",
    "terms",
    "theme",
    "translation",
    "translations",
    "user",
    "_nextI18Next",
];

/// The strings of the path with the most prose, in the order of the page, each once.
///
/// A path is the keys down to a value, places in arrays left out and repeated keys taken once, so that the paragraphs
/// of one article share it however they are nested. O(bytes).
pub(super) fn longest_group(doc: &Doc) -> Vec<String> {
    let mut found = Found::default();
    for id in doc.ids().filter(|&id| doc.is_element(id)) {
        if doc.name(id) == LocalName::SCRIPT {
            if let Some(script) = state::script(doc, id) {
                found.source(script, 0, 0, false);
            }
            continue;
        }
        for attribute in doc.attributes(id) {
            let value = attribute.value.trim();
            if value.len() >= LEAST_BYTES && value.starts_with(['{', '[']) {
                found.source(value, hash(b"attribute"), 0, false);
            }
        }
    }
    found.longest()
}

#[derive(Default)]
struct Found {
    bytes: usize,
    strings: Vec<(u64, String)>,
    prose: HashMap<u64, usize>,
}

/// An object or array that is open.
#[derive(Clone, Copy)]
struct Open {
    path: u64,
    last_key: u64,
    left_out: bool,
}

impl Found {
    /// Reads one source; `path` is where it stands when it is a string of another.
    fn source(&mut self, source: &str, path: u64, level: u8, left_out: bool) {
        self.bytes += source.len();
        if self.bytes > MAX_BYTES {
            return;
        }
        let mut scan = Scan { source, at: 0 };
        let mut open = vec![Open { path, last_key: 0, left_out }];
        let mut beyond = 0usize;
        let mut key: Option<Key> = None;
        while let Some(token) = scan.next() {
            let top = *open.last().expect("the root is never closed");
            match token {
                Token::Open if open.len() < MAX_DEPTH => open.push(enter(top, key.take())),
                Token::Open => beyond += 1,
                Token::Close if beyond > 0 => beyond -= 1,
                Token::Close => {
                    if open.len() > 1 {
                        open.pop();
                    }
                    key = None;
                }
                Token::Key(name) => key = Some(Key::new(name)),
                Token::Comma => key = None,
                Token::Text(raw) => {
                    let place = enter(top, key);
                    if !place.left_out && self.strings.len() < MAX_STRINGS {
                        self.string(raw, place, level);
                    }
                }
            }
        }
    }

    fn string(&mut self, raw: &str, place: Open, level: u8) {
        if raw.len() < 2 {
            return;
        }
        let text = unescaped(raw);
        let nested = text.len() >= LEAST_BYTES && (text.contains("\":\"") || text.contains("\": \""));
        if nested && level < MAX_LEVELS && !has_markup(&text[..text.floor_char_boundary(40)]) {
            return self.source(&text, place.path, level + 1, false);
        }
        let text = stream_row(&text);
        if is_prose(text) {
            *self.prose.entry(place.path).or_default() += text.len();
        }
        self.strings.push((place.path, text.to_owned()));
    }

    fn longest(self) -> Vec<String> {
        // The first of equals: strings are in the order of the page.
        let mut best: Option<(u64, usize)> = None;
        for (path, _) in &self.strings {
            let prose = self.prose.get(path).copied().unwrap_or(0);
            if prose > best.map_or(0, |(_, most)| most) {
                best = Some((*path, prose));
            }
        }
        let Some((path, _)) = best else { return Vec::new() };
        let paragraph = |text: &str| words(&text[..text.floor_char_boundary(2_000)]) >= PARAGRAPH;
        if !self.strings.iter().any(|(of, text)| *of == path && is_prose(text) && paragraph(text)) {
            return Vec::new();
        }
        let mut seen = HashSet::new();
        let of_path = self.strings.into_iter().filter(|(of, _)| *of == path).map(|(_, text)| text);
        of_path.filter(|text| is_text(text) && seen.insert(hash(text.as_bytes()))).collect()
    }
}

#[derive(Clone, Copy)]
struct Key {
    hash: u64,
    left_out: bool,
}

impl Key {
    fn new(name: &str) -> Key {
        let left_out = name.len() <= 20 && NOT_TEXT.iter().any(|not| name.eq_ignore_ascii_case(not));
        Key { hash: hash(name.as_bytes()), left_out }
    }
}

fn enter(outer: Open, key: Option<Key>) -> Open {
    match key {
        None => outer,
        Some(key) if key.hash == outer.last_key => outer,
        Some(key) => Open {
            path: outer.path.rotate_left(7) ^ key.hash,
            last_key: key.hash,
            left_out: outer.left_out || key.left_out,
        },
    }
}

/// Rows of a streamed page begin with a number, and those with text say how long it is: `1a:T4c2,`.
fn stream_row(text: &str) -> &str {
    let Some((number, rest)) = text.split_once(":T") else { return text };
    let Some((length, rest)) = rest.split_once(',') else { return text };
    let hex = |digits: &str| !digits.is_empty() && digits.len() <= 8 && digits.bytes().all(|c| c.is_ascii_hexdigit());
    if hex(number) && hex(length) { rest } else { text }
}

/// Sentences, not an address, a selector, a query or a program.
fn is_prose(text: &str) -> bool {
    is_text(text) && punctuation(text).sentence > 0 && words(&text[..text.floor_char_boundary(2_000)]) >= LEAST_WORDS
}

fn is_text(text: &str) -> bool {
    let start = &text[..text.floor_char_boundary(400)];
    if start.starts_with("http") || start.starts_with('/') || start.starts_with('#') || start.starts_with("data:") {
        return false;
    }
    let markup = has_markup(start);
    let letters = start.chars().filter(|c| c.is_alphabetic()).count();
    let code = start.chars().filter(|c| matches!(c, '{' | '}' | ';' | '=' | '_' | '\\' | '$' | '|')).count();
    let solid = start.chars().filter(|c| !c.is_whitespace()).count();
    let spaced = start.contains(' ') || start.chars().any(gristmill_text::is_cjk);
    letters >= 2 && letters * 2 >= solid && spaced && (markup || code * 25 <= letters)
}

/// What JSON and JavaScript are made of, as far as strings and their places need it.
enum Token<'s> {
    Open,
    Close,
    Comma,
    /// As in the source.
    Key(&'s str),
    /// As in the source, without its quotes.
    Text(&'s str),
}

struct Scan<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Scan<'s> {
    fn next(&mut self) -> Option<Token<'s>> {
        let bytes = self.source.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let start = self.at;
            self.at += 1;
            match byte {
                b'{' | b'[' => return Some(Token::Open),
                b'}' | b']' => return Some(Token::Close),
                b',' => return Some(Token::Comma),
                b'"' | b'\'' => {
                    let Some(inner) = self.quoted(byte) else { continue };
                    return Some(if self.is_before_colon() { Token::Key(inner) } else { Token::Text(inner) });
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                    let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
                    self.at += bytes[self.at..].iter().take_while(|byte| name(byte)).count();
                    if self.is_before_colon() {
                        return Some(Token::Key(&self.source[start..self.at]));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// What stands up to the closing quote; a line's end before it means that it was no string, and is skipped to.
    fn quoted(&mut self, quote: u8) -> Option<&'s str> {
        let bytes = self.source.as_bytes();
        let start = self.at;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                b'\n' => return None,
                _ if byte == quote => {
                    self.at += 1;
                    return Some(&self.source[start..self.at - 1]);
                }
                _ => self.at += 1,
            }
        }
        None
    }

    fn is_before_colon(&self) -> bool {
        let rest = &self.source.as_bytes()[self.at.min(self.source.len())..];
        rest.iter().take(4).find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
    }
}

/// The text of a string as written in JSON or JavaScript.
fn unescaped(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let mut after = rest[at + 1..].chars();
        let c = after.next();
        rest = after.as_str();
        match c {
            Some('n' | 'r') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('b' | 'f' | 'v' | '0') | None => out.push(' '),
            Some('u') => out.push(unit(&mut rest)),
            Some('x') => out.push(digits(&mut rest, 2).and_then(char::from_u32).unwrap_or(' ')),
            Some(c) => out.push(c),
        }
    }
    out.push_str(rest);
    out
}

/// `XXXX`, `XXXX\uXXXX` for a surrogate pair, or `{X…}`.
fn unit(rest: &mut &str) -> char {
    if let Some(braced) = rest.strip_prefix('{')
        && let Some((hex, after)) = braced.split_at_checked(braced.find('}').unwrap_or(0).min(6))
    {
        let c = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32);
        *rest = after.strip_prefix('}').unwrap_or(after);
        return c.unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    let Some(high) = digits(rest, 4) else { return char::REPLACEMENT_CHARACTER };
    let mut low_rest = rest.strip_prefix("\\u").unwrap_or("");
    match digits(&mut low_rest, 4) {
        Some(low) if (0xD800..0xDC00).contains(&high) && (0xDC00..0xE000).contains(&low) => {
            *rest = low_rest;
            char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        _ => char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

fn digits(rest: &mut &str, n: usize) -> Option<u32> {
    let (hex, after) = rest.split_at_checked(n)?;
    let value = hex.bytes().all(|c| c.is_ascii_hexdigit()).then(|| u32::from_str_radix(hex, 16).ok())??;
    *rest = after;
    Some(value)
}
