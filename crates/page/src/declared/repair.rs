//! Makes JSON of what pages write for it.

/// What stands around a script so that old browsers pass it over.
const AROUND: [(&str, &str); 4] =
    [("<!--", "-->"), ("/*<![CDATA[*/", "/*]]>*/"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>")];

/// Without comments and text around the value, raw line breaks in strings, semicolons, and commas before a closing
/// bracket. O(script).
pub(super) fn repair(script: &str) -> String {
    let script = value(script);
    let mut out = String::with_capacity(script.len());
    let (mut inside, mut escaped) = (false, false);
    for c in script.chars() {
        if inside {
            inside = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
            out.push(if (c as u32) < 0x20 { ' ' } else { c });
            continue;
        }
        match c {
            '"' => inside = true,
            '}' | ']' => {
                let kept = out.trim_end().len();
                if out[..kept].ends_with(',') {
                    out.truncate(kept - 1);
                }
            }
            ';' => continue,
            _ => {}
        }
        out.push(c);
    }
    out
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
