//! Lists the pages that are told to be walls, among the files below some folders: `walls_in FOLDER...`.
//!
//! Files of whatever charset are read as UTF-8, as far as it goes.

use std::path::PathBuf;

use gristmill_walls::{WallInput, wall};

fn main() -> std::io::Result<()> {
    let (mut n_pages, mut n_walls) = (0, 0);
    let mut folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "html" && extension != "htm") {
                continue;
            }
            let html = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
            n_pages += 1;
            if let Some(found) = wall(&WallInput { status: 200, url: "https://a.example/", html: &html }) {
                n_walls += 1;
                println!("{}\t{:?}\t{}", path.display(), found.wall, found.reason);
            }
        }
    }
    println!("{n_walls} of {n_pages} pages");
    Ok(())
}
