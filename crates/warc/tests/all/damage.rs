//! What damage costs: the records that it touches, and no others.

use std::io::Write;

use gristmill_warc::write::{Compression, NewRecord, WarcWriter, urn_uuid};
use gristmill_warc::{Damage, DamageReason, ReadLimits, ReaderItem, Truncation, WarcReader, WarcRecord};

const DATE: &str = "2024-05-18T01:58:10Z";

fn id(n: usize) -> String {
    urn_uuid((n as u128).to_be_bytes())
}

/// The body of the n-th response; hard to pack if it is odd.
fn body(n: usize) -> Vec<u8> {
    let mut state = (n as u32).wrapping_mul(2_654_435_761) + 1;
    let words = (0..300 + 200 * n).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if n % 2 == 1 { format!("{state:x}") } else { format!("word{} ", state >> 30) }
    });
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{n}</p>{}", words.collect::<String>()).into_bytes()
}

/// An archive of responses, and where each ends.
fn archive(compression: Compression, n_records: usize) -> (Vec<u8>, Vec<usize>) {
    let mut writer = WarcWriter::with(Vec::new(), compression);
    let ends = (0..n_records).map(|n| {
        let record = NewRecord::response(&id(n), DATE, &format!("https://example.org/{n}"));
        writer.write(&record, &[&body(n)]).unwrap();
        writer.offset() as usize
    });
    let ends = ends.collect();
    (writer.into_inner(), ends)
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A record without its borrow.
#[derive(Debug)]
struct Owned {
    id: Option<String>,
    body: Vec<u8>,
    offset: u64,
    end: u64,
    truncated: Option<Truncation>,
}

impl Owned {
    fn of(record: &WarcRecord<'_>) -> Self {
        Owned {
            id: record.id().map(Into::into),
            body: record.body().to_vec(),
            offset: record.offset(),
            end: record.end(),
            truncated: record.truncated(),
        }
    }
}

fn read_with(bytes: &[u8], limits: ReadLimits) -> (Vec<Owned>, Vec<Damage>) {
    let (mut records, mut damages) = (Vec::new(), Vec::new());
    let mut reader = WarcReader::new(bytes, limits);
    while let Some(entry) = reader.next().unwrap() {
        match entry {
            ReaderItem::Record(record) => records.push(Owned::of(&record)),
            ReaderItem::Damage(damage) => damages.push(damage),
        }
    }
    (records, damages)
}

fn read(bytes: &[u8]) -> (Vec<Owned>, Vec<Damage>) {
    read_with(bytes, ReadLimits::default())
}

/// The numbers of the responses that were read as they were written.
fn whole(records: &[Owned]) -> Vec<usize> {
    let is = |n: &usize| {
        let same = |record: &&Owned| record.id.as_ref() == Some(&id(*n));
        records.iter().find(same).is_some_and(|record| record.body == body(*n) && record.truncated.is_none())
    };
    (0..20).filter(is).collect()
}

#[test]
fn all_packings_give_the_same_records() {
    let (plain, plain_ends) = archive(Compression::Plain, 6);
    let (gzip, gzip_ends) = archive(Compression::Gzip(6), 6);
    let starts = |ends: &[usize]| [&[0], &ends[..5]].concat();
    let pieces = || starts(&plain_ends).into_iter().zip(plain_ends.clone());
    let frames = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    let by_record: Vec<u8> = pieces().flat_map(|(start, end)| frames(&plain[start..end])).collect();
    let blocks: Vec<u8> = plain.chunks(1_000).flat_map(pack).collect();
    let mixed =
        [&gzip[..gzip_ends[1]], &plain[plain_ends[1]..plain_ends[3]], &frames(&plain[plain_ends[3]..])].concat();
    let padded: Vec<u8> =
        pieces().flat_map(|(start, end)| [pack(&plain[start..end]), vec![0; 700], b"\r\n".to_vec()].concat()).collect();
    for (name, bytes) in [
        ("plain", &plain),
        ("gzip", &gzip),
        ("one member", &pack(&plain)),
        ("a frame a record", &by_record),
        ("one frame", &frames(&plain)),
        ("members of 1,000 bytes", &blocks),
        ("mixed", &mixed),
        ("padded", &padded),
    ] {
        let (records, damages) = read(bytes);
        assert_eq!((whole(&records), damages), (vec![0, 1, 2, 3, 4, 5], vec![]), "{name}");
    }
    for (bytes, ends) in [(&plain, &plain_ends), (&gzip, &gzip_ends)] {
        let places: Vec<_> = read(bytes).0.iter().map(|record| (record.offset as usize, record.end as usize)).collect();
        assert_eq!(places, starts(ends).into_iter().zip(ends.clone()).collect::<Vec<_>>());
    }
}

#[test]
fn a_reader_resumes_behind_any_record() {
    let (plain, ends) = archive(Compression::Plain, 6);
    let (gzip, _) = archive(Compression::Gzip(1), 6);
    let pairs = [pack(&plain[..ends[1]]), pack(&plain[ends[1]..ends[3]]), pack(&plain[ends[3]..])].concat();
    for bytes in [plain, gzip, pairs] {
        let mut reader = WarcReader::new(&bytes[..], ReadLimits::default());
        let mut n = 0;
        while let Some(ReaderItem::Record(record)) = reader.next().unwrap() {
            let (end, offset, mut to_skip) = (record.end(), record.offset(), record.ordinal() + 1);
            to_skip *= u64::from(end == offset);
            let mut rest = WarcReader::resume(&bytes[end as usize..], end, ReadLimits::default());
            let mut next = None;
            while let Some(ReaderItem::Record(record)) = rest.next().unwrap() {
                if to_skip == 0 {
                    next = record.id().map(String::from);
                    break;
                }
                to_skip -= 1;
            }
            n += 1;
            assert_eq!(next, (n < 6).then(|| id(n)), "behind record {n}");
        }
        assert_eq!(n, 6);
    }
}

#[test]
fn a_dictionary_in_front_serves_all_frames() {
    let (plain, ends) = archive(Compression::Plain, 3);
    let dictionary = plain[..3_000].to_vec();
    let packed = zstd::encode_all(&dictionary[..], 3).unwrap();
    for content in [dictionary.clone(), packed] {
        let mut bytes = vec![0x5d, 0x2a, 0x4d, 0x18];
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(content);
        let mut start = 0;
        for end in &ends {
            let mut encoder = zstd::stream::write::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
            encoder.write_all(&plain[start..*end]).unwrap();
            bytes.extend(encoder.finish().unwrap());
            start = *end;
        }
        let (records, damages) = read(&bytes);
        assert_eq!((whole(&records), damages), (vec![0, 1, 2], vec![]));
        let second = records[1].offset;
        let resumed = WarcReader::resume(&bytes[second as usize..], second, ReadLimits::default());
        let mut resumed = resumed.with_dictionary(&dictionary);
        let Some(ReaderItem::Record(record)) = resumed.next().unwrap() else { panic!("no record") };
        assert_eq!(record.id().unwrap(), id(1));
    }
}

/// Replaces the Content-Length of the n-th record.
fn with_length(plain: &[u8], ends: &[usize], n: usize, change: impl Fn(usize) -> String) -> Vec<u8> {
    let start = if n == 0 { 0 } else { ends[n - 1] };
    let text = String::from_utf8(plain[start..ends[n]].to_vec()).unwrap();
    let (before, rest) = text.split_once("Content-Length: ").unwrap();
    let (length, after) = rest.split_once("\r\n").unwrap();
    let changed = format!("{before}{}\r\n{after}", change(length.parse().unwrap()));
    [&plain[..start], changed.as_bytes(), &plain[ends[n]..]].concat()
}

#[test]
fn a_wrong_length_costs_nothing() {
    let (plain, ends) = archive(Compression::Plain, 6);
    let changes: [(&str, &dyn Fn(usize) -> String); 9] = [
        ("short by one", &|length| (length - 1).to_string()),
        ("short", &|length| (length / 2).to_string()),
        ("zero", &|_| "0".into()),
        ("long by one", &|length| (length + 1).to_string()),
        ("long", &|length| (length + 2_000).to_string()),
        ("beyond the file", &|length| (length + 2_000_000).to_string()),
        ("beyond the limit", &|_| "99999999999".into()),
        ("beyond all", &|_| "99999999999999999999999999".into()),
        ("no number", &|_| "many".into()),
    ];
    for (name, change) in changes {
        let bytes = with_length(&plain, &ends, 2, change);
        let moved = bytes.len() as isize - plain.len() as isize;
        let by_record = (0..6).flat_map(|n| {
            let place =
                |n: usize| if n == 0 { 0 } else { (ends[n - 1] as isize + if n > 2 { moved } else { 0 }) as usize };
            pack(&bytes[place(n)..place(n + 1)])
        });
        for (packing, bytes) in [("plain", bytes.clone()), ("one", pack(&bytes)), ("each", by_record.collect())] {
            let (records, damages) = read(&bytes);
            assert_eq!(whole(&records), [0, 1, 2, 3, 4, 5], "{name}, {packing}: {damages:?}");
            assert!(
                matches!(damages[..], [Damage { reason: DamageReason::Length { .. }, .. }]),
                "{name}, {packing}: {damages:?}"
            );
        }
    }
}

#[test]
fn odd_headers_are_read() {
    let body = "hello";
    for header in [
        "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: https://a.example/x y[1]\nContent-Length: 5\n\n",
        "WARC/1.1\r\nwarc-type: Response\r\nwarc-target-uri: <https://a.example/x y[1]>\r\ncontent-length: 5\r\n\r\n",
        "WARC/0.18\r\nWARC-Type:response\r\nWARC-Target-URI:\r\n https://a.example/x\r\n\ty[1]\r\nContent-Length: 5\r\n\r\n",
        "WARC/1.0\r\nWARC-Type: response\r\nno colon here\r\nWARC-Target-URI: https://a.example/x y[1]\r\nContent-Length : 5\r\n\r\n",
    ] {
        for ends in ["\r\n\r\n", "\n\n", "\r\n", "", "\r\n\r\n\r\n\r\n"] {
            let bytes = format!("{header}{body}{ends}").repeat(2);
            let mut reader = WarcReader::new(bytes.as_bytes(), ReadLimits::default());
            for _ in 0..2 {
                let Some(ReaderItem::Record(record)) = reader.next().unwrap() else { panic!("{header}{ends:?}") };
                assert_eq!(record.target_uri().as_deref(), Some("https://a.example/x y[1]"));
                assert_eq!((record.kind().name(), record.body()), ("response", body.as_bytes()), "{header}{ends:?}");
                assert_eq!(record.date_seconds(), None);
            }
            assert!(reader.next().unwrap().is_none(), "{header}{ends:?}");
        }
    }
    let message = "HTTP/1.1 200 OK\r\nA: b\r\n\r\nhello";
    let bytes = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n{message}\r\n\r\n", message.len());
    assert_eq!(read(bytes.as_bytes()).0[0].body, message.as_bytes());
}

#[test]
fn what_is_no_archive_is_one_damage() {
    let page = "<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>".repeat(9_000);
    let cut = pack(page.as_bytes());
    for bytes in [page.as_bytes(), &pack(page.as_bytes()), &cut[..cut.len() / 2], &[0x1f, 0x8b, 8].repeat(50_000)] {
        let (records, damages) = read(bytes);
        assert!(records.is_empty() && damages.len() == 1, "{damages:?}");
        assert_eq!((damages[0].offset, damages[0].reason), (0, DamageReason::NotAnArchive));
    }
    assert!(read(b"").1.is_empty() && read(b"\r\n\0\0").1.is_empty());
}

#[test]
fn a_cut_member_in_the_middle_costs_its_record() {
    let (gzip, ends) = archive(Compression::Gzip(6), 8);
    for n in [1, 4, 7] {
        for left in [1, 5, 12, 100, 400] {
            let bytes = [&gzip[..ends[n - 1] + left], &gzip[ends[n]..]].concat();
            let (records, damages) = read(&bytes);
            let expected: Vec<_> = (0..8).filter(|other| *other != n).collect();
            assert_eq!(whole(&records), expected, "{n}, {left}: {damages:?}");
            assert!(!damages.is_empty());
        }
    }
    let (records, damages) = read(&gzip[..gzip.len() - 2_000]);
    assert_eq!(records.last().unwrap().truncated, Some(Truncation::DataEnded));
    assert_eq!(damages[0].reason, DamageReason::MemberCut);
    let (plain, _) = archive(Compression::Plain, 2);
    let (records, damages) = read(&plain[..plain.len() - 100]);
    assert_eq!(records.last().unwrap().truncated, Some(Truncation::DataEnded));
    assert!(matches!(damages[0].reason, DamageReason::RecordCut { .. }), "{damages:?}");
}

/// Its plain text is found as a record, whose length is wrong since the heads of the blocks stand in it.
#[test]
fn a_damaged_member_of_stored_blocks_costs_none_behind_it() {
    let mut plain = WarcWriter::with(Vec::new(), Compression::Plain);
    plain.write(&NewRecord::response(&id(9), DATE, "https://example.org/9"), &[&body(9).repeat(20)]).unwrap();
    let mut stored = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    stored.write_all(&plain.into_inner()).unwrap();
    let mut stored = stored.finish().unwrap();
    // The length of the second block, behind the header of the member and the first block.
    let first = usize::from(u16::from_le_bytes([stored[11], stored[12]]));
    let second = 10 + 5 + first + 1;
    assert!(second + first < stored.len());
    stored[second] ^= 0xff;
    let (gzip, ends) = archive(Compression::Gzip(6), 3);
    let (records, damages) = read(&[&gzip[..ends[0]], &stored, &gzip[ends[0]..]].concat());
    assert_eq!(whole(&records), [0, 1, 2], "{damages:?}");
    assert!(!damages.is_empty());
}

#[test]
fn plain_records_behind_a_damaged_member_are_found() {
    let (mut gzip, gzip_ends) = archive(Compression::Gzip(6), 2);
    let (plain, plain_ends) = archive(Compression::Plain, 6);
    let middle = gzip_ends[0] + 40;
    gzip[middle..middle + 30].fill(0);
    let (records, damages) = read(&[&gzip, &plain[plain_ends[1]..]].concat());
    // The first one stands behind the damage without the end of another record before it.
    assert_eq!(whole(&records), [0, 3, 4, 5], "{damages:?}");
}

#[test]
fn garbage_between_records_is_reported_with_its_place() {
    let (gzip, ends) = archive(Compression::Gzip(6), 3);
    let (plain, plain_ends) = archive(Compression::Plain, 3);
    let noise = b"\x1f\x8b\x08noise WARC/1.0 and <p>";
    for (bytes, at) in [(gzip, ends[0]), (plain, plain_ends[0])] {
        let dirty = [&bytes[..at], &noise[..], &bytes[at..]].concat();
        let (records, damages) = read(&dirty);
        assert_eq!(whole(&records), [0, 1, 2]);
        assert_eq!(damages.len(), 1);
        assert_eq!((damages[0].offset, damages[0].skipped_bytes), (at as u64, noise.len() as u64));
    }
}

/// The search for the next unit began at the same place for ever.
#[test]
fn a_frame_that_fails_before_its_first_byte_is_passed() {
    let huge_window = b"\x28\xb5\x2f\xfd\x00\xff\x09\0\0x";
    let (gzip, _) = archive(Compression::Gzip(6), 2);
    let (records, damages) = read(&[huge_window, &gzip[..]].concat());
    assert_eq!(whole(&records), [0, 1]);
    assert_eq!(damages, [Damage { offset: 0, reason: DamageReason::Zstd, skipped_bytes: huge_window.len() as u64 }]);
}

#[test]
fn a_long_body_keeps_its_head() {
    let (plain, ends) = archive(Compression::Plain, 6);
    let limits = ReadLimits { body_bytes: 1_000, ..ReadLimits::default() };
    let (records, damages) = read_with(&plain, limits);
    assert!(damages.is_empty(), "{damages:?}");
    let places: Vec<_> = records.iter().map(|record| record.end as usize).collect();
    assert_eq!(places, ends);
    for (n, record) in records.iter().enumerate() {
        assert_eq!((&record.body[..], &record.truncated), (&body(n)[..1_000], &Some(Truncation::Limit)));
    }
}

#[test]
fn bombs_and_rows_of_magics_end() {
    let mut bomb = pack(b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 300000000\r\n\r\n");
    bomb.extend(pack(&vec![0; 300_000_000]));
    bomb.extend(archive(Compression::Gzip(6), 1).0);
    let (records, damages) = read(&bomb);
    assert_eq!(whole(&records), [0]);
    assert!(!damages.is_empty());
    // Each begins like a member whose stored block holds the next ones.
    let magic = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\0\xff\xff\0\0WARC/1.0\r\nWARC-Type: x\r\n\r\n";
    // What is read again is bounded: twice as much as the archive has, and 4 MiB.
    let n_read = read(&magic.repeat(40_000)).0.len();
    assert!(n_read <= 6 * 40_000, "{n_read}");
    assert!(read(&b"WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 60000000\r\n".repeat(40_000)).1.len() <= 40_000);
}
