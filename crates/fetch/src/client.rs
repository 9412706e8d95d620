//! The client: one request from the judged address to the last byte, or the error that tells why not.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use gristmill_terms::FetchKind;
use gristmill_urls::CanonicalUrl;
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::{Host, Url};

use crate::budget::{BodyMemoryBudget, BudgetWait};
use crate::config::{ConfigError, FetchConfig};
use crate::connection_pool::ConnectionPool;
use crate::cookies::{Cookie, Cookies};
use crate::decode::{ContentEncoding, DecodeLimits, decode_begin};
use crate::dial::{DialLayer, is_hang_up, noting};
use crate::error::FetchError;
use crate::exchange::{RecordedBody, Recorder, request_head};
use crate::explain::{HEADER_READER_BYTES, MAX_HEADER_FIELDS, explain, resolve_error};
use crate::media::{self, DeclaredType};
use crate::proxies::Proxies;
use crate::resolver::{GuardedResolver, ResolveError, SharedResolver};
use crate::response::{Headers, Request, Response, ResponseBody, redirect_of};
use crate::sign::RequestSigner;
use crate::sites::{SiteFields, add_cookies, field_of};
use crate::transfer::{Transfer, TransferredBody, drain};
use crate::trust::trusting;

/// How often at most a download that waits for memory looks at the clock.
const SHORTEST_LOOK: Duration = Duration::from_millis(10);

/// Redirects of a page to itself that are followed: one for a cookie, one for an identifier in the address, and one back.
const MAX_OWN_REDIRECTS: usize = 3;

/// Downloads pages. Cheap to clone; one per process, since it holds the connections and the cache of names.
#[derive(Clone)]
pub struct Client {
    http: Arc<ConnectionPool>,
    /// For the hosts whose certificates are not checked.
    insecure: Option<Arc<ConnectionPool>>,
    pub(crate) config: Arc<FetchConfig>,
    resolver: Arc<GuardedResolver>,
    pub(crate) slots: Arc<HostLimiter>,
    budget: BodyMemoryBudget,
    /// Header fields that the library adds to every request.
    defaults: HeaderMap,
    /// Those that sites set on the way to a page; none without `fetch.cookies`.
    cookies: Option<Arc<Cookies>>,
    /// Fields of single sites.
    sites: Arc<[SiteFields]>,
    signer: Option<Arc<RequestSigner>>,
}

impl Client {
    /// Makes a client; opens no connection.
    ///
    /// # Errors
    /// [`ConfigError`] when a setting breaks a rule, a file is missing, or no certificate authority is known.
    pub fn new(config: &FetchConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        // Fails only when a provider is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let resolver = Arc::new(GuardedResolver::new(config));
        let defaults = default_headers(config)?;
        let most = config.max_connections;
        let connections = |insecure| {
            let (config, defaults, resolver) = (config.clone(), defaults.clone(), Arc::clone(&resolver));
            let build = move || build(&config, &defaults, &resolver, insecure);
            ConnectionPool::new(most, build).map(Arc::new)
        };
        let has_insecure = config.sites.iter().any(|site| site.insecure);
        let insecure = if has_insecure { Some(connections(true)?) } else { None };
        // Who sets the field means what it says.
        let cookies = config.cookies && !config.headers.keys().any(|name| name.eq_ignore_ascii_case("cookie"));
        Ok(Self {
            http: connections(false)?,
            insecure,
            config: Arc::new(config.clone()),
            resolver,
            slots: Arc::new(HostLimiter::new(config.connections_per_host)),
            budget: BodyMemoryBudget::new(config),
            defaults,
            cookies: cookies.then(Arc::default),
            sites: SiteFields::of(&config.sites)?.into(),
            signer: config.sign.signer().map_err(ConfigError::Invalid)?.map(Arc::new),
        })
    }

    fn connections_for(&self, url: &Url) -> &ConnectionPool {
        let is_insecure = |host: &str| self.config.is_insecure(host);
        self.insecure.as_ref().filter(|_| url.host_str().is_some_and(is_insecure)).unwrap_or(&self.http)
    }

    /// The library's client for a URL.
    pub(crate) fn http_for(&self, url: &Url) -> reqwest::Client {
        self.connections_for(url).client()
    }

    /// The cookies that the site of `url` has set, for a client that goes on later.
    pub fn cookies_of(&self, url: &Url) -> Vec<Cookie> {
        self.cookies.as_ref().map(|cookies| cookies.of_site(url)).unwrap_or_default()
    }

    /// Takes over what the site of `url` set earlier; without effect where it has set any since.
    pub fn restore_cookies(&self, url: &Url, earlier: &[Cookie]) {
        if let Some(cookies) = &self.cookies {
            cookies.restore(url, earlier);
        }
    }

    /// The settings that this client was made from.
    pub fn config(&self) -> &FetchConfig {
        &self.config
    }

    /// Makes one request and takes in the answer. Follows no redirect, and tries nothing twice, except over a connection that was
    /// kept and turns out to be dead, and where a redirect leads to the same page: with a cookie, or under another spelling.
    ///
    /// Waits first while the host has as many requests running as it may (one), and later while a large body finds no room
    /// in `fetch.max_bytes_in_flight`; the time limits count neither.
    ///
    /// # Errors
    /// [`FetchError`] when no answer came or its header or body broke a limit. A status such as 404 is an answer.
    pub async fn fetch(&self, request: &Request) -> Result<Response, FetchError> {
        self.fetch_recorded(request, &Recorder::default()).await
    }

    /// The same, and `recorder` keeps what went over the wire: of an answer whose body no one reads at most the first 64 KiB of it.
    ///
    /// # Errors
    /// As [`Client::fetch`].
    pub async fn fetch_recorded(&self, request: &Request, recorder: &Recorder) -> Result<Response, FetchError> {
        let answer = self.fetch_within_limits(request, recorder).await;
        answer.inspect_err(|error| recorder.failed(error))
    }

    async fn fetch_within_limits(&self, request: &Request, recorder: &Recorder) -> Result<Response, FetchError> {
        let url = sendable(&request.url)?;
        self.guard(&url).await.map_err(|error| resolve_error(url.as_str(), error))?;
        let _slot = self.slots.enter(url.origin().ascii_serialization()).await;
        let (limit, begun, waits) = (self.config.total_timeout, Instant::now(), Arc::new(BudgetWait::default()));
        let mut exchange = std::pin::pin!(self.exchange(request, &url, recorder, &waits));
        loop {
            let left = (limit + waits.total()).saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Err(FetchError::Timeout {
                    url: url.to_string(),
                    setting: "total_timeout",
                    limit,
                    stage: "fetching",
                });
            }
            tokio::select! {
                answer = exchange.as_mut() => return answer,
                () = tokio::time::sleep(left.max(SHORTEST_LOOK)) => {}
            }
        }
    }

    /// The address that `url` will be asked at, if its name resolves: the first of those that passed the guard. `None` behind a
    /// proxy, which resolves names itself.
    pub async fn address_of(&self, url: &Url) -> Option<IpAddr> {
        if self.proxies_of(url).is_some() {
            return None;
        }
        match url.host()? {
            Host::Ipv4(ip) => Some(ip.into()),
            Host::Ipv6(ip) => Some(ip.into()),
            Host::Domain(name) => Some(self.resolver.lookup(name).await.ok()?.first()?.ip()),
        }
    }

    fn proxies_of(&self, url: &Url) -> Option<&Proxies> {
        self.config.proxies_of(url.host_str().unwrap_or_default())
    }

    /// Whether `url` gets fields or a login of its own, so that its answer is for nobody else.
    pub fn has_own_fields(&self, url: &Url) -> bool {
        !SiteFields::for_url(&self.sites, url).is_empty()
    }

    pub(crate) async fn guard(&self, url: &Url) -> Result<(), ResolveError> {
        self.resolver.judge_literal(url)?;
        if self.proxies_of(url).is_some() && !self.config.allow_private {
            self.resolver.judge_for_proxy(url).await?;
        }
        Ok(())
    }

    async fn exchange(
        &self,
        request: &Request,
        url: &Url,
        recorder: &Recorder,
        waits: &Arc<BudgetWait>,
    ) -> Result<Response, FetchError> {
        let (started, clock) = (SystemTime::now(), Instant::now());
        let (head, mut answer) = self.send_to_page(request, url, recorder).await?;
        // Behind a proxy, that one's address says nothing of the site.
        let ip = answer.remote_addr().filter(|_| self.proxies_of(url).is_none()).map(|address| address.ip());
        if recorder.is_on() {
            recorder.answered(head, &answer, ip, started);
        }
        let headers = self.take_headers(url, &answer)?;
        let (status, mut refusal) = (answer.status().as_u16(), Bytes::new());
        let received = if (200..300).contains(&status) && !matches!(status, 204 | 205) {
            let incoming = RecordedBody::new(self.budget.share(waits), recorder);
            self.receive(request.kind, url, &headers, &mut answer, incoming, waits).await?
        } else {
            let (wire_bytes, begin) = drain(&self.config, &mut answer, recorder, refuses(status)).await;
            // A recorder has the begin of every other body kept, too.
            if refuses(status) {
                refusal = refusal_text(&answer, &begin);
            }
            TransferredBody { body: ResponseBody::default(), wire_bytes }
        };
        let duration = clock.elapsed();
        Ok(Response {
            url: url.clone(),
            status,
            headers,
            ip,
            wire_bytes: received.wire_bytes,
            body: received.body,
            refusal,
            started,
            finished: started + duration,
            duration,
        })
    }

    /// Sends the request, and again where the site sends us to the same page: with a cookie, or to another spelling of its address.
    async fn send_to_page(
        &self,
        request: &Request,
        url: &Url,
        recorder: &Recorder,
    ) -> Result<(Vec<u8>, reqwest::Response), FetchError> {
        let mut asked = url.clone();
        for _ in 0..MAX_OWN_REDIRECTS {
            let (head, mut answer) = self.send(request, &asked, recorder).await?;
            let Some(target) = self.same_page(&asked, &answer)? else { return Ok((head, answer)) };
            drain(&self.config, &mut answer, &Recorder::default(), false).await;
            asked = target;
        }
        self.send(request, &asked, recorder).await
    }

    /// Where an answer to `asked` leads, if that is the same page and asking again may help.
    fn same_page(&self, asked: &Url, answer: &reqwest::Response) -> Result<Option<Url>, FetchError> {
        if !answer.status().is_redirection() {
            return Ok(None);
        }
        let has_cookie = self.cookies.as_ref().is_some_and(|cookies| cookies.take_in(asked, answer.headers()));
        let target = redirect_of(answer.status().as_u16(), &self.take_headers(asked, answer)?, asked);
        let Some(target) = target.and_then(|target| sendable(&target).ok()) else { return Ok(None) };
        let is_same = target == *asked || target.origin() == asked.origin() && is_one_page(&target, asked);
        Ok((is_same && (has_cookie || target != *asked)).then_some(target))
    }

    /// Sends the request, and gives its head too where that is recorded.
    async fn send(
        &self,
        request: &Request,
        url: &Url,
        recorder: &Recorder,
    ) -> Result<(Vec<u8>, reqwest::Response), FetchError> {
        let mut builder =
            self.http_for(url).get(url.clone()).header(header::ACCEPT, accept(request.kind, &self.config));
        if !self.config.headers.keys().any(|name| name.eq_ignore_ascii_case("accept-encoding")) {
            builder = builder.header(header::ACCEPT_ENCODING, "gzip, deflate, br, zstd");
        }
        for (name, value) in
            [(header::IF_NONE_MATCH, &request.etag), (header::IF_MODIFIED_SINCE, &request.last_modified)]
        {
            // A validator that cannot be sent only costs a full answer.
            if let Some(value) = value.as_deref().and_then(|value| HeaderValue::from_str(value).ok()) {
                builder = builder.header(name, value);
            }
        }
        if let Some(signer) = &self.signer {
            builder = builder.headers(signer.fields(url, SystemTime::now()));
        }
        let own = if request.credentials { self.own_fields(url) } else { HeaderMap::new() };
        builder = builder.headers(own);
        let request = builder.build().map_err(|error| explain(&self.config, url.as_str(), &error))?;
        let head = match recorder.is_on() {
            true => request_head(url, request.headers(), &self.defaults),
            false => Vec::new(),
        };
        Ok((head, self.answer(request, url).await?))
    }

    /// The fields of its site alone: those of the settings, and the cookies that it set.
    pub(crate) fn own_fields(&self, url: &Url) -> HeaderMap {
        let mut own = SiteFields::for_url(&self.sites, url);
        if let Some(set) = self.cookies.as_ref().and_then(|cookies| cookies.field(url)) {
            add_cookies(&mut own, &set);
        }
        own
    }

    /// Sends a request and waits for the header of its answer.
    ///
    /// A server may close a connection that was kept at the moment when the next request goes out. Then it is asked again at once, as
    /// browsers do; each such try takes a dead connection away, so that the last one dials.
    pub(crate) async fn answer(&self, request: reqwest::Request, url: &Url) -> Result<reqwest::Response, FetchError> {
        let limit = self.config.connect_timeout + self.config.read_timeout;
        let connections = self.connections_for(url);
        let http = connections.client();
        let ask = async |request| {
            let (answer, has_dialled) = noting(http.execute(request)).await;
            if has_dialled {
                connections.count_dial();
            }
            (answer, has_dialled)
        };
        let asking = async {
            for _ in 0..self.config.connections_per_host {
                let Some(request) = request.try_clone() else { break };
                match ask(request).await {
                    (Err(error), false) if is_hang_up(&error) => {}
                    (answer, _) => return answer,
                }
            }
            ask(request).await.0
        };
        match tokio::time::timeout(limit, asking).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(explain(&self.config, url.as_str(), &error)),
            Err(_) => Err(FetchError::Timeout {
                url: url.as_str().to_owned(),
                setting: "read_timeout",
                limit: self.config.read_timeout,
                stage: "waiting for the answer",
            }),
        }
    }

    pub(crate) fn take_headers(&self, url: &Url, answer: &reqwest::Response) -> Result<Headers, FetchError> {
        let (limit, map) = (self.config.max_header_bytes, answer.headers());
        // Four bytes of `: ` and the line end belong to each field.
        let n_bytes: usize = map.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
        if n_bytes > limit {
            return Err(FetchError::HeaderTooLarge { url: url.as_str().to_owned(), limit });
        }
        Ok(Headers::from_map(answer.status().as_u16(), map))
    }

    async fn receive(
        &self,
        kind: FetchKind,
        url: &Url,
        headers: &Headers,
        answer: &mut reqwest::Response,
        incoming: RecordedBody<'_>,
        waits: &BudgetWait,
    ) -> Result<TransferredBody, FetchError> {
        let declared = media::judge_header(kind, &self.config.accept, headers.content_type.as_deref());
        if let DeclaredType::Unwanted(found) = declared {
            let wanted = media::wanted_types(kind);
            return Err(FetchError::BadType { url: url.as_str().to_owned(), found, wanted });
        }
        let mut codings = String::new();
        for value in answer.headers().get_all(header::CONTENT_ENCODING) {
            codings.push_str(&String::from_utf8_lossy(value.as_bytes()));
            codings.push(',');
        }
        let codings = ContentEncoding::applied(&codings)
            .map_err(|error| FetchError::BadEncoding { url: url.as_str().to_owned(), reason: error.to_string() })?;
        let transfer = Transfer::new(&self.config, url.as_str(), kind, declared, codings);
        transfer.check_declared_length(answer.content_length())?;
        transfer.run(answer, incoming, waits).await
    }
}

/// The library's client.
///
/// * `insecure`: it checks no certificate.
fn build(
    config: &FetchConfig,
    defaults: &HeaderMap,
    resolver: &Arc<GuardedResolver>,
    insecure: bool,
) -> Result<reqwest::Client, ConfigError> {
    let mut builder = reqwest::Client::builder()
        .default_headers(defaults.clone())
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connector_layer(DialLayer)
        .referer(false)
        .dns_resolver(SharedResolver(Arc::clone(resolver)))
        .connect_timeout(config.connect_timeout)
        .pool_max_idle_per_host(config.connections_per_host)
        .pool_idle_timeout(config.keep_alive)
        .tcp_nodelay(true)
        .http1_max_headers(MAX_HEADER_FIELDS)
        .http1_ignore_invalid_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http2_max_header_list_size(
            u32::try_from(config.max_header_bytes).unwrap_or(u32::MAX).max(HEADER_READER_BYTES),
        );
    builder = match config.all_proxies().next() {
        Some(_) => {
            let config = config.clone();
            builder.proxy(reqwest::Proxy::custom(move |url| {
                let host = url.host_str()?;
                config.proxies_of(host)?.choose(host)
            }))
        }
        None => builder.no_proxy(),
    };
    if insecure {
        builder = builder.tls_danger_accept_invalid_certs(true);
    }
    if !config.http2 {
        builder = builder.http1_only();
    }
    if let Some(path) = config.ca_file.as_ref().filter(|_| !insecure) {
        let pem =
            std::fs::read(path).map_err(|source| ConfigError::CaFile { path: path.display().to_string(), source })?;
        let trust = trusting(&pem, config.http2);
        builder = builder.tls_backend_preconfigured(trust.map_err(ConfigError::Certificates)?);
    }
    builder.build().map_err(ConfigError::Setup)
}

/// Whether an answer may be a wall, so that what it says is of use.
fn refuses(status: u16) -> bool {
    matches!(status, 401 | 403 | 405 | 429 | 503)
}

/// The begin of a body unpacked as far as it goes, where it has one coding at most.
fn refusal_text(answer: &reqwest::Response, wire: &Bytes) -> Bytes {
    const LIMITS: DecodeLimits = DecodeLimits { max_bytes: 256 * 1024, max_ratio: u32::MAX };
    let named = answer.headers().get(header::CONTENT_ENCODING).and_then(|value| value.to_str().ok());
    match ContentEncoding::applied(named.unwrap_or_default()).as_deref() {
        Ok([]) => wire.clone(),
        Ok([coding]) => decode_begin(wire, *coding, LIMITS).into(),
        _ => Bytes::new(),
    }
}

/// Whether two spellings are one page to the crawl, which knows pages by their canonical form.
fn is_one_page(one: &Url, other: &Url) -> bool {
    matches!((CanonicalUrl::from_url(one), CanonicalUrl::from_url(other)), (Ok(one), Ok(other)) if one == other)
}

/// The URL as it may go out: http or https, a host, and nothing that is not for the server.
pub(crate) fn sendable(url: &Url) -> Result<Url, FetchError> {
    let bad = |reason| FetchError::BadUrl { url: url.as_str().to_owned(), reason };
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("its scheme is not http or https"));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(bad("it has no host"));
    }
    let mut url = url.clone();
    url.set_fragment(None);
    url.set_username("").and_then(|()| url.set_password(None)).map_err(|()| bad("its user name cannot be removed"))?;
    Ok(url)
}

/// Fields of `fetch.headers` that hold no secret: what we are and what we can read.
const OPEN_FIELDS: [HeaderName; 5] =
    [header::ACCEPT, header::ACCEPT_ENCODING, header::ACCEPT_LANGUAGE, header::FROM, header::USER_AGENT];

/// The fields of every request: who we are, and those of the settings.
fn default_headers(config: &FetchConfig) -> Result<HeaderMap, ConfigError> {
    let mut map = HeaderMap::new();
    let agent = HeaderValue::try_from(config.user_agent());
    map.insert(
        header::USER_AGENT,
        agent.map_err(|_| ConfigError::Invalid("`fetch.contact` is no header field".into()))?,
    );
    for (name, value) in &config.headers {
        let (name, mut value) = field_of(name, value, "fetch.headers")?;
        value.set_sensitive(!OPEN_FIELDS.contains(&name));
        map.insert(name, value);
    }
    Ok(map)
}

fn accept(kind: FetchKind, config: &FetchConfig) -> String {
    match kind {
        FetchKind::Page | FetchKind::Render if config.accept.iter().any(|type_| type_ == media::ANY) => {
            media::ANY.to_owned()
        }
        FetchKind::Page | FetchKind::Render => format!("{},*/*;q=0.1", config.accept.join(",")),
        FetchKind::Robots => "text/plain,*/*;q=0.5".to_owned(),
        FetchKind::Tdm => "application/json,*/*;q=0.5".to_owned(),
        FetchKind::Sitemap | FetchKind::Feed => {
            "application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain;q=0.8,*/*;q=0.5".to_owned()
        }
    }
}

/// Holds the number of requests to one host under its limit.
pub(crate) struct HostLimiter {
    per_host: usize,
    /// Held only to look up or insert, never across a wait. Hosts without a request are swept out as it grows.
    hosts: Mutex<HashMap<String, Weak<Semaphore>>>,
}

impl HostLimiter {
    fn new(per_host: usize) -> Self {
        Self { per_host, hosts: Mutex::new(HashMap::new()) }
    }

    pub(crate) async fn enter(&self, origin: String) -> Option<HostPermit> {
        let host = self.host(origin);
        let permit = Arc::clone(&host).acquire_owned().await.ok()?;
        Some(HostPermit { _permit: permit, _host: host })
    }

    fn host(&self, origin: String) -> Arc<Semaphore> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = hosts.get(&origin).and_then(Weak::upgrade) {
            return host;
        }
        if hosts.len() >= 1024 && hosts.len().is_power_of_two() {
            hosts.retain(|_, host| host.strong_count() > 0);
        }
        let host = Arc::new(Semaphore::new(self.per_host));
        hosts.insert(origin, Arc::downgrade(&host));
        host
    }
}

pub(crate) struct HostPermit {
    _permit: OwnedSemaphorePermit,
    _host: Arc<Semaphore>,
}
