//! Where a script sends its page: an assignment to `location` that runs in any case.

/// Objects through which a script reaches `location`.
const HOLDERS: [&str; 6] = ["window", "document", "self", "top", "parent", "globalThis"];

/// Ways in which a function runs by itself.
const RUNNERS: [&[&str]; 3] = [&["setTimeout", "("], &["onload", "="], &["("]];

/// Heads of a function without arguments.
const HEADS: [&[&str]; 3] = [&["function", "(", ")", "{"], &["(", ")", "=", ">", "{"], &["(", ")", "=", ">"]];

/// The target, as written, of the first statement that leads to another page whatever else is the case.
///
/// Statements in blocks are left out, as a condition may guard them, or a function that is never called; all but the first one of a
/// function that the script runs itself. So are targets that are put together. A sketch of a tokenizer: what it takes for code within a
/// regular expression costs a redirect. O(n), no recursion.
pub(super) fn script_target(script: &str) -> Option<String> {
    let bytes = script.as_bytes();
    let (mut at, mut depth, mut before) = (0, 0_usize, b';');
    while let Some(&byte) = bytes.get(at) {
        let rest = &script[at..];
        if let Some(end) = comment(rest) {
            at += end;
            continue;
        }
        let is_start = depth == 0 && matches!(before, b';' | b'}');
        if is_start
            && (is_word(byte) || byte == b'(')
            && let Some(target) = statement(rest).or_else(|| run_at_once(rest))
        {
            return Some(target);
        }
        match byte {
            b'\n' if depth == 0 && matches!(before, b'"' | b'\'' | b']') => before = b';',
            _ if byte.is_ascii_whitespace() => {}
            b'"' | b'\'' | b'`' => {
                at += literal_end(rest);
                before = byte;
                continue;
            }
            b'{' | b'(' | b'[' => (depth, before) = (depth + 1, byte),
            b'}' | b')' | b']' => (depth, before) = (depth.saturating_sub(1), byte),
            _ if is_word(byte) => {
                at += word(rest).len();
                before = byte;
                continue;
            }
            _ => before = byte,
        }
        at += script[at..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// The target of a statement that assigns to `location`.
fn statement(code: &str) -> Option<String> {
    let mut rest = code;
    while let Some(inner) = HOLDERS.iter().find_map(|holder| after(rest, &[holder, "."])) {
        rest = inner;
    }
    let rest = after(rest, &["location"])?;
    let (target, end) = match after(rest, &["="]).or_else(|| after(rest, &[".", "href", "="])) {
        Some(value) => {
            let (target, end) = literal(value)?;
            (target, &value[end..])
        }
        None => {
            let call = after(rest, &[".", "replace", "("]).or_else(|| after(rest, &[".", "assign", "("]))?;
            let (target, end) = literal(call)?;
            (target, after(call[end..].trim_start(), &[")"])?)
        }
    };
    let next = end.trim_start();
    let is_whole =
        next.is_empty() || next.starts_with([';', '}']) || next.len() < end.len() && is_word(next.as_bytes()[0]);
    let target = target.trim();
    (is_whole && !target.is_empty() && !target.starts_with('#')).then(|| target.to_owned())
}

/// The target of the first statement of a function that runs by itself.
fn run_at_once(code: &str) -> Option<String> {
    let code = after(code, &["window", "."]).unwrap_or(code);
    let function = RUNNERS.iter().find_map(|runner| after(code, runner))?;
    statement(HEADS.iter().find_map(|head| after(function, head))?)
}

/// What follows `tokens`, white space between and behind them left out.
fn after<'a>(code: &'a str, tokens: &[&str]) -> Option<&'a str> {
    tokens.iter().try_fold(code, |rest, token| {
        let left = rest.strip_prefix(token)?;
        let is_cut = is_word(token.as_bytes()[0]) && left.bytes().next().is_some_and(is_word);
        (!is_cut).then(|| left.trim_start())
    })
}

/// The length of a comment at the beginning.
fn comment(code: &str) -> Option<usize> {
    if code.starts_with("//") || code.starts_with("<!--") {
        return Some(code.find('\n').unwrap_or(code.len()));
    }
    code.starts_with("/*").then(|| code.find("*/").map_or(code.len(), |end| end + 2))
}

/// The string literal at the beginning, and where it ends. None where a value is put into it.
fn literal(code: &str) -> Option<(String, usize)> {
    let quote = code.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let (mut text, mut chars) = (String::new(), code.char_indices().skip(1));
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => return Some((text, at + 1)),
            '\n' if quote != '`' => return None,
            '$' if quote == '`' => return None,
            '\\' => match chars.next()?.1 {
                'x' => text.push(escaped(&mut chars, 2)?),
                'u' => text.push(escaped(&mut chars, 4)?),
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
    None
}

/// Where the literal at the beginning ends, whatever is put into it.
fn literal_end(code: &str) -> usize {
    let (bytes, mut at) = (code.as_bytes(), 1);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1 + code[at + 1..].chars().next().map_or(0, char::len_utf8),
            b'\n' if bytes[0] != b'`' => return at,
            _ if byte == bytes[0] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The character of an escape of so many hexadecimal digits.
fn escaped(chars: &mut impl Iterator<Item = (usize, char)>, n_digits: usize) -> Option<char> {
    let digits: String = chars.take(n_digits).map(|(_, c)| c).collect();
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

fn word(code: &str) -> &str {
    &code[..code.bytes().position(|byte| !is_word(byte)).unwrap_or(code.len())]
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_that_run_in_any_case_lead_on() {
        for script in [
            "location='/x'",
            "window.location.href = \"/x\";",
            "<!--\nself.location.replace('\\/x');\n//-->",
            "/* moved */ top.location.assign( '/x' )",
            "var a = 1; document.location = `/x`; b()",
            "if (old) { location = '/y' }\nlocation.href = '\\u002fx'",
            "'use strict'\nwindow.location = \"\\x2Fx\"\nfoo()",
            "setTimeout(function () { window.location.href = '/x'; }, 3000);",
            "(() => { location = '/x' })()",
            "window.onload = function() { location.replace('/x') }",
        ] {
            assert_eq!(script_target(script).as_deref(), Some("/x"), "{script}");
        }
    }

    #[test]
    fn what_may_not_run_or_is_put_together_does_not() {
        for script in [
            "if (window.innerWidth < 600) location = '/m'",
            "if (a) {} else location = '/m'",
            "if (a)\nlocation = '/m'",
            "function go() { location.href = '/x' }",
            "a && (location = '/x')",
            "button.onclick = () => { location = '/x' }",
            "location = '/x?from=' + document.title",
            "location.replace('/x' + location.hash)",
            "location = `/x/${id}`",
            "location == '/x'",
            "location.hash = '#x'; location.reload()",
            "location = '#top'",
            "var location = 'Berlin', x = 'location=\"/x\"'",
            "mylocation = '/x'; locations = '/x'; my.location = '/x'",
            "// location = '/x'",
            "location = '",
            "location = '\\u00",
            "location = \"\\",
        ] {
            assert_eq!(script_target(script), None, "{script}");
        }
    }

    #[test]
    fn any_script_is_read_in_linear_time() {
        for piece in
            ["location='", "/*", "`${", "(", "'\\'\\'", "setTimeout(", "window.", "\\u", "ß", "location=\"\n", "é'"]
        {
            let begun = std::time::Instant::now();
            script_target(&(piece.repeat(200_000) + "\\uzz"));
            assert!(begun.elapsed().as_secs() < 5, "{piece}");
        }
    }
}
