//! Providers that name their challenges in the header of the answer.

/// Who answered with a challenge instead of the page, by the header alone.
///
/// * `field`: the value of a header field, by its name in small letters.
pub fn challenger<'v>(status: u16, field: impl Fn(&str) -> Option<&'v str>) -> Option<&'static str> {
    let is = |name: &str, value: &str| field(name).is_some_and(|found| found.trim().eq_ignore_ascii_case(value));
    let refuses = matches!(status, 401 | 403 | 405 | 429 | 503);
    if is("cf-mitigated", "challenge") {
        return Some("Cloudflare");
    }
    if is("x-amzn-waf-action", "challenge") || is("x-amzn-waf-action", "captcha") {
        return Some("AWS WAF");
    }
    if field("x-vercel-mitigated").is_some() {
        return Some("Vercel");
    }
    if field("x-vercel-challenge-token").is_some() {
        return Some("Vercel");
    }
    if field("x-sucuri-block").is_some() {
        return Some("Sucuri");
    }
    if refuses && (field("x-datadome").is_some() || field("x-dd-b").is_some()) {
        return Some("DataDome");
    }
    if refuses && is("server", "ddos-guard") {
        return Some("DDoS-Guard");
    }
    if refuses && field("x-px-block-score").or_else(|| field("x-px-blocked")).is_some() {
        return Some("HUMAN");
    }
    if refuses && field("x-kpsdk-ct").is_some() {
        return Some("Kasada");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protected_page_that_came_is_no_challenge() {
        let of = |status, name: &'static str, value| challenger(status, move |asked| (asked == name).then_some(value));
        assert_eq!(of(403, "cf-mitigated", "challenge"), Some("Cloudflare"));
        assert_eq!(of(202, "x-amzn-waf-action", "challenge"), Some("AWS WAF"));
        assert_eq!(of(429, "x-vercel-mitigated", "challenge"), Some("Vercel"));
        assert_eq!(of(403, "x-datadome", "protected"), Some("DataDome"));
        assert_eq!(of(200, "x-datadome", "protected"), None);
        assert_eq!(of(200, "server", "ddos-guard"), None);
        assert_eq!(of(403, "server", "nginx"), None);
    }
}
