//! A piece of Common Crawl, and what other readers say about the same files.

use std::path::{Path, PathBuf};
use std::process::Command;

use gristmill_warc::write::{Compression, NewRecord, WarcWriter, cdxj_line, payload_digest, sha1_digest, urn_uuid};
use gristmill_warc::{ReadLimits, ReaderItem, RecordKind, WarcReader};

/// The files of the piece, if they are there.
fn piece() -> Option<PathBuf> {
    let data = std::env::var("GRISTMILL_DATA")
        .map_or_else(|_| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let folder = data.join("warc");
    if !folder.join("whirlwind.warc.gz").is_file() {
        eprintln!("SKIPPED: no archives in `{}` (set GRISTMILL_DATA)", folder.display());
        return None;
    }
    Some(folder)
}

/// Offset, ID and payload digest of each record, of a file without damage.
fn read(bytes: &[u8]) -> Vec<(u64, String, String)> {
    let mut reader = WarcReader::new(bytes, ReadLimits::default());
    let mut records = Vec::new();
    while let Some(entry) = reader.next().unwrap() {
        let ReaderItem::Record(record) = entry else { panic!("{entry:?}") };
        let digest = payload_digest(record.body()).unwrap_or_else(|| sha1_digest(&[record.body()]));
        records.push((record.offset(), record.id().unwrap().into_owned(), digest));
    }
    records
}

/// Whether FastWARC and warcio agree about a file, and `warcio check` accepts it.
fn oracles_agree(path: &Path) {
    let python = std::env::var("GRISTMILL_PYTHON").unwrap_or_else(|_| "python3".into());
    let known = Command::new(&python).args(["-c", "import fastwarc, warcio"]).output();
    if !known.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: `{python}` has no fastwarc and warcio (set GRISTMILL_PYTHON)");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle.py");
    let output = Command::new(python).arg(script).arg(path).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let ours = read(&std::fs::read(path).unwrap());
    for oracle in ["fastwarc", "warcio"] {
        let lines = text.lines().filter_map(|line| line.strip_prefix(oracle));
        let theirs: Vec<&str> = lines.map(str::trim).collect();
        let ours: Vec<_> = ours.iter().map(|(offset, id, digest)| format!("{offset} {id} {digest}")).collect();
        assert_eq!(theirs.len(), ours.len(), "{oracle}");
        for (ours, theirs) in ours.iter().zip(theirs) {
            // warcio gives the block of records that are no responses as it is, so their digest is another.
            let n_words = if oracle == "warcio" { 2 } else { 3 };
            let head = |line: &str| line.split(' ').take(n_words).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(head(ours), head(theirs), "{oracle}");
        }
    }
}

#[test]
fn the_piece_is_read_as_its_digests_say() {
    let Some(folder) = piece() else { return };
    for (name, n_records) in
        [("whirlwind.warc", 4), ("whirlwind.warc.gz", 4), ("whirlwind.warc.wet.gz", 2), ("whirlwind.warc.wat.gz", 2)]
    {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let mut reader = WarcReader::new(&bytes[..], ReadLimits::default());
        let mut n = 0;
        while let Some(entry) = reader.next().unwrap() {
            let ReaderItem::Record(record) = entry else { panic!("{name}: {entry:?}") };
            n += 1;
            if let Some(digest) = record.field("WARC-Block-Digest") {
                assert_eq!(sha1_digest(&[record.body()]), digest, "{name}");
            }
            if let Some(digest) = record.field("WARC-Payload-Digest").filter(|_| record.kind() == RecordKind::Response)
            {
                assert_eq!(payload_digest(record.body()).unwrap(), digest, "{name}");
                let line = cdxj_line(&record, name).unwrap();
                assert!(line.starts_with("org,wikipedia,an)/wiki/escopete 20240518015810 {"), "{line}");
                assert!(line.contains("\"status\":\"200\"") && line.contains("\"mime\":\"text/html\""), "{line}");
            }
        }
        assert_eq!(n, n_records, "{name}");
    }
}

#[test]
fn other_readers_see_the_same_records_in_the_piece() {
    let Some(folder) = piece() else { return };
    for name in ["whirlwind.warc", "whirlwind.warc.gz"] {
        oracles_agree(&folder.join(name));
    }
}

#[test]
fn other_readers_accept_what_the_writer_writes() {
    let date = "2024-05-18T01:58:10Z";
    for compression in [Compression::Plain, Compression::Gzip(6)] {
        let [info, request, response, resource, metadata, revisit] = [1, 2, 3, 4, 5, 6].map(|n| urn_uuid([n; 16]));
        let uri = "https://example.org/a b";
        let mut writer = WarcWriter::with(Vec::new(), compression);
        let page = b"<p>A page.</p>".repeat(3_000);
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        writer.write(&NewRecord::warcinfo(&info, date, "a.warc.gz"), &[b"software: a\r\nformat: b\r\n"]).unwrap();
        let record = NewRecord::request(&request, date, uri).warcinfo_id(&info).concurrent_to(&response);
        writer.write(&record, &[b"GET /a HTTP/1.1\r\nHost: example.org\r\n\r\n"]).unwrap();
        let record = NewRecord::response(&response, date, uri).ip_address([192, 0, 2, 1].into()).truncated("length");
        let written = writer.write(&record, &[head, &page]).unwrap();
        let digest = written.payload_digest.unwrap();
        assert_eq!(digest, sha1_digest(&[&page]));
        writer.write(&NewRecord::resource(&resource, date, "file:a", "text/plain"), &[b"text"]).unwrap();
        writer
            .write(&NewRecord::metadata(&metadata, date, &response, "application/warc-fields"), &[b"a: b\r\n"])
            .unwrap();
        writer.write(&NewRecord::revisit(&revisit, date, uri, &digest, (uri, date)), &[head]).unwrap();
        let file = tempfile::NamedTempFile::with_suffix(".warc.gz").unwrap();
        let bytes = writer.into_inner();
        std::fs::write(file.path(), &bytes).unwrap();
        assert_eq!(read(&bytes).len(), 6);
        oracles_agree(file.path());
    }
}
