//! Where a script sends its page: an assignment to `location` that runs in any case.

/// Objects through which a script reaches `location`.
const HOLDERS: [&str; 6] = ["window", "document", "self", "top", "parent", "globalThis"];

/// Most names that a script gives to strings which are looked at.
const MAX_NAMED: usize = 16;

/// Ways in which a function runs by itself.
const RUNNERS: [&[&str]; 3] = [&["setTimeout", "("], &["onload", "="], &["("]];

/// Heads of a function without arguments.
const HEADS: [&[&str]; 3] = [&["function", "(", ")", "{"], &["(", ")", "=", ">", "{"], &["(", ")", "=", ">"]];

/// The target, as written, of the first statement that leads to another page whatever else is the case.
///
/// Statements in blocks are left out, as a condition may guard them, or a function that is never called; all but the first one of a
/// function that the script runs itself. So are targets that are put together, and names that are used for anything else. A sketch of a
/// tokenizer: what it takes for code within a regular expression costs a redirect. O(n), no recursion.
pub(super) fn script_target(script: &str) -> Option<String> {
    let bytes = script.as_bytes();
    let mut named = Vec::new();
    let (mut at, mut depth, mut before) = (0, 0_usize, b';');
    while let Some(&byte) = bytes.get(at) {
        let rest = &script[at..];
        if let Some(end) = comment(rest) {
            at += end;
            continue;
        }
        let is_start = depth == 0 && matches!(before, b';' | b'}');
        if is_start && (is_word(byte) || byte == b'(') {
            match statement(rest).or_else(|| run_at_once(rest)) {
                Some(Target::Written(target)) => return Some(target),
                Some(Target::Named(name)) => {
                    if let Some(target) = value_of(name, &mut named, script) {
                        return Some(target);
                    }
                }
                None if named.len() < MAX_NAMED => named.extend(declaration(rest)),
                None => {}
            }
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

/// What has this name, if it is named and then led to and nothing else; it is asked for once.
fn value_of(name: &str, named: &mut [(&str, String)], script: &str) -> Option<String> {
    let (known, value) = named.iter_mut().find(|(known, _)| *known == name)?;
    *known = "";
    (words_of(script).filter(|word| *word == name).count() == 2).then(|| std::mem::take(value))
}

/// Where a statement leads.
enum Target<'a> {
    Written(String),
    /// What has this name.
    Named(&'a str),
}

/// A name for a string that is written out: `var next = "/x"`.
fn declaration(code: &str) -> Option<(&str, String)> {
    let rest = ["var", "let", "const"].iter().find_map(|keyword| after(code, &[keyword]))?;
    let name = word(rest);
    let value = after(rest[name.len()..].trim_start(), &["="]).filter(|_| !name.is_empty())?;
    let (text, end) = literal(value)?;
    (is_whole(&value[end..]) && !leads_nowhere(text.trim())).then(|| (name, text.trim().to_owned()))
}

/// Whether nothing more belongs to a statement of which this is left.
fn is_whole(end: &str) -> bool {
    let next = end.trim_start();
    next.is_empty() || next.starts_with([';', '}']) || next.len() < end.len() && is_word(next.as_bytes()[0])
}

/// The target at the beginning, and where it ends.
fn target(code: &str) -> Option<(Target<'_>, usize)> {
    let name = word(code);
    match literal(code) {
        Some((text, end)) => Some((Target::Written(text.trim().to_owned()), end)),
        None => (!name.is_empty()).then_some((Target::Named(name), name.len())),
    }
}

/// The target of a statement that assigns to `location`.
fn statement(code: &str) -> Option<Target<'_>> {
    let mut rest = code;
    while let Some(inner) = HOLDERS.iter().find_map(|holder| after(rest, &[holder, "."])) {
        rest = inner;
    }
    let rest = after(rest, &["location"])?;
    let (target, end) = match after(rest, &["="]).or_else(|| after(rest, &[".", "href", "="])) {
        Some(value) => {
            let (target, end) = target(value)?;
            (target, &value[end..])
        }
        None => {
            let call = after(rest, &[".", "replace", "("]).or_else(|| after(rest, &[".", "assign", "("]))?;
            let (target, end) = target(call)?;
            (target, after(call[end..].trim_start(), &[")"])?)
        }
    };
    is_whole(end).then_some(target).filter(|target| !matches!(target, Target::Written(text) if leads_nowhere(text)))
}

/// Whether a target is a place on the page itself.
fn leads_nowhere(target: &str) -> bool {
    target.is_empty() || target.starts_with('#')
}

/// The target of the first statement of a function that runs by itself.
fn run_at_once(code: &str) -> Option<Target<'_>> {
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

fn words_of(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c| !u8::try_from(c).is_ok_and(is_word))
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
            "var next = '/x'; window.location = next;",
            "const a = 'y', b = 2; let next = \"/x\"\nlocation.replace(next)",
            "var next = '/x'; setTimeout(function () { location.href = next; }, 10)",
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
            "var next = '/x'; if (old) next = '/y'; location = next",
            "var next = '/x' + old; location = next",
            "var next = '/x'; location = next + old",
            "if (old) { var next = '/x' }\nlocation = next",
            "var next = '#top'; location = next; location = other",
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
