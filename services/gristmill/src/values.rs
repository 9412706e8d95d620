//! Values of options that clap does not know, read where they are typed: a wrong one is told with the option and the nearest right
//! one, and is wrong use.

use gristmill_extract::{Method, layout_methods, methods};
use gristmill_runtime::mistakes::nearest;
use gristmill_urls::{CanonicalUrl, CrawlScope, ScopeConfig};

/// Names of languages and their codes.
const LANGUAGES: &str = include_str!("languages.tsv");

/// The words behind a refusal that say what may have been meant.
fn hint(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

/// The code of a language, such as `en`.
pub fn language(text: &str) -> Result<String, String> {
    if matches!(text.len(), 2 | 3) && text.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Ok(text.to_owned());
    }
    let rows = || LANGUAGES.lines().filter_map(|line| line.split_once('\t'));
    let code_of = |name: &str| rows().find(|row| row.0 == name).map(|row| row.1);
    // `en-GB` and `EN` have their code in them.
    let first = text.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    let known = rows().map(|row| row.1).find(|code| *code == first);
    let meant = known.or_else(|| code_of(nearest(text, rows().map(|row| row.0))?));
    Err(format!("a language is given by its code of two or three small letters{}", hint(meant)))
}

/// An extraction method with its parameters.
pub fn method(text: &str) -> Result<String, String> {
    let read = text.parse::<Method>().or_else(|error| Method::for_layout(text).map_err(|_| error));
    read.map(|_| text.to_owned()).map_err(|error| {
        let all: Vec<&str> = methods().iter().chain(&layout_methods()).map(|method| method.name).collect();
        let name = text.split('(').next().unwrap_or_default();
        let meant = nearest(name, all.iter().copied()).filter(|meant| *meant != name);
        format!("{error}{}", hint(meant))
    })
}

/// A header field, `NAME: VALUE`.
pub fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("a header field is written `NAME: VALUE`")?;
    let (name, value) = (name.trim(), value.trim());
    if axum::http::HeaderName::try_from(name).is_err() {
        return Err(format!("`{name}` is no name of a header field: letters, digits and `-`, without spaces"));
    }
    if axum::http::HeaderValue::try_from(value).is_err() {
        return Err(format!(
            "the value of `{name}` has a line end or another control character, which no header field can hold"
        ));
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// The address of a page; without a scheme it is https.
pub fn address(text: &str) -> Result<String, String> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    match CanonicalUrl::parse(&whole, None) {
        Ok(_) => Ok(whole),
        Err(error) => Err(format!("{error}; an address is written `https://example.org/page`")),
    }
}

/// A pattern of URLs.
pub fn pattern(text: &str) -> Result<String, String> {
    let scope = ScopeConfig { include: vec![text.to_owned()], ..ScopeConfig::default() };
    match CrawlScope::new(&scope, []) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("it is no regular expression: {}", error.source)),
    }
}

/// A number of things.
pub fn whole<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "a whole number is meant, such as `20`".to_owned())
}

/// A time with its unit.
pub fn time(text: &str) -> Result<String, String> {
    match text.parse::<humantime::Duration>() {
        Ok(_) => Ok(text.to_owned()),
        Err(_) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err(format!("a time has a unit; did you mean `{text}s`?"))
        }
        Err(_) => Err("a time is a number with its unit, such as `500ms` or `2s`".to_owned()),
    }
}

/// A time between two visits, with its unit.
pub fn interval(text: &str) -> Result<String, String> {
    let text = time(text)?;
    let is_none = text.parse::<humantime::Duration>().is_ok_and(|time| time.is_zero());
    if is_none {
        Err("no time is left between two visits; `1s` is the shortest that makes sense".to_owned())
    } else {
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_fields_and_addresses_are_told_by_what_is_wrong_with_them() {
        assert_eq!(header("X-Mill: rye "), Ok(("X-Mill".to_owned(), "rye".to_owned())));
        assert!(header("X Mill: rye").unwrap_err().contains("`X Mill` is no name"));
        assert!(header("X-Mill: rye\nX-Other: oats").unwrap_err().contains("`X-Mill` has a line end"));
        assert_eq!(address("example.org/a").as_deref(), Ok("https://example.org/a"));
        assert_eq!(address("http://example.org/a#b").as_deref(), Ok("http://example.org/a#b"));
        assert!(address("not a url").unwrap_err().contains("https://example.org/page"));
    }

    #[test]
    fn numbers_are_whole() {
        assert_eq!(whole::<u64>("20"), Ok(20));
        for typed in ["", "abc", "-1", "1.5", "1e3", "99999"] {
            assert!(whole::<u16>(typed).unwrap_err().contains("whole number"), "{typed}");
        }
        assert!(whole::<std::num::NonZeroU32>("0").is_err());
    }

    #[test]
    fn values_that_cannot_be_are_refused_with_the_nearest() {
        assert_eq!(language("en").as_deref(), Ok("en"));
        for (typed, meant) in
            [("english", "en"), ("Englsh", "en"), ("Deutsch", "de"), ("EN", "en"), ("zh-TW", "zh"), ("中文", "zh")]
        {
            assert!(language(typed).unwrap_err().ends_with(&format!("did you mean `{meant}`?")), "{typed}");
        }
        for typed in ["", "quux language", "1", "e", "e1"] {
            assert!(!language(typed).unwrap_err().contains("did you mean"), "{typed}");
        }
        assert!(method("best").is_ok() && method("vsse(t1=0.3)").is_ok() && method("clg").is_ok());
        assert!(method("bset").unwrap_err().contains("did you mean `best`?"), "{:?}", method("bset"));
        assert!(!method("vsse(t9=1)").unwrap_err().contains("did you mean"), "{:?}", method("vsse(t9=1)"));
        assert!(time("1s").is_ok() && time("0s").is_ok());
        assert!(interval("1s").is_ok() && interval("0s").is_err());
        assert!(
            time("2").unwrap_err().contains("`2s`")
                && time("soon").is_err()
                && time("-1s").is_err()
                && time("").is_err()
        );
    }
}
