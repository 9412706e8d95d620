//! What only some sites are sent: header fields, cookies, logins; and how they are reached.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gristmill_secrets::Secret;
use gristmill_urls::SitePattern;
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use url::Url;

use crate::config::ConfigError;
use crate::proxies::Proxies;

/// How the addresses of one site are asked, where that differs from others. Nothing of it is ever sent elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteFetchConfig {
    /// Its place in the settings, such as `sites[0]`.
    pub name: String,
    /// The addresses that it is about.
    pub pattern: SitePattern,
    /// `User-Agent` in place of ours.
    pub user_agent: Option<String>,
    /// Further header fields, in place of those of the same name that all sites get.
    pub headers: BTreeMap<String, Secret>,
    /// `name=value; name=value`, behind those of a `Cookie` among the headers, and before those that the site sets itself.
    pub cookies: Secret,
    /// User name of basic authentication.
    pub username: String,
    /// Password of basic authentication.
    pub password: Secret,
    /// Bearer token, in place of user name and password.
    pub bearer: Secret,
    /// In place of `fetch.proxy`; for whole hosts.
    pub proxy: Option<Proxies>,
    /// Whether certificates are not checked; for whole hosts.
    pub insecure: bool,
}

/// The fields of one site, ready to be sent.
pub(crate) struct SiteFields {
    pattern: SitePattern,
    fields: HeaderMap,
    cookies: Option<HeaderValue>,
}

impl SiteFetchConfig {
    /// One that changes nothing yet.
    pub fn of(name: impl Into<String>, pattern: SitePattern) -> Self {
        Self {
            name: name.into(),
            pattern,
            user_agent: None,
            headers: BTreeMap::new(),
            cookies: Secret::default(),
            username: String::new(),
            password: Secret::default(),
            bearer: Secret::default(),
            proxy: None,
            insecure: false,
        }
    }

    /// The rules that it breaks.
    pub(crate) fn wrong(&self) -> Vec<String> {
        let name = &self.name;
        let mut wrong = Vec::new();
        if let Err(error) = self.fields().and_then(|_| self.cookies()) {
            wrong.push(error.to_string());
        }
        for proxy in self.proxy.iter().flat_map(Proxies::wrong) {
            wrong.push(format!("`{name}.proxy` must be a URL of http, https, socks5 or socks5h, got `{proxy}`"));
        }
        if self.pattern.has_path() && (self.proxy.is_some() || self.insecure) {
            wrong.push(format!("`{name}.path` cannot stand beside `proxy` or `insecure`, which hold for whole hosts"));
        }
        let has_user = !self.username.is_empty() || !self.password.is_empty();
        if has_user && !self.bearer.is_empty() {
            wrong.push(format!("`{name}` has `bearer` and a user name or password: a request carries one of them"));
        }
        if self.username.is_empty() != self.password.is_empty() {
            let (one, other) =
                if self.username.is_empty() { ("password", "username") } else { ("username", "password") };
            wrong.push(format!(
                "`{name}` has `{one}` and no `{other}`: a login has both, and `headers` can carry an `Authorization` of another form"
            ));
        }
        wrong
    }

    /// Its header fields. What may hold a secret is marked, so that no archive and no log gets it.
    fn fields(&self) -> Result<HeaderMap, ConfigError> {
        let mut map = HeaderMap::new();
        if let Some(agent) = &self.user_agent {
            let mut agent = self.value("user_agent", agent)?;
            agent.set_sensitive(false);
            map.insert(header::USER_AGENT, agent);
        }
        if !self.bearer.is_empty() {
            map.insert(header::AUTHORIZATION, self.value("bearer", &format!("Bearer {}", self.bearer.reveal()))?);
        } else if !(self.username.is_empty() && self.password.is_empty()) {
            let basic = BASE64_STANDARD.encode(format!("{}:{}", self.username, self.password.reveal()));
            map.insert(header::AUTHORIZATION, self.value("password", &format!("Basic {basic}"))?);
        }
        for (name, value) in &self.headers {
            let (field, mut value) = field_of(name, value, &format!("{}.headers", self.name))?;
            value.set_sensitive(true);
            map.insert(field, value);
        }
        Ok(map)
    }

    /// Its cookies, which may stand beside a `Cookie` of its own or of another entry.
    fn cookies(&self) -> Result<Option<HeaderValue>, ConfigError> {
        (!self.cookies.is_empty()).then(|| self.value("cookies", self.cookies.reveal())).transpose()
    }

    /// The value of a header field by one of its keys, as a secret.
    fn value(&self, key: &str, value: &str) -> Result<HeaderValue, ConfigError> {
        let mut value = HeaderValue::from_str(value)
            .map_err(|_| ConfigError::Invalid(format!("`{}.{key}` is no value of a header field", self.name)))?;
        value.set_sensitive(true);
        Ok(value)
    }
}

/// A header field of the table `key` of the settings.
pub(crate) fn field_of(name: &str, value: &Secret, key: &str) -> Result<(HeaderName, HeaderValue), ConfigError> {
    let field = HeaderName::try_from(name).map_err(|_| {
        // Who writes a whole field as its name shows no value either.
        let shown = name.split([':', ' ']).next().unwrap_or_default();
        let more = if shown == name { "" } else { " …" };
        ConfigError::Invalid(format!(
            "`{key}` has `{shown}{more}`, which is no name of a header field: letters, digits and `-`, without spaces and colon"
        ))
    })?;
    let value = HeaderValue::from_str(value.reveal())
        .map_err(|_| ConfigError::Invalid(format!("`{name}` of `{key}` is no value of a header field")))?;
    Ok((field, value))
}

impl SiteFields {
    /// Those of all sites that have any.
    pub(crate) fn of(sites: &[SiteFetchConfig]) -> Result<Vec<SiteFields>, ConfigError> {
        let fields = |site: &SiteFetchConfig| {
            Ok(SiteFields { pattern: site.pattern.clone(), fields: site.fields()?, cookies: site.cookies()? })
        };
        let all = sites.iter().map(fields).collect::<Result<Vec<_>, ConfigError>>()?;
        Ok(all.into_iter().filter(|site| !site.fields.is_empty() || site.cookies.is_some()).collect())
    }

    /// The fields for `url`: of each name, and of cookies, those of the first site that covers it and has one.
    pub(crate) fn for_url(sites: &[SiteFields], url: &Url) -> HeaderMap {
        let mut map = HeaderMap::new();
        let host = url.host_str().unwrap_or_default();
        let covering = || sites.iter().filter(|site| site.pattern.covers(host, url.path()));
        for (name, value) in covering().flat_map(|site| &site.fields) {
            map.entry(name).or_insert_with(|| value.clone());
        }
        if let Some(cookies) = covering().find_map(|site| site.cookies.as_ref()) {
            add_cookies(&mut map, cookies);
        }
        map
    }
}

/// Adds cookies to those that are sent already.
pub(crate) fn add_cookies(fields: &mut HeaderMap, cookies: &HeaderValue) {
    let both = fields.get(header::COOKIE).map(|named| [named.as_bytes(), b"; ", cookies.as_bytes()].concat());
    let mut field = both.and_then(|both| HeaderValue::from_bytes(&both).ok()).unwrap_or_else(|| cookies.clone());
    field.set_sensitive(true);
    fields.insert(header::COOKIE, field);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_among_the_headers_stands_beside_the_cookies_of_another_entry() {
        let of = |name: &str| SiteFetchConfig::of(name, SitePattern::new(&["a.test".to_owned()], None).unwrap());
        let header =
            SiteFetchConfig { headers: [("Cookie".to_owned(), Secret::new("extra=2"))].into(), ..of("`--header`") };
        let cookies = |cookies: &str| SiteFetchConfig { cookies: Secret::new(cookies), ..of("sites[0]") };
        let sites = SiteFields::of(&[header, cookies("member=1"), cookies("member=2")]).unwrap();
        let fields = SiteFields::for_url(&sites, &Url::parse("http://a.test/").unwrap());
        let cookie = &fields[header::COOKIE];
        assert!(cookie == "extra=2; member=1" && cookie.is_sensitive(), "{cookie:?}");
    }
}
