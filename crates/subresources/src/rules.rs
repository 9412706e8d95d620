//! The robots.txt of sites that pages ask for something, kept for a while.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use gristmill_fetch::{Client, FetchError, VisitError};
use gristmill_robots::RobotsTxt;
use url::{Position, Url};

/// Bytes of rules that are kept.
const MAX_BYTES: usize = 32 << 20;
/// How long a robots.txt that could not be had forbids all.
const UNAVAILABLE_FOR: Duration = Duration::from_secs(600);

struct Known {
    /// None where it could not be had.
    robots: Option<Arc<RobotsTxt>>,
    until: Instant,
    bytes: usize,
}

/// Rules by origin.
pub(crate) struct RobotsCache {
    keep_for: Duration,
    /// Held only for a look-up or an insert, never across a wait.
    known: Mutex<(HashMap<String, Known>, usize)>,
    /// Origins whose rules are being asked for: a page has many requests at once, and one of them is enough to ask.
    asking: Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>,
}

impl RobotsCache {
    pub(crate) fn new(keep_for: Duration) -> Self {
        Self { keep_for, known: Mutex::default(), asking: Mutex::default() }
    }

    /// Why `url` may not be fetched, if so. Asks the site where its rules are not known.
    pub(crate) async fn forbid(&self, client: &Client, url: &Url) -> Option<String> {
        let origin = url.origin().ascii_serialization();
        let robots = match self.known(&origin) {
            Some(robots) => robots,
            None => {
                let turn = self.turn(&origin);
                let _turn = turn.lock().await;
                match self.known(&origin) {
                    Some(robots) => robots,
                    None => match client.robots_of(url).await {
                        Ok(robots) => self.remember(origin, Some(robots)),
                        // The address guard speaks here, not the site.
                        Err(VisitError::Fetch(error)) => return Some(told(&error)),
                        Err(_) => self.remember(origin, None),
                    },
                }
            }
        };
        let Some(robots) = robots else { return Some("robots.txt of its site cannot be had".to_owned()) };
        let verdict = robots.allows(&url[Position::BeforePath..Position::AfterQuery]);
        (!verdict.allowed).then(|| format!("robots.txt of its site forbids it: `{}`", verdict.rule.unwrap_or_default()))
    }

    /// What those who ask one origin wait for.
    fn turn(&self, origin: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = asking.get(origin).and_then(Weak::upgrade) {
            return turn;
        }
        if asking.len() >= 1024 {
            asking.retain(|_, turn| turn.strong_count() > 0);
        }
        let turn = Arc::default();
        asking.insert(origin.to_owned(), Arc::downgrade(&turn));
        turn
    }

    fn known(&self, origin: &str) -> Option<Option<Arc<RobotsTxt>>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.0.get(origin).filter(|known| known.until > Instant::now()).map(|known| known.robots.clone())
    }

    fn remember(&self, origin: String, robots: Option<RobotsTxt>) -> Option<Arc<RobotsTxt>> {
        let bytes = robots.as_ref().map_or(0, RobotsTxt::size) + origin.len() + size_of::<Known>();
        let robots = robots.map(Arc::new);
        let now = Instant::now();
        let until = now + if robots.is_some() { self.keep_for } else { UNAVAILABLE_FOR };
        let mut guard = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, total) = &mut *guard;
        if *total + bytes > MAX_BYTES {
            known.retain(|_, known| known.until > now);
            *total = known.values().map(|known| known.bytes).sum();
        }
        if *total + bytes > MAX_BYTES {
            known.clear();
            *total = 0;
        }
        *total += bytes;
        if let Some(old) = known.insert(origin, Known { robots: robots.clone(), until, bytes }) {
            *total -= old.bytes;
        }
        robots
    }
}

/// Why a fetch failed. Here `fetch.allow_private` is no way out of a refused address.
pub(crate) fn told(error: &FetchError) -> String {
    match error {
        FetchError::RefusedAddress { ip, class, .. } => {
            format!("its address `{ip}` is {class}; only what belongs to the page's own site may have one")
        }
        FetchError::RefusedName { host, what, .. } => format!("its host `{host}` is {what}"),
        other => other.to_string(),
    }
}
