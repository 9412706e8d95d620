//! Whether the frontier's store is as it was written, file by file and entry by entry.

use std::path::{Path, PathBuf};

use crate::Positions;
use crate::config::FrontierConfig;
use crate::delayed_entry::DelayedEntry;
use crate::dependants::Dependant;
use crate::domain_record::DomainRecord;
use crate::error::FrontierError;
use crate::host_record::HostRecord;
use crate::order_lease::OrderLease;
use crate::store::FrontierStore;
use crate::url_record::UrlRecord;

/// What [`check`] found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontierCheckReport {
    /// Bytes of tables that were read.
    pub bytes: u64,
    /// Entries that were read.
    pub entries: u64,
    /// Files that are missing, or whose checksum does not fit, with the name of their table.
    pub files: Vec<(String, PathBuf)>,
    /// The input positions that it remembers.
    pub positions: Positions,
    /// Tables with an entry that cannot be read, and why: the first one of each.
    pub unreadable: Vec<(&'static str, String)>,
}

/// Reads the frontier in `dir` whole. Nobody else may have it open. O(its size).
///
/// # Errors
/// It cannot be opened at all, or the disk does not answer.
pub fn check(dir: &Path, config: &FrontierConfig) -> Result<FrontierCheckReport, FrontierError> {
    let store = FrontierStore::create(dir, config)?;
    let (_, meta) = store.read_meta()?;
    let tables = gristmill_verify::tables(store.keyspaces()).map_err(fjall::Error::Io)?;
    let moment = store.moment();
    let mut checked = FrontierCheckReport {
        bytes: tables.bytes,
        files: tables.damaged,
        positions: meta.positions,
        ..FrontierCheckReport::default()
    };
    for (name, keyspace) in store.keyspaces() {
        for entry in keyspace.iter() {
            let wrong = match entry.into_inner() {
                Ok((_, value)) if is_readable(name, &value) => None,
                Ok((key, _)) => Some(format!("the entry {:02x?} means nothing", &key[..key.len().min(32)])),
                Err(error) => Some(error.to_string()),
            };
            checked.entries += 1;
            if let Some(wrong) = wrong {
                checked.unreadable.push((name, wrong));
                break;
            }
        }
    }
    for block in moment.links.blocks_from(0) {
        let read = block.map(|(_, bytes)| (bytes.len(), crate::link_log::is_readable(&bytes)));
        checked.entries += 1;
        checked.bytes += read.as_ref().map_or(0, |(length, _)| *length as u64);
        if let Some(wrong) = read.map_or_else(|error| Some(error.to_string()), |(_, fits)| unfit(fits)) {
            checked.unreadable.push(("links", wrong));
            break;
        }
    }
    match moment.seen.check() {
        Ok(n_entries) => checked.entries += n_entries,
        Err(error) => checked.unreadable.push(("seen", error.to_string())),
    }
    Ok(checked)
}

/// What is wrong with a block that does not fit.
fn unfit(fits: bool) -> Option<String> {
    (!fits).then(|| "a block means nothing".to_owned())
}

fn is_readable(table: &str, value: &[u8]) -> bool {
    match table {
        "urls" => UrlRecord::decode(value).is_some(),
        "hosts" => HostRecord::decode(value).is_some(),
        "domains" => DomainRecord::decode(value).is_some(),
        "later" => DelayedEntry::decode(value).is_some(),
        "leases" => OrderLease::decode(value).is_some(),
        "cookies" => crate::cookies::decode(value).is_some(),
        "dependants" => Dependant::decode(value).is_some(),
        _ => true,
    }
}
