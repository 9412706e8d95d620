//! Images of formulas: TeX in the description or in the address.

use gristmill_html::{Doc, LocalName, NodeId};
use url::form_urlencoded;

use super::{
    source::{is_math, of_markup},
    tex,
};

/// Parts of addresses of programs that draw TeX, with the parameter that holds it; of an empty one all of the query is TeX.
const PROGRAMS: [(&str, &str); 12] = [
    ("latex.php", "latex"),
    ("codecogs.com/", ""),
    ("mimetex.cgi", ""),
    ("mathtex.cgi", ""),
    ("texrender.php", "tex"),
    ("/equation?", "tex"),
    ("/render/math", "math"),
    ("/chart?", "chl"),
    ("math.jianshu.com/math", "formula"),
    ("math.now.sh", "from"),
    ("math.now.sh", "inline"),
    ("quicklatex", "formula"),
];

/// The source of an image that says it is of a formula, or whose description has commands of TeX or stands between its brackets.
pub(super) fn source(doc: &Doc, id: NodeId) -> Option<String> {
    let alt = description(doc, id);
    let is_tex = |alt: &String| {
        tex::has_command(alt) && alt.contains(['{', '^', '_', '$'])
            || [("\\(", "\\)"), ("\\[", "\\]")]
                .iter()
                .any(|(open, close)| alt.starts_with(open) && alt.ends_with(close))
    };
    of_formula(doc, id).or_else(|| alt.filter(is_tex))
}

/// The source of an image that is known to stand in a formula or says so.
pub(super) fn of_formula(doc: &Doc, id: NodeId) -> Option<String> {
    let lazy = |attribute: &gristmill_html::Attribute<'_>| {
        matches!(doc.name_str(attribute.name), "data-src" | "data-lazy-src")
    };
    let address = doc
        .attributes(id)
        .find(lazy)
        .map(|attribute| attribute.value)
        .or_else(|| doc.attr(id, LocalName::SRC))
        .unwrap_or("");
    if let Some(tex) = of_editor(doc, id) {
        return Some(tex);
    }
    let class = doc.attr(id, LocalName::CLASS).unwrap_or("");
    let alt = || description(doc, id);
    match query(address) {
        // The description is as the writer had it; the address may be shortened or hold what only sets sizes.
        Some(tex) => alt().filter(|alt| tex::is_likely(alt) || alt.chars().count() == 1).or(Some(tex)),
        None if is_math(class) => alt().filter(|alt| tex::is_likely(alt) || !alt.contains(' ')),
        None => None,
    }
}

/// The MathML that the editor of Wiris keeps beside its picture, in quotation marks for angle brackets.
fn of_editor(doc: &Doc, id: NodeId) -> Option<String> {
    let stored = super::drawn::attribute(doc, id, "data-mathml")?;
    let sign = |c| match c {
        '«' => '<',
        '»' => '>',
        '¨' => '"',
        '§' => '&',
        _ => c,
    };
    of_markup(&stored.chars().map(sign).collect::<String>())
}

fn description(doc: &Doc, id: NodeId) -> Option<String> {
    let alt = doc.attr(id, LocalName::ALT)?.trim();
    // Editors of courses say in which language it is.
    let alt = alt.strip_prefix("LaTeX:").map_or(alt, str::trim_start);
    (!alt.is_empty()).then(|| alt.to_owned())
}

/// The TeX in the query of an address.
fn query(address: &str) -> Option<String> {
    let (_, query) = address.split_once('?')?;
    let found = PROGRAMS.iter().filter(|(part, _)| address.contains(part)).find_map(|(_, parameter)| {
        if parameter.is_empty() {
            return Some(decoded(query));
        }
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(name, _)| name == parameter).map(|(_, value)| value.into_owned())
    })?;
    let tex = without_sizes(found.trim()).to_owned();
    (!tex.is_empty()).then_some(tex)
}

/// A query that is TeX as a whole: pluses are pluses.
fn decoded(query: &str) -> String {
    let query = query.replace('+', "%2B").replace("&space;", "%20");
    let query = query.replace('&', "%26").replace('=', "%3D");
    form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

/// Without the commands of Codecogs for size, colour and font.
fn without_sizes(mut tex: &str) -> &str {
    const SIZES: [&str; 14] = [
        "dpi",
        "inline",
        "bg",
        "fn",
        "tiny",
        "small",
        "large",
        "huge",
        "normal",
        "Large",
        "LARGE",
        "Huge",
        "color",
        "textstyle",
    ];
    loop {
        let Some(command) = tex.strip_prefix('\\') else { return tex };
        let name = &command[..command.bytes().take_while(u8::is_ascii_alphabetic).count()];
        if !SIZES.contains(&name) {
            return tex;
        }
        let rest = &command[name.len()..];
        let rest = match rest.as_bytes().first() {
            Some(b'{') => rest.split_once('}').map_or("", |(_, rest)| rest),
            Some(b'_') => rest.trim_start_matches(|c: char| c == '_' || c.is_ascii_alphanumeric()),
            _ => rest,
        };
        tex = rest.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_draw_tex_have_it_in_their_addresses() {
        for (address, expected) in [
            ("https://s0.wp.com/latex.php?latex=e%5E%7Bx%7D+%2B+1&bg=ffffff&fg=000", Some("e^{x} + 1")),
            ("//latex.codecogs.com/gif.latex?%5Cdpi%7B110%7D&space;x%5E2+y=z", Some("x^2+y=z")),
            ("https://latex.codecogs.com/svg.image?\\large&space;\\frac{a}{b}", Some("\\frac{a}{b}")),
            ("/cgi-bin/mimetex.cgi?a_1", Some("a_1")),
            ("https://www.zhihu.com/equation?tex=%5Calpha", Some("\\alpha")),
            ("https://chart.apis.google.com/chart?cht=tx&chl=x%5E2", Some("x^2")),
            ("/photo.jpg?latex=no", None),
        ] {
            assert_eq!(query(address).as_deref(), expected, "{address}");
        }
    }
}
