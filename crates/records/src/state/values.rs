//! The JSON in the scripts of a page.

use gristmill_html::{Doc, LocalName};
use gristmill_page::state::script;
use serde_json::{Deserializer, Value};

/// Most bytes that are parsed, of one script and of all; a value takes several times its bytes in memory.
const MAX_BYTES: usize = 2 << 20;
/// Most objects that are read from one script.
const MAX_VALUES: usize = 8;
/// Most rows of a React stream.
const MAX_ROWS: usize = 4_000;

/// Every object and array that the scripts of a page give to something. What is no JSON is passed over.
pub(super) fn parsed(doc: &Doc) -> Vec<Value> {
    let (mut out, mut stream, mut bytes) = (Vec::new(), String::new(), 0);
    for id in doc.ids().filter(|&id| doc.name(id) == LocalName::SCRIPT) {
        let Some(source) = script(doc, id) else { continue };
        bytes += source.len();
        if bytes > MAX_BYTES {
            break;
        }
        match source.trim_start().starts_with("self.__next_f") {
            true => push_row(source, &mut stream),
            false => assigned(source, &mut out),
        }
    }
    let rows = stream.lines().take(MAX_ROWS).filter_map(|row| row.split_once(':'));
    out.extend(rows.filter_map(|(_, value)| first(value).map(|(value, _)| value)));
    out
}

/// What the scripts of a page push to the tag manager.
pub(super) fn pushed(doc: &Doc) -> Vec<Value> {
    const PUSH: &str = "dataLayer.push(";
    let mut out = Vec::new();
    let mut bytes = 0;
    for id in doc.ids().filter(|&id| doc.name(id) == LocalName::SCRIPT) {
        let Some(source) = doc.first_child(id).map(|text| doc.text(text)).filter(|text| text.contains(PUSH)) else {
            continue;
        };
        bytes += source.len();
        if bytes > MAX_BYTES {
            break;
        }
        out.extend(source.split(PUSH).skip(1).take(MAX_VALUES).filter_map(|json| first(json).map(|(value, _)| value)));
    }
    out
}

/// The vendor that Shopify's scripts name for the product of a page: `var meta = {"product":{"id":1,"vendor":"Acme","type":…`.
pub(super) fn vendor(doc: &Doc) -> Option<String> {
    const BEGINS: &str = "meta = {\"product\":{";
    const VENDOR: &str = "\"vendor\":";
    const MAX_BETWEEN: usize = 200;
    let scripts = doc.ids().filter(|&id| doc.name(id) == LocalName::SCRIPT);
    let sources = scripts.filter_map(|id| Some(doc.text(doc.first_child(id)?)));
    let mut products = sources.filter_map(|source| source.split_once(BEGINS).map(|(_, product)| product));
    let product = products.next()?;
    let near = &product[..product.floor_char_boundary(MAX_BETWEEN)];
    let at = near.find(VENDOR)? + VENDOR.len();
    first(&product[at..])?.0.as_str().map(str::to_owned).filter(|vendor| !vendor.trim().is_empty())
}

/// What a script assigns, or all of it where it is JSON.
fn assigned(source: &str, out: &mut Vec<Value>) {
    let mut rest = source.trim_start();
    if rest.starts_with(['{', '['])
        && let Some((value, _)) = first(rest)
    {
        return out.push(value);
    }
    for _ in 0..MAX_VALUES {
        let Some(at) = rest.find('=').map(|at| at + 1) else { return };
        rest = rest[at..].trim_start();
        let json = match rest.strip_prefix("JSON.parse(") {
            Some(string) => first(string).and_then(|(string, n)| Some((first(string.as_str()?)?.0, n))),
            None => first(rest),
        };
        if let Some((value, n)) = json {
            out.push(value);
            rest = &rest[n..];
        }
    }
}

/// The object, array or string at the start of a text, and how many bytes it takes.
fn first(text: &str) -> Option<(Value, usize)> {
    let text = text.trim_start();
    if !text.starts_with(['{', '[', '"']) {
        return None;
    }
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

/// The string of `self.__next_f.push([1, "…"])`, which may end in the middle of a row.
fn push_row(source: &str, stream: &mut String) {
    let array = source.find('[').and_then(|at| first(&source[at..]));
    if let Some((Value::Array(parts), _)) = array {
        parts.iter().filter_map(Value::as_str).for_each(|part| stream.push_str(part));
    }
}
