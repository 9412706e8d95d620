//! Scripts that carry the state of a page for other scripts: `__NEXT_DATA__`, `window.… = {…}`, the rows of a React stream.

use gristmill_html::{Doc, LocalName, NodeId};

/// Longest script that is read, in bytes.
pub const MAX_SCRIPT_BYTES: usize = 4 << 20;
/// Shorter scripts and attributes hold neither a main text nor a product.
pub const LEAST_BYTES: usize = 300;

/// What a script must hold besides prose to be worth a look: it gives a value to something.
const ASSIGNS: [&str; 5] = ["={", "= {", "=[", "= [", "JSON.parse("];

/// The source of a script that may carry state; JSON-LD is no state. O(bytes).
pub fn script(doc: &Doc, id: NodeId) -> Option<&str> {
    let script = doc.text(doc.first_child(id).filter(|_| doc.name(id) == LocalName::SCRIPT)?);
    if script.len() < LEAST_BYTES || script.len() > MAX_SCRIPT_BYTES {
        return None;
    }
    let media_type = doc.attr(id, LocalName::TYPE).unwrap_or("");
    if media_type.contains("ld+json") {
        return None;
    }
    let is_state = media_type.contains("json")
        || script.trim_start().starts_with("self.__next_f")
        || (ASSIGNS.iter().any(|assigns| script.contains(assigns)) && !is_program(script));
    is_state.then_some(script)
}

/// State is data with hardly a function; one around all of it is how it is made smaller.
fn is_program(script: &str) -> bool {
    const BYTES_A_FUNCTION: usize = 20_000;
    let most = 2 + script.len() / BYTES_A_FUNCTION;
    let functions = script.matches("function").chain(script.matches("=>"));
    functions.take(most + 1).count() > most
}
