//! Writing archives: WARC/1.1, one record a gzip member, with the digests that other tools check.

mod cdxj;
mod digest;
mod new_record;
mod prefix;
mod writer;

pub use cdxj::{cdxj_line, surt};
pub use digest::{payload_digest, sha1_digest};
pub use new_record::{NewRecord, urn_uuid};
pub use prefix::cut_to_whole_members;
pub use writer::{Compression, RecordLocation, WarcWriter};
