//! What of a crawl outlives the process that ran it: `job.json` in its folder, beside its documents.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::job_phase::{JobKind, JobPhase};

const NAME: &str = "job.json";
/// Longest file: ten thousands of documents have some hundred kB.
const MAX_BYTES: u64 = 64 << 20;

/// A crawl as its folder remembers it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct JobFile {
    pub kind: JobKind,
    pub seed: String,
    pub warnings: Vec<String>,
    /// Unix seconds.
    pub expires: u64,
    pub max_pages: u64,
    pub phase: JobPhase,
    /// Where each document begins in the file of documents, and where the last one ends.
    pub offsets: Vec<u64>,
    pub error: Option<String>,
    /// Addresses that failed, with the reason.
    pub problems: Vec<(String, String)>,
}

impl JobFile {
    /// Writes it as a whole, or leaves what was there.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let new = folder.join("job.json.new");
        let mut file = File::create(&new)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        std::fs::rename(new, folder.join(NAME))
    }

    /// Reads it; none where there is none that can be read.
    pub fn read(folder: &Path) -> Option<JobFile> {
        let mut bytes = Vec::new();
        File::open(folder.join(NAME)).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        let found: JobFile = serde_json::from_slice(&bytes).ok()?;
        (found.offsets.first() == Some(&0) && found.offsets.is_sorted()).then_some(found)
    }
}
