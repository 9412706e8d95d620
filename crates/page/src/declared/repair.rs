//! Makes JSON of what pages write for it.

use gristmill_html::unescape;

/// What stands around a script so that old browsers pass it over.
const AROUND: [(&str, &str); 4] =
    [("<!--", "-->"), ("/*<![CDATA[*/", "/*]]>*/"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>")];

/// Without comments, text around the value, raw line breaks in strings, semicolons, and commas before a closing bracket; with the
/// commas that lack, a `\` before quotes within a string, and strings between character references for quotes as strings. O(script).
pub(super) fn repair(script: &str) -> String {
    let script = value(script);
    let mut out = String::with_capacity(script.len() + 16);
    let mut rest = script.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                part(&mut out);
                rest = string(rest.as_str(), &mut out).chars();
            }
            '&' => match QUOTES.iter().find_map(|quote| Some((quote, rest.as_str().strip_prefix(quote)?))) {
                Some((quote, text)) => {
                    part(&mut out);
                    rest = encoded(text, quote, &mut out).chars();
                }
                None => out.push(c),
            },
            '/' if rest.as_str().starts_with(['/', '*']) => rest = after_comment(rest.as_str()).chars(),
            '}' | ']' => {
                let kept = out.trim_end().len();
                if out[..kept].ends_with(',') {
                    out.truncate(kept - 1);
                }
                out.push(c);
            }
            ';' => {}
            _ => out.push(c),
        }
    }
    out
}

/// Puts the comma that lacks between a value and the name after it.
fn part(out: &mut String) {
    if out.trim_end().ends_with(['}', ']', '"']) {
        out.push(',');
    }
}

/// Copies a string to its end, given what follows its first quote, and returns what follows its last.
fn string<'s>(text: &'s str, out: &mut String) -> &'s str {
    out.push('"');
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == '"' && !escaped {
            if ends_string(&text[at + 1..]) {
                out.push('"');
                return &text[at + 1..];
            }
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(if (c as u32) < 0x20 { ' ' } else { c });
    }
    ""
}

/// Character references for a quote, without their `&`.
const QUOTES: [&str; 5] = ["quot;", "#34;", "#034;", "#x22;", "amp;quot;"];

/// As [`string`], of one between character references for quotes, with what is encoded in it as it was.
fn encoded<'s>(text: &'s str, quote: &str, out: &mut String) -> &'s str {
    let end = text.match_indices('&').find(|&(at, _)| {
        let rest = text[at + 1..].strip_prefix(quote);
        !text[..at].ends_with('\\') && rest.is_some_and(ends_string)
    });
    let (inner, rest) = match end {
        Some((at, _)) => (&text[..at], &text[at + 1 + quote.len()..]),
        None => (text, ""),
    };
    let mut plain = unescape(inner).into_owned();
    if quote.starts_with("amp;") {
        plain = unescape(&plain).into_owned();
    }
    plain.push('"');
    string(&plain, out);
    rest
}

/// Whether a quote ends its string, by what follows: markup within strings has quotes that do not.
fn ends_string(rest: &str) -> bool {
    let next = rest.trim_start();
    let lacks_comma = || next.starts_with('"') && rest[..rest.len() - next.len()].contains('\n');
    next.is_empty() || next.starts_with([',', ':', ';', '}', ']']) || next.starts_with("//") || lacks_comma()
}

/// What follows a comment, given what follows its first slash.
fn after_comment(rest: &str) -> &str {
    let end = if rest.starts_with('/') { "\n" } else { "*/" };
    rest[1..].find(end).map_or("", |at| &rest[1 + at + end.len()..])
}

/// From the first bracket to the last, comments around them aside.
fn value(script: &str) -> &str {
    let mut script = script.trim();
    for (open, close) in AROUND {
        script = script.strip_prefix(open).unwrap_or(script).trim();
        script = script.strip_suffix(close).unwrap_or(script).trim();
    }
    let start = script.find(['{', '[']).unwrap_or(0);
    let end = script.rfind(['}', ']']).map_or(script.len(), |end| end + 1).max(start);
    &script[start..end]
}
