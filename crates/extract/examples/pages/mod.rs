//! Pages on disk, packed or not.

use std::io::Read as _;
use std::path::{Path, PathBuf};

/// All pages below a folder, by name.
pub fn below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut pages, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.to_string_lossy();
            if name.ends_with(".html") || name.ends_with(".html.gz") {
                pages.push(path);
            } else if path.is_dir() {
                folders.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// The bytes of a page.
pub fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let (mut file, mut bytes) = (std::fs::File::open(path)?, Vec::new());
    match path.extension().is_some_and(|end| end == "gz") {
        true => flate2::read::GzDecoder::new(file).read_to_end(&mut bytes)?,
        false => file.read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}
