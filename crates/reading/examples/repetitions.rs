//! What a page costs that repeats one token of the HTML specification in one context until it is some megabytes long, and
//! ends with a visible character, without which white space is no text.
//!
//! ```sh
//! cargo run --release -p gristmill-reading --example repetitions [MB [TEXT]]
//! cargo run --release -p gristmill-reading --example repetitions seeds DIR
//! ```
//!
//! All pages, or those with TEXT in their name, are read at a sixteenth of the size, and the slowest of them whole. Prints
//! the processor time of decoding, parsing and reading (text, metadata, kind, records). The second form only writes a
//! short piece of each page, as seeds for the fuzz targets `html` and `records`.

use std::path::Path;

use cpu_time::ThreadTime;
use gristmill_extract::ExtractOptions;
use gristmill_html::{Doc, TreeLimits, decode};
use gristmill_reading::PageReader;

/// What a page may begin with: each insertion mode and tokenizer state that repeated tokens can stay in.
const CONTEXTS: &[&str] = &[
    "",
    "<head>",
    "<body>",
    "<p>",
    "<pre>",
    "<pre><code>",
    "<code>",
    "<p style=white-space:pre>",
    "<div class=highlight>",
    "<table>",
    "<table><tr>",
    "<table><tr><td>",
    "<table><caption>",
    "<table><colgroup>",
    "<select>",
    "<select><option>",
    "<ul><li>",
    "<dl><dt>",
    "<button>",
    "<a href=x>",
    "<b><i><u>",
    "<form>",
    "<h1>",
    "<ruby><rt>",
    "<template>",
    "<frameset>",
    "<svg>",
    "<svg><desc>",
    "<svg><![CDATA[",
    "<math><mi>",
    "<math><annotation-xml>",
    "<title>",
    "<textarea>",
    "<style>",
    "<script>",
    "<script><!--",
    "<script><!--<script>",
    "<script type=application/ld+json>",
    "<plaintext>",
    "<iframe>",
    "<noscript>",
    "<!--",
    "<!doctype ",
    "<!",
    "<p a=",
    "<p a=\"",
    "<p a='",
    "<p ",
    "<article><h1>t</h1><p>The text of an article, which goes on for a while. ",
];

/// What is repeated: each kind of token, whole and cut, and characters that are handled apart.
const TOKENS: &[&str] = &[
    "<",
    "</",
    "</ ",
    "</1",
    "<1",
    "<a",
    "</a",
    "<a ",
    "<a b",
    "<a b=",
    "<a b=\"",
    "<a b='c'",
    "<a/",
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<br>",
    "</br>",
    "<hr>",
    "<img>",
    "<li>",
    "<dd>",
    "<h1>",
    "</h1>",
    "<pre>x",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<td>x",
    "</td>",
    "<caption>",
    "<col>",
    "<select>",
    "<option>",
    "<optgroup>",
    "<button>",
    "<form>",
    "</form>",
    "<input>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mi>",
    "<desc>",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<template>",
    "</template>",
    "<frameset>",
    "<frame>",
    "<html>",
    "<body a>",
    "</body>",
    "</html>",
    "<head>",
    "<base>",
    "<meta>",
    "<link>",
    "<noscript>",
    "<iframe>",
    "<ruby>",
    "<rt>",
    "<nobr>",
    "<x-y>",
    "</x-y>",
    "<!",
    "<!-",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!-- -->",
    "<!d",
    "<!doctype",
    "<!doctype html>",
    "<?",
    "<?x>",
    "<![CDATA[",
    "]]>",
    "]]",
    "]",
    ">",
    "&",
    "&#",
    "&#x",
    "&#1;",
    "&#xD800;",
    "&#128;",
    "&amp",
    "&amp;",
    "&notin;",
    "&notit;",
    "&a",
    "&CounterClockwiseContourIntegral",
    "=",
    "\"",
    "'",
    "/",
    "-",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    " \n",
    "\u{a0}",
    "\u{3000}",
    "\u{85}",
    "\u{2028}",
    "&#10;",
    "&nbsp;",
    "<!-- -->\n",
    "<span>\n</span>",
    "\0",
    "a",
    "a ",
    "a=b ",
    "a.",
    "1",
    "1 ",
    ".",
    ",",
    "中",
    "中。",
    "あ",
    "한",
    "\u{1100}",
    "\u{1161}",
    "\u{301}",
    "\u{200D}",
    "\u{202E}",
    "\u{FEFF}",
    "\u{FFFD}",
    "é",
    "ﬁ",
    "😀",
    "a\u{301}",
    "{",
    "[",
    "{\"a\":",
    "[1,",
    "\\",
    "\\u0041",
    "\\uD800",
    "#",
    "://",
    "http://a/",
    "$1 ",
    "a: b\n",
    "a: b<br>",
    "<p>a",
    "<p>The text goes on.</p>",
    "<li><a href=x>y</a>",
    "<div>a</div>",
    "<table>x<td>",
    "<table>x",
    "<tr><td>a<td>b",
    "<tr><td>",
    "<a><b><div></a></b>",
    "<b><p>",
    "<p><b>x",
    "<a><p>x</a>",
    "<span class=price>$1</span>",
    "<dt>a<dd>b",
    "<h2>a</h2>x",
    "<p a b c d e f g h>",
    "<time>2020-01-01</time>",
    "by A B ",
    "2020-01-01 ",
    "<blockquote>",
    "<div class=comment>x",
    "<div class=\"a b c\" id=d>",
    "<svg><a>",
    "<math><mi><p>",
    "</p><table></br>",
    "<select><table>",
    "<div><table><tr><td>x",
];

/// Repeated bytes that are no text in any encoding, or in few.
const BYTES: &[&[u8]] =
    &[b"\xFF", b"\xFE\xFF", b"\x80", b"\xE4\xB8", b"\x1B$B", b"\x1B(J", b"\xA4\xA2", b"\x81\x30\x81\x30"];

/// Pages that are read whole.
const SHOWN: usize = 80;
const SEED_BYTES: usize = 600;

struct Cost {
    page: usize,
    megabytes: f64,
    decode: f64,
    parse: f64,
    read: f64,
}

impl Cost {
    fn whole(&self) -> f64 {
        self.decode + self.parse + self.read
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [word, folder] = &args[..]
        && word == "seeds"
    {
        for (n, (_, context, token)) in pages().enumerate() {
            std::fs::write(Path::new(folder).join(format!("repetition-{n:05}")), page(context, token, SEED_BYTES))?;
        }
        return Ok(());
    }
    let megabytes: f64 = args.first().map_or(Ok(8.0), |n| n.parse())?;
    let pages: Vec<_> = pages().filter(|(name, ..)| args.get(1).is_none_or(|text| name.contains(text))).collect();
    let reader = PageReader::default();
    let size = megabytes * 1e6;
    let measure = |n: usize, size: f64| cost(n, &page(pages[n].1, pages[n].2, size as usize), &reader);
    let mut small: Vec<Cost> = (0..pages.len()).map(|n| measure(n, size / 16.0)).collect();
    small.sort_by(|a, b| b.whole().total_cmp(&a.whole()));
    println!("{} pages of {:.2} MB: median {:.3} s", small.len(), megabytes / 16.0, small[small.len() / 2].whole());
    let mut whole: Vec<Cost> = small.iter().take(SHOWN).map(|cost| measure(cost.page, size)).collect();
    whole.sort_by(|a, b| b.whole().total_cmp(&a.whole()));
    println!("\n| page | MB | decode s | parse s | read s |\n|---|---:|---:|---:|---:|");
    for Cost { page, megabytes, decode, parse, read } in &whole {
        let name = pages[*page].0.escape_debug();
        println!("| `{name}` | {megabytes:.1} | {decode:.3} | {parse:.3} | {read:.3} |");
    }
    Ok(())
}

/// Each page's name, beginning and what it repeats.
fn pages() -> impl Iterator<Item = (String, &'static str, &'static [u8])> {
    let marked = |context: &'static str| {
        TOKENS.iter().map(move |token| (format!("{context} + {token:?}"), context, token.as_bytes()))
    };
    let bytes = BYTES.iter().map(|bytes| (format!("bytes {}", bytes.escape_ascii()), "", *bytes));
    CONTEXTS.iter().copied().flat_map(marked).chain(bytes)
}

fn page(context: &str, token: &[u8], size: usize) -> Vec<u8> {
    let mut page = context.as_bytes().to_vec();
    page.extend(token.iter().cycle().take(size / token.len() * token.len()));
    page.push(b'y');
    page
}

fn cost(page: usize, bytes: &[u8], reader: &PageReader) -> Cost {
    let (text, decode) = timed(|| decode(bytes, None).text);
    let (doc, parse) = timed(|| Doc::parse(&text, &TreeLimits::default()));
    let (_, read) = timed(|| {
        let url = Some("https://example.org/a/b");
        let parsed = reader.parsed(doc, url);
        parsed.read(ExtractOptions { parts: true, ..reader.options() }).decide().kind
    });
    Cost { page, megabytes: bytes.len() as f64 / 1e6, decode, parse, read }
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let start = ThreadTime::now();
    let result = std::hint::black_box(work());
    (result, start.elapsed().as_secs_f64())
}
