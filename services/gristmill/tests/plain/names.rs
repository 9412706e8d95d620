//! A type has a name of its own: who reads it in one crate need not ask which of several is meant.
//!
//! Counted are `struct`, `enum` and `trait` below `src/` of every crate that are `pub` or visible in the crate, at any depth of
//! modules. What is private to a module may have the shortest name that is clear there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::circles::crates;

/// Names that stand for one thing in several crates: a message and what a library makes of it, or the same part of each service.
const SHARED: [&str; 22] = [
    "Cli",
    "Client",
    "Command",
    "Comment",
    "Cookie",
    "FeedLink",
    "FetchOrder",
    "FetchOutcome",
    "Fingerprint",
    "HeadingLine",
    "LanguageShare",
    "Metrics",
    "News",
    "Notice",
    "Outlink",
    "ProductAttribute",
    "RenderInfo",
    "Rights",
    "Script",
    "SourcedValue",
    "Tie",
    "ByteRange",
];

#[test]
fn a_type_name_stands_for_one_thing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in sources(&root) {
        let text = std::fs::read_to_string(&file).unwrap();
        for name in text.lines().filter_map(visible_type) {
            let place = file.strip_prefix(&root).unwrap().display().to_string();
            places.entry(name.to_owned()).or_default().push(place);
        }
    }
    assert!(places.len() > 900, "only {} types were found", places.len());
    let shared: Vec<&String> = places.iter().filter(|(_, places)| places.len() > 1).map(|(name, _)| name).collect();
    let other: Vec<_> = shared
        .iter()
        .filter(|name| !SHARED.contains(&name.as_str()))
        .map(|name| (name, &places[name.as_str()]))
        .collect();
    assert!(other.is_empty(), "these names stand for several things: {other:#?}");
    let gone: Vec<_> = SHARED.iter().filter(|name| !shared.iter().any(|other| other == *name)).collect();
    assert!(gone.is_empty(), "these are no longer shared: {gone:?}");
}

/// The name of the type that a line declares, if the crate can see it.
fn visible_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = if let Some(inner) = rest.strip_prefix('(') { inner.split_once(')')?.1 } else { rest };
    let rest = rest.strip_prefix(' ')?;
    let rest = ["struct ", "enum ", "trait "].iter().find_map(|word| rest.strip_prefix(word))?;
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(rest);
    // A macro gives its types their names where it is called.
    (!rest.starts_with('$')).then_some(name)
}

/// Every Rust file below a `src` folder of the workspace.
fn sources(root: &Path) -> Vec<PathBuf> {
    let mut waiting = crates(root);
    let mut files = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}
