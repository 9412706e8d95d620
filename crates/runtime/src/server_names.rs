//! The names under which a server may be asked.
//!
//! A page of another site can lead its own name to the address of a server here ("DNS rebinding"), and a browser then lets it read
//! what it could not reach. Such a request names that site in its `Host`, so a server answers under its own names only.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri, Version};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use crate::listen::Listen;

/// Longest part of a strange name that is told.
const SHOWN: usize = 100;

/// Loopback names, the place where the server listens, and those of the settings.
#[derive(Debug, Clone)]
pub struct ServerNames {
    own: BTreeSet<String>,
    /// It listens at every address, so that nobody knows them all. An address is no name, and nobody can lead it elsewhere.
    any_address: bool,
    /// Origins that may ask too, as browsers send them.
    origins: Vec<String>,
    /// The setting that names further ones.
    setting: &'static str,
}

impl ServerNames {
    /// Of a server that was told to listen at `listen`, does so at `bound`, and has the names `further` by `setting`.
    pub fn new(listen: &Listen, bound: SocketAddr, further: &[String], setting: &'static str) -> Self {
        let names = further.iter().map(String::as_str).chain([listen.host()]).filter(|name| !name.is_empty());
        let names = names.map(|name| normal(name).to_ascii_lowercase());
        let own = names.chain([bound.ip().to_string()]).collect();
        Self { own, any_address: bound.ip().is_unspecified(), origins: Vec::new(), setting }
    }

    /// With pages of these origins let in.
    #[must_use]
    pub fn with_origins(self, origins: &[String]) -> Self {
        Self { origins: origins.to_vec(), ..self }
    }

    fn has(&self, name: &str) -> bool {
        match name.parse::<IpAddr>() {
            Ok(ip) => ip.to_canonical().is_loopback() || self.any_address || self.own.contains(&ip.to_string()),
            Err(_) => name == "localhost" || name.ends_with(".localhost") || self.own.contains(name),
        }
    }

    /// The first name in the head of a request that is not one of these.
    fn strange_in(&self, uri: &Uri, headers: &HeaderMap) -> Option<String> {
        let text = |value: &axum::http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let hosts = headers.get_all(HOST).iter().map(text).chain(uri.authority().map(ToString::to_string));
        // What has no origin, as a page in a frame without rights, comes from elsewhere too.
        let origins = headers.get_all(ORIGIN).iter().map(text).filter(|origin| !self.origins.contains(origin));
        let origins =
            origins.map(|origin| origin.split_once("://").map_or(origin.clone(), |(_, host)| host.to_owned()));
        hosts.chain(origins).find(|host| !self.has(&normal(without_port(host)).to_ascii_lowercase()))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Without the brackets of an address, or the dot that ends a whole name.
fn normal(name: &str) -> &str {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.strip_suffix('.').unwrap_or(bare)
}

/// Lets `router` answer under these names only; to others it says 421.
pub fn guard<S: Clone + Send + Sync + 'static>(router: Router<S>, names: ServerNames) -> Router<S> {
    router.layer(middleware::from_fn_with_state(Arc::new(names), check))
}

async fn check(State(names): State<Arc<ServerNames>>, request: Request, next: Next) -> Response {
    if request.version() == Version::HTTP_11 && !request.headers().contains_key(HOST) {
        return (StatusCode::BAD_REQUEST, "the request has no `Host`\n").into_response();
    }
    match names.strange_in(request.uri(), request.headers()) {
        None => next.run(request).await,
        Some(strange) => {
            let strange: String = strange.chars().filter(|sign| !sign.is_control()).take(SHOWN).collect();
            let told =
                format!("this server is not asked as or from `{strange}`; `{}` sets further names\n", names.setting);
            (StatusCode::MISDIRECTED_REQUEST, told).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strange(listen: &str, bound: &str, host: &str, origin: Option<&str>) -> bool {
        let further = ["Search.Example".to_owned()];
        let names = ServerNames::new(&listen.parse().unwrap(), bound.parse().unwrap(), &further, "x.hosts");
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        headers.extend(origin.map(|origin| (ORIGIN, origin.parse().unwrap())));
        names.strange_in(&Uri::from_static("/"), &headers).is_some()
    }

    #[test]
    fn own_names_are_answered_and_all_others_are_not() {
        let (listen, bound) = ("mill.internal:80", "10.0.0.7:80");
        for host in [
            "localhost",
            "LOCALHOST:80",
            "a.localhost:1",
            "127.0.0.1:80",
            "127.9.9.9",
            "[::1]:80",
            "[::ffff:127.0.0.1]",
            "10.0.0.7",
            "mill.internal:80",
            "mill.internal.",
            "search.example:443",
            "SEARCH.example",
        ] {
            assert!(!strange(listen, bound, host, None), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "evil-localhost",
            "127.0.0.1.evil.example",
            "10.0.0.8",
            "0.0.0.0:80",
            "[::]",
            "a.search.example",
            "evil@localhost",
            "localhost@evil.example",
            "",
            ":80",
            "localhost:evil",
            "2130706433",
        ] {
            assert!(strange(listen, bound, host, None), "{host}");
        }
    }

    #[test]
    fn a_server_at_every_address_answers_under_each_and_under_no_strange_name() {
        for host in ["192.0.2.1:80", "[2001:db8::1]", "0.0.0.0:80", "localhost"] {
            assert!(!strange(":80", "0.0.0.0:80", host, None), "{host}");
        }
        assert!(strange(":80", "0.0.0.0:80", "evil.example", None) && strange(":80", "0.0.0.0:80", "", None));
    }

    #[test]
    fn origins_of_the_settings_are_let_in_and_those_like_them_are_not() {
        let (listen, bound) = ("127.0.0.1:80".parse().unwrap(), "127.0.0.1:80".parse().unwrap());
        let names = ServerNames::new(&listen, bound, &[], "x.hosts").with_origins(&["https://app.example".to_owned()]);
        let strange = |origin: &str| {
            let fields = [(HOST, "127.0.0.1".parse().unwrap()), (ORIGIN, origin.parse().unwrap())];
            names.strange_in(&Uri::from_static("/"), &HeaderMap::from_iter(fields)).is_some()
        };
        assert!(!strange("https://app.example"));
        for other in ["http://app.example", "https://app.example:8443", "https://a.app.example", "null"] {
            assert!(strange(other), "{other}");
        }
    }

    #[test]
    fn pages_of_other_origins_are_refused_under_the_right_name_too() {
        let origin = |origin| strange("127.0.0.1:0", "127.0.0.1:8080", "127.0.0.1:8080", Some(origin));
        for own in ["http://127.0.0.1:8080", "http://localhost:3000", "https://search.example"] {
            assert!(!origin(own), "{own}");
        }
        for other in
            ["null", "http://evil.example", "https://evil.example:8080", "chrome-extension://abc", "http://10.0.0.1"]
        {
            assert!(origin(other), "{other}");
        }
    }
}
