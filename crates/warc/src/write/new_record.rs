//! A record to be written: its fields, without its body.

use std::fmt::Write;
use std::net::IpAddr;

use crate::record::RecordKind;

/// The profile of a revisit whose payload is that of an earlier record (WARC 1.1 §6.7.2).
const SAME_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// The profile of a revisit whose server said that nothing has changed (WARC 1.1 §6.7.3).
const NOT_MODIFIED: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

/// The header of a record that is to be written. Lengths and digests are the writer's.
///
/// IDs are URIs without angle brackets, such as [`urn_uuid`] makes; dates are as [`format_date`](crate::format_date) makes them.
/// Line ends within values become spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRecord {
    kind: RecordKind,
    fields: Vec<(String, String)>,
    has_payload_digest: bool,
}

impl NewRecord {
    /// A record with type, ID and date only.
    #[must_use]
    pub fn new(kind: RecordKind, id: &str, date: &str) -> Self {
        let record = NewRecord { kind, fields: Vec::new(), has_payload_digest: false };
        record.field("WARC-Type", kind.name()).id_field("WARC-Record-ID", id).field("WARC-Date", date)
    }

    /// What the archive is: first in each file. The body has lines `name: value`.
    #[must_use]
    pub fn warcinfo(id: &str, date: &str, filename: &str) -> Self {
        let record = NewRecord::new(RecordKind::Warcinfo, id, date).field("WARC-Filename", filename);
        record.content_type("application/warc-fields")
    }

    /// An HTTP request. The body is the message.
    #[must_use]
    pub fn request(id: &str, date: &str, uri: &str) -> Self {
        let record = NewRecord::new(RecordKind::Request, id, date).field("WARC-Target-URI", uri);
        record.content_type("application/http; msgtype=request")
    }

    /// An HTTP response. The body is the message.
    #[must_use]
    pub fn response(id: &str, date: &str, uri: &str) -> Self {
        let record = NewRecord::new(RecordKind::Response, id, date).field("WARC-Target-URI", uri);
        record.content_type("application/http; msgtype=response")
    }

    /// Something that came without HTTP. The body is the thing.
    #[must_use]
    pub fn resource(id: &str, date: &str, uri: &str, content_type: &str) -> Self {
        NewRecord::new(RecordKind::Resource, id, date).field("WARC-Target-URI", uri).content_type(content_type)
    }

    /// Another form of what the record of another ID holds. The body is that form.
    #[must_use]
    pub fn conversion(id: &str, date: &str, uri: &str, refers_to: &str, content_type: &str) -> Self {
        let record = NewRecord::new(RecordKind::Conversion, id, date).field("WARC-Target-URI", uri);
        record.id_field("WARC-Refers-To", refers_to).content_type(content_type)
    }

    /// What is known about the record of another ID.
    #[must_use]
    pub fn metadata(id: &str, date: &str, refers_to: &str, content_type: &str) -> Self {
        let record = NewRecord::new(RecordKind::Metadata, id, date).id_field("WARC-Refers-To", refers_to);
        record.content_type(content_type)
    }

    /// A response whose payload is that of an earlier record: its digest, and target and date of the earlier one. The body is the
    /// header of the message, with the empty line.
    #[must_use]
    pub fn revisit(id: &str, date: &str, uri: &str, payload_digest: &str, first: (&str, &str)) -> Self {
        let record = NewRecord::new(RecordKind::Revisit, id, date).field("WARC-Target-URI", uri);
        let mut record = record.content_type("application/http; msgtype=response").field("WARC-Profile", SAME_PAYLOAD);
        record.has_payload_digest = true;
        let record = record.field("WARC-Payload-Digest", payload_digest);
        record.refers_to(first.0, first.1)
    }

    /// A response that says that nothing has changed: status 304. The body is the header of the message, with the empty line.
    #[must_use]
    pub fn not_modified(id: &str, date: &str, uri: &str) -> Self {
        let record = NewRecord::new(RecordKind::Revisit, id, date).field("WARC-Target-URI", uri);
        record.content_type("application/http; msgtype=response").field("WARC-Profile", NOT_MODIFIED)
    }

    /// Target and date of the earlier record that a revisit stands for.
    #[must_use]
    pub fn refers_to(self, uri: &str, date: &str) -> Self {
        self.field("WARC-Refers-To-Target-URI", uri).field("WARC-Refers-To-Date", date)
    }

    /// The record of the same exchange: a response names its request.
    #[must_use]
    pub fn concurrent_to(self, id: &str) -> Self {
        self.id_field("WARC-Concurrent-To", id)
    }

    /// The warcinfo record that this one belongs to.
    #[must_use]
    pub fn warcinfo_id(self, id: &str) -> Self {
        self.id_field("WARC-Warcinfo-ID", id)
    }

    /// The address that was connected to.
    #[must_use]
    pub fn ip_address(self, address: IpAddr) -> Self {
        self.field("WARC-IP-Address", &address.to_string())
    }

    /// The body is not whole, because of `length`, `time`, `disconnect` or `unspecified`.
    #[must_use]
    pub fn truncated(self, reason: &str) -> Self {
        self.field("WARC-Truncated", reason)
    }

    fn content_type(self, content_type: &str) -> Self {
        self.field("Content-Type", content_type)
    }

    fn id_field(self, name: &str, id: &str) -> Self {
        self.field(name, &format!("<{id}>"))
    }

    /// Adds any field.
    #[must_use]
    pub fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((one_line(name), one_line(value)));
        self
    }

    /// Whether the writer is to add the digest of the payload.
    pub(crate) fn wants_payload_digest(&self) -> bool {
        let is_http = matches!(self.kind, RecordKind::Request | RecordKind::Response);
        is_http && !self.has_payload_digest
    }

    /// The header up to the empty line, with these fields at its end.
    pub(crate) fn header(&self, more: &[(&str, String)]) -> String {
        let mut header = String::from("WARC/1.1\r\n");
        let own = self.fields.iter().map(|(name, value)| (name.as_str(), value));
        for (name, value) in own.chain(more.iter().map(|(name, value)| (*name, value))) {
            let _ = write!(header, "{name}: {value}\r\n");
        }
        header + "\r\n"
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// `urn:uuid:` and a UUID of version 4 made of 16 bytes, which should be random or the hash of what makes the record unique.
#[must_use]
pub fn urn_uuid(mut bytes: [u8; 16]) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut urn = String::from("urn:uuid:");
    for (place, byte) in bytes.iter().enumerate() {
        if matches!(place, 4 | 6 | 8 | 10) {
            urn.push('-');
        }
        let _ = write!(urn, "{byte:02x}");
    }
    urn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_uuid() {
        assert_eq!(urn_uuid([0xff; 16]), "urn:uuid:ffffffff-ffff-4fff-bfff-ffffffffffff");
    }

    #[test]
    fn a_value_cannot_begin_another_field() {
        let record = NewRecord::new(RecordKind::Other, "a:b", "2024-05-18T01:58:10Z").field("X", "a\r\n\r\nWARC/1.0");
        assert_eq!(
            record.header(&[]),
            "WARC/1.1\r\nWARC-Type: other\r\nWARC-Record-ID: <a:b>\r\nWARC-Date: 2024-05-18T01:58:10Z\r\nX: a    WARC/1.0\r\n\r\n"
        );
    }
}
