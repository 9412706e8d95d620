//! Backslashes of Markdown: only where a CommonMark reader would otherwise read markup.
//!
//! While a block is put together, each character of the page that may be markup has [`LITERAL`] before it. When the block is
//! whole, [`resolve`] sees the neighbours that it got, and writes a backslash or nothing.

/// Stands before a character of the page that may be markup. Control characters are in no text of a page.
const LITERAL: char = '\u{1}';

/// Stands before and behind TeX, which is left alone.
const FORMULA: char = '\u{2}';

/// How far the closing bracket is looked for.
const MAX_LABEL: usize = 200;

/// Appends text of the page.
pub(super) fn push_literal(out: &mut String, text: &str) {
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '~' | '$') {
            out.push(LITERAL);
        }
        out.push(c);
    }
}

/// Appends TeX between its delimiters.
pub(super) fn push_formula(out: &mut String, tex: &str) {
    out.push(FORMULA);
    out.push_str(tex);
    out.push(FORMULA);
}

/// Text of the page within the brackets of a link or an image, where brackets that are no pair would end it, and some pairs be read as
/// more than themselves.
pub(super) fn push_label(out: &mut String, text: &str) {
    let mut depth = 0usize;
    let pairs = text.chars().all(|c| {
        let next = depth.checked_add_signed(isize::from(c == '[') - isize::from(c == ']'));
        depth = next.unwrap_or(usize::MAX);
        next.is_some()
    });
    let is_read = text.starts_with('[') || ["](", "][", "]:", "[^", "\\"].iter().any(|sign| text.contains(sign));
    let stays = pairs && depth == 0 && !is_read;
    for c in text.chars() {
        match c {
            '[' | ']' if !stays => out.push('\\'),
            '\\' | '`' | '*' | '_' | '<' | '&' | '~' | '$' => out.push(LITERAL),
            _ => {}
        }
        out.push(c);
    }
}

/// The block with backslashes where they are needed. O(text · [`MAX_LABEL`]) for brackets, else O(text).
pub(super) fn resolve(block: &str) -> String {
    if !block.contains([LITERAL, FORMULA]) {
        return block.to_owned();
    }
    let text = Text::new(block);
    let mut out = String::with_capacity(text.plain.len() + 8);
    let mut from = 0;
    for &at in &text.literals {
        out.push_str(&text.plain[from..at]);
        if text.is_markup(at) {
            out.push('\\');
        }
        from = at;
    }
    out.push_str(&text.plain[from..]);
    out
}

/// A block without the signs, and where they stood.
struct Text {
    plain: String,
    literals: Vec<usize>,
    /// Where TeX begins and ends.
    formulas: Vec<usize>,
    ticks: usize,
    /// Of stars, underscores and tildes, in order.
    runs: Vec<Run>,
    /// Characters of such runs beside which there is something that they could mark.
    stars: usize,
    underscores: usize,
    tildes: usize,
}

/// Neighbouring characters that are the same sign.
struct Run {
    sign: u8,
    end: usize,
    /// It can begin what another ends, and the other way round (CommonMark §6.2).
    opens: bool,
    closes: bool,
    /// A reader would take it for a mark.
    marks: bool,
}

impl Text {
    fn new(block: &str) -> Text {
        let (mut plain, mut literals, mut formulas) = (String::with_capacity(block.len()), Vec::new(), Vec::new());
        for c in block.chars() {
            match c {
                LITERAL => literals.push(plain.len()),
                FORMULA => formulas.push(plain.len()),
                c => plain.push(c),
            }
        }
        let ticks = plain.bytes().filter(|byte| *byte == b'`').count();
        let mut text = Text { plain, literals, formulas, ticks, runs: Vec::new(), stars: 0, underscores: 0, tildes: 0 };
        text.find_runs();
        text
    }

    fn find_runs(&mut self) {
        let mut at = 0;
        while let Some(found) = self.plain[at..].find(['*', '_', '~']) {
            let start = at + found;
            if let Some(end) = self.formula_end(start) {
                at = end;
                continue;
            }
            let sign = self.plain.as_bytes()[start];
            let end = start + self.plain.bytes().skip(start).take_while(|byte| *byte == sign).count();
            let (before, after) = (self.plain[..start].chars().next_back(), self.plain[end..].chars().next());
            // What is no letter or digit may be punctuation, what is not of ASCII may be none.
            let flanks = |inner: Option<char>, outer: Option<char>| {
                inner.is_some_and(|inner| {
                    !inner.is_whitespace()
                        && (!inner.is_ascii_punctuation() || outer.is_none_or(|outer| !outer.is_alphanumeric()))
                })
            };
            let within_word = [before, after].iter().all(|c| c.is_some_and(char::is_alphanumeric));
            // Beside a sign that is markup one of the page would be taken for a part of it.
            let literal = |at: usize| self.literals.partition_point(|&literal| literal < at);
            let is_own = literal(end) == literal(start);
            let is_mixed = !is_own && literal(end) - literal(start) != end - start;
            // Some readers strike what is between two of them, whatever is around.
            let strikes = sign == b'~' && end - start > 1;
            let any = is_own || is_mixed || strikes;
            let may = |flanks: bool| any || flanks && !(sign == b'_' && within_word);
            let (opens, closes) = (may(flanks(after, before)), may(flanks(before, after)));
            self.runs.push(Run { sign, end, opens, closes, marks: is_mixed });
            at = end;
        }
        self.pair_runs();
        for (before, run) in std::iter::once(0).chain(self.runs.iter().map(|run| run.end)).zip(&self.runs) {
            let len = self.plain.as_bytes()[before..run.end].iter().rev().take_while(|byte| **byte == run.sign).count();
            let count = match run.sign {
                b'*' => &mut self.stars,
                b'_' => &mut self.underscores,
                _ => &mut self.tildes,
            };
            *count += if run.marks { len } else { 0 };
        }
    }

    /// A run marks something where one before it opens and it closes, or it opens and one behind it closes.
    fn pair_runs(&mut self) {
        let place = |sign: u8| usize::from(sign == b'_') + 2 * usize::from(sign == b'~');
        let mut open = [false; 3];
        for run in &mut self.runs {
            run.marks |= run.closes && open[place(run.sign)];
            open[place(run.sign)] |= run.opens;
        }
        let mut closed = [false; 3];
        for run in self.runs.iter_mut().rev() {
            run.marks |= run.opens && closed[place(run.sign)];
            closed[place(run.sign)] |= run.closes;
        }
    }

    /// Where the TeX that holds this byte ends.
    fn formula_end(&self, at: usize) -> Option<usize> {
        let behind = self.formulas.partition_point(|&edge| edge <= at);
        if behind % 2 == 1 { self.formulas.get(behind).copied() } else { None }
    }

    /// Whether a reader that knows formulas would take a dollar sign for the begin of one, by the rules of pandoc.
    fn opens_formula(&self, at: usize) -> bool {
        let rest = &self.plain[at + 1..];
        let rest = &rest[..rest.floor_char_boundary(MAX_LABEL)];
        let Some(end) = rest.find('$') else { return false };
        let digit = |at: usize| rest.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        end > 0
            && !rest.starts_with(char::is_whitespace)
            && !rest[..end].ends_with(char::is_whitespace)
            && !digit(end + 1)
    }

    /// Whether the character of the page at this byte would be read as markup.
    fn is_markup(&self, at: usize) -> bool {
        let rest = &self.plain[at..];
        let after = rest.chars().nth(1);
        let marks = || self.runs[self.runs.partition_point(|run| run.end <= at)].marks;
        match rest.as_bytes()[0] {
            b'\\' => after.is_none_or(|c| c.is_ascii_punctuation() || c == '\n'),
            b'`' => self.ticks > 1,
            b'*' => self.stars > 1 && marks(),
            b'_' => self.underscores > 1 && marks(),
            b'~' => self.tildes > 1 && marks(),
            b'$' => self.opens_formula(at),
            b'<' => after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
            b'&' => is_entity(rest),
            b'[' => self.is_label(at),
            // The bracket that opens has the backslash.
            _ => false,
        }
    }

    /// Whether a bracket begins a link, a footnote, or the definition of either.
    fn is_label(&self, at: usize) -> bool {
        let mut depth = 0;
        let mut escaped = false;
        for (n, byte) in self.plain.bytes().enumerate().skip(at).take(MAX_LABEL) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'[' => depth += 1,
                b']' => {
                    depth -= 1;
                    if depth == 0 {
                        let begins_line = at == 0 || self.plain.as_bytes()[at - 1] == b'\n';
                        let is_note = self.plain.as_bytes().get(at + 1) == Some(&b'^') && n > at + 2;
                        return match self.plain.as_bytes().get(n + 1) {
                            Some(b'(' | b'[') => true,
                            Some(b':') if begins_line => true,
                            _ => is_note,
                        };
                    }
                }
                _ => {}
            }
        }
        // No end was found where it was looked for.
        self.plain.len() > at + MAX_LABEL
    }
}

/// Whether a text that begins with `&` begins with a character reference.
pub(super) fn is_entity(text: &str) -> bool {
    const MAX_BYTES: usize = 40;
    let name =
        text[1..].bytes().take(MAX_BYTES).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    name > 0 && text.as_bytes().get(1 + name) == Some(&b';')
}

/// A line with a backslash where it would begin a heading, a list, a quote, code, a rule or a table; `first` of its block.
pub(super) fn start(line: String, first: bool) -> String {
    let bytes = line.as_bytes();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let ends = |at: usize| matches!(bytes.get(at), None | Some(b' ' | b'\t'));
    let all_of = |set: &str| line.bytes().all(|byte| set.as_bytes().contains(&byte));
    let run = |sign: u8| line.bytes().take_while(|byte| *byte == sign).count();
    let before = match bytes.first() {
        Some(b'0'..=b'9') if digits <= 9 && matches!(bytes.get(digits), Some(b'.' | b')')) && ends(digits + 1) => {
            Some(digits)
        }
        Some(b'#') if run(b'#') <= 6 && ends(run(b'#')) => Some(0),
        // What is left of a rule would mark what is below it.
        Some(b'*') if all_of("* \t") => return line.replace('*', "\\*"),
        Some(b'_') if all_of("_ \t") => return line.replace('_', "\\_"),
        Some(b'-' | b'+' | b'*') if ends(1) => Some(0),
        Some(b'-') if all_of("- \t") || !first && all_of("-") => Some(0),
        Some(b'=') if !first && all_of("= \t") => Some(0),
        Some(b'~') if run(b'~') >= 3 => Some(0),
        Some(b'>') => Some(0),
        // A box to tick, in a list.
        Some(b'[') if matches!(bytes.get(1..4), Some(b" ] " | b"x] " | b"X] ")) => Some(0),
        // Below another line it would make a table of both.
        Some(b'|' | b':' | b'-') if all_of(":-| ") => Some(0),
        Some(b'|') => Some(0),
        // The definition of the line before, for some readers.
        Some(b':') if ends(1) => Some(0),
        _ => None,
    };
    match before {
        Some(at) => format!("{}\\{}", &line[..at], &line[at..]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut block = String::new();
        push_literal(&mut block, text);
        start(resolve(&block), true)
    }

    #[test]
    fn what_no_reader_takes_for_markup_stays_as_it_is() {
        for text in [
            "3.2 cm",
            "1986.",
            "Features & Software",
            "AT&T and R&D",
            "snake_case and an_other_name",
            "https://a.example/x_y?a=1&b=2",
            "~5 and 2 * 3 * 4",
            "a < b > c, x <3",
            "/~one/a and /~two/b",
            "a* b* c*",
            "*a *b *c",
            "see [1] and [sic], [a] [b]",
            "C:\\Programs\\new",
            "one * note",
            "don`t",
            "-5 degrees",
            "+49 30",
            "#1 of #all",
            "=> so",
            "a | b",
            "5) five"[2..].trim(),
        ] {
            let text = text.to_owned();
            let expected = if text == "1986." { "1986\\.".to_owned() } else { text.clone() };
            assert_eq!(escaped(&text), expected);
        }
    }

    #[test]
    fn what_a_reader_would_take_for_markup_is_escaped() {
        for (text, expected) in [
            ("*x*", "\\*x\\*"),
            ("_x_", "\\_x\\_"),
            ("`x`", "\\`x\\`"),
            ("~~x~~", "\\~\\~x\\~\\~"),
            ("[y](z)", "\\[y](z)"),
            ("[a]: b", "\\[a]: b"),
            ("x[^1]", "x\\[^1]"),
            ("<b>", "\\<b>"),
            ("&amp; &#38;", "\\&amp; \\&#38;"),
            ("a\\*", "a\\\\*"),
            ("1. one", "1\\. one"),
            ("- x", "\\- x"),
            ("# x", "\\# x"),
            ("> x", "\\> x"),
            ("---", "\\---"),
            ("***", "\\*\\*\\*"),
            ("~~~", "\\~~~"),
            ("| a |", "\\| a |"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }

    #[test]
    fn many_signs_take_linear_time() {
        let start = cpu_time::ThreadTime::now();
        for sign in ["[", "*", "_", "`", "~", "&", "<", "\\", "]", "*a", "[a", "_ "] {
            assert!(!escaped(&sign.repeat(300_000)).is_empty());
        }
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
