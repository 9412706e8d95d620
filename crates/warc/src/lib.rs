//! Web archives: reads every record that can be read out of any bytes, and writes what other tools accept.
//!
//! For WARC 1.0 and 1.1, plain, gzip or zstd, and ARC, plain or gzip, on anything that is `Read` or `Write`. No I/O of its own, no clock.
//! Archives come from strangers and broken disks: damage costs the records that it touches, and each is reported.
//!
//! ```
//! use gristmill_warc::{ReaderItem, ReadLimits, WarcReader};
//!
//! let archive = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\nnoise WARC/1.0\r\n";
//! let mut reader = WarcReader::new(&archive[..], ReadLimits::default());
//! let Some(ReaderItem::Record(record)) = reader.next()? else { panic!("no record") };
//! assert_eq!((record.field("warc-type").as_deref(), record.body()), (Some("resource"), &b"hello"[..]));
//! let Some(ReaderItem::Damage(damage)) = reader.next()? else { panic!("no damage") };
//! assert_eq!(damage.to_string(), "offset 61: bytes that are no record, 16 bytes passed over");
//! assert!(reader.next()?.is_none());
//! # Ok::<(), std::io::Error>(())
//! ```

mod arc;
mod archive_stream;
mod body;
mod codec;
mod damage;
mod date;
mod frame;
mod gzip;
mod header;
pub mod http;
mod limits;
mod marker;
mod page;
mod reader;
mod record;
mod source;
mod stream;
mod warcinfo;
mod window;
pub mod write;

pub use arc::{FromArc, is_arc};
pub use archive_stream::ArchiveStream;
pub use damage::{Damage, DamageReason};
pub use date::{format_date, parse_date};
pub use limits::ReadLimits;
pub use page::{ArchivedPage, page_of};
pub use reader::{ReaderItem, WarcReader};
pub use record::{RecordKind, Truncation, WarcRecord};
pub use warcinfo::Warcinfo;
