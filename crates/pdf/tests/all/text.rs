//! Documents that have a text.

use gristmill_reading::ReadPdf;

use crate::reader;
use crate::writer::pdf;

#[test]
fn title_author_date_and_pages_are_read() {
    let pages: [&[&str]; 2] = [&["The mill (old) grinds rye,", "day and night."], &["A second page with a \\ in it."]];
    let Some(reader) = reader() else { return };
    let text = reader.read(&pdf(Some("Of mills & men"), &pages)).unwrap();
    assert_eq!((&text.title[..], &text.author[..]), ("Of mills & men", "Ann Lee"));
    assert!(text.created.starts_with("2024-01-02T03:04:05"), "{text:?}");
    let pages: Vec<&str> = text.pages.iter().map(|page| page.trim()).collect();
    assert_eq!(pages, ["The mill (old) grinds rye,\nday and night.", "A second page with a \\ in it."]);
}

#[test]
fn a_document_without_a_text_has_empty_pages_and_one_whose_table_is_wrong_gives_what_is_there() {
    let Some(reader) = reader() else { return };
    let empty = reader.read(&pdf(None, &[&[]])).unwrap();
    assert!(empty.title.is_empty() && empty.pages.iter().all(|page| page.trim().is_empty()), "{empty:?}");
    let whole = pdf(None, &[&["Rye is a grass."], &["Oats are, too."]]);
    let end = whole.windows(9).position(|word| word == b"startxref").unwrap();
    let cut = reader.read(&whole[..end]).unwrap();
    assert!(cut.pages[0].contains("Rye is a grass."), "{cut:?}");
}

#[test]
fn many_are_read_at_once() {
    let Some(reader) = reader() else { return };
    std::thread::scope(|scope| {
        for n in 0..8 {
            let reader = reader.clone();
            scope.spawn(move || {
                let line = format!("Document number {n}.");
                assert_eq!(reader.read(&pdf(None, &[&[&line]])).unwrap().pages[0].trim(), line);
            });
        }
    });
}
