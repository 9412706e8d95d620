//! What of a dataset the command line says, and what is told of it.

mod args;
mod cleaning_args;
mod dedup_args;
mod filter;

use std::path::Path;

use gristmill_dataset::output::{MANIFEST, Manifest};

pub use args::DatasetArgs;
pub use filter::{DocumentFilter, FilterArgs, FilterFields, KindArg, share};

/// Tells on stderr what the last run wrote.
pub fn tell(manifest: &Manifest, out: &Path) {
    let Some(part) = manifest.history.last() else { return };
    let counted: Vec<String> = part.counts.iter().map(|(what, n)| format!("{what} {n}")).collect();
    let (rows, shown, all) = (part.rows, out.display(), out.join(MANIFEST));
    let more = if manifest.history.len() > 1 { " more" } else { "" };
    let counted = if counted.is_empty() { "no page was read".to_owned() } else { counted.join(", ") };
    tell!("gristmill: {rows}{more} rows in `{shown}` ({counted}); see `{}`", all.display());
}
