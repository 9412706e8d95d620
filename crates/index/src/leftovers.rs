//! Drafts of files that a killed writer left in the directory.

use std::path::Path;

/// How the names of drafts begin.
const DRAFT: &str = ".tmp";

/// Removes them; the caller holds the lock of the writer, so that nobody else makes one. What cannot be removed harms nothing.
pub(crate) fn remove_drafts(dir: &Path) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let is_draft = entry.file_name().to_str().is_some_and(|name| name.starts_with(DRAFT));
        if is_draft && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{IndexConfig, IndexWriter};

    #[test]
    fn drafts_of_a_killed_writer_go_at_the_next_start_and_nothing_else_does() {
        let dir = tempfile::tempdir().unwrap();
        let open = || IndexWriter::open(dir.path(), &IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() });
        open().unwrap().close().unwrap();
        for name in [".tmpAb3dEf", ".tmp", "notes.tmp"] {
            std::fs::write(dir.path().join(name), "x").unwrap();
        }
        std::fs::create_dir(dir.path().join(".tmp-folder")).unwrap();
        open().unwrap().close().unwrap();
        let there = [".tmpAb3dEf", ".tmp", "notes.tmp", ".tmp-folder"].map(|name| dir.path().join(name).exists());
        assert_eq!(there, [false, false, true, true]);
    }
}
