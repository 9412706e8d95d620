//! What goes back to a client.

use std::io::Write as _;
use std::time::Duration;

/// What goes back.
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) chunked: bool,
    /// Before it begins.
    pub(crate) pause: Duration,
    /// Instead of all the above: bytes and pauses as they are.
    pub(crate) raw: Option<Vec<RawAction>>,
}

/// One move of an answer that breaks the rules.
pub(crate) enum RawAction {
    Send(Vec<u8>),
    Sleep(Duration),
    Repeat { bytes: Vec<u8>, pause: Duration, most: usize, time: Duration },
    Reset,
}

impl TestResponse {
    pub(crate) fn bare(status: u16, body: Vec<u8>) -> Self {
        Self { status, fields: Vec::new(), body, chunked: false, pause: Duration::ZERO, raw: None }
    }

    pub(crate) fn new(status: u16, content_type: &str, body: Vec<u8>) -> Self {
        Self::bare(status, body).with("Content-Type", content_type)
    }

    pub(crate) fn redirect(status: u16, location: &str) -> Self {
        Self::new(status, "text/html", b"<p>moved".to_vec()).with("Location", location)
    }

    pub(crate) fn raw(steps: Vec<RawAction>) -> Self {
        Self { raw: Some(steps), ..Self::bare(200, Vec::new()) }
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.fields.push((name.to_owned(), value.into()));
        self
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    writer.write_all(bytes).expect("a Vec takes all writes");
    writer.finish().expect("a Vec takes all writes")
}
