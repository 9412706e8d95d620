//! MathML as TeX: the elements of MathML Core, with `mfenced` and `menclose` of MathML 3, which pages still have, and what is drawn of them.
//!
//! The tree is walked from its end, so that what is below an element is written before the element, without recursion.

use std::collections::HashMap;
use std::sync::LazyLock;

use gristmill_html::{Doc, NodeId};

use super::drawn::{self, VerticalPosition};

static SYMBOLS: LazyLock<HashMap<char, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("symbols.tsv").lines().filter(|line| !line.starts_with("# "));
    lines.filter_map(|line| line.split_once('\t')).filter_map(|(from, to)| Some((from.chars().next()?, to))).collect()
});

/// Deeper formulas are not formulas.
const MAX_DEPTH: usize = 120;

/// Names of functions that have a command.
const FUNCTIONS: [&str; 32] = [
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "coth", "log",
    "ln", "lg", "exp", "lim", "limsup", "liminf", "max", "min", "sup", "inf", "det", "dim", "ker", "gcd", "deg", "arg",
    "hom", "Pr",
];
/// What has its limits above and below.
const WITH_LIMITS: [&str; 20] = [
    "\\sum",
    "\\prod",
    "\\coprod",
    "\\int",
    "\\iint",
    "\\iiint",
    "\\oint",
    "\\bigcap",
    "\\bigcup",
    "\\bigwedge",
    "\\bigvee",
    "\\bigoplus",
    "\\bigotimes",
    "\\lim",
    "\\limsup",
    "\\liminf",
    "\\max",
    "\\min",
    "\\sup",
    "\\inf",
];

/// What an element became.
#[derive(Default)]
struct Part {
    tex: String,
    depth: usize,
    kind: Kind,
    position: VerticalPosition,
    /// The parts of a box, which the element around it knows.
    parts: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Kind {
    /// Takes an exponent as it is.
    #[default]
    Atom,
    /// An operator of one character.
    Operator(char),
    /// The rows of a table, without the environment around them; aligned or not.
    Table(bool),
    Cell,
    TableRow,
    /// A fraction without a line, written as what it is between brackets.
    Binomial,
    /// Several parts, which need a group to take an exponent.
    Row,
    /// Nothing of a drawing.
    Room,
    /// Scripts of what is drawn before them; one alone is lowered or not.
    Scripts(bool),
    /// Divides the scripts behind a base from those before it, or stands for a script that is not there.
    Prescripts,
    None,
}

/// The TeX of a `math` element; `None` when it holds nothing or is too deep. O(text · depth).
pub(super) fn tex(doc: &Doc, math: NodeId) -> Option<String> {
    let top = doc.depth(math);
    let mut parts: Vec<Part> = Vec::new();
    for id in doc.subtree(math).rev().filter(|&id| doc.is_element(id)) {
        let depth = doc.depth(id) - top;
        if depth > MAX_DEPTH {
            return None;
        }
        let n = parts.iter().rev().take_while(|part| part.depth == depth + 1).count();
        let mut below = parts.split_off(parts.len() - n);
        below.reverse();
        let role = drawn::role(doc, id);
        let part = element(doc, id, role, below);
        let own = drawn::vertical_position(doc, id, role);
        let position = if own == VerticalPosition::Line { part.position } else { own };
        parts.push(Part { depth, position, ..part });
    }
    let tex = whole(parts.pop()?);
    let tex = tex.trim();
    (!tex.is_empty()).then(|| tex.to_owned())
}

/// A part that stands where a formula may stand: a table with its environment.
fn whole(part: Part) -> String {
    match part.kind {
        Kind::Table(aligned) => environment(if aligned { "aligned" } else { "matrix" }, &part.tex),
        Kind::Binomial => part.tex.replacen("\\binom", "\\genfrac{}{}{0pt}{}", 1),
        _ => part.tex,
    }
}

fn environment(name: &str, body: &str) -> String {
    format!("\\begin{{{name}}} {body} \\end{{{name}}}")
}

fn element(doc: &Doc, id: NodeId, role: &str, below: Vec<Part>) -> Part {
    let attribute = |name: &str| drawn::attribute(doc, id, name);
    let atom = |tex: String| Part { tex, ..Part::default() };
    let below = if role == "columns" { below } else { unboxed(below) };
    match role {
        "mi" | "mn" | "mo" | "mtext" | "ms" => {
            token(doc, id, role, attribute("mathvariant").or_else(|| drawn::variant(doc, id)))
        }
        "box" if below.len() > 1 => Part { parts: below, ..Part::default() },
        "supsub" => Part { parts: below, kind: Kind::Scripts(drawn::is_lowered(doc, id)), ..Part::default() },
        "stacked-fraction" => fraction(below.into_iter().rev().collect(), None),
        "stacked-limits" => stacked(below),
        "stacked-accent" => limits(below, false, true),
        "overline" | "underline" => atom(format!("\\{role}{{{}}}", row(below).tex)),
        "columns" => columns(below),
        "mspace" => atom(if attribute("linebreak") == Some("newline") { "\\\\ " } else { " " }.to_owned()),
        "annotation" | "annotation-xml" | "mphantom" | "malignmark" | "maligngroup" => {
            Part { kind: Kind::None, ..Part::default() }
        }
        "none" => Part { kind: Kind::None, ..Part::default() },
        "mprescripts" => Part { kind: Kind::Prescripts, ..Part::default() },
        "semantics" | "maction" => below.into_iter().next().unwrap_or_default(),
        "mfrac" => fraction(below, attribute("linethickness")),
        "msqrt" => atom(format!("\\sqrt{{{}}}", row(below).tex)),
        "mroot" => root(below),
        "msub" => scripts(below, true, false),
        "msup" => scripts(below, false, true),
        "msubsup" => scripts(in_order(below), true, true),
        "munder" => limits(in_order(below), true, false),
        "mover" => limits(in_order(below), false, true),
        "munderover" => limits(in_order(below), true, true),
        "mmultiscripts" => multiscripts(below),
        "mfenced" => fenced(below, attribute("open"), attribute("close"), attribute("separators")),
        "menclose" => enclosed(below, attribute("notation").unwrap_or("")),
        "mtable" => {
            let rows: Vec<String> = below.into_iter().map(|part| part.tex).collect();
            let aligned = attribute("columnalign").is_some_and(|align| align.contains("right left"));
            Part { tex: rows.join(" \\\\ "), kind: Kind::Table(aligned), ..Part::default() }
        }
        "mtr" | "mlabeledtr" => {
            let label = usize::from(role == "mlabeledtr");
            let cells: Vec<String> = below.into_iter().skip(label).map(|part| part.tex).collect();
            Part { tex: cells.join(" & "), kind: Kind::TableRow, ..Part::default() }
        }
        "mtd" => Part { tex: row(below).tex, kind: Kind::Cell, ..Part::default() },
        "math" if below.is_empty() => atom(doc.text_content(id)),
        "room" => Part { kind: Kind::Room, ..Part::default() },
        _ if below.is_empty() && !doc.is_foreign(id) => {
            let part = token(doc, id, "mn", drawn::variant(doc, id));
            Part { kind: if part.tex.is_empty() { Kind::Room } else { part.kind }, ..part }
        }
        _ => row(below),
    }
}

/// The parts with those of boxes in their places.
fn unboxed(below: Vec<Part>) -> Vec<Part> {
    let is_box = |part: &Part| part.kind == Kind::Atom && !part.parts.is_empty();
    let parts = below.into_iter().flat_map(|part| if is_box(&part) { part.parts } else { vec![part] });
    parts.filter(|part| part.kind != Kind::Room).collect()
}

/// The base, what is below it and what is above, where a drawing has them in another order.
fn in_order(mut below: Vec<Part>) -> Vec<Part> {
    if below.iter().any(|part| part.position != VerticalPosition::Line) {
        below.sort_by_key(|part| {
            [VerticalPosition::Line, VerticalPosition::Under, VerticalPosition::Above]
                .iter()
                .position(|position| *position == part.position)
        });
    }
    below
}

/// A root with its index, which drawings have first.
fn root(below: Vec<Part>) -> Part {
    let (index, base): (Vec<Part>, Vec<Part>) =
        below.into_iter().partition(|part| part.position == VerticalPosition::Above);
    let tex = match (index.is_empty(), base.len()) {
        (true, 2..) => {
            let [base, index] = two(base);
            format!("\\sqrt[{}]{{{}}}", whole(index), whole(base))
        }
        (true, _) => format!("\\sqrt{{{}}}", row(base).tex),
        _ => format!("\\sqrt[{}]{{{}}}", row(index).tex, row(base).tex),
    };
    Part { tex, ..Part::default() }
}

/// What has small parts below it, which come first, and above it.
fn stacked(below: Vec<Part>) -> Part {
    let Some(of) = below.iter().position(|part| part.position == VerticalPosition::Line) else { return row(below) };
    let (mut under, mut over) = (below, Vec::new());
    over.extend(under.drain(of + 1..));
    let of = under.pop().unwrap_or_default();
    let (has_under, has_over) = (!under.is_empty(), !over.is_empty());
    limits(std::iter::once(of).chain(under).chain(over).collect(), has_under, has_over)
}

/// A table that is drawn column by column.
fn columns(columns: Vec<Part>) -> Part {
    let mut columns: Vec<_> = columns
        .into_iter()
        .map(|part| if part.parts.is_empty() { vec![part] } else { part.parts }.into_iter())
        .collect();
    let height = columns.iter().map(|column| column.len()).max().unwrap_or(0);
    let cell = |column: &mut std::vec::IntoIter<Part>| column.next().map(whole).unwrap_or_default().trim().to_owned();
    let rows: Vec<String> = (0..height).map(|_| columns.iter_mut().map(cell).collect::<Vec<_>>().join(" & ")).collect();
    Part { tex: rows.join(" \\\\ "), kind: Kind::Table(false), ..Part::default() }
}

fn token(doc: &Doc, id: NodeId, name: &str, variant: Option<&str>) -> Part {
    let text = drawn::letters(doc, id);
    let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ").replace('\u{a0}', " ");
    let single = text.chars().next().filter(|_| text.chars().count() == 1);
    if matches!(name, "mtext" | "ms") {
        let tex = match text.is_empty() {
            true => " ".to_owned(),
            false => format!("\\text{{{}}}", escaped(&text)),
        };
        return Part { tex, ..Part::default() };
    }
    let tex = symbols(&text);
    let tex = match single {
        None if name == "mi" && FUNCTIONS.contains(&&*text) => format!("\\{text}"),
        None if name != "mn" && text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            let command = if name == "mo" { "operatorname" } else { "mathrm" };
            format!("\\{command}{{{text}}}")
        }
        _ => in_variant(tex, variant),
    };
    match (name, single) {
        ("mo", Some(c)) => Part { tex, kind: Kind::Operator(c), ..Part::default() },
        _ => Part { tex, ..Part::default() },
    }
}

fn in_variant(tex: String, variant: Option<&str>) -> String {
    let command = match variant {
        Some("bold") => "mathbf",
        Some("bold-italic") => "boldsymbol",
        Some("double-struck") => "mathbb",
        Some("script" | "bold-script") => "mathcal",
        Some("fraktur" | "bold-fraktur") => "mathfrak",
        Some("sans-serif") => "mathsf",
        Some("monospace") => "mathtt",
        _ => return tex,
    };
    // A letter that says it by itself has its command.
    if tex.is_empty() || tex.starts_with("\\math") { tex } else { format!("\\{command}{{{tex}}}") }
}

/// Text within `\text{…}`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '{' | '}' | '#' | '%' | '&' | '$' | '_' => out.extend(['\\', c]),
            '\\' => out.push_str("\\backslash "),
            c => out.push(c),
        }
    }
    out
}

fn symbols(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match SYMBOLS.get(&c) {
            Some(tex) => add(&mut out, tex),
            // Applied functions, products and separators that nobody sees.
            None if matches!(c, '\u{2061}'..='\u{2064}' | '\u{200B}') => {}
            None => match lettered(c) {
                Some((command, letter)) => add(&mut out, &format!("\\{command}{{{letter}}}")),
                None => add(&mut out, c.encode_utf8(&mut [0; 4])),
            },
        }
    }
    out
}

/// A mathematical letter of Unicode: its command and its plain letter.
fn lettered(c: char) -> Option<(&'static str, char)> {
    // Each alphabet has 26 capitals and 26 small letters (The Unicode Standard, chapter 22.2).
    const ALPHABETS: [&str; 13] = [
        "mathbf",
        "mathit",
        "boldsymbol",
        "mathcal",
        "mathcal",
        "mathfrak",
        "mathbb",
        "mathfrak",
        "mathsf",
        "mathsf",
        "mathsf",
        "mathsf",
        "mathtt",
    ];
    let at = (c as u32).checked_sub(0x1D400)?;
    let command = ALPHABETS.get(at as usize / 52)?;
    let letter = match at % 52 {
        n @ 0..26 => b'A' + n as u8,
        n => b'a' + (n - 26) as u8,
    };
    Some((command, char::from(letter)))
}

/// Appends TeX; a command and a letter behind it are kept apart.
fn add(out: &mut String, tex: &str) {
    // More letters than any command has need no look at where they begin.
    const LONGEST_COMMAND: usize = 32;
    let after_command = || {
        let letters = out.bytes().rev().take(LONGEST_COMMAND).take_while(u8::is_ascii_alphabetic).count();
        letters > 0 && out[..out.len() - letters].ends_with('\\')
    };
    if tex.starts_with(|c: char| c.is_ascii_alphabetic()) && after_command() {
        out.push(' ');
    }
    out.push_str(tex);
}

/// Parts beside one another.
fn row(parts: Vec<Part>) -> Part {
    let mut parts = parts.into_iter().fold(Vec::new(), |mut parts: Vec<Part>, part| {
        match part.kind {
            Kind::None | Kind::Prescripts => {}
            Kind::Scripts(lowered) => {
                let n = part.parts.len();
                let of = parts.pop().unwrap_or_default();
                let all = std::iter::once(of).chain(part.parts).collect();
                parts.push(scripts(all, n > 1 || lowered, n > 1 || !lowered));
            }
            _ => parts.push(part),
        }
        parts
    });
    if parts.len() == 1 {
        return parts.pop().unwrap_or_default();
    }
    let mut out = String::new();
    // Whether the part before has scripts.
    let mut before = None;
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let next = parts.peek().map(|part| part.kind);
        let scripted = part.tex.contains(['^', '_']);
        match (part.kind, next) {
            (Kind::Operator(open @ ('(' | '[' | '{' | '|' | '‖')), Some(Kind::Table(_))) => {
                let table = parts.next().unwrap_or_default();
                let close = parts.next_if(|part| matches!(part.kind, Kind::Operator(_)) || part.tex.trim().is_empty());
                add(&mut out, &matrix(open, table, close));
            }
            (Kind::Operator('('), Some(Kind::Binomial)) => {
                let inner = parts.next().unwrap_or_default();
                match parts.next_if(|part| part.kind == Kind::Operator(')')) {
                    Some(_) => add(&mut out, &inner.tex),
                    None => add(&mut out, &format!("({}", whole(inner))),
                }
            }
            (Kind::Operator(c), _) => operator(&mut out, c, &part.tex, before.is_some()),
            _ => {
                // What has scripts ends where a space is.
                let is_scripted = before == Some(true) && part.tex.starts_with(char::is_alphanumeric);
                out.push_str(if is_scripted { " " } else { "" });
                add(&mut out, &whole(part));
            }
        }
        before = Some(scripted);
    }
    Part { tex: out, kind: Kind::Row, ..Part::default() }
}

fn matrix(open: char, table: Part, close: Option<Part>) -> String {
    let closes = |c: char| close.as_ref().is_some_and(|part| part.kind == Kind::Operator(c));
    match open {
        '{' if !closes('}') => environment("cases", &table.tex),
        '(' if closes(')') => environment("pmatrix", &table.tex),
        '[' if closes(']') => environment("bmatrix", &table.tex),
        '|' if closes('|') => environment("vmatrix", &table.tex),
        open => {
            let close =
                close.map(|part| part.tex).filter(|tex| !tex.trim().is_empty()).unwrap_or_else(|| ".".to_owned());
            format!("\\left{} {} \\right{close}", symbols(&open.to_string()), whole(table))
        }
    }
}

/// Relations and sums have spaces around them.
fn operator(out: &mut String, c: char, tex: &str, has_left: bool) {
    const RELATIONS: &str = "=≠<>≤≥≈≡∼≃≅∈∉⊂⊆⊃⊇→←↔⇒⇐⇔↦∝≪≫⟶⟹⟺";
    const SUMS: &str = "+-−±∓×⋅·÷∪∩∧∨∘⊕⊗";
    let is_wide = RELATIONS.contains(c) || SUMS.contains(c) && has_left && !out.ends_with(['(', '[', '{', ',', ' ']);
    match c {
        _ if is_wide => {
            let space = if out.is_empty() || out.ends_with(' ') { "" } else { " " };
            out.push_str(space);
            out.push_str(tex);
            out.push(' ');
        }
        ',' | ';' => {
            out.push_str(tex);
            out.push(' ');
        }
        _ => add(out, tex),
    }
}

fn two(below: Vec<Part>) -> [Part; 2] {
    let mut below = below.into_iter();
    [below.next().unwrap_or_default(), row(below.collect())]
}

fn three(below: Vec<Part>) -> [Part; 3] {
    let mut below = below.into_iter();
    [below.next().unwrap_or_default(), below.next().unwrap_or_default(), row(below.collect())]
}

fn fraction(below: Vec<Part>, thickness: Option<&str>) -> Part {
    let [over, under] = two(below);
    let is_bare = thickness.is_some_and(|line| line.trim_start().starts_with('0'));
    let (command, kind) = if is_bare { ("binom", Kind::Binomial) } else { ("frac", Kind::Atom) };
    Part { tex: format!("\\{command}{{{}}}{{{}}}", whole(over).trim(), whole(under).trim()), kind, ..Part::default() }
}

/// What takes a script, in a group where it is more than one thing.
fn base(part: Part) -> String {
    let is_group = part.kind == Kind::Row || part.tex.contains(['^', '_']);
    let tex = whole(part);
    if is_group || tex.is_empty() { format!("{{{tex}}}") } else { tex }
}

/// Appends `_x` or `^{xy}`.
fn script(out: &mut String, sign: char, part: Part) {
    let tex = whole(part);
    let tex = tex.trim();
    match tex {
        "" => {}
        "'" | "''" | "'''" if sign == '^' => out.push_str(tex),
        _ if tex.chars().count() == 1 => out.extend([sign].into_iter().chain(tex.chars())),
        _ => {
            out.push(sign);
            out.push('{');
            out.push_str(tex);
            out.push('}');
        }
    }
}

fn scripts(below: Vec<Part>, sub: bool, sup: bool) -> Part {
    let [of, first, second] = three(below);
    let mut tex = base(of);
    match (sub, sup) {
        (true, true) => {
            script(&mut tex, '_', first);
            script(&mut tex, '^', second);
        }
        (true, false) => script(&mut tex, '_', first),
        _ => script(&mut tex, '^', first),
    }
    Part { tex, ..Part::default() }
}

fn limits(below: Vec<Part>, under: bool, over: bool) -> Part {
    let [of, first, second] = three(below);
    let has_limits = WITH_LIMITS.contains(&of.tex.trim());
    if has_limits || of.tex.contains("\\operatorname") {
        return scripts(vec![of, first, second], under, over);
    }
    let (below, above) = match (under, over) {
        (true, true) => (Some(first), Some(second)),
        (true, false) => (Some(first), None),
        _ => (None, Some(first)),
    };
    let mut tex = whole(of);
    if let Some(part) = above {
        tex = accented(&tex, part, accent_above, "overset");
    }
    if let Some(part) = below {
        tex = accented(&tex, part, accent_below, "underset");
    }
    Part { tex, ..Part::default() }
}

fn accented(of: &str, part: Part, accent: fn(char, bool) -> Option<&'static str>, otherwise: &str) -> String {
    let is_wide = of.chars().count() > 1 && !of.starts_with('\\');
    let single = match part.kind {
        Kind::Operator(c) => Some(c),
        _ => part.tex.chars().next().filter(|_| part.tex.chars().count() == 1),
    };
    match single.and_then(|c| accent(c, is_wide)) {
        Some(command) => format!("\\{command}{{{of}}}"),
        None if otherwise == "overset" && of == "\\to" => format!("\\xrightarrow{{{}}}", whole(part)),
        None => format!("\\{otherwise}{{{}}}{{{of}}}", whole(part)),
    }
}

fn accent_above(c: char, is_wide: bool) -> Option<&'static str> {
    Some(match c {
        '^' | 'ˆ' | '\u{302}' => {
            if is_wide {
                "widehat"
            } else {
                "hat"
            }
        }
        '~' | '˜' | '\u{303}' => {
            if is_wide {
                "widetilde"
            } else {
                "tilde"
            }
        }
        '¯' | '‾' | '_' | '―' | '\u{304}' | '\u{305}' => {
            if is_wide {
                "overline"
            } else {
                "bar"
            }
        }
        '→' | '⃗' | '⟶' => {
            if is_wide {
                "overrightarrow"
            } else {
                "vec"
            }
        }
        '˙' | '.' | '\u{307}' => "dot",
        '¨' | '\u{308}' => "ddot",
        'ˇ' => "check",
        '˘' => "breve",
        '´' => "acute",
        '`' => "grave",
        '⏞' => "overbrace",
        _ => return None,
    })
}

fn accent_below(c: char, _: bool) -> Option<&'static str> {
    match c {
        '_' | '‾' | '¯' | '―' | '\u{332}' => Some("underline"),
        '⏟' => Some("underbrace"),
        _ => None,
    }
}

/// A base with pairs of scripts behind it, and before it those that follow `mprescripts`.
fn multiscripts(below: Vec<Part>) -> Part {
    let mut below = below.into_iter();
    let of = base(below.next().unwrap_or_default());
    let (mut before, mut behind, mut is_before, mut sign) = (String::new(), String::new(), false, '_');
    for part in below {
        if part.kind == Kind::Prescripts {
            (is_before, sign) = (true, '_');
            continue;
        }
        script(if is_before { &mut before } else { &mut behind }, sign, part);
        sign = if sign == '_' { '^' } else { '_' };
    }
    let before = if before.is_empty() { before } else { format!("{{}}{before}") };
    Part { tex: format!("{before}{of}{behind}"), ..Part::default() }
}

fn fenced(below: Vec<Part>, open: Option<&str>, close: Option<&str>, separators: Option<&str>) -> Part {
    let separators: Vec<char> = separators.unwrap_or(",").chars().filter(|c| !c.is_whitespace()).collect();
    if let [part] = &below[..]
        && part.kind == Kind::Binomial
        && (open.unwrap_or("("), close.unwrap_or(")")) == ("(", ")")
    {
        return Part { tex: part.tex.clone(), ..Part::default() };
    }
    let mut tex = symbols(open.unwrap_or("("));
    for (n, part) in below.into_iter().enumerate() {
        if n > 0
            && let Some(separator) = separators.get(n - 1).or(separators.last())
        {
            tex.push(*separator);
            tex.push(' ');
        }
        add(&mut tex, &whole(part));
    }
    tex.push_str(&symbols(close.unwrap_or(")")));
    Part { tex, ..Part::default() }
}

fn enclosed(below: Vec<Part>, notation: &str) -> Part {
    let inner = row(below).tex;
    let command = match notation {
        "radical" | "" => "sqrt",
        notation if notation.contains("strike") => "cancel",
        notation if notation.contains("top") => "overline",
        notation if notation.contains("bottom") => "underline",
        _ => "boxed",
    };
    Part { tex: format!("\\{command}{{{inner}}}"), ..Part::default() }
}
