//! Robots directives that limit the use of a page, as they are written.

use gristmill_html::Doc;
use gristmill_robots::{header_directives, permits_use};

/// Most directives of one page, and the longest in bytes; more are left out.
const MOST: usize = 32;
const LONGEST: usize = 100;

/// Directives that limit nothing.
const PERMISSIONS: [&str; 7] =
    ["all", "index", "follow", "archive", "max-snippet:-1", "max-video-preview:-1", "max-image-preview:large"];

/// The directives of `meta` elements for all robots or for `agent`, and of the header, each once.
pub(crate) fn limits(doc: &Doc, agent: &str, header: &[String]) -> Vec<String> {
    let ours = |key: &str| key.eq_ignore_ascii_case("robots") || key.eq_ignore_ascii_case(agent);
    let metas = doc.metas().filter(|meta| ours(meta.key)).flat_map(|meta| words(meta.content));
    let header = header.iter().flat_map(|value| header_directives(value, agent));
    let mut found: Vec<String> = Vec::new();
    for directive in metas.chain(header).filter_map(normal) {
        if found.len() < MOST && !found.contains(&directive) {
            found.push(directive);
        }
    }
    found
}

/// Between directives stand commas or semicolons, or white space where none of them has a value.
fn words(content: &str) -> impl Iterator<Item = &str> {
    content.split([',', ';']).flat_map(|part| {
        let has_value = part.contains(':');
        let whole = has_value.then_some(part);
        whole.into_iter().chain(part.split_whitespace().filter(move |_| !has_value))
    })
}

fn normal(directive: &str) -> Option<String> {
    let text: String = directive.split_whitespace().collect::<Vec<_>>().join("").to_lowercase();
    let permits = PERMISSIONS.contains(&text.as_str()) || permits_use(&text);
    let limits = !text.is_empty() && text.len() <= LONGEST && !permits;
    limits.then_some(text)
}
