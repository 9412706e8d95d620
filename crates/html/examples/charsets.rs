//! Scores `decode_with` on files in known charsets: `FOLDER/<charset>/<host>.<extension>`, as in the tests of chardet.
//!
//! `cargo run --release -p gristmill-html --example charsets FOLDER` prints what differs from a decoding by the folder's name, with and
//! without the host that the file is called after.

use std::path::Path;

use encoding_rs::Encoding;
use gristmill_html::{CharsetHints, decode_with};

fn main() {
    let folder = std::env::args().nth(1).expect("a folder of folders named after charsets");
    let (mut files, mut plain, mut hinted, mut skipped) = (0, 0, 0, 0);
    let mut folders: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(encoding) = encoding_of(&name) else {
            skipped += std::fs::read_dir(folder).map_or(0, Iterator::count);
            continue;
        };
        for file in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            let bytes = std::fs::read(&file).expect("a file");
            let expected = encoding.decode(&bytes).0;
            let url = url_of(&file);
            let text = |url| decode_with(&bytes, &CharsetHints { content_type: None, url });
            let (without, with) = (text(None), text(Some(url.as_str())));
            files += 1;
            plain += usize::from(without.text == expected);
            hinted += usize::from(with.text == expected);
            if with.text != expected {
                println!("{name}/{}: read as {}", file.file_name().unwrap_or_default().to_string_lossy(), with.charset);
            }
        }
    }
    println!(
        "{files} files: {plain} right by their bytes, {hinted} with their host; {skipped} in charsets without a decoder"
    );
}

/// The charset that a folder is named after, which may be followed by a language.
fn encoding_of(name: &str) -> Option<&'static Encoding> {
    let label = match name.to_ascii_lowercase().as_str() {
        "cp932" => "shift_jis".to_owned(),
        "cp949" => "euc-kr".to_owned(),
        "gb2312" => "gb18030".to_owned(),
        "maccyrillic" => "x-mac-cyrillic".to_owned(),
        "macroman" => "macintosh".to_owned(),
        "tis-620" => "windows-874".to_owned(),
        "utf-8-sig" => "utf-8".to_owned(),
        name => name.to_owned(),
    };
    let without_language = label.rsplit_once('-').map(|(label, _)| label);
    [Some(label.as_str()), without_language]
        .into_iter()
        .flatten()
        .find_map(|label| Encoding::for_label_no_replacement(label.as_bytes()))
}

fn url_of(file: &Path) -> String {
    format!("http://{}/", file.file_stem().unwrap_or_default().to_string_lossy())
}
