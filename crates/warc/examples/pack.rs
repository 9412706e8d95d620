//! Writes the files that are named on the command line as one gzip archive of responses on standard output.

use gristmill_warc::write::{NewRecord, WarcWriter, urn_uuid};

fn main() -> std::io::Result<()> {
    let mut writer = WarcWriter::new(std::io::stdout().lock());
    for (n, path) in std::env::args().skip(1).enumerate() {
        let id = urn_uuid((n as u128).to_be_bytes());
        let record = NewRecord::response(&id, "2024-05-18T01:58:10Z", &format!("https://example.org/{n}"));
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: example\r\n\r\n";
        writer.write(&record, &[head, &std::fs::read(path)?])?;
    }
    Ok(())
}
