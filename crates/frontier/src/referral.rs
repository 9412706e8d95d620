//! Which domains are a frontier's own, and what it learns about those of others.
//!
//! Where several frontiers share a crawl, each domain belongs to one of them: it alone orders there, keeps the pauses, and gets the
//! outcomes. What another learns about such a domain, as by a redirect, it hands to its caller, who passes it on to the owner.

use gristmill_urls::CanonicalUrl;

use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::message::{Outlink, Referral};

impl Frontier {
    /// Says which registrable domains are its own, when it shares the crawl with other frontiers; all are without this. To be called
    /// before anything is offered.
    #[must_use]
    pub fn owning(mut self, owns: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.owns = Some(Box::new(owns));
        self
    }

    pub(crate) fn is_own(&self, url: &CanonicalUrl) -> bool {
        self.owns.as_ref().is_none_or(|owns| owns(url.registrable_domain()))
    }

    /// The links that belong to other frontiers, since the last call. They are not stored: pass them on before
    /// [`Frontier::commit`], after which the outcomes that led to them are not read again.
    pub fn take_referrals(&mut self) -> Vec<Referral> {
        std::mem::take(&mut self.referrals)
    }

    /// Takes in what the frontier itself learnt at `from`, or refers it to the owner of its domain.
    pub(crate) fn learn(&mut self, link: &Outlink<'_>, from: &str) -> Result<(), FrontierError> {
        match CanonicalUrl::parse(link.url, None) {
            Ok(url) if !self.is_own(&url) => self.referrals.push(Referral {
                from: from.to_owned(),
                url,
                kind: link.kind,
                source: link.source,
                depth: link.depth,
                hops: link.hops,
                anchor_title: link.anchor_title.map(str::to_owned),
            }),
            _ => drop(self.take_in(link, Some(from))?),
        }
        Ok(())
    }
}
