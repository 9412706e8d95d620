//! Where the tests find suites that are not part of the project.

use std::path::{Path, PathBuf};

/// The files of a folder of html5lib-tests with this ending, by name; `None`, said as SKIPPED, when it is not there.
pub(crate) fn html5lib(folder: &str, ending: &str) -> Option<Vec<PathBuf>> {
    let data = std::env::var_os("GRISTMILL_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(data.join("html5lib-tests").join(folder)) else {
        eprintln!("SKIPPED: no html5lib-tests (GRISTMILL_DATA)");
        return None;
    };
    let files = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|own| own == ending)).collect();
    files.sort();
    Some(files)
}
