//! Character references of HTML, by the rules of the HTML standard over a table of the names in use.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use memchr::memchr;

/// U+00A0 to U+00FF in order. These names are also known without their semicolon.
const LATIN_1: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
    micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
    AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
    times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
    egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
    ugrave uacute ucirc uuml yacute thorn yuml";

/// The other names known without their semicolon.
const BASIC: [(&str, char); 10] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("AMP", '&'),
    ("LT", '<'),
    ("GT", '>'),
    ("QUOT", '"'),
    ("COPY", '©'),
    ("REG", '®'),
];

/// Names that need their semicolon, each with its code point in hexadecimal: the rest of HTML 4, and what newer pages
/// use most. Not the whole list of the standard, whose other 1 700 names are for mathematics.
const FURTHER: &str = "OElig=152 oelig=153 Scaron=160 scaron=161 Yuml=178 fnof=192 circ=2c6 tilde=2dc Alpha=391 Beta=392 Gamma=393 \
    Delta=394 Epsilon=395 Zeta=396 Eta=397 Theta=398 Iota=399 Kappa=39a Lambda=39b Mu=39c Nu=39d Xi=39e \
    Omicron=39f Pi=3a0 Rho=3a1 Sigma=3a3 Tau=3a4 Upsilon=3a5 Phi=3a6 Chi=3a7 Psi=3a8 Omega=3a9 alpha=3b1 beta=3b2 \
    gamma=3b3 delta=3b4 epsilon=3b5 zeta=3b6 eta=3b7 theta=3b8 iota=3b9 kappa=3ba lambda=3bb mu=3bc nu=3bd xi=3be \
    omicron=3bf pi=3c0 rho=3c1 sigmaf=3c2 sigma=3c3 tau=3c4 upsilon=3c5 phi=3c6 chi=3c7 psi=3c8 omega=3c9 \
    thetasym=3d1 upsih=3d2 piv=3d6 ensp=2002 emsp=2003 thinsp=2009 zwnj=200c zwj=200d lrm=200e rlm=200f ndash=2013 \
    mdash=2014 lsquo=2018 rsquo=2019 sbquo=201a ldquo=201c rdquo=201d bdquo=201e dagger=2020 Dagger=2021 bull=2022 \
    hellip=2026 permil=2030 prime=2032 Prime=2033 lsaquo=2039 rsaquo=203a oline=203e frasl=2044 euro=20ac \
    image=2111 weierp=2118 real=211c trade=2122 alefsym=2135 larr=2190 uarr=2191 rarr=2192 darr=2193 harr=2194 \
    crarr=21b5 lArr=21d0 uArr=21d1 rArr=21d2 dArr=21d3 hArr=21d4 forall=2200 part=2202 exist=2203 empty=2205 \
    nabla=2207 isin=2208 notin=2209 ni=220b prod=220f sum=2211 minus=2212 lowast=2217 radic=221a prop=221d \
    infin=221e ang=2220 and=2227 or=2228 cap=2229 cup=222a int=222b there4=2234 sim=223c cong=2245 asymp=2248 \
    ne=2260 equiv=2261 le=2264 ge=2265 sub=2282 sup=2283 nsub=2284 sube=2286 supe=2287 oplus=2295 otimes=2297 \
    perp=22a5 sdot=22c5 lceil=2308 rceil=2309 lfloor=230a rfloor=230b lang=2329 rang=232a loz=25ca spades=2660 \
    clubs=2663 hearts=2665 diams=2666 apos=27 excl=21 num=23 dollar=24 percnt=25 lpar=28 rpar=29 ast=2a plus=2b \
    comma=2c period=2e sol=2f colon=3a semi=3b equals=3d quest=3f commat=40 lsqb=5b lbrack=5b bsol=5c rsqb=5d \
    rbrack=5d Hat=5e lowbar=5f grave=60 lcub=7b lbrace=7b verbar=7c vert=7c rcub=7d rbrace=7d Tab=9 NewLine=a \
    hyphen=2010 horbar=2015 check=2713 star=2606 starf=2605 phone=260e copysr=2117 nldr=2025 caron=2c7 inodot=131 \
    Lstrok=141 lstrok=142 Abreve=102 abreve=103 Aogon=104 aogon=105 Cacute=106 cacute=107 Ccaron=10c ccaron=10d \
    Dcaron=10e dcaron=10f Dstrok=110 dstrok=111 Eogon=118 eogon=119 Ecaron=11a ecaron=11b Gbreve=11e gbreve=11f \
    Nacute=143 nacute=144 Ncaron=147 ncaron=148 Odblac=150 odblac=151 Rcaron=158 rcaron=159 Sacute=15a sacute=15b \
    Scedil=15e scedil=15f Tcaron=164 tcaron=165 Uring=16e uring=16f Udblac=170 udblac=171 Zacute=179 zacute=17a \
    Zdot=17b zdot=17c Zcaron=17d zcaron=17e Idot=130 rightarrow=2192 leftarrow=2190 hairsp=200a \
    ZeroWidthSpace=200b NoBreak=2060 emsp13=2004 emsp14=2005 numsp=2007 puncsp=2008 rsquor=2019 ldquor=201e \
    lsquor=201a square=25a1 squ=25a1 blacksquare=25aa triangleright=25b9 rtrif=25b8 ltrif=25c2 utrif=25b4 \
    dtrif=25be xcirc=25ef cir=25cb fflig=fb00 filig=fb01 fllig=fb02 ffilig=fb03 vellip=22ee mldr=2026 half=bd \
    frac13=2153 frac23=2154 frac18=215b frac38=215c frac58=215d frac78=215e TRADE=2122 numero=2116 incare=2105 \
    iff=21d4 rarrw=219d bigstar=2605 male=2642 female=2640 checkmark=2713 cross=2717 malt=2720 sung=266a flat=266d \
    natural=266e sharp=266f";

/// U+0080 to U+009F as Windows-1252 means them; pages write these numbers for quotes and dashes.
const WINDOWS_1252: [u16; 32] = [
    0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d,
    0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,
    0x017e, 0x0178,
];

/// Longest name looked up, in bytes; no name in the table is longer.
const MAX_NAME: usize = 16;
/// Longest name known without its semicolon.
const MAX_BARE: usize = 6;

struct Names {
    all: HashMap<&'static str, char>,
    bare: HashMap<&'static str, char>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let latin_1 = LATIN_1.split_ascii_whitespace().zip('\u{a0}'..='\u{ff}');
    let bare: HashMap<_, _> = latin_1.chain(BASIC).collect();
    let further = FURTHER.split_ascii_whitespace().filter_map(|entry| {
        let (name, code) = entry.split_once('=')?;
        Some((name, char::from_u32(u32::from_str_radix(code, 16).ok()?)?))
    });
    let all = bare.iter().map(|(name, c)| (*name, *c)).chain(further).collect();
    Names { all, bare }
});

/// Replaces the character references of a piece of HTML text.
///
/// * `attribute`: whether the text is an attribute's value, where `&copy=1` is no reference but a query.
/// * A reference that is none (`&`, `&foo;`, `AT&T`) stays as it is. Never fails.
/// * O(n) time; borrows when there is no `&`.
///
/// Source: HTML standard §13.2.5.72 to §13.2.5.80. Ours: names outside the table stay as written.
pub fn decode_entities(text: &str, attribute: bool) -> Cow<'_, str> {
    let Some(first) = memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let (mut done, mut next) = (0, Some(first));
    while let Some(at) = next {
        if let Some((c, n_bytes)) = reference(&text[at + 1..], attribute) {
            out.push_str(&text[done..at]);
            out.push(c);
            done = at + 1 + n_bytes;
        }
        let from = done.max(at + 1);
        next = memchr(b'&', &text.as_bytes()[from..]).map(|n| from + n);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// Reads the reference after an `&`: the character and how many bytes spell it.
fn reference(rest: &str, attribute: bool) -> Option<(char, usize)> {
    if let Some(number) = rest.strip_prefix('#') {
        return numeric(number.as_bytes()).map(|(c, n_bytes)| (c, n_bytes + 1));
    }
    let bytes = rest.as_bytes();
    let length = bytes.iter().take(MAX_NAME + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if bytes.get(length) == Some(&b';')
        && let Some(c) = NAMES.all.get(&rest[..length])
    {
        return Some((*c, length + 1));
    }
    let (c, n_bytes) = (2..=length.min(MAX_BARE)).rev().find_map(|n| Some((*NAMES.bare.get(&rest[..n])?, n)))?;
    let blocked = attribute && bytes.get(n_bytes).is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric());
    (!blocked).then_some((c, n_bytes))
}

fn numeric(bytes: &[u8]) -> Option<(char, usize)> {
    let hexadecimal = matches!(bytes.first(), Some(b'x' | b'X'));
    let (start, radix) = if hexadecimal { (1, 16) } else { (0, 10) };
    let mut code = 0u32;
    let mut at = start;
    while let Some(digit) = bytes.get(at).and_then(|byte| char::from(*byte).to_digit(radix)) {
        // Kept just above the last code point, so that no run of digits can overflow.
        code = (code * radix + digit).min(0x11_0000);
        at += 1;
    }
    if at == start {
        return None;
    }
    let end = at + usize::from(bytes.get(at) == Some(&b';'));
    let code = match code {
        0 => 0xfffd,
        0x80..=0x9f => u32::from(WINDOWS_1252[code as usize - 0x80]),
        code => code,
    };
    Some((char::from_u32(code).unwrap_or('\u{fffd}'), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded_as_the_standard_says() {
        for (text, expected) in [
            ("a &amp; b", "a & b"),
            ("&lt;p&gt", "<p>"),
            ("&notit;", "¬it;"),
            ("&ampfoo;", "&foo;"),
            ("AT&T &foo; &", "AT&T &foo; &"),
            ("&#20013;&#x6587;", "中文"),
            ("&#x80;&#146;", "€’"),
            ("&#0;&#xD800;&#99999999999;", "\u{fffd}\u{fffd}\u{fffd}"),
            ("&#;&#x;", "&#;&#x;"),
            ("&hellip;&mdash;&Zcaron;", "…—Ž"),
            ("&&amp;&", "&&&"),
        ] {
            assert_eq!(decode_entities(text, false), expected, "{text}");
        }
    }

    #[test]
    fn a_query_in_an_attribute_is_no_reference() {
        assert_eq!(decode_entities("/?a=1&copy=2&lt=3&amp;b=4&ampx", true), "/?a=1&copy=2&lt=3&b=4&ampx");
        assert_eq!(decode_entities("/?a=1&copy 2", true), "/?a=1© 2");
    }

    #[test]
    fn no_name_is_longer_than_the_search_looks() {
        assert!(NAMES.all.keys().all(|name| name.len() <= MAX_NAME));
        assert!(NAMES.bare.keys().all(|name| name.len() <= MAX_BARE));
        assert_eq!(LATIN_1.split_ascii_whitespace().count(), 96);
    }
}
