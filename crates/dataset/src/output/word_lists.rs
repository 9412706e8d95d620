//! Files of block lists and of test sets.

use std::path::{Path, PathBuf};

use anyhow::Context;
use gristmill_urls::BlockList;
use serde_json::{Value, json};
use xxhash_rust::xxh3::Xxh3;

/// The lists of a category, as the University of Toulouse (UT1) names them.
const UT1: [&str; 2] = ["domains", "urls"];
/// Folders within a folder that are looked into.
const MAX_DEPTH: usize = 3;

/// Reads lists, and folders of lists.
///
/// # Errors
/// Files that cannot be read.
pub fn block_lists(paths: &[PathBuf]) -> anyhow::Result<BlockList> {
    let mut list = BlockList::default();
    for file in paths.iter().map(|path| files(path)).collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten() {
        let bytes = std::fs::read(&file).with_context(|| format!("could not read `{}`", file.display()))?;
        // Some lists are in Latin-1: a line that is not read blocks nothing, and the others count.
        list.add_lines(&String::from_utf8_lossy(&bytes));
    }
    Ok(list)
}

/// A file; of a folder, the files `domains` and `urls` in it and below it, else its `*.txt`.
///
/// # Errors
/// A folder that cannot be read or has no list.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut folders = vec![(path.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = std::fs::read_dir(&folder).with_context(|| format!("could not read `{}`", folder.display()))?;
        for entry in entries {
            let entry = entry?.path();
            let name = entry.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if entry.is_dir() && depth < MAX_DEPTH {
                folders.push((entry, depth + 1));
            } else if UT1.contains(&name) || name.ends_with(".txt") {
                found.push(entry);
            }
        }
    }
    let is_ut1 = |file: &PathBuf| file.extension().is_none();
    if found.iter().any(is_ut1) {
        found.retain(is_ut1);
    }
    anyhow::ensure!(!found.is_empty(), "`{}` has no lists: no files `domains`, `urls` or `*.txt`", path.display());
    found.sort();
    Ok(found)
}

/// A file, or all lists of a folder, as it is now: its path and XXH3.
///
/// # Errors
/// Files that cannot be read.
pub fn digest(path: &Path) -> anyhow::Result<Value> {
    let mut hash = Xxh3::new();
    for file in files(path)? {
        hash.update(&std::fs::read(&file).with_context(|| format!("could not read `{}`", file.display()))?);
    }
    Ok(json!({ "path": path, "xxh3": format!("{:032x}", hash.digest128()) }))
}

/// Gives each text of a test set: each line of a file, or each string of a JSON line.
///
/// # Errors
/// A file that cannot be read, or a line of JSON lines that is none.
pub fn test_texts(path: &Path, mut take: impl FnMut(&str)) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("could not read `{}`", path.display()))?;
    let is_json = path.extension().is_some_and(|ending| ending == "jsonl" || ending == "json");
    for (number, line) in (1..).zip(text.lines().filter(|line| !line.trim().is_empty())) {
        if !is_json {
            take(line);
            continue;
        }
        let value: Value = serde_json::from_str(line).with_context(|| {
            format!("line {number} of `{}` is no JSON; it should have one object a line", path.display())
        })?;
        let mut values = vec![&value];
        while let Some(value) = values.pop() {
            match value {
                Value::String(text) => take(text),
                Value::Array(items) => values.extend(items),
                Value::Object(fields) => values.extend(fields.values()),
                _ => {}
            }
        }
    }
    Ok(())
}
