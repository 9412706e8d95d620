//! A document of a browser's snapshot as HTML text (HTML Standard §13.3, "serializing HTML fragments").

use serde_json::Value;

const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
    "meta", "param", "source", "track", "wbr",
];
/// Elements whose text stands as it is.
const RAW: &[&str] = &["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"];

const ELEMENT: u64 = 1;
const TEXT: u64 = 3;
const COMMENT: u64 = 8;
const DOCTYPE: u64 = 10;

/// The nodes of a snapshot's document.
struct Nodes<'s> {
    strings: &'s [Value],
    document: &'s Value,
    parents: &'s [Value],
}

/// HTML of the first document of a snapshot; none where the snapshot has not the shape of one.
///
/// * `with_scripts`: `noscript` is left empty then, since its text is what nobody saw.
///
/// O(bytes), without recursion. Comments are left out, and so are documents of frames.
pub(crate) fn html(snapshot: &Value, with_scripts: bool) -> Option<String> {
    let document = snapshot["documents"].get(0)?;
    let nodes = Nodes {
        strings: snapshot["strings"].as_array()?,
        document,
        parents: document["nodes"]["parentIndex"].as_array()?,
    };
    Some(Writer { nodes: &nodes, out: String::new(), open: Vec::new(), with_scripts }.write())
}

impl<'s> Nodes<'s> {
    fn number(&self, list: &str, at: usize) -> Option<u64> {
        self.document["nodes"][list].get(at)?.as_u64()
    }

    fn string(&self, list: &str, at: usize) -> &'s str {
        self.number(list, at).map_or("", |position| self.string_at(position))
    }

    fn string_at(&self, position: u64) -> &'s str {
        usize::try_from(position).ok().and_then(|at| self.strings.get(at)).and_then(Value::as_str).unwrap_or("")
    }

    fn attributes(&self, at: usize) -> impl Iterator<Item = (&'s str, &'s str)> {
        let list = self.document["nodes"]["attributes"].get(at).and_then(Value::as_array);
        let positions = list.map_or(&[][..], Vec::as_slice).chunks_exact(2);
        positions.map(|pair| {
            let text = |value: &Value| value.as_u64().map_or("", |position| self.string_at(position));
            (text(&pair[0]), text(&pair[1]))
        })
    }
}

/// An element whose end is still to come.
struct Open {
    node: usize,
    /// Lower case for HTML; none for what has no tags: the document, fragments, what is left out.
    tag: Option<String>,
    is_raw: bool,
    /// Nothing below it is written.
    is_hidden: bool,
}

struct Writer<'n, 's> {
    nodes: &'n Nodes<'s>,
    out: String,
    open: Vec<Open>,
    with_scripts: bool,
}

impl Writer<'_, '_> {
    fn write(mut self) -> String {
        // Nodes stand in document order, each behind its parent.
        for (at, parent) in self.nodes.parents.iter().enumerate() {
            self.close_until(parent.as_u64().and_then(|parent| usize::try_from(parent).ok()));
            self.node(at);
        }
        self.close_until(None);
        self.out
    }

    /// Ends elements until `parent` is the innermost one.
    fn close_until(&mut self, parent: Option<usize>) {
        while let Some(open) = self.open.last()
            && Some(open.node) != parent
        {
            let closed = self.open.pop();
            if let Some(tag) = closed.and_then(|closed| closed.tag) {
                self.out.extend(["</", &tag, ">"]);
            }
        }
    }

    fn node(&mut self, at: usize) {
        let (is_raw, is_hidden) = self.open.last().map_or((false, false), |open| (open.is_raw, open.is_hidden));
        if is_hidden {
            self.open.push(Open { node: at, tag: None, is_raw, is_hidden });
            return;
        }
        match self.nodes.number("nodeType", at) {
            Some(ELEMENT) => self.element(at),
            Some(TEXT) => {
                let text = self.nodes.string("nodeValue", at);
                if is_raw { self.out.push_str(text) } else { self.text(text) }
            }
            Some(DOCTYPE) => self.doctype(at),
            Some(COMMENT) => {}
            _ => self.open.push(Open { node: at, tag: None, is_raw, is_hidden }),
        }
    }

    fn doctype(&mut self, at: usize) {
        let public = self.nodes.document["publicId"].as_u64().map_or("", |position| self.nodes.string_at(position));
        self.out.extend(["<!DOCTYPE ", self.nodes.string("nodeName", at)]);
        // The name of an old one decides how the page is laid out.
        if !public.is_empty() && !public.contains('"') {
            self.out.extend([" PUBLIC \"", public, "\""]);
        }
        self.out.push('>');
    }

    fn element(&mut self, at: usize) {
        let name = self.nodes.string("nodeName", at);
        let is_pseudo = name.starts_with("::");
        if is_pseudo || !is_name(name) {
            // What a browser adds, or a name that only a script can make: its content stays, unless the browser made it.
            self.open.push(Open { node: at, tag: None, is_raw: false, is_hidden: is_pseudo });
            return;
        }
        // Names of HTML come in capitals, those of SVG and MathML as they are.
        let is_html = !name.bytes().any(|byte| byte.is_ascii_lowercase());
        let tag = if is_html { name.to_ascii_lowercase() } else { name.to_owned() };
        self.out.extend(["<", &tag]);
        for (name, value) in self.nodes.attributes(at).filter(|(name, _)| is_name(name)) {
            self.out.extend([" ", name, "=\""]);
            escape(&mut self.out, value, true);
            self.out.push('"');
        }
        self.out.push('>');
        let is_void = is_html && VOID.contains(&tag.as_str());
        let is_hidden = is_void || (self.with_scripts && tag == "noscript") || tag == "iframe";
        let is_raw = is_html && RAW.contains(&tag.as_str());
        self.open.push(Open { node: at, tag: (!is_void).then_some(tag), is_raw, is_hidden });
    }

    fn text(&mut self, text: &str) {
        let parent = self.open.last().and_then(|open| open.tag.as_deref());
        // A parser drops the first line end of these.
        if text.starts_with('\n') && matches!(parent, Some("pre" | "textarea" | "listing")) && self.out.ends_with('>') {
            self.out.push('\n');
        }
        escape(&mut self.out, text, false);
    }
}

/// A name that a parser reads back as one.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(|c: char| c.is_ascii_whitespace() || matches!(c, '<' | '>' | '/' | '=' | '"' | '\'' | '\0'))
}

fn escape(out: &mut String, text: &str, in_attribute: bool) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            '<' => out.push_str("&lt;"),
            '>' if !in_attribute => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A snapshot of nodes given as (parent, type, name, value, attributes).
    fn snapshot(nodes: &[(i64, u8, &str, &str, &[&str])]) -> Value {
        let mut strings: Vec<String> = Vec::new();
        let mut place = |text: &str| {
            strings.push(text.to_owned());
            strings.len() - 1
        };
        let names: Vec<usize> = nodes.iter().map(|node| place(node.2)).collect();
        let values: Vec<usize> = nodes.iter().map(|node| place(node.3)).collect();
        let attributes: Vec<Vec<usize>> =
            nodes.iter().map(|node| node.4.iter().map(|text| place(text)).collect()).collect();
        json!({"strings": strings, "documents": [{"publicId": -1, "nodes": {
            "parentIndex": nodes.iter().map(|node| node.0).collect::<Vec<_>>(),
            "nodeType": nodes.iter().map(|node| node.1).collect::<Vec<_>>(),
            "nodeName": names, "nodeValue": values, "attributes": attributes,
        }}]})
    }

    #[test]
    fn what_a_script_built_is_written_so_that_a_parser_reads_it_back() {
        let page = snapshot(&[
            (-1, 9, "#document", "", &[]),
            (0, 10, "html", "", &[]),
            (0, 1, "HTML", "", &["lang", "en"]),
            (2, 1, "P", "", &["title", "a \"b\" & c"]),
            (3, 1, "::before", "", &[]),
            (4, 3, "#text", "drawn by style", &[]),
            (3, 3, "#text", "1 < 2\u{a0}&", &[]),
            (3, 1, "BR", "", &[]),
            (3, 8, "#comment", "gone", &[]),
            (2, 1, "SCRIPT", "", &[]),
            (9, 3, "#text", "a < b", &[]),
            (2, 1, "NOSCRIPT", "", &[]),
            (11, 3, "#text", "<p>switch it on", &[]),
            (2, 1, "svg", "", &[]),
            (13, 1, "linearGradient", "", &[]),
            (2, 1, "PRE", "", &[]),
            (15, 3, "#text", "\nx", &[]),
        ]);
        assert_eq!(
            html(&page, true).unwrap(),
            "<!DOCTYPE html><html lang=\"en\"><p title=\"a &quot;b&quot; &amp; c\">1 &lt; 2&nbsp;&amp;<br></p>\
             <script>a < b</script><noscript></noscript><svg><linearGradient></linearGradient></svg><pre>\n\nx</pre></html>"
        );
    }

    #[test]
    fn a_deep_tree_costs_no_stack_and_an_odd_one_no_panic() {
        let mut nodes: Vec<(i64, u8, &str, &str, &[&str])> = vec![(-1, 9, "#document", "", &[])];
        nodes.extend((0..100_000).map(|parent| (parent, 1, "B", "", &[][..])));
        assert!(html(&snapshot(&nodes), true).unwrap().starts_with("<b><b>"));
        assert!(html(&json!({"documents": []}), true).is_none());
        let odd = json!({"strings": ["P"], "documents": [{"nodes": {
            "parentIndex": [7, -1, "x"], "nodeType": [1, 3], "nodeName": [9, 0], "nodeValue": [], "attributes": [[0], 4]}}]});
        html(&odd, true).unwrap();
    }
}
