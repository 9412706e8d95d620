//! What stands in the footer of a Parquet file: row groups, indexes, encodings, metadata.
#![cfg(feature = "parquet")]

use crate::common;

use common::file;
use gristmill_dataset::{Columns, DatasetLayout, DatasetRow, FileFormat, WriterOptions};
use parquet::basic::{Compression, Encoding};
use parquet::file::metadata::{ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};

fn rows(n: usize, text_bytes: usize) -> Vec<DatasetRow> {
    let row = |i: usize| DatasetRow {
        text: format!("{i:>text_bytes$}"),
        url: format!("https://example.org/{i}"),
        language: "en".into(),
        markdown: Some("# Title".into()),
        ..DatasetRow::default()
    };
    (0..n).map(row).collect()
}

fn footer(rows: &[DatasetRow], layout: DatasetLayout, options: WriterOptions) -> ParquetMetaData {
    let bytes = bytes::Bytes::from(file(rows, FileFormat::Parquet, &layout.into(), options));
    let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Required);
    reader.parse_and_finish(&bytes).unwrap()
}

fn column<'a>(footer: &'a ParquetMetaData, name: &str) -> &'a ColumnChunkMetaData {
    let columns = footer.row_group(0).columns();
    columns.iter().find(|column| column.column_path().string() == name).unwrap()
}

#[test]
fn a_row_group_ends_by_bytes_before_compression_or_by_rows() {
    let sizes = |options| -> Vec<i64> {
        let footer = footer(&rows(10, 1000), DatasetLayout::FineWeb, options);
        footer.row_groups().iter().map(|group| group.num_rows()).collect()
    };
    assert_eq!(sizes(WriterOptions::default()), [10]);
    assert_eq!(sizes(WriterOptions { group_rows: 4, ..WriterOptions::default() }), [4, 4, 2]);
    assert_eq!(sizes(WriterOptions { group_bytes: 3000, ..WriterOptions::default() }), [3, 3, 3, 1]);
    assert_eq!(sizes(WriterOptions { group_bytes: 0, ..WriterOptions::default() }), [1; 10]);
}

#[test]
fn labels_have_dictionaries_and_long_texts_have_no_statistics() {
    let footer = footer(&rows(100, 100), DatasetLayout::FineWeb, WriterOptions::default());
    let has_dictionary = |name| column(&footer, name).encodings().any(|e| e == Encoding::RLE_DICTIONARY);
    assert!(has_dictionary("language") && !has_dictionary("text") && !has_dictionary("url"));
    let has_statistics = |name| column(&footer, name).statistics().is_some();
    assert!(has_statistics("url") && !has_statistics("text") && !has_statistics("markdown"));
    for column in footer.row_group(0).columns() {
        assert!(matches!(column.compression(), Compression::ZSTD(_)), "{}", column.column_path());
    }
}

#[test]
fn a_changed_row_leaves_most_pages_of_the_text_as_they_are() {
    let text = |i: usize| (0..200).map(|n| ((i * 7919 + n * n * 31) % 99_991).to_string()).collect::<String>();
    let mut rows: Vec<DatasetRow> = (0..6000).map(|i| DatasetRow { text: text(i), ..DatasetRow::default() }).collect();
    let pages = |rows: &[DatasetRow]| -> Vec<Vec<u8>> {
        let columns = Columns::choose(DatasetLayout::FineWeb, Some(&["text".to_owned()])).unwrap();
        let bytes = bytes::Bytes::from(file(rows, FileFormat::Parquet, &columns, WriterOptions::default()));
        let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Required);
        let footer = reader.parse_and_finish(&bytes).unwrap();
        let locations = footer.page_index_for_row_group(0).page_locations(0).unwrap().clone();
        let page = |start: i64, n: i32| bytes[start as usize..start as usize + n as usize].to_vec();
        locations.iter().map(|location| page(location.offset, location.compressed_page_size)).collect()
    };
    let before = pages(&rows);
    rows.insert(1000, DatasetRow { text: "one more".into(), ..DatasetRow::default() });
    let after = pages(&rows);
    let kept = before.iter().filter(|page| after.contains(page)).count();
    assert!(before.len() > 5 && kept + 2 >= before.len(), "{kept} of {} pages", before.len());
}

#[test]
fn the_footer_has_the_metadata_of_the_caller() {
    let metadata = vec![("software".to_owned(), "gristmill 0.1.0".to_owned())];
    let footer = footer(&rows(1, 1), DatasetLayout::Dclm, WriterOptions { metadata, ..WriterOptions::default() });
    let pairs = footer.file_metadata().key_value_metadata().unwrap();
    assert!(pairs.iter().any(|pair| pair.key == "software" && pair.value.as_deref() == Some("gristmill 0.1.0")));
}

#[test]
fn a_level_that_zstd_does_not_have_is_an_error() {
    let options = WriterOptions { zstd_level: 99, ..WriterOptions::default() };
    let columns = Columns::from(DatasetLayout::FineWeb);
    assert!(gristmill_dataset::DatasetWriter::new(Vec::new(), FileFormat::Parquet, &columns, options).is_err());
}
