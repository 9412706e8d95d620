//! Documents of pages, as somebody reads them who may do I/O.

use std::sync::Arc;

use gristmill_extract::PageKind;
use gristmill_reading::{CharsetHints, OpenError, PageReader, PagedText, ParsedPage, PdfError, ReadPdf};

#[derive(Debug)]
struct ConstantPdf(Result<PagedText, PdfError>);

impl ReadPdf for ConstantPdf {
    fn read(&self, _: &[u8]) -> Result<PagedText, PdfError> {
        self.0.clone()
    }
}

fn reader(text: PagedText) -> PageReader {
    PageReader { pdf: Some(Arc::new(ConstantPdf(Ok(text)))), ..PageReader::default() }
}

fn hints(url: Option<&str>) -> CharsetHints<'_> {
    CharsetHints { content_type: Some("application/pdf"), url }
}

#[test]
fn pages_are_paragraphs_and_lines_that_the_column_broke_are_joined() {
    let first =
        "The mill\n\nThe stones of the mill turn slowly in the\nevening and grind\n\nRye\nOats, and barley for bread\n";
    let pages = vec![first.to_owned(), "grain.\n\n石磨慢慢地转动着，\n豆腐很好吃".to_owned()];
    let reader =
        reader(PagedText { title: "Of mills & men".into(), author: "Ann Lee".into(), pages, ..PagedText::default() });
    let parsed = reader.open(b"%PDF-1.7", &hints(Some("https://mill.example/a.pdf"))).unwrap();
    let reading = parsed.read(reader.options());
    assert_eq!(
        reading.document.text,
        "The mill\nThe stones of the mill turn slowly in the evening and grind\nRye\nOats, and barley for bread\ngrain.\n\
         石磨慢慢地转动着，豆腐很好吃"
    );
    assert_eq!(reading.document.title.as_deref(), Some("Of mills & men"));
    assert_eq!(reading.document.author.as_deref(), Some("Ann Lee"));
    assert_eq!(reading.decide().kind, PageKind::Other);
    assert!(reading.markdown().starts_with("# Of mills & men\n\nThe mill\n\n"), "{}", reading.markdown());
    assert_eq!(reading.markdown().matches("\n\n").count(), 5, "{}", reading.markdown());
}

#[test]
fn a_document_without_a_title_is_called_like_its_file() {
    for (url, name, title) in [
        (Some("https://mill.example/a/Yearly_Report%202024.PDF?x=/b"), None, Some("Yearly Report 2024")),
        (Some("https://mill.example/"), None, None),
        (None, Some("/srv/石磨.pdf"), Some("石磨")),
        (Some("https://mill.example/%ff.pdf"), None, Some("\u{fffd}")),
    ] {
        let reader = reader(PagedText { pages: vec!["Rye\n\nBy Ann Lee\n\nOats".into()], ..PagedText::default() });
        let parsed = reader.open(b"%PDF-1.7", &hints(url)).unwrap();
        let parsed = name.into_iter().fold(parsed, ParsedPage::of_file);
        let document = parsed.read(reader.options()).document;
        assert_eq!((document.title.as_deref(), document.author), (title, None), "{url:?} {name:?}");
    }
}

#[test]
fn a_pdf_is_no_page_for_a_reader_that_takes_none_and_the_reason_of_one_that_cannot_be_read_is_passed_on() {
    let closed = PageReader::default();
    assert!(
        matches!(closed.open(b"%PDF-1.7", &hints(None)), Err(OpenError::NoPage(reason)) if reason.contains("a PDF"))
    );
    let error = PdfError::Unreadable("it is encrypted".into());
    let open = PageReader { pdf: Some(Arc::new(ConstantPdf(Err(error.clone())))), ..PageReader::default() };
    assert_eq!(open.open(b"%PDF-1.7", &hints(None)).err(), Some(OpenError::Pdf(error)));
    assert!(open.no_page(b"%PDF-1.7").is_none() && open.no_page(b"\x89PNG\r\n").is_some());
    assert!(open.open(b"<p>Rye</p>", &CharsetHints::default()).is_ok());
}
