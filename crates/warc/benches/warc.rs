//! Cost of reading an archive by packing, of a hostile one, and of writing, in decoded bytes a second.

use std::io::Write;

use divan::Bencher;
use divan::counter::BytesCount;
use gristmill_warc::http::{DecodeBuffers, HttpMessage, decode};
use gristmill_warc::write::{Compression, NewRecord, WarcWriter, urn_uuid};
use gristmill_warc::{ReadLimits, ReaderItem, RecordKind, WarcReader};

const N_PAGES: usize = 500;
const DATE: &str = "2024-05-18T01:58:10Z";

fn main() {
    divan::main();
}

fn page(n: usize) -> Vec<u8> {
    let mut state = n as u32 + 1;
    let paragraphs = (0..60).map(|_| {
        let words = (0..80).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            format!("word{} ", (state >> 20).min(state >> 24))
        });
        format!("<p class=\"text\">{}</p>\n", words.collect::<String>())
    });
    let body: String = paragraphs.collect();
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>{body}</html>").into_bytes()
}

fn archive(compression: Compression) -> Vec<u8> {
    let mut writer = WarcWriter::with(Vec::new(), compression);
    for n in 0..N_PAGES {
        let id = urn_uuid((n as u128).to_be_bytes());
        let record = NewRecord::response(&id, DATE, &format!("https://example.org/{n}"));
        writer.write(&record, &[&page(n)]).unwrap();
    }
    writer.into_inner()
}

/// Reads all records with their HTTP messages; the bytes of their bodies.
fn read(bytes: &[u8]) -> usize {
    let (mut reader, mut scratch) = (WarcReader::new(bytes, ReadLimits::default()), DecodeBuffers::default());
    let mut n_bytes = 0;
    while let Some(entry) = reader.next().unwrap() {
        if let ReaderItem::Record(record) = entry
            && record.kind() == RecordKind::Response
            && let Ok(message) = HttpMessage::parse(record.body())
        {
            n_bytes += decode(&message, usize::MAX - 1, &mut scratch).bytes.len();
        }
    }
    n_bytes
}

fn bench(bencher: Bencher, bytes: &[u8]) {
    bencher.counter(BytesCount::new(read(bytes))).bench(|| read(divan::black_box(bytes)));
}

#[divan::bench]
fn plain(bencher: Bencher) {
    bench(bencher, &archive(Compression::Plain));
}

#[divan::bench]
fn gzip(bencher: Bencher) {
    bench(bencher, &archive(Compression::Gzip(6)));
}

#[divan::bench]
fn gzip_in_one_member(bencher: Bencher) {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(&archive(Compression::Plain)).unwrap();
    bench(bencher, &encoder.finish().unwrap());
}

#[divan::bench]
fn zstd_in_one_frame(bencher: Bencher) {
    bench(bencher, &zstd::encode_all(&archive(Compression::Plain)[..], 3).unwrap());
}

/// The most work for a byte that was found: members that begin and fail, each within the last.
#[divan::bench]
fn magics(bencher: Bencher) {
    let bytes = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\0\xff\xff\0\0WARC/1.0\r\nWARC-Type: x\r\n\r\n".repeat(50_000);
    bencher.counter(BytesCount::new(bytes.len())).bench(|| read(divan::black_box(&bytes)));
}

#[divan::bench]
fn write(bencher: Bencher) {
    let pages: Vec<Vec<u8>> = (0..N_PAGES).map(page).collect();
    let n_bytes: usize = pages.iter().map(Vec::len).sum();
    bencher.counter(BytesCount::new(n_bytes)).bench(|| archive(Compression::Gzip(6)));
}
