//! Rules for single sites, `[[sites]]`: one table, of which each part of the program takes what concerns it.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use anyhow::Context;
use gristmill_fetch::{Proxies, SiteFetchConfig};
use gristmill_frontier::SiteCrawlConfig;
use gristmill_reading::rules::{AttributeConfig, SiteRulesConfig};
use gristmill_scheduler::seeds::Seed;
use gristmill_secrets::Secret;
use gristmill_urls::SitePattern;
use serde::{Deserialize, Serialize};

use crate::settings::Settings;

/// One entry. What it leaves out is as for all sites.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SiteSettings {
    /// Host names; `*.shop.example` means `shop.example` and every host below it.
    pub hosts: Vec<String>,
    /// How paths begin that it covers; all if not set.
    pub path: Option<String>,
    /// As `frontier.politeness.min_delay`.
    #[serde(with = "humantime_serde", skip_serializing_if = "Option::is_none")]
    pub delay: Option<Duration>,
    /// Most requests in an hour: a delay in other words.
    pub budget: Option<NonZeroU32>,
    /// Time between two visits of a page, where pages are visited again.
    #[serde(with = "humantime_serde", skip_serializing_if = "Option::is_none")]
    pub recrawl: Option<Duration>,
    /// As `frontier.scope.max_depth`.
    pub max_depth: Option<u16>,
    /// As `frontier.scope.include`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// As `frontier.scope.exclude`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// `User-Agent` in place of ours.
    pub user_agent: Option<String>,
    /// Further header fields.
    #[serde(deserialize_with = "gristmill_secrets::table", skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, Secret>,
    /// Cookies, `name=value; name=value`.
    #[serde(skip_serializing_if = "Secret::is_empty")]
    pub cookies: Secret,
    /// User name of basic authentication.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub username: String,
    /// Password of basic authentication.
    #[serde(skip_serializing_if = "Secret::is_empty")]
    pub password: Secret,
    /// Bearer token.
    #[serde(skip_serializing_if = "Secret::is_empty")]
    pub bearer: Secret,
    /// As `fetch.proxy`.
    pub proxy: Option<Proxies>,
    /// Whether certificates are not checked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub insecure: bool,
    /// Which pages a browser renders, as `extractor.render`.
    pub render: Option<String>,
    /// What every page is.
    pub kind: Option<String>,
    /// Where the title stands.
    pub title: Option<String>,
    /// Where the price stands.
    pub price: Option<String>,
    /// Where attributes stand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<AttributeConfig>,
    /// Elements that are left out of text and records.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
}

/// All keys of an entry, as a comment for a settings file without any.
pub const KEYS: &str = "
# Rules for single sites, as many as you like; each key but `hosts` may be left out.
# [[sites]]
# hosts = [\"*.shop.example\"]
# path = \"/news/\"
# delay = \"5s\"
# budget = 60
# recrawl = \"6h\"
# max_depth = 3
# include = []
# exclude = []
# user_agent = \"\"
# headers = {}
# cookies = \"name=value\"
# username = \"\"
# password = { from_env = \"SHOP_PASSWORD\" }
# bearer = { from_file = \"/run/secrets/shop\" }
# proxy = \"\"
# insecure = false
# render = \"auto\"
# kind = \"product\"
# title = \"h1\"
# price = \".price\"
# attributes = []
# remove = []
";

/// Gives each part of the program its share of `[[sites]]`.
///
/// # Errors
/// Entries that cover nothing.
pub fn distribute(settings: &mut Settings) -> anyhow::Result<()> {
    for (n, site) in settings.sites.iter().enumerate() {
        let name = format!("sites[{n}]");
        let pattern = SitePattern::new(&site.hosts, site.path.as_deref());
        let pattern = pattern.map_err(|error| anyhow::anyhow!("`{name}`: {error}"))?;
        settings.frontier.sites.push(site.crawling(name.clone(), pattern.clone()));
        settings.fetch.sites.push(site.fetching(name, pattern));
        settings.extractor.sites.push(site.reading());
    }
    Ok(())
}

/// Has the header fields of the command line sent to the hosts of the start URLs, and nowhere else.
///
/// # Errors
/// There is no start URL.
pub fn send_headers(settings: &mut Settings, seeds: &[Seed], headers: &[(String, String)]) -> anyhow::Result<()> {
    if headers.is_empty() {
        return Ok(());
    }
    let mut hosts: Vec<String> = seeds.iter().map(|seed| seed.url.host().to_owned()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let pattern = SitePattern::new(&hosts, None);
    let pattern = pattern.context("`--header` is for the hosts of the start URLs; `[[sites]]` is for others")?;
    let headers = headers.iter().map(|(name, value)| (name.clone(), Secret::new(value))).collect();
    // What is said of this crawl goes before what is said of all.
    settings.fetch.sites.insert(0, SiteFetchConfig { headers, ..SiteFetchConfig::of("--header", pattern) });
    Ok(())
}

impl SiteSettings {
    fn crawling(&self, name: String, pattern: SitePattern) -> SiteCrawlConfig {
        let hour = Duration::from_secs(3600);
        SiteCrawlConfig {
            name,
            pattern,
            delay: self.delay.max(self.budget.map(|budget| hour / budget.get())),
            max_depth: self.max_depth,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            recrawl: self.recrawl,
        }
    }

    fn fetching(&self, name: String, pattern: SitePattern) -> SiteFetchConfig {
        SiteFetchConfig {
            user_agent: self.user_agent.clone(),
            headers: self.headers.clone(),
            cookies: self.cookies.clone(),
            username: self.username.clone(),
            password: self.password.clone(),
            bearer: self.bearer.clone(),
            proxy: self.proxy.clone(),
            insecure: self.insecure,
            ..SiteFetchConfig::of(name, pattern)
        }
    }

    fn reading(&self) -> SiteRulesConfig {
        SiteRulesConfig {
            hosts: self.hosts.clone(),
            path: self.path.clone(),
            kind: self.kind.clone(),
            render: self.render.clone(),
            title: self.title.clone(),
            price: self.price.clone(),
            attributes: self.attributes.clone(),
            remove: self.remove.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_comment_names_every_key_of_an_entry_and_can_be_used() {
        let entry: String =
            KEYS.lines().filter_map(|line| line.strip_prefix("# ")).skip(1).map(|line| format!("{line}\n")).collect();
        let written: toml::Table = toml::from_str(&entry).unwrap();
        let mut site = written["sites"][0].as_table().unwrap().clone();
        // The loader puts the texts of variables and files in their places.
        for secret in ["password", "bearer"] {
            site.insert(secret.to_owned(), "a secret".into());
        }
        let named: Vec<String> = site.keys().cloned().collect();
        site.try_into::<SiteSettings>().unwrap();
        let unknown = toml::from_str::<SiteSettings>("nothing = 1").unwrap_err().to_string();
        let keys: Vec<&str> =
            unknown.split('`').skip(1).step_by(2).filter(|key| *key != "nothing" && !key.contains(' ')).collect();
        let missing: Vec<&&str> = keys.iter().filter(|key| !named.iter().any(|name| name == **key)).collect();
        assert!(missing.is_empty() && keys.len() > 20, "{missing:?} of {keys:?}");
    }
}
