//! Orders of older versions, as the log may still hold them.

use gristmill_terms::FetchKind;
use rkyv::{Archive, Deserialize, Serialize};

use super::FetchOrder;
use crate::notice::Cookie;

/// An order before robots.txt said anything of the use of pages.
#[derive(Archive, Serialize, Deserialize)]
pub(crate) struct FetchOrderV1 {
    id: u64,
    url: String,
    kind: FetchKind,
    robots_for: Option<String>,
    depth: u16,
    hops: u8,
    attempt: u16,
    anchor_title: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    known: bool,
    ordered_at: u64,
    pause: u64,
    ip_pause: u64,
    epoch: u64,
    tdm_reserved: Option<bool>,
    tdm_policy: Option<String>,
    cookies: Vec<Cookie>,
}

impl From<FetchOrderV1> for FetchOrder {
    fn from(order: FetchOrderV1) -> Self {
        Self {
            id: order.id,
            url: order.url,
            kind: order.kind,
            robots_for: order.robots_for,
            depth: order.depth,
            hops: order.hops,
            attempt: order.attempt,
            anchor_title: order.anchor_title,
            etag: order.etag,
            last_modified: order.last_modified,
            known: order.known,
            ordered_at: order.ordered_at,
            pause: order.pause,
            ip_pause: order.ip_pause,
            epoch: order.epoch,
            tdm_reserved: order.tdm_reserved,
            tdm_policy: order.tdm_policy,
            cookies: order.cookies,
            usage: None,
        }
    }
}
