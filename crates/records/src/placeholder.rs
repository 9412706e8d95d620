//! Values that a page's template should have filled in and did not.

/// What programs write for nothing.
const NOTHING: [&str; 9] =
    ["null", "undefined", "nan", "none", "n/a", "[object object]", "not specified", "(none)", "unbranded/generic"];

/// Marks around the name of a variable, in the languages of templates.
const AROUND: [(&str, &str); 9] = [
    ("{{", "}}"),
    ("${", "}"),
    ("#{", "}"),
    ("{%", "%}"),
    ("<%", "%>"),
    ("<?", "?>"),
    ("[[", "]]"),
    ("__", "__"),
    ("%", "%"),
];

/// Whether a text is a variable of a template (`{{ brand }}`, `$metabrand`, `%BRAND%`) or the word for no value.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let is_name = |name: &str| {
        let name = name.trim();
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '>' | '[' | ']'))
    };
    let is_around = |(open, close): &(&str, &str)| {
        let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        // What stands between the marks of a template is never a value; other marks may belong to one.
        inner.is_some_and(|inner| matches!(*open, "{{" | "${" | "{%" | "<%" | "<?") || is_name(inner))
    };
    // `$CAD` and `$U12` are no variables.
    let is_variable = || {
        let is_word = |name: &str| name.len() > 3 && name.bytes().take(4).all(|byte| byte.is_ascii_alphabetic());
        text.strip_prefix(['$', '@']).is_some_and(|name| is_word(name) && is_name(name))
    };
    NOTHING.contains(&text.to_lowercase().as_str()) || AROUND.iter().any(is_around) || is_variable()
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn variables_of_templates_are_no_values() {
        for text in [
            "$metabrand",
            "{{ product.brand }}",
            "${brand}",
            "%BRAND%",
            "<%= brand %>",
            "[[brand]]",
            "null",
            "__BRAND__",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in
            ["$100", "A$AP", "Nova", "100 %", "100%", "[1]", "5$", "$", "$CAD", "$U1.299", "", "Null & Nichtig", "@"]
        {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
