//! Cookies that sites want to see again, kept with the store: a fetcher that starts anew, or elsewhere, gets them with its orders.

use gristmill_urls::CanonicalUrl;

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::message::Cookie;

/// Most bytes that are kept of a site.
const MAX_BYTES: usize = 16 << 10;

impl Frontier {
    /// Takes over the cookies of the site of `url`.
    pub(crate) fn keep_cookies(&mut self, url: &str, cookies: &[Cookie]) -> Result<(), FrontierError> {
        let url = self.stored_url(url)?;
        let site = url.registrable_domain().as_bytes().to_vec();
        let mut writer = RecordEncoder::default();
        cookies.iter().for_each(|cookie| _ = writer.text(&cookie.url).text(&cookie.field));
        if writer.0.is_empty() {
            self.store.cookies.delete(site);
        } else if writer.0.len() <= MAX_BYTES {
            self.store.cookies.put(site, writer.0);
        }
        Ok(())
    }

    /// The cookies of the site of `url`.
    pub(crate) fn cookies_of(&self, url: &CanonicalUrl) -> Result<Vec<Cookie>, FrontierError> {
        Ok(self.store.cookies.get(url.registrable_domain().as_bytes(), decode)?.unwrap_or_default())
    }
}

pub(crate) fn decode(bytes: &[u8]) -> Option<Vec<Cookie>> {
    let (mut reader, mut cookies) = (RecordDecoder(bytes), Vec::new());
    while !reader.0.is_empty() {
        cookies.push(Cookie { url: reader.text()?, field: reader.text()? });
    }
    Some(cookies)
}
