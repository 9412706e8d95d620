//! Cost of writing each format, in bytes of rows a second.

use divan::Bencher;
use divan::counter::BytesCount;
use gristmill_dataset::{DatasetLayout, DatasetRow, DatasetWriter, FileFormat, WriterOptions};

const N_ROWS: usize = 2000;

fn main() {
    divan::main();
}

/// A page of some 4 kB of text, with words as frequent as in a language.
fn row(n: usize) -> DatasetRow {
    let mut state = n as u32 + 1;
    let words = (0..600).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        format!("w{} ", (state >> 18).min(state >> 22) * 7919 % 10_007)
    });
    let text: String = words.collect();
    DatasetRow {
        url: format!("https://example.org/section/{n}"),
        id: format!("<urn:uuid:00000000-0000-4000-8000-{n:012}>"),
        fetched_at: "2026-01-31T23:59:59Z".into(),
        language: "en".into(),
        language_score: Some(0.98),
        title: Some(text[..40].to_owned()),
        simhash: Some((n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        method: "best".into(),
        text,
        ..DatasetRow::default()
    }
}

#[divan::bench(args = FileFormat::ALL, sample_count = 5)]
fn write(bencher: Bencher<'_, '_>, format: FileFormat) {
    let rows: Vec<DatasetRow> = (0..N_ROWS).map(row).collect();
    let bytes: usize = rows.iter().map(|row| row.text.len()).sum();
    bencher.counter(BytesCount::new(bytes)).bench(|| {
        let mut writer =
            DatasetWriter::new(std::io::sink(), format, &DatasetLayout::FineWeb.into(), WriterOptions::default())
                .unwrap();
        rows.iter().for_each(|row| writer.write(row).unwrap());
        writer.finish().unwrap().1
    });
}
