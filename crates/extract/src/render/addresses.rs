//! Addresses of links and images: which are let through, and what they are resolved against.

use std::borrow::Cow;

use url::Url;

use super::block::Block;

/// Only web addresses and relative ones become links: no `javascript:`, `data:`, nor anything else with a scheme.
pub(super) fn is_safe(href: &str) -> bool {
    const MAX_BYTES: usize = 2_000;
    let scheme_end = href.find(['/', '?', '#']).unwrap_or(href.len());
    let lower = href.get(..8).unwrap_or(href).to_ascii_lowercase();
    let web = lower.starts_with("http://") || lower.starts_with("https://");
    let relative = !href[..scheme_end].contains([':', '&']);
    !href.is_empty() && href.len() <= MAX_BYTES && (web || relative) && !href.chars().any(char::is_control)
}

/// Makes the addresses of links and images absolute where the address of the page is known. O(links).
pub(super) fn resolve(blocks: &mut [Block<'_>], base: Option<&Url>) {
    let Some(base) = base else { return };
    for span in blocks.iter_mut().flat_map(|block| &mut block.spans) {
        for address in [&mut span.link, &mut span.image].into_iter().flatten() {
            if let Ok(url) = base.join(address)
                && matches!(url.scheme(), "http" | "https")
            {
                *address = Cow::Owned(url.into());
            }
        }
    }
}
