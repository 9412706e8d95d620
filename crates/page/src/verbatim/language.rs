//! The language of a block of code, as the programs that colour code write it into classes and attributes.

use gristmill_html::{Doc, LocalName, NodeId};

/// Elements around a block that may say it, as `div.highlight-python3 > div.highlight > pre` does; tables between do not
/// count.
const AROUND: usize = 3;
/// Nodes below it among which the `code` is that may, as in `pre > code.language-rust`, buttons before it included.
const BELOW: usize = 40;
/// Attributes that hold nothing else.
const ATTRIBUTES: [&str; 9] = [
    "data-lang",
    "data-language",
    "data-code-language",
    "data-code-wrap",
    "data-enlighter-language",
    "data-programming-language",
    "data-syntax",
    "language",
    "syntax",
];
/// Whether an attribute names a language of programs; two letters may be one that people speak.
pub(super) fn names_one(attribute: &str, value: &str) -> bool {
    const SHORT: [&str; 11] = ["c", "js", "ts", "py", "rb", "go", "rs", "sh", "c#", "c+", "vb"];
    // Most attributes are none of these.
    if !ATTRIBUTES.contains(&attribute) {
        return false;
    }
    let value = value.trim().to_ascii_lowercase();
    SHORT.contains(&&*value) || value.len() > 2 && KNOWN.contains(&&*value)
}

/// What a class begins with before the language.
const PREFIXES: [&str; 10] = [
    "language-",
    "lang-",
    "lang:",
    "highlight-source-",
    "highlight-text-",
    "brush:",
    "highlight-",
    "src-",
    "ltx_lst_language_",
    "mw-highlight-lang-",
];
/// Classes that stand beside a bare name of a language.
const BESIDE: [&str; 13] = [
    "hl",
    "hljs",
    "highlight",
    "sourcecode",
    "syntaxhighlighter",
    "prettyprint",
    "code",
    "codehilite",
    "chroma",
    "geshi",
    "makeup",
    "rust-example-rendered",
    "source",
];
/// What stands where a language would and is none.
const NONE: [&str; 32] = [
    "auto",
    "block",
    "box",
    "code",
    "container",
    "default",
    "false",
    "highlight",
    "inline",
    "linenos",
    "lines",
    "literal",
    "no-highlight",
    "nohighlight",
    "none",
    "null",
    "plain",
    "plaintext",
    "pre",
    "raw",
    "rouge",
    "source",
    "switcher",
    "table",
    "tabs",
    "text",
    "true",
    "txt",
    "undefined",
    "unknown",
    "wrap",
    "wrapper",
];
/// Languages that are believed where nothing but the word says so: sorted.
const KNOWN: [&str; 99] = [
    "actionscript",
    "ada",
    "apache",
    "applescript",
    "arduino",
    "asm",
    "awk",
    "bash",
    "bat",
    "c",
    "c#",
    "c++",
    "cc",
    "clojure",
    "cmake",
    "cobol",
    "coffeescript",
    "console",
    "cpp",
    "cs",
    "csharp",
    "css",
    "d",
    "dart",
    "delphi",
    "diff",
    "dockerfile",
    "elixir",
    "elm",
    "erlang",
    "ex",
    "fortran",
    "fs",
    "fsharp",
    "go",
    "golang",
    "gradle",
    "graphql",
    "groovy",
    "haskell",
    "hcl",
    "hs",
    "html",
    "http",
    "ini",
    "java",
    "javascript",
    "jl",
    "js",
    "json",
    "jsx",
    "julia",
    "kotlin",
    "kt",
    "latex",
    "lean",
    "less",
    "lisp",
    "lua",
    "makefile",
    "markdown",
    "matlab",
    "md",
    "mysql",
    "nginx",
    "nim",
    "objectivec",
    "ocaml",
    "pascal",
    "perl",
    "php",
    "postgresql",
    "powershell",
    "prolog",
    "properties",
    "protobuf",
    "py",
    "python",
    "python3",
    "r",
    "rb",
    "rs",
    "ruby",
    "rust",
    "scala",
    "scheme",
    "scss",
    "sh",
    "shell",
    "sql",
    "swift",
    "tf",
    "toml",
    "ts",
    "typescript",
    "vb",
    "vim",
    "xml",
    "yaml",
];

/// Whether a text is nothing but the name of a language of programs, as it stands above code.
pub(crate) fn is_name(text: &str) -> bool {
    const MORE: [&str; 21] = [
        "code",
        "cmd",
        "c/c++",
        "fish",
        "git",
        "jsonc",
        "mdx",
        "objective-c",
        "plain text",
        "plaintext",
        "proto",
        "shell session",
        "solidity",
        "svelte",
        "terraform",
        "text",
        "tsx",
        "txt",
        "vue",
        "zig",
        "zsh",
    ];
    let text = text.trim().to_lowercase();
    KNOWN.binary_search(&&*text).is_ok() || MORE.contains(&&*text)
}

/// The language of a block of code, in lower case and of letters, digits, `+#._-` only; `None` when nothing says it, or
/// says that it has none. O(depth of what is looked at).
pub fn language(doc: &Doc, block: NodeId) -> Option<String> {
    let below = doc.subtree(block).skip(1).take(BELOW).find(|&id| doc.name(id) == LocalName::CODE);
    let is_table =
        |id: &NodeId| matches!(doc.name(*id), LocalName::TD | LocalName::TR | LocalName::TBODY | LocalName::TABLE);
    let around =
        doc.ancestors(block).filter(|id| !is_table(id)).take_while(|&id| doc.name(id) != LocalName::BODY).take(AROUND);
    std::iter::once(block).chain(below).chain(around).find_map(|id| of_element(doc, id))
}

fn of_element(doc: &Doc, id: NodeId) -> Option<String> {
    let own = doc.attributes(id).find(|attribute| ATTRIBUTES.contains(&doc.name_str(attribute.name)));
    // Markdown of some hosts becomes `<pre lang="python">`; other elements say in which language people would read them.
    let lang = || doc.attr(id, LocalName::LANG).filter(|_| doc.name(id) == LocalName::PRE).and_then(known);
    let bare = |class: &str| class.split_ascii_whitespace().filter(|word| word.len() > 2).find_map(known);
    let is_code = matches!(doc.name(id), LocalName::PRE | LocalName::CODE);
    let class = || {
        let class = doc.attr(id, LocalName::CLASS)?;
        of_class(class).or_else(|| Some(class).filter(|_| is_code).and_then(bare))
    };
    let parameters = || {
        let stored =
            doc.attributes(id).find(|attribute| doc.name_str(attribute.name) == "data-syntaxhighlighter-params");
        stored.and_then(|attribute| of_class(attribute.value))
    };
    own.and_then(|attribute| clean(attribute.value)).or_else(class).or_else(lang).or_else(parameters)
}

fn of_class(class: &str) -> Option<String> {
    // As GitHub names the file that a page shows.
    let is_file = class.split_ascii_whitespace().any(|class| class == "blob-wrapper");
    let of_file = || class.split_ascii_whitespace().find_map(|class| class.strip_prefix("type-")).and_then(clean);
    if let Some(language) = is_file.then(of_file).flatten() {
        return Some(language);
    }
    let mut classes = class.split_ascii_whitespace().take(20).peekable();
    let (mut beside, mut bare) = (false, None);
    while let Some(class) = classes.next() {
        let prefix = PREFIXES.iter().find(|prefix| starts_with(class, prefix));
        if let Some(prefix) = prefix {
            // `brush: php;` are two classes.
            let rest = &class[prefix.len()..];
            let rest = if rest.is_empty() { classes.peek().copied().unwrap_or("") } else { rest };
            if let Some(language) = clean(rest) {
                return Some(language);
            }
        }
        if class.starts_with("hl-ipython") {
            return Some("python".to_owned());
        }
        beside |= BESIDE.iter().any(|other| class.eq_ignore_ascii_case(other));
        bare = bare.or_else(|| known(class));
    }
    bare.filter(|_| beside)
}

fn starts_with(class: &str, prefix: &str) -> bool {
    class.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

fn known(value: &str) -> Option<String> {
    clean(value).filter(|language| KNOWN.binary_search(&language.as_str()).is_ok())
}

fn clean(value: &str) -> Option<String> {
    const MAX_BYTES: usize = 24;
    let value = value.trim().trim_end_matches([';', ',']).to_ascii_lowercase();
    let fits = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+#._-".contains(&byte));
    let named = value.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    // Two letters, or two and two, are as likely a language that people speak.
    let human = value.len() == 2 || value.len() == 5 && value.as_bytes()[2] == b'-';
    let believed = !human || KNOWN.binary_search(&value.as_str()).is_ok();
    (fits && named && believed && value.len() <= MAX_BYTES && !NONE.contains(&value.as_str())).then_some(value)
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    fn of(html: &str) -> Option<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        language(&doc, doc.first(LocalName::PRE).unwrap())
    }

    #[test]
    fn the_languages_that_are_known_are_sorted() {
        assert!(KNOWN.is_sorted());
    }

    #[test]
    fn the_language_is_read_as_each_program_writes_it() {
        for (html, language) in [
            ("<pre class='language-rust'>x", "rust"),
            ("<pre><code class='hljs language-C++'>x", "c++"),
            ("<pre class='prettyprint lang-js linenums'>x", "js"),
            ("<div class='highlight-python3 notranslate'><div class=highlight><pre>x", "python3"),
            ("<div class='highlight highlight-source-shell'><pre>x", "shell"),
            ("<pre class='brush: php; gutter: false'>x", "php"),
            ("<pre class='brush:jscript;'>x", "jscript"),
            ("<pre class='crayon lang:c# decode:true'>x", "c#"),
            ("<pre class='sourceCode haskell'><code>x", "haskell"),
            ("<figure class='highlight yaml'><table><tr><td class=code><pre>x", "yaml"),
            ("<pre class='src src-emacs-lisp'>x", "emacs-lisp"),
            ("<div class='blob-wrapper data type-python'><pre>x", "python"),
            ("<div class='post type-python'><pre>x", ""),
            ("<pre data-lang='go'>x", "go"),
            ("<pre lang='ruby'>x", "ruby"),
            ("<pre><code class='python nohighlight'>x", "python"),
            ("<div class='python'><pre>x", ""),
            ("<pre class='go r'>x", ""),
            ("<div class='highlight hl-ipython3'><pre>x", "python"),
            ("<pre class='hljs python'>x", "python"),
            ("<pre class='language-none'>x", ""),
            ("<pre class='highlight-default'>x", ""),
            ("<pre lang='cs-CZ' class=verse>x", ""),
            ("<pre class='lang-&quot;><script>'>x", ""),
            ("<div class='lang-en'><pre>x", ""),
            ("<pre>x", ""),
        ] {
            assert_eq!(of(html).unwrap_or_default(), language, "{html}");
        }
    }
}
