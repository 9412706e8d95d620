//! Any rows come back as they were, from every format in every layout; from CSV with a quote before what begins like a formula.
#![cfg(feature = "parquet")]

use crate::common;

use std::io::{self, Write};

use common::{expected, file, read};
use gristmill_dataset::{
    Columns, DatasetLayout, DatasetRow, DatasetWriter, Error, FileFormat, MAX_CELL_BYTES, RecordsJson, WARC_FIELDS,
    WriterOptions,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

const HARD: [&str; 12] = ["", "\0", "\n", "\r", "\r\n", "\"", ",\",\"", "\u{feff}", "\u{2028}", "👩‍👩‍👧", "null", "NaN"];

/// A text of any characters, now and then a long one.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        (0..HARD.len()).prop_map(|i| HARD[i].to_owned()),
        (0..HARD.len(), 1usize..50).prop_map(|(i, n)| HARD[i].repeat(n)),
    ];
    let long = (any::<char>(), 1000usize..100_000).prop_map(|(character, n)| character.to_string().repeat(n));
    prop_oneof![40 => vec(piece, 0..8).prop_map(|pieces| pieces.concat()), 1 => long]
}

/// A product with this text and number in fields of every depth.
fn products(text: &str, number: f64) -> Option<RecordsJson> {
    let price = json!({"amount": number, "currency": text});
    let attribute = json!({"name": text, "value": text, "numbers": [number], "range": number > 0.5});
    let variant = json!({"name": text, "price": price, "attributes": [[text, text], [text]]});
    let product =
        json!({"title": text, "price": price, "images": [text], "variants": [variant], "attributes": [attribute]});
    RecordsJson::of(&json!([product, {}]))
}

prop_compose! {
    fn row()(
        texts in vec(text(), 31), known in vec(any::<bool>(), 31), hash in any::<u64>(), token_count in any::<i64>(),
        score in 0u16..=1024, fields in vec((0..WARC_FIELDS.len(), text()), 0..4),
    ) -> DatasetRow {
        let text = |i: usize| texts[i].clone();
        let optional = |i: usize| known[i].then(|| texts[i].clone());
        // Powers of two: the JSON reader here is not exact in the last bit.
        let score = f64::from(score) / 1024.0;
        DatasetRow {
            text: text(0), id: text(1), dump: text(2), url: text(3), fetched_at: text(4), file_path: text(5),
            language: text(6), language_score: known[3].then_some(score), token_count, domain: text(19),
            title: optional(7), author: optional(8), published: optional(9), site_name: optional(10), kind: optional(11),
            kind_probability: known[0].then_some(score), confidence: known[1].then_some(1.0 - score),
            simhash: known[2].then_some(hash), markdown: optional(12), method: text(13), reason: optional(14),
            records: known[15].then(|| products(&texts[15], score)).flatten(), price_amount: known[5].then_some(score), price_currency: optional(17), warcinfo: text(18),
            robots: optional(20).into_iter().collect(), tdm_reservation: known[4].then_some(token_count), tdm_policy: optional(21),
            licence: optional(22), licence_url: optional(23), copyright: optional(24),
            signals: Vec::new(),
            text_precision: optional(29), text_recall: optional(30), variant_agreement: known[6].then_some(score),
            rendered: optional(25), render_ended: optional(26), script: optional(27), languages: optional(28).map(|language| (language, score)).into_iter().collect(),
            warc: fields.into_iter().map(|(i, value)| (WARC_FIELDS[i].to_owned(), value)).collect(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rows_come_back_from_every_format(rows in vec(row(), 0..8), group_rows in 1usize..6, i in 0usize..4) {
        let columns = Columns::from(DatasetLayout::ALL[i]).with_variants(&["precision", "recall"]);
        for format in FileFormat::ALL {
            let options = WriterOptions { group_rows, ..WriterOptions::default() };
            let back = read(&file(&rows, format, &columns, options), format);
            prop_assert_eq!(back.len(), rows.len());
            for (row, back) in rows.iter().zip(back) {
                prop_assert_eq!(back, expected(row, format, &columns), "{}", format);
            }
        }
    }
}

#[test]
fn a_text_of_many_megabytes_comes_back() {
    let columns = Columns::from(DatasetLayout::Gristmill);
    let text = |n: usize| (0..n).map(|i| char::from_u32((i * 7919 % 0xd000) as u32).unwrap()).collect::<String>();
    let rows = [3_000_000, 0, 10].map(|n| DatasetRow { text: text(n), url: n.to_string(), ..DatasetRow::default() });
    for format in FileFormat::ALL {
        let back = read(
            &file(&rows, format, &columns, WriterOptions { group_bytes: 1 << 20, ..WriterOptions::default() }),
            format,
        );
        assert!(back.len() == 3 && rows.iter().zip(back).all(|(row, back)| back["text"] == row.text), "{format}");
    }
}

#[test]
fn numbers_that_json_cannot_say_are_null_there_and_kept_elsewhere() {
    let columns = Columns::choose(DatasetLayout::Gristmill, Some(&["confidence".to_owned()])).unwrap();
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let row = [DatasetRow { confidence: Some(number), ..DatasetRow::default() }];
        assert_eq!(file(&row, FileFormat::JsonLines, &columns, WriterOptions::default()), b"{\"confidence\":null}\n");
        let csv = format!("confidence\r\n{number}\r\n");
        assert_eq!(file(&row, FileFormat::Csv, &columns, WriterOptions::default()), csv.as_bytes());
    }
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let columns = Columns::from(DatasetLayout::FineWeb);
    let rows = [0, 1, 2].map(|n| DatasetRow {
        text: "word ".repeat(n * 1000),
        token_count: n as i64,
        ..DatasetRow::default()
    });
    for format in FileFormat::ALL {
        let twice = [(); 2].map(|()| file(&rows, format, &columns, WriterOptions::default()));
        assert!(twice[0] == twice[1], "{format}");
    }
}

#[test]
fn a_cell_over_the_limit_is_refused_and_the_next_row_is_written() {
    let zeros = String::from_utf8(vec![0; MAX_CELL_BYTES + 1]).unwrap();
    let long = DatasetRow { url: "https://example.org/long".into(), text: zeros, ..DatasetRow::default() };
    let short = DatasetRow { text: "short".into(), ..DatasetRow::default() };
    let columns = Columns::from(DatasetLayout::Gristmill);
    for format in FileFormat::ALL {
        let mut writer = DatasetWriter::new(Vec::new(), format, &columns, WriterOptions::default()).unwrap();
        let error = writer.write(&long).unwrap_err();
        assert!(matches!(error, Error::TooLong { column: "text", .. }), "{format}: {error}");
        writer.write(&short).unwrap();
        let (bytes, _) = writer.finish().unwrap();
        assert_eq!(read(&bytes, format), [expected(&short, format, &columns)]);
    }
}

/// An output that fails once.
struct Hiccup(bool);

impl Write for Hiccup {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.0) { Err(io::Error::other("no space left")) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_file_that_lacks_rows_is_never_finished() {
    let row = DatasetRow { text: (0..100_000).map(|n| n.to_string()).collect(), ..DatasetRow::default() };
    for format in FileFormat::ALL {
        let options = WriterOptions { group_rows: 1, ..WriterOptions::default() };
        let Ok(mut writer) = DatasetWriter::new(Hiccup(true), format, &DatasetLayout::FineWeb.into(), options) else {
            continue;
        };
        let n_failed = (0..20).filter(|_| writer.write(&row).is_err()).count();
        assert_eq!(n_failed as u64 + writer.rows(), 20);
        let error = writer.finish().err().map(|error| error.to_string());
        assert_eq!(error, Some(format!("cannot write {format}: `an earlier write failed`")), "{n_failed}");
    }
}

/// An output that has room for so many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::other("no space left"));
        }
        let n = bytes.len().min(self.0);
        self.0 -= n;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_that_fails_is_an_error_that_names_the_format() {
    let columns = Columns::from(DatasetLayout::FineWeb);
    let row = DatasetRow { text: (0..30_000).map(|n| n.to_string()).collect(), ..DatasetRow::default() };
    let write = |format, room| -> Result<(), Error> {
        let options = WriterOptions { group_bytes: 1 << 18, ..WriterOptions::default() };
        let mut writer = DatasetWriter::new(Full(room), format, &columns, options)?;
        for _ in 0..20 {
            writer.write(&row)?;
        }
        writer.finish().map(|_| ())
    };
    for format in FileFormat::ALL {
        for room in [0, 3, 1000, 100_000, 200_000] {
            let Err(error) = write(format, room) else { continue };
            let message = error.to_string();
            let start = format!("cannot write {}: `", format);
            assert!(message.starts_with(&start) && message.contains("no space left"), "{room}: {message}");
        }
        assert!(write(format, 3).is_err(), "{format}");
        assert!(write(format, 100_000_000).is_ok(), "{format}");
    }
}
