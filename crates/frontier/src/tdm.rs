//! tdmrep.json as the frontier handles it: asked for after robots.txt and before a host's first page, as the TDM Reservation Protocol
//! wants it ("Processing priority"), and told with each order of a page.

use std::sync::Arc;

use gristmill_robots::{MAX_ROBOTS_BYTES, Reservation, RobotsTxt, TDM_PATH, TdmRules};
use gristmill_terms::FetchKind;
use gristmill_urls::{CanonicalUrl, join};

use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::host_queues::HostId;
use crate::host_record::HostTask;
use crate::message::{FetchOutcome, FetchResult, OutcomeEffect};

/// The file's key in the table of robots.txt, whose keys are origins.
fn key(origin: &str) -> Vec<u8> {
    [origin, TDM_PATH].concat().into_bytes()
}

impl Frontier {
    /// Lets the host's pages wait until its tdmrep.json is known, unless robots.txt keeps us from it.
    pub(crate) fn request_tdm(&mut self, host: HostId, origin: &str, rules: &RobotsTxt) -> Result<(), FrontierError> {
        if self.config.robots.tdm && rules.allows(TDM_PATH).allowed {
            self.queue_task(host, FetchKind::Tdm, [origin, TDM_PATH].concat(), 0, 0)?;
        }
        Ok(())
    }

    /// Applies the outcome of an order for a tdmrep.json.
    ///
    /// A redirect is followed. An answer without file means that there are no rules. What else fails leaves those that were known; it
    /// is tried again when robots.txt is.
    pub(crate) fn tdm_outcome(
        &mut self,
        host: HostId,
        origin: &CanonicalUrl,
        task: &HostTask,
        outcome: &FetchOutcome,
    ) -> Result<OutcomeEffect, FrontierError> {
        if let FetchResult::Redirect(target) = &outcome.result
            && let Some(target) = self.task_target(task, target.as_deref())?
        {
            self.queue_task(host, FetchKind::Tdm, target, task.hops + 1, 0)?;
            return Ok(OutcomeEffect::Retry);
        }
        match (&outcome.result, &outcome.robots_body) {
            (FetchResult::Ok, Some(body)) => {
                self.store.robots.put(key(origin.origin()), body[..body.len().min(MAX_ROBOTS_BYTES)].to_vec());
            }
            (FetchResult::Failed(kind), _) if !kind.is_no_file() => {}
            _ => self.store.robots.delete(key(origin.origin())),
        }
        self.tdm.remove(&host);
        self.places.host_mut(host).record.task = None;
        self.places.sync_head(host, &self.store, &self.meta.ips)?;
        Ok(OutcomeEffect::Final)
    }

    /// What the host's tdmrep.json says of a page; the file is parsed at most once while it stays in the cache.
    pub(crate) fn reservation(
        &mut self,
        host: HostId,
        url: &CanonicalUrl,
    ) -> Result<Option<Reservation>, FrontierError> {
        if !self.config.robots.tdm {
            return Ok(None);
        }
        let rules = match self.tdm.get(&host) {
            Some(rules) => Arc::clone(rules),
            None => {
                let stored = self.store.robots.get(&key(url.origin()), |file| Some(TdmRules::parse(file)))?;
                let rules = Arc::new(stored.unwrap_or_default());
                self.tdm.insert(host, Arc::clone(&rules), rules.size());
                rules
            }
        };
        let Some(said) = rules.of(url.path_and_query()) else { return Ok(None) };
        let absolute = |policy: &String| Some(join(policy, Some(&url.to_url())).ok()?.to_string());
        Ok(Some(Reservation { reserved: said.reserved, policy: said.policy.as_ref().and_then(absolute) }))
    }
}
