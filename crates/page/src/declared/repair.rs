//! Makes JSON of what pages write for it.

/// What stands around a script so that old browsers pass it over.
const AROUND: [(&str, &str); 4] =
    [("<!--", "-->"), ("/*<![CDATA[*/", "/*]]>*/"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>")];

/// Without comments, text around the value, raw line breaks in strings, semicolons, and commas before a closing bracket; with the
/// commas that lack, and a `\` before quotes within a string. O(script).
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
