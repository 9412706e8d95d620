//! Any records, any packing, any damage.

use std::io::{Cursor, Read, Write};
use std::time::Duration;

use cpu_time::ThreadTime;
use gristmill_warc::http::{DecodeBuffers, HttpMessage, decode};
use gristmill_warc::write::{Compression, NewRecord, WarcWriter, cut_to_whole_members, urn_uuid};
use gristmill_warc::{ReadLimits, ReaderItem, RecordKind, WarcReader};
use proptest::collection::vec;
use proptest::prelude::*;

const DATE: &str = "2024-05-18T01:58:10Z";

/// Bodies: noise, repetitions of it, and text that looks like an archive but is none.
fn bodies() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let noise = vec(any::<u8>(), 0..3_000);
    let text = vec(
        prop_oneof![Just("WARC/1.0\r\n"), Just("\r\n\r\n"), Just("<p>"), Just("\x1f\u{8b}\x08"), Just("word ")],
        0..200,
    );
    let repeated = (vec(any::<u8>(), 1..50), 1..2_000usize).prop_map(|(bytes, times)| bytes.repeat(times));
    vec(prop_oneof![noise, repeated, text.prop_map(|parts| parts.concat().into_bytes())], 1..8)
}

fn id(n: usize) -> String {
    urn_uuid((n as u128).to_be_bytes())
}

/// The archive and where each record ends.
fn archive(bodies: &[Vec<u8>], compression: Compression) -> (Vec<u8>, Vec<usize>) {
    let mut writer = WarcWriter::with(Vec::new(), compression);
    let mut ends = Vec::new();
    for (n, body) in bodies.iter().enumerate() {
        let record = NewRecord::resource(&id(n), DATE, &format!("https://example.org/{n}"), "text/plain");
        writer.write(&record, &[body]).unwrap();
        ends.push(writer.offset() as usize);
    }
    (writer.into_inner(), ends)
}

/// IDs and bodies of all records that are not marked as cut, and the number of damages.
fn read(input: impl Read) -> (Vec<(String, Vec<u8>)>, usize) {
    let (mut records, mut n_damages) = (Vec::new(), 0);
    let mut reader = WarcReader::new(input, ReadLimits::default());
    while let Some(entry) = reader.next().unwrap() {
        match entry {
            ReaderItem::Record(record) if record.truncated().is_none() => {
                records.push((record.id().unwrap_or_default().into_owned(), record.body().to_vec()));
            }
            ReaderItem::Record(_) => {}
            ReaderItem::Damage(_) => n_damages += 1,
        }
    }
    (records, n_damages)
}

/// Gives bytes in pieces of odd lengths.
struct Slow<R>(R, usize);

impl<R: Read> Read for Slow<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 = self.1 % 97 + 13;
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

/// What brings noise past the first test of a reader.
const STARTS: [&[u8]; 6] = [
    b"",
    b"\x1f\x8b\x08\0\0\0\0\0\0\x03",
    b"\x28\xb5\x2f\xfd",
    b"\x5d\x2a\x4d\x18\x10\0\0\0",
    b"WARC/1.0\r\n",
    b"WARC/1.0\r\nContent-Length: 50\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read(bodies in bodies(), level in 1..9u32) {
        let (plain, ends) = archive(&bodies, Compression::Plain);
        let (gzip, _) = archive(&bodies, Compression::Gzip(level));
        let mut one = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(level));
        one.write_all(&plain).unwrap();
        let frame = zstd::encode_all(&plain[..], 1).unwrap();
        let starts = std::iter::once(0).chain(ends.clone());
        let frames: Vec<u8> =
            starts.zip(&ends).flat_map(|(start, end)| zstd::encode_all(&plain[start..*end], 1).unwrap()).collect();
        let expected: Vec<_> = bodies.into_iter().enumerate().map(|(n, body)| (id(n), body)).collect();
        for bytes in [plain, gzip, one.finish().unwrap(), frame, frames] {
            prop_assert_eq!(&read(&bytes[..]), &(expected.clone(), 0));
            prop_assert_eq!(&read(Slow(&bytes[..], 0)), &(expected.clone(), 0));
        }
    }

    #[test]
    fn damage_costs_the_records_that_it_touches(
        bodies in bodies(), at in 0.0..1.0f64, length in 1..400usize, filler in prop_oneof![
            Just(None), Just(Some(vec![])), vec(any::<u8>(), 1..400).prop_map(Some),
        ],
    ) {
        let (gzip, ends) = archive(&bodies, Compression::Gzip(6));
        let from = (at * gzip.len() as f64) as usize;
        let to = (from + length).min(gzip.len());
        // Cut the file, take the range out, or put something else in its place.
        let bytes = match &filler {
            None => gzip[..from].to_vec(),
            Some(filler) => [&gzip[..from], filler, &gzip[to..]].concat(),
        };
        let to = if filler.is_none() { gzip.len() } else { to };
        let (records, _) = read(&bytes[..]);
        for (n, body) in bodies.iter().enumerate() {
            let start = if n == 0 { 0 } else { ends[n - 1] };
            if ends[n] <= from || start >= to {
                prop_assert!(records.contains(&(id(n), body.clone())), "record {} of {}..{}", n, start, ends[n]);
            }
        }
    }

    #[test]
    fn a_cut_file_has_its_whole_records_at_its_start(bodies in bodies(), at in 0.0..1.0f64) {
        for compression in [Compression::Plain, Compression::Gzip(6)] {
            let (bytes, ends) = archive(&bodies, compression);
            let cut = (at * bytes.len() as f64) as usize;
            let whole = cut_to_whole_members(&bytes[..cut]).unwrap() as usize;
            let expected = ends.iter().copied().filter(|end| *end <= cut).max().unwrap_or(0);
            // A plain record is whole before the line ends that close it.
            let is_plain = compression == Compression::Plain;
            prop_assert!(whole == expected || is_plain && whole > expected && whole + 4 >= cut, "{whole} {expected} {cut}");
        }
    }

    #[test]
    fn any_bytes_end(bytes in vec(any::<u8>(), 0..4_000), n_start in 0..STARTS.len()) {
        let bytes = [STARTS[n_start], &bytes].concat();
        let mut reader = WarcReader::new(&bytes[..], ReadLimits::default());
        let mut scratch = DecodeBuffers::default();
        while let Some(entry) = reader.next().unwrap() {
            if let ReaderItem::Record(record) = entry
                && let Ok(message) = HttpMessage::parse(record.body())
            {
                decode(&message, 1 << 16, &mut scratch);
            }
        }
    }
}

#[test]
fn a_hundred_thousand_odd_members_take_linear_time() {
    let start = ThreadTime::now();
    let stored = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\0\xff\xff\0\0WARC/1.0\r\nWARC-Type: x\r\n\r\n";
    let wrong = b"WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 60000000\r\n\r\n";
    let patterns: [&[u8]; 5] =
        [stored, wrong, b"WARC/1.0\r\nWARC-Type: x\r\n", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd\0\0"];
    for pattern in patterns {
        read(&pattern.repeat(100_000)[..]);
    }
    // Generous, so that a busy machine does not fail it; a quadratic path takes minutes.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn a_writer_goes_on_in_a_file_that_was_cut() {
    let bodies: Vec<_> = (0..3).map(|n| vec![n; 500]).collect();
    let (mut bytes, ends) = archive(&bodies, Compression::Gzip(6));
    bytes.truncate(ends[1] + 40);
    let whole = cut_to_whole_members(&bytes[..]).unwrap();
    bytes.truncate(whole as usize);
    let mut out = Cursor::new(bytes);
    out.set_position(whole);
    let mut writer = WarcWriter::new(out).at(whole);
    let record = NewRecord::new(RecordKind::Conversion, "urn:x:2", DATE);
    assert_eq!(writer.write(&record, &[b"a", b"b"]).unwrap().offset, ends[1] as u64);
    let (records, n_damages) = read(&writer.into_inner().into_inner()[..]);
    assert_eq!((records.len(), n_damages, &records[2].1[..]), (3, 0, &b"ab"[..]));
}
