//! The body of a page as it travels on: packed, and in its message or in the blob store.

use std::cell::RefCell;

use bytes::Bytes;
use gristmill_blobs::hourly_key;
use gristmill_proto::{BodyRef, WireEncoding};
use gristmill_runtime::blobs::Blobs;
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Compressor;

/// Shortest body that is worth packing.
const PACK_FROM: usize = 2048;

/// A body too large for the log, which must be in the blob store before its record is in the log.
pub struct OversizedBody {
    pub key: String,
    pub body: Bytes,
}

/// Whose body it is, which names it in the blob store.
#[derive(Clone, Copy)]
pub struct BodyKey<'a> {
    /// Folder of the store.
    pub folder: &'static str,
    /// What its name begins with.
    pub name: &'a str,
    /// Unix milliseconds; it is cleared away by the hour.
    pub at: u64,
}

/// How hard a body is packed: as little as possible, since it is read once and soon.
const PACK_LEVEL: i32 = 1;

thread_local! {
    /// Made once a thread: it takes as long to make as to pack a small page.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = RefCell::new(Compressor::new(PACK_LEVEL).ok());
}

/// Packs a body that came unpacked, where that makes it smaller.
pub fn pack(body: &[u8]) -> (WireEncoding, Vec<u8>) {
    if body.len() >= PACK_FROM
        && let Some(packed) = COMPRESSOR.with_borrow_mut(|compressor| compressor.as_mut()?.compress(body).ok())
        && packed.len() < body.len()
    {
        return (WireEncoding::Zstd, packed);
    }
    (WireEncoding::Identity, body.to_vec())
}

impl BodyKey<'_> {
    /// The body as its record has it, and what goes to the store if it does not travel in the record.
    ///
    /// * `beside`: bytes of the record besides the body, as far as they are more than a few.
    pub fn place(self, body: Bytes, beside: usize, blobs: &Blobs) -> (BodyRef, Option<OversizedBody>) {
        if body.is_empty() || blobs.store_for(body.len() + beside).is_none() {
            return (BodyRef::Inline(body.into()), None);
        }
        // The same bytes of the same owner have the same key, so that a repeated put changes nothing; others get
        // another, so that nobody's page loses its body.
        let key = hourly_key(self.folder, self.at, &format!("{}-{:016x}", self.name, xxh3_64(&body)));
        let (size, checksum) = (body.len() as u64, crc32c::crc32c(&body));
        (BodyRef::Stored { key: key.clone(), size, checksum }, Some(OversizedBody { key, body }))
    }
}
