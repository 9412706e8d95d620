//! All that is read from the pages that may be shipped is what it was: every method, each format, metadata, kind, records.

use crate::common;

use std::path::Path;

use common::{finish, lab, text};

const PAGES: [&str; 3] = ["crates/extract/tests/best/wcxb-sample", "crates/extract/tests/corpus", "examples/site"];

/// A change that is meant is written with `GRISTMILL_BLESS=1 cargo test -p gristmill-lab --test plain digest`, and told in its commit.
#[test]
fn nothing_that_is_read_has_changed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let golden = root.join("lab/gristmill-lab/tests/digest/shipped.tsv");
    let mut command = lab();
    command.current_dir(&root).arg("digest").args(PAGES);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let found = String::from_utf8(output.stdout).unwrap();
    if std::env::var_os("GRISTMILL_BLESS").is_some() {
        std::fs::write(&golden, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    let moved: Vec<&str> = found.lines().filter(|line| !expected.lines().any(|other| other == *line)).collect();
    assert!(
        moved.is_empty() && expected.lines().count() == found.lines().count(),
        "these are read differently (`gristmill-lab digest --pages` tells the pages; GRISTMILL_BLESS=1 takes them as they are):\n{}",
        moved.join("\n")
    );
}

#[test]
fn a_folder_without_pages_and_a_missing_one_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("missing")] {
        let mut command = lab();
        command.arg("digest").arg(&path);
        let output = finish(command);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains(path.to_str().unwrap()), "{}", text(&output));
    }
}
