//! What must never stand in the index again: a list beside its files, one takedown in a line.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use gristmill_urls::{Takedown, Takedowns};
use tantivy::query::{Query, RegexQuery, TermQuery};
use tantivy::schema::IndexRecordOption;

use crate::error::IndexError;
use crate::schema::Fields;
use crate::shards::folders;

/// Name of the list.
const FILE: &str = "takedowns.txt";

/// The takedowns of an index, or of all parts below `dir` where each partition has its own. An index without a list has none.
///
/// # Errors
/// A list that cannot be read.
pub fn takedowns(dir: &Path) -> std::io::Result<Takedowns> {
    let mut all = Takedowns::default();
    for dir in folders(dir) {
        lines(&dir)?.iter().for_each(|takedown| _ = all.insert(takedown));
    }
    Ok(all)
}

/// Those of one directory, in the order in which they came.
fn lines(dir: &Path) -> std::io::Result<Vec<Takedown>> {
    match std::fs::read_to_string(dir.join(FILE)) {
        Ok(text) => Ok(text.lines().filter_map(|line| Takedown::parse(line).ok()).collect()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The same for who opens the index.
pub(crate) fn read(dir: &Path) -> Result<Vec<Takedown>, IndexError> {
    lines(dir).map_err(|error| IndexError::Directory { dir: dir.to_owned(), source: error.into() })
}

/// The documents that one covers.
pub(crate) fn query_of(takedown: &Takedown, fields: &Fields) -> tantivy::Result<Box<dyn Query>> {
    Ok(match takedown {
        Takedown::Page(url) => {
            Box::new(TermQuery::new(fields.key_term(&url.key().to_string()), IndexRecordOption::Basic))
        }
        Takedown::Site(host) => {
            // Whatever stands before the host in the pattern ends with a dot; hosts have no other special character.
            let pattern = format!("(.*\\.)?{}", host.replace('.', "\\."));
            Box::new(RegexQuery::from_pattern(&pattern, fields.host)?)
        }
    })
}

/// Adds one, on disk when this returns. A line that a crash cut off is no takedown, and comes again with its message.
pub(crate) fn append(dir: &Path, takedown: &Takedown) -> std::io::Result<()> {
    let path: PathBuf = dir.join(FILE);
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    // A line of its own whatever a crash left before it.
    file.write_all(format!("\n{takedown}\n").as_bytes())?;
    file.sync_all()
}
