//! Who may ask what, and how often: tokens with scopes, and a limit for each client.
//!
//! Without tokens pages and API are open, as on one's own machine. Doors for agents always need one, since they act.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gristmill_secrets::{Secret, is_same};

use crate::api::ApiError;
use crate::client::Client;
use crate::config::SearcherConfig;
use crate::places::client_network;
use crate::tokens::{AccessScope, AccessToken, ScopeSet};

/// Clients whose requests are counted; the one heard of longest ago makes room.
const MAX_CLIENTS: usize = 10_000;

/// Which doors there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenDoors {
    /// The Model Context Protocol at `/mcp`.
    pub mcp: bool,
    /// Firecrawl's API below `/v2`.
    pub firecrawl: bool,
}

impl OpenDoors {
    /// Says how the door at this path is opened, if it is one that is closed.
    fn refuse_closed(self, path: &str) -> Result<(), ApiError> {
        let (is_open, flag) = match first_segment(path) {
            "mcp" => (self.mcp, "mcp"),
            "v2" => (self.firecrawl, "firecrawl"),
            _ => return Ok(()),
        };
        let message = format!("this door is closed: `gristmill serve --{flag}` (setting `doors.{flag}`) opens it");
        if is_open { Ok(()) } else { Err(ApiError::new(StatusCode::NOT_FOUND, "not_found", message)) }
    }
}

/// The rules of a server. Clones share their counts.
#[derive(Clone)]
pub(crate) struct AccessRules {
    tokens: Arc<Vec<AccessToken>>,
    /// Whether pages and API want a token.
    is_closed: bool,
    doors: OpenDoors,
    limit: Option<Arc<RateLimiter>>,
}

impl AccessRules {
    /// Those of the settings; `door` is a further token, for doors alone.
    pub(crate) fn new(config: &SearcherConfig, doors: OpenDoors, door: Option<Secret>) -> Self {
        let door = door.map(|token| AccessToken { token, scopes: AccessScope::ALL.to_vec() });
        let tokens = config.tokens.iter().cloned().chain(door).filter(|access| !access.token.is_empty()).collect();
        let per_minute = config.max_requests_per_minute;
        let limit = (per_minute > 0).then(|| Arc::new(RateLimiter::new(per_minute)));
        Self { tokens: Arc::new(tokens), is_closed: !config.tokens.is_empty(), doors, limit }
    }

    /// What the holder of the token in these fields may do; none where it is unknown.
    fn scopes(&self, headers: &HeaderMap) -> Option<ScopeSet> {
        let said = presented_token(headers)?;
        // All are compared, whatever was found, so that the time tells nothing.
        let mut scopes = None;
        for access in self.tokens.iter() {
            if is_same(&said, access.token.reveal()) {
                scopes = Some(ScopeSet::of(&access.scopes));
            }
        }
        scopes
    }

    fn judge(&self, path: &str, headers: &HeaderMap) -> Result<ScopeSet, ApiError> {
        self.doors.refuse_closed(path)?;
        let Some((scope, is_door)) = needed(path) else { return Ok(ScopeSet::of(&[])) };
        let scopes = match self.scopes(headers) {
            Some(scopes) => scopes,
            None if !is_door && !self.is_closed => ScopeSet::all(),
            None => {
                // Where no tokens are set, the doors have one of their own.
                let source =
                    if self.is_closed { "of `searcher.tokens`" } else { "in the file `doors.token` of the corpus" };
                let message = format!("this needs the token {source}, as `Authorization: Bearer TOKEN`");
                return Err(ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", message));
            }
        };
        match scopes.has(scope) {
            true => Ok(scopes),
            false => {
                let message = format!("this token has no scope `{}`", scope.as_str());
                Err(ApiError::new(StatusCode::FORBIDDEN, "forbidden", message))
            }
        }
    }
}

fn first_segment(path: &str) -> &str {
    path.trim_start_matches('/').split('/').next().unwrap_or_default()
}

/// The scope that a path asks for, and whether it is a door; none for what everybody may have.
fn needed(path: &str) -> Option<(AccessScope, bool)> {
    Some(match (first_segment(path), path) {
        ("style.css" | "icon.svg" | "llms.txt" | "opensearch.xml" | ".well-known", _) => return None,
        ("mcp", _) => (AccessScope::Search, true),
        ("v2", "/v2/scrape" | "/v2/map") => (AccessScope::Extract, true),
        ("v2", "/v2/search") => (AccessScope::Search, true),
        ("v2", _) => (AccessScope::Crawl, true),
        (_, "/extract" | "/api/v1/extract") => (AccessScope::Extract, false),
        _ => (AccessScope::Search, false),
    })
}

fn presented_token(headers: &HeaderMap) -> Option<String> {
    let said = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, rest) = said.split_once(' ')?;
    match scheme.to_ascii_lowercase().as_str() {
        "bearer" => Some(rest.trim().to_owned()),
        "basic" => {
            let decoded = String::from_utf8(BASE64_STANDARD.decode(rest.trim()).ok()?).ok()?;
            decoded.split_once(':').map(|(_, password)| password.to_owned())
        }
        _ => None,
    }
}

/// Lets through who may ask, as often as he may.
pub(crate) async fn check(State(rules): State<AccessRules>, mut request: Request, next: Next) -> Response {
    if let Some(limit) = &rules.limit {
        let client = request.extensions().get::<Client>().map_or(IpAddr::from([0, 0, 0, 0]), |client| client.0);
        if let Some(seconds) = limit.wait_of(client, Instant::now()) {
            return too_many(request.uri().path(), seconds, limit.per_minute);
        }
    }
    let path = request.uri().path();
    match rules.judge(path, request.headers()) {
        Ok(scopes) => {
            request.extensions_mut().insert(scopes);
            next.run(request).await
        }
        Err(error) => {
            let mut response = error.at(path);
            if response.status() == StatusCode::UNAUTHORIZED {
                let ways = HeaderValue::from_static("Bearer, Basic realm=\"gristmill\", charset=\"UTF-8\"");
                response.headers_mut().insert(header::WWW_AUTHENTICATE, ways);
            }
            response
        }
    }
}

fn too_many(path: &str, seconds: u64, per_minute: u32) -> Response {
    let message = format!("more than `searcher.max_requests_per_minute` ({per_minute}) came from you");
    let mut response = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message).at(path);
    response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    response
}

/// Counts the requests of clients: each has a minute's worth at most, which fills evenly.
struct RateLimiter {
    per_minute: u32,
    clients: Mutex<BTreeMap<IpAddr, (f64, Instant)>>,
}

impl RateLimiter {
    fn new(per_minute: u32) -> Self {
        Self { per_minute, clients: Mutex::default() }
    }

    /// Counts a request; if there are too many, the seconds until the next may come.
    fn wait_of(&self, address: IpAddr, now: Instant) -> Option<u64> {
        let (client, most) = (client_network(address), f64::from(self.per_minute));
        let a_second = most / 60.0;
        let mut clients = self.clients.lock().expect("no code panics while it holds this lock");
        if clients.len() >= MAX_CLIENTS && !clients.contains_key(&client) {
            let oldest = clients.iter().min_by_key(|(_, (_, seen))| *seen).map(|(client, _)| *client);
            oldest.map(|oldest| clients.remove(&oldest));
        }
        let (left, seen) = clients.entry(client).or_insert((most, now));
        *left = (*left + now.duration_since(*seen).as_secs_f64() * a_second).min(most);
        *seen = now;
        if *left < 1.0 {
            return Some(((1.0 - *left) / a_second).ceil() as u64);
        }
        *left -= 1.0;
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::response::IntoResponse;

    use super::*;

    fn rules(tokens: &[(&str, &[AccessScope])], door: Option<&str>) -> AccessRules {
        let tokens =
            tokens.iter().map(|(token, scopes)| AccessToken { token: Secret::new(*token), scopes: scopes.to_vec() });
        let config = SearcherConfig { tokens: tokens.collect(), ..SearcherConfig::default() };
        AccessRules::new(&config, OpenDoors { mcp: true, firecrawl: true }, door.map(Secret::new))
    }

    fn status(rules: &AccessRules, path: &str, said: &str) -> u16 {
        let mut headers = HeaderMap::new();
        if !said.is_empty() {
            headers.insert(header::AUTHORIZATION, said.parse().unwrap());
        }
        rules.judge(path, &headers).map_or_else(|error| error.into_response().status().as_u16(), |_| 200)
    }

    #[test]
    fn doors_want_a_token_and_pages_only_where_the_settings_have_some() {
        let open = rules(&[], Some("door"));
        for (path, said, expected) in [
            ("/", "", 200),
            ("/api/v1/extract", "", 200),
            ("/mcp", "", 401),
            ("/mcp", "Bearer wrong", 401),
            ("/mcp", "bearer door", 200),
            ("/v2/crawl/1", "", 401),
            ("/v2/crawl/1", "Bearer door", 200),
            ("/llms.txt", "", 200),
        ] {
            assert_eq!(status(&open, path, said), expected, "{path} {said}");
        }
        let closed = rules(&[("s", &[AccessScope::Search]), ("e", &[AccessScope::Search, AccessScope::Extract])], None);
        // `Basic eDpz` is `x:s`.
        for (path, said, expected) in [
            ("/", "", 401),
            ("/style.css", "", 200),
            ("/search", "Basic eDpz", 200),
            ("/feed", "Bearer s", 200),
            ("/api/v1/extract", "Bearer s", 403),
            ("/api/v1/extract", "Bearer e", 200),
            ("/v2/scrape", "Bearer e", 200),
            ("/v2/map", "Bearer s", 403),
            ("/v2/crawl", "Bearer e", 403),
            ("/v2/batch/scrape", "Bearer e", 403),
            ("/v2/search", "Bearer e", 200),
            ("/api/v1/search", "Bearer ", 401),
            ("/api/v1/search", "Basic !", 401),
            ("/api/v1/search", "s", 401),
        ] {
            assert_eq!(status(&closed, path, said), expected, "{path} {said}");
        }
    }

    #[test]
    fn a_closed_door_says_how_it_is_opened_and_asks_for_no_token() {
        let rules = AccessRules::new(&SearcherConfig::default(), OpenDoors { mcp: true, firecrawl: false }, None);
        let refused = rules.judge("/v2/scrape", &HeaderMap::new()).unwrap_err();
        assert!(refused.status == StatusCode::NOT_FOUND && refused.message.contains("`gristmill serve --firecrawl`"));
        assert_eq!(status(&rules, "/mcp", ""), 401, "that one is open");
    }

    #[test]
    fn an_empty_token_lets_nobody_in() {
        let rules = rules(&[("", &[AccessScope::Search])], Some(""));
        assert_eq!((status(&rules, "/search", "Bearer "), status(&rules, "/mcp", "Bearer ")), (401, 401));
    }

    #[test]
    fn a_client_has_a_minute_of_requests_that_fills_evenly_and_others_have_their_own() {
        let limit = RateLimiter::new(30);
        let (one, other, begun) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]), Instant::now());
        for _ in 0..30 {
            assert_eq!(limit.wait_of(one, begun), None);
        }
        assert_eq!((limit.wait_of(one, begun), limit.wait_of(other, begun)), (Some(2), None));
        let later = begun + Duration::from_secs(2);
        assert_eq!((limit.wait_of(one, later), limit.wait_of(one, later)), (None, Some(2)));
    }

    #[test]
    fn clients_that_are_counted_are_bounded() {
        let (limit, begun) = (RateLimiter::new(1), Instant::now());
        for n in 0..MAX_CLIENTS as u32 + 100 {
            limit.wait_of(IpAddr::from(n.to_be_bytes()), begun + Duration::from_millis(n.into()));
        }
        assert_eq!(limit.clients.lock().unwrap().len(), MAX_CLIENTS);
    }
}
