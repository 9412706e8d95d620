//! The addresses to start from that a command line names.

use std::path::Path;

use anyhow::Context;
use gristmill_runtime::read_input::{read_all, read_file};
use gristmill_scheduler::seeds::{Seed, parse_list, parse_seeds};

use crate::cli::UrlArgs;
use crate::failure::wrong_use;

/// Most lines of a list that are told one by one because they are no addresses.
const TOLD_LINES: usize = 10;

/// Reads the addresses to start from: those of the command line, and of the lists that it names.
///
/// # Errors
/// A list that cannot be read or holds no address, and an address of the command line that is none.
pub fn seeds(args: &UrlArgs) -> anyhow::Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    for url in &args.urls {
        if url == "-" {
            seeds.extend(listed("standard input", &read_all(std::io::stdin().lock())?)?);
        } else {
            seeds.extend(parse_seeds(std::slice::from_ref(url)).map_err(wrong_use)?);
        }
    }
    if let Some(file) = args.list.as_deref() {
        let name = format!("`{}`", file.display());
        let bytes = match file == Path::new("-") {
            true => read_all(std::io::stdin().lock()),
            false => read_file(file),
        };
        seeds.extend(listed(&name, &bytes.with_context(|| format!("could not read the list of URLs {name}"))?)?);
    }
    Ok(seeds)
}

/// The addresses of a list; lines that hold none are told.
fn listed(name: &str, bytes: &[u8]) -> anyhow::Result<Vec<Seed>> {
    let (seeds, wrong) = parse_list(name, bytes)?;
    wrong.iter().take(TOLD_LINES).for_each(|wrong| tell!("gristmill: {wrong}; it is left out"));
    if wrong.len() > TOLD_LINES {
        tell!("gristmill: {} more lines of {name} are left out", wrong.len() - TOLD_LINES);
    }
    Ok(seeds)
}
