//! A small writer of PDFs: Helvetica, a line of text every 14 points.

use std::fmt::Write as _;
use std::io::Write as _;

/// A document with these pages, in lines.
pub fn pdf(title: Option<&str>, pages: &[&[&str]]) -> Vec<u8> {
    let streams: Vec<Vec<u8>> = pages.iter().map(|lines| content(lines).into_bytes()).collect();
    let title = title.map(|title| format!("/Title ({title}) /Author (Ann Lee) /CreationDate (D:20240102030405Z)"));
    of_streams(&title.unwrap_or_default(), "", &streams)
}

/// What draws these lines; an empty one is a gap.
pub fn content(lines: &[&str]) -> String {
    let mut content = "BT /F1 12 Tf 14 TL 72 720 Td\n".to_owned();
    for line in lines {
        let line = line.replace('\\', r"\\").replace('(', r"\(").replace(')', r"\)");
        writeln!(content, "({line}) Tj T*").unwrap();
    }
    content + "ET"
}

/// A document with these content streams.
///
/// * `filter`: how the streams are packed, as entries of their dictionary.
pub fn of_streams(info: &str, filter: &str, streams: &[Vec<u8>]) -> Vec<u8> {
    let first = 5;
    let kids: Vec<String> = (0..streams.len()).map(|n| format!("{} 0 R", first + 2 * n)).collect();
    let mut objects: Vec<Vec<u8>> = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{}]/Count {}>>", kids.join(" "), kids.len()).into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
        format!("<<{info}>>").into_bytes(),
    ];
    for (n, stream) in streams.iter().enumerate() {
        let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>";
        objects.push(format!("{page}/Contents {} 0 R>>", first + 2 * n + 1).into_bytes());
        let mut object = format!("<</Length {}{filter}>>\nstream\n", stream.len()).into_bytes();
        object.extend_from_slice(stream);
        object.extend_from_slice(b"\nendstream");
        objects.push(object);
    }
    of_objects(&objects, "")
}

/// A document of these objects, of which the first is the catalog and the fourth the information.
pub fn of_objects(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (n, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        writeln!(bytes, "{} 0 obj", n + 1).unwrap();
        bytes.extend_from_slice(object);
        bytes.extend_from_slice(b"\nendobj\n");
    }
    let table = bytes.len();
    write!(bytes, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for place in places {
        writeln!(bytes, "{place:010} 00000 n ").unwrap();
    }
    let size = objects.len() + 1;
    write!(bytes, "trailer\n<</Size {size}/Root 1 0 R/Info 4 0 R{trailer}>>\nstartxref\n{table}\n%%EOF\n").unwrap();
    bytes
}
