//! TeX as a page has it, without what its writer needed and a reader does not.

/// Pairs of delimiters, the longer of two that begin alike first, with whether what is between them is displayed.
pub(super) const DELIMITERS: [(&str, &str, bool); 9] = [
    ("$$", "$$", true),
    ("\\[", "\\]", true),
    ("\\(", "\\)", false),
    ("[tex]", "[/tex]", false),
    ("[latex]", "[/latex]", false),
    ("[math]", "[/math]", false),
    ("[itex]", "[/itex]", false),
    ("##", "##", false),
    ("$", "$", false),
];

/// The formula between its delimiters, if it has any.
fn within_delimiters(tex: &str) -> Option<(&str, bool)> {
    let tex = tex.trim();
    DELIMITERS.iter().find_map(|&(open, close, display)| {
        let inner = tex.strip_prefix(open)?.strip_suffix(close)?;
        Some((inner, display))
    })
}

/// Whether delimiters or an environment say that a formula is displayed.
pub(super) fn is_display(tex: &str) -> bool {
    const DISPLAYED: [&str; 6] = ["align", "equation", "gather", "multline", "eqnarray", "flalign"];
    let tex = body(tex).trim_start();
    let environment = tex.strip_prefix("\\begin{");
    within_delimiters(tex).is_some_and(|(_, display)| display)
        || environment.is_some_and(|name| DISPLAYED.iter().any(|known| name.starts_with(known)))
}

/// Whether a text has what only TeX has: a command, or an exponent or index of a formula.
pub(super) fn is_likely(text: &str) -> bool {
    has_command(text) || text.contains(['^', '_', '=', '{'])
}

/// Whether a text has a backslash with letters behind it.
pub(super) fn has_command(text: &str) -> bool {
    let letter = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic);
    memchr::memchr_iter(b'\\', text.as_bytes()).any(|at| letter(at + 1))
}

/// Journals keep a document of its own for each formula: what stands in it.
fn body(source: &str) -> &str {
    let source = source.split_once("\\begin{document}").map_or(source, |(_, rest)| rest);
    source.split_once("\\end{document}").map_or(source, |(body, _)| body)
}

/// Whether a text is TeX and not prose about it: it has commands, and next to no words beside them.
pub(super) fn is_whole(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().count() > 3 && word.chars().all(char::is_alphabetic);
    has_command(text) && text.split_whitespace().filter(is_word).count() < 2
}

/// One line of TeX: without delimiters, comments, leading definitions and the group that only sets a style. Empty where nothing
/// but definitions was there. O(text).
pub(super) fn tidy(source: &str) -> String {
    let line = on_one_line(body(source));
    let mut tex = line.trim();
    while let Some((inner, _)) = within_delimiters(tex) {
        tex = inner.trim();
    }
    // A comment behind definitions is one on them.
    let tex = without_definitions(tex);
    let tex = if tex.starts_with('%') { "" } else { tex };
    without_style(tex).trim().to_owned()
}

/// White space collapsed, comments gone: they would swallow what follows on one line.
fn on_one_line(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut comment = false;
    let mut escaped = false;
    for c in source.chars() {
        match c {
            '\n' | '\r' if comment => comment = false,
            _ if comment => {}
            '%' if !escaped => comment = true,
            c if c.is_whitespace() => {
                if !out.ends_with(' ') || escaped {
                    out.push(' ');
                }
            }
            c if c.is_control() => {}
            c => out.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    // Without a line end the comment would be all of the rest: then the sign was none.
    if comment && !out.trim().is_empty() { source.split_whitespace().collect::<Vec<_>>().join(" ") } else { out }
}

/// `{\displaystyle x}` is `x`.
fn without_style(tex: &str) -> &str {
    const STYLES: [&str; 4] = ["\\displaystyle", "\\textstyle", "\\scriptstyle", "\\scriptscriptstyle"];
    let Some(inner) = tex.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else { return tex };
    if group_len(tex) != Some(tex.len()) {
        return tex;
    }
    let inner = inner.trim_start();
    let style = STYLES.iter().find_map(|style| inner.strip_prefix(style));
    style.filter(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic())).map_or(tex, str::trim)
}

/// What follows the definitions that a formula begins with.
fn without_definitions(mut tex: &str) -> &str {
    while let Some(rest) = behind_definition(tex) {
        tex = rest.trim_start();
    }
    tex
}

fn behind_definition(tex: &str) -> Option<&str> {
    let command = tex.strip_prefix('\\')?;
    let name = &command[..command.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let rest = command[name.len()..].trim_start_matches(['*', ' ']);
    match name {
        "newcommand" | "renewcommand" | "providecommand" | "DeclareMathOperator" | "newenvironment" => {
            let rest = behind_argument(rest)?;
            let mut rest = rest.trim_start();
            while rest.starts_with('[') {
                rest = rest[rest.find(']')? + 1..].trim_start();
            }
            let rest = behind_argument(rest)?;
            if name == "newenvironment" { behind_argument(rest.trim_start()) } else { Some(rest) }
        }
        "def" | "gdef" | "edef" => behind_argument(&rest[rest.find('{')?..]),
        "let" => behind_argument(behind_argument(rest)?.trim_start_matches(['=', ' '])),
        "definecolor" => behind_argument(behind_argument(behind_argument(rest)?)?),
        "require" | "label" | "usepackage" => behind_argument(rest),
        _ => None,
    }
}

/// What follows a group or a command.
fn behind_argument(tex: &str) -> Option<&str> {
    match tex.as_bytes().first()? {
        b'{' => Some(&tex[group_len(tex)?..]),
        b'\\' => {
            let letters = tex[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
            tex.get(1 + letters.max(1)..)
        }
        _ => None,
    }
}

/// Bytes of the group that a text begins with, its braces included.
fn group_len(tex: &str) -> Option<usize> {
    let (mut depth, mut escaped) = (0usize, false);
    for (at, byte) in tex.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_writer_needed_goes() {
        for (source, expected) in [
            ("{\\displaystyle E=mc^{2}}", "E=mc^{2}"),
            ("{\\displaystyle a}+{b}", "{\\displaystyle a}+{b}"),
            ("$$ x\n  + y % sum\n z $$", "x + y z"),
            ("\\( 5\\% \\)", "5\\%"),
            ("[tex]x[/tex]", "x"),
            ("\\newcommand{\\R}{\\mathbb{R}} \\def\\x#1{{#1}} \\R^n", "\\R^n"),
            ("\\newcommand\\R[1][x]{\\mathbb{#1}}\\let\\a=\\b", ""),
            ("a \\\\ b", "a \\\\ b"),
            ("100% of", "100% of"),
            ("% arrow", ""),
            ("\\newcommand{\\v}[1]{\\vec{#1}} % arrow", ""),
            ("\\definecolor{x}{gray}{0.9}", ""),
            ("{", "{"),
        ] {
            assert_eq!(tidy(source), expected);
        }
        assert!(is_display("\\begin{align*} a") && is_display(" $$x$$") && !is_display("$x$"));
    }

    #[test]
    fn hostile_tex_takes_linear_time() {
        let start = cpu_time::ThreadTime::now();
        for part in ["{", "\\newcommand{\\a}{", "$", "\\", "\\def", "%", "\\let\\a\\b", "}{", "[tex]"] {
            tidy(&part.repeat(100_000));
        }
        assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    }
}
