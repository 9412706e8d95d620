//! Against what the addresses of a page are resolved.

use gristmill_html::Doc;
use url::Url;

/// The page's `base`, else `url`; `None` when neither is absolute.
pub fn base(doc: &Doc, url: Option<&str>) -> Option<Url> {
    let page = url.and_then(|url| Url::parse(url).ok());
    match doc.base_href() {
        Some(href) => Url::options().base_url(page.as_ref()).parse(href).ok().or(page),
        None => page,
    }
}
