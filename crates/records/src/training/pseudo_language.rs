//! Languages that do not exist: copies of pages whose visible words nobody knows, so that a model learns from how a page is built.

/// A language that does not exist. Letters become other letters of their kind: vowels vowels, consonants consonants, capitals
/// capitals, Han characters Han characters. Equal words stay equal and different words different.
///
/// Digits, marks, signs of currencies and the symbols of units stay, since they are the same in most languages. So do tags,
/// attributes, scripts and styles, except for the values of JSON-LD, which pages repeat in their text, and, in every second language,
/// the words of classes and identifiers: many shops have them made by a tool, and then they say nothing.
#[derive(Debug, Clone, Copy)]
pub struct PseudoLanguage {
    seed: u32,
}

/// Symbols that shops of most languages write in Latin letters.
const KEPT: [&str; 24] = [
    "mm", "cm", "m", "km", "kg", "g", "mg", "ml", "cl", "l", "w", "kw", "v", "a", "hz", "mhz", "ghz", "mb", "gb", "tb",
    "mah", "db", "x", "wh",
];
const VOWELS: &[u8] = b"aeiou";
const CONSONANTS: &[u8] = b"bcdfghjklmnpqrstvwxyz";
/// Letters of other scripts, by first and last character; each turns within its own range.
const RANGES: [(u32, u32); 9] = [
    (0x0410, 0x042F),
    (0x0430, 0x044F),
    (0x03B1, 0x03C9),
    (0x05D0, 0x05EA),
    (0x0621, 0x063A),
    (0x3041, 0x3093),
    (0x30A1, 0x30F3),
    (0x4E00, 0x9FA5),
    (0xAC00, 0xD7A3),
];
/// Attributes whose words name an element.
const NAMED: [&str; 4] = [" class=\"", " class='", " id=\"", " id='"];
/// Elements whose content is no text of the page.
const RAW: [&str; 3] = ["script", "style", "textarea"];

impl PseudoLanguage {
    /// One language for each number.
    pub fn new(seed: u32) -> PseudoLanguage {
        PseudoLanguage { seed }
    }

    /// The words of a text in this language. O(bytes).
    pub fn text(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        self.push(text, &mut out);
        out
    }

    /// A page whose visible words are in this language. O(bytes). What is no well-formed markup is mapped somehow.
    pub fn html(self, html: &str) -> String {
        let mut out = String::with_capacity(html.len());
        let mut rest = html;
        while let Some(at) = rest.find('<') {
            self.push_escaped(&rest[..at], &mut out);
            let end = tag_end(&rest[at..]);
            let tag = &rest[at..at + end];
            self.push_tag(tag, &mut out);
            rest = &rest[at + end..];
            if let Some(raw) = RAW.iter().find(|raw| is_start(tag, raw)) {
                let close = find_close(rest, raw);
                if *raw == "script" && tag.to_ascii_lowercase().contains("ld+json") {
                    self.push_json(&rest[..close], &mut out);
                } else {
                    out.push_str(&rest[..close]);
                }
                rest = &rest[close..];
            }
        }
        self.push_escaped(rest, &mut out);
        out
    }

    /// A tag, its classes and identifiers in letters that say nothing where this language does so.
    fn push_tag(self, tag: &str, out: &mut String) {
        let mut rest = tag;
        while self.seed.is_multiple_of(2)
            && let Some(start) = NAMED.iter().filter_map(|named| Some(rest.find(named)? + named.len())).min()
        {
            let (before, value) = rest.split_at(start);
            out.push_str(before);
            let end = value.find(['"', '\'']).unwrap_or(value.len());
            out.extend(value[..end].chars().map(|c| self.letter(c)));
            rest = &value[end..];
        }
        out.push_str(rest);
    }

    /// Text with character references, which stay as they are.
    fn push_escaped(self, text: &str, out: &mut String) {
        let mut rest = text;
        while let Some(at) = rest.find('&') {
            self.push(&rest[..at], out);
            let name =
                rest[at + 1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '#').unwrap_or(rest.len() - at - 1);
            out.push_str(&rest[at..at + 1 + name]);
            rest = &rest[at + 1 + name..];
        }
        self.push(rest, out);
    }

    /// JSON whose strings are mapped, but for keys, types, addresses and what has escapes.
    fn push_json(self, json: &str, out: &mut String) {
        let (mut key, mut rest) = ("", json);
        while let Some(open) = rest.find('"') {
            out.push_str(&rest[..=open]);
            let inner = &rest[open + 1..];
            let (string, after) = inner.split_at(string_end(inner));
            let (quote, after) = after.split_at(after.len().min(1));
            let is_key = after.trim_start().starts_with(':');
            if is_key {
                key = string;
            }
            let stays = is_key || key.starts_with('@') || string.contains("://") || string.contains('\\');
            if stays {
                out.push_str(string)
            } else {
                self.push(string, out)
            }
            out.push_str(quote);
            rest = after;
        }
        out.push_str(rest);
    }

    fn push(self, text: &str, out: &mut String) {
        let mut rest = text;
        while !rest.is_empty() {
            let word = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
            let (word, after) = rest.split_at(word);
            let is_kept = word.len() <= 3 && KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(word));
            if is_kept {
                out.push_str(word)
            } else {
                out.extend(word.chars().map(|c| self.letter(c)))
            }
            let next = after.find(char::is_alphabetic).unwrap_or(after.len());
            out.push_str(&after[..next]);
            rest = &after[next..];
        }
    }

    fn letter(self, c: char) -> char {
        let turned = |letters: &[u8], c: u8| {
            let at = letters.iter().position(|&letter| letter == c).unwrap_or_default();
            letters[(at + 1 + self.seed as usize % (letters.len() - 1)) % letters.len()]
        };
        if c.is_ascii_alphabetic() {
            let lower = c.to_ascii_lowercase() as u8;
            let letters = if VOWELS.contains(&lower) { VOWELS } else { CONSONANTS };
            let other = char::from(turned(letters, lower));
            return if c.is_ascii_uppercase() { other.to_ascii_uppercase() } else { other };
        }
        let range = RANGES.iter().find(|(first, last)| (*first..=*last).contains(&(c as u32)));
        let Some(&(first, last)) = range else { return c };
        let n = last - first + 1;
        char::from_u32(first + (c as u32 - first + 1 + self.seed.wrapping_mul(37) % (n - 1)) % n).unwrap_or(c)
    }
}

/// Where the tag or comment at the start of `html` ends, its last mark included.
fn tag_end(html: &str) -> usize {
    let after = |mark: &str| html.find(mark).map_or(html.len(), |at| at + mark.len());
    if html.starts_with("<!--") {
        return after("-->");
    }
    if !html[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
        return 1;
    }
    let mut quote = None;
    for (at, byte) in html.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return at + 1,
            _ => {}
        }
    }
    after(">")
}

fn is_start(tag: &str, name: &str) -> bool {
    let inner = &tag.as_bytes()[1..];
    inner.len() > name.len()
        && inner[..name.len()].eq_ignore_ascii_case(name.as_bytes())
        && !inner[name.len()].is_ascii_alphanumeric()
}

/// Where the end tag of a raw element begins.
fn find_close(html: &str, name: &str) -> usize {
    let is_close = |at: &usize| {
        let rest = &html.as_bytes()[at + 2..];
        rest.len() >= name.len() && rest[..name.len()].eq_ignore_ascii_case(name.as_bytes())
    };
    html.match_indices("</").map(|(at, _)| at).find(is_close).unwrap_or(html.len())
}

/// Where the JSON string ends that begins with `text`: at the first quote that is not escaped.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    let is_end = |byte: u8| {
        let is_end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_end
    };
    text.bytes().position(is_end).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_change_and_everything_else_stays() {
        let language = PseudoLanguage::new(7);
        let page = language.html("<p class=weight>Weight: 1.2 kg &amp; weight&nbsp;&lt; 5</p><script>weight</script>");
        let (before, after) = page.split_once(" &amp; ").unwrap();
        let word = before.strip_prefix("<p class=weight>").unwrap().strip_suffix(": 1.2 kg").unwrap();
        assert!(word != "Weight" && word.len() == 6 && word.starts_with(char::is_uppercase), "{page}");
        assert_eq!(after, format!("{}&nbsp;&lt; 5</p><script>weight</script>", word.to_lowercase()));
        assert_eq!(language.text("Weight"), word);
        assert_ne!(language.text("品牌 Бренд מותג"), "品牌 Бренд מותג");
    }

    #[test]
    fn what_a_page_declares_is_in_the_same_language() {
        let language = PseudoLanguage::new(3);
        let json = r#"{"@type": "Product", "name": "Lamp", "url": "https://x.example/Lamp", "a\"b": "c\"d"}"#;
        let page = language.html(&format!("<script type='application/ld+json'>{json}</script>"));
        assert!(page.contains(r#""@type": "Product""#) && page.contains("https://x.example/Lamp"), "{page}");
        assert!(page.contains(&format!(r#""name": "{}""#, language.text("Lamp"))), "{page}");
    }

    #[test]
    fn broken_markup_ends() {
        for html in ["<", "<a href='", "<!-- x", "<script>x", "a & b &", "<script type=ld+json>{\"a", "</"] {
            assert!(PseudoLanguage::new(1).html(html).len() >= html.len().min(1));
        }
    }
}
