//! Lists the records of an archive on standard input: offset, end, ID, and the digest of the HTTP payload.
//!
//! `--count` only counts records and the bytes of their HTTP bodies, for measurements.

use gristmill_warc::http::HttpMessage;
use gristmill_warc::write::{payload_digest, sha1_digest};
use gristmill_warc::{ReadLimits, ReaderItem, WarcReader};

fn main() -> std::io::Result<()> {
    let is_count = std::env::args().nth(1).is_some_and(|option| option == "--count");
    let mut reader = WarcReader::new(std::io::stdin().lock(), ReadLimits::default());
    let (mut n_records, mut n_bytes) = (0, 0);
    while let Some(entry) = reader.next()? {
        match entry {
            ReaderItem::Record(record) if is_count => {
                n_records += 1;
                n_bytes += HttpMessage::parse(record.body()).map_or(0, |message| message.body().len());
            }
            ReaderItem::Record(record) => {
                let digest = payload_digest(record.body()).unwrap_or_else(|| sha1_digest(&[record.body()]));
                let id = record.id().unwrap_or_default();
                println!("{} {} {id} {digest}", record.offset(), record.end());
            }
            ReaderItem::Damage(damage) => eprintln!("{damage}"),
        }
    }
    if is_count {
        println!("{n_records} records, {n_bytes} bytes");
    }
    Ok(())
}
