//! Orders of the log that the store does not know: what a crash took from the last commit, taken back.

use gristmill_terms::FetchKind;
use gristmill_urls::CanonicalUrl;

use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::host_queues::HostId;
use crate::host_record::{HostTask, HostTaskState};
use crate::message::FetchOrder;
use crate::order_lease::OrderLease;
use crate::render::key_of;
use crate::store::row_of;
use crate::url_record::{UrlRecord, UrlState};

impl Frontier {
    /// Takes back an order found in the log that the store does not know, because the commit after its appending never came:
    /// its URL is leased by it, and its domain busy until the outcome comes. Orders known already change nothing.
    ///
    /// After a crash, hand over all orders from the stored position on, before any other input and before a commit; those of
    /// one domain in their order, others in any.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn adopt_order(&mut self, order: &FetchOrder, now: u64) -> Result<(), FrontierError> {
        self.at(now);
        // Not the highest number so far: of several partitions one is read before the other.
        if order.id < self.committed_orders || self.leases.contains_key(&order.id) {
            return Ok(());
        }
        self.meta.next_order = self.meta.next_order.max(order.id + 1);
        let Ok(url) = CanonicalUrl::parse(&order.url, None) else { return Ok(()) };
        if order.kind.is_wish() { self.adopt_task(order, &url) } else { self.adopt_url(order, &url) }
    }

    fn adopt_task(&mut self, order: &FetchOrder, url: &CanonicalUrl) -> Result<(), FrontierError> {
        let origin = order.robots_for.as_deref().and_then(|origin| CanonicalUrl::parse(origin, None).ok());
        let origin = origin.as_ref().unwrap_or(url);
        let host = self.places.host(origin, &mut self.store, &mut self.meta)?;
        self.withdraw_task(host)?;
        let place = HostTaskState::Leased(order.id);
        self.places.host_mut(host).record.task = Some(HostTask {
            kind: order.kind,
            url: order.url.clone(),
            hops: order.hops,
            attempt: order.attempt,
            place,
        });
        let lease = OrderLease {
            url: order.url.clone(),
            kind: order.kind,
            robots_for: Some(origin.origin().to_owned()),
            ordered_at: self.clock.past(order.ordered_at),
            counts: false,
        };
        self.places.sync_head(host, &self.store, &self.meta.ips)?;
        self.add_lease(order.id, lease, url)
    }

    fn adopt_url(&mut self, order: &FetchOrder, url: &CanonicalUrl) -> Result<(), FrontierError> {
        let key = key_of(order.kind, url);
        let host = self.places.host(url, &mut self.store, &mut self.meta)?;
        let mut record = match self.record(key)? {
            Some(record) => {
                self.withdraw(key, &record, host)?;
                record
            }
            None => {
                let record = self.adopted_record(order, host);
                self.put_new(key, &record);
                record
            }
        };
        record.attempt = order.attempt;
        self.set_state(&mut record, UrlState::Leased, order.id, 0);
        self.put_record(key, &record);
        let lease = OrderLease {
            url: order.url.clone(),
            kind: record.kind,
            robots_for: None,
            ordered_at: self.clock.past(order.ordered_at),
            counts: record.kind == FetchKind::Page && !record.known,
        };
        self.places.sync_head(host, &self.store, &self.meta.ips)?;
        self.add_lease(order.id, lease, url)
    }

    /// The record of a URL whose discovery was lost with the order's commit; its link will be offered again, and then is known.
    fn adopted_record(&mut self, order: &FetchOrder, host: HostId) -> UrlRecord {
        if order.kind == FetchKind::Page {
            self.places.host_mut(host).record.n_pages += 1;
        }
        self.meta.counts[row_of(order.kind)][UrlState::Queued.index()] += 1;
        UrlRecord {
            place: self.next_sequence(),
            depth: order.depth,
            hops: order.hops,
            known: order.known,
            anchor_title: order.anchor_title.clone(),
            etag: order.etag.clone(),
            last_modified: order.last_modified.clone(),
            ..UrlRecord::new(order.url.clone(), order.kind, u8::MAX, self.clock.past(order.ordered_at))
        }
    }
}
