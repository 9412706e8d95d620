//! Which currency a place pays in, and in how many decimals its prices are written.

use std::collections::HashMap;
use std::sync::LazyLock;

use gristmill_html::Doc;

const CURRENCIES: &str = include_str!("../../dictionary/currencies.tsv");

/// What is known of the currencies in use.
struct Currencies {
    /// Code → decimals.
    decimals: HashMap<&'static str, u8>,
    /// Country → code.
    of_region: HashMap<&'static str, &'static str>,
    /// Language → code, where nearly all its readers pay in one currency.
    of_language: HashMap<&'static str, &'static str>,
}

static KNOWN: LazyLock<Currencies> = LazyLock::new(|| {
    let mut known = Currencies { decimals: HashMap::new(), of_region: HashMap::new(), of_language: HashMap::new() };
    for line in CURRENCIES.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let mut field = || fields.next().unwrap_or_default();
        let (code, decimals, regions, languages) = (field(), field(), field(), field());
        known.decimals.insert(code, decimals.parse().unwrap_or(2));
        known.of_region.extend(regions.split(' ').map(|region| (region, code)));
        known.of_language.extend(languages.split(' ').map(|language| (language, code)));
    }
    known
});

/// The codes of all currencies in use.
pub(super) fn codes() -> impl Iterator<Item = &'static str> {
    KNOWN.decimals.keys().copied()
}

/// How many decimals prices in a currency are written with.
pub(super) fn decimals(code: Option<&str>) -> u8 {
    code.and_then(|code| KNOWN.decimals.get(code)).copied().unwrap_or(2)
}

/// The currency of a locale: that of its region (`de-CH`, `zh_TW`), or else of a language of one country. `uk` is a
/// language here, and not the region that is written alike.
pub fn locale_currency(locale: &str) -> Option<&'static str> {
    let mut parts = locale.trim().split(['-', '_', '.']).map(str::to_ascii_lowercase);
    let language = parts.next().filter(|language| !language.is_empty())?;
    // A script (`zh-Hans-CN`) has four letters.
    let region = parts.find(|part| part.len() == 2).and_then(|region| region_currency(&region));
    region.or_else(|| KNOWN.of_language.get(language.as_str()).copied())
}

/// The currency of the country that a host's name ends in (`shop.example.kz`).
pub fn host_currency(host: &str) -> Option<&'static str> {
    let host = host.rsplit('@').next()?.split(':').next()?;
    let (rest, last) = host.rsplit_once('.')?;
    let last = last.to_ascii_lowercase();
    let below = rest.rsplit('.').next().unwrap_or_default();
    let is_of_country = !SOLD.contains(&last.as_str()) || OF_COUNTRIES.contains(&below) && rest.contains('.');
    is_of_country.then(|| region_currency(&last)).flatten()
}

/// The currency of the page's language region or, failing that, of its host's country.
pub(crate) fn usual_currency(doc: &Doc, url: Option<&str>) -> Option<&'static str> {
    let host = url.and_then(|url| url.split('/').nth(2));
    doc.lang().and_then(locale_currency).or_else(|| host.and_then(host_currency))
}

/// What stands before such an ending where the country gives names to its own: `com.co`.
const OF_COUNTRIES: [&str; 5] = ["com", "net", "org", "gov", "edu"];

/// Endings of hosts that most have nothing to do with the country: they are sold for what they spell.
const SOLD: [&str; 14] = ["co", "io", "me", "tv", "cc", "ai", "to", "ly", "fm", "ws", "gg", "la", "sh", "st"];

fn region_currency(region: &str) -> Option<&'static str> {
    KNOWN.of_region.get(region).copied().filter(|_| !region.is_empty())
}
