//! A folder of side-cars: `PACKAGE/ID.layout.json.gz`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;
use gristmill_eval::GoldPage;
use gristmill_extract::{PageLayout, Sidecar};
use gristmill_html::{Doc, TreeLimits};

use gristmill_eval::read_file;

/// The side-cars of pages of test packages.
pub struct Sidecars {
    folder: PathBuf,
}

impl Sidecars {
    /// Those in this folder.
    pub fn new(folder: &Path) -> Sidecars {
        Sidecars { folder: folder.to_owned() }
    }

    /// Where the side-car of a page is, or would be.
    pub fn path(&self, document: &GoldPage) -> PathBuf {
        self.folder.join(&document.package).join(file_name(&document.id))
    }

    /// The page as the browser had it.
    pub fn read(&self, document: &GoldPage) -> anyhow::Result<(Doc, PageLayout)> {
        let path = self.path(document);
        let could_not =
            || format!("could not read the side-car `{}` (`gristmill-lab layout` makes it)", path.display());
        let json = read_file(&path).with_context(could_not)?;
        Sidecar::parse(&json, &TreeLimits::default()).with_context(could_not)
    }
}

/// What the side-car of a page is called.
pub fn file_name(page: &str) -> String {
    format!("{page}.layout.json.gz")
}

/// Writes a side-car; its folder is made.
pub fn write(path: &Path, json: &[u8]) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    let mut packed = GzEncoder::new(BufWriter::new(File::create(path)?), Compression::fast());
    packed.write_all(json)?;
    packed.finish()?.flush()
}
