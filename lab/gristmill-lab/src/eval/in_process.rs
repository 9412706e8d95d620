//! Our own methods as systems: one parse and one set of statistics for all of them.

use anyhow::Context;
use cpu_time::ThreadTime;
use gristmill_eval::{Answer, GoldPage, System, SystemOutput, guarded};
use gristmill_extract::{
    ExtractOptions, Method, MethodInput, Page, PageLayout, Selection, Trace, extract_from, heading, layout_methods,
    methods, render_marked, render_text,
};
use gristmill_reading::{CharsetHints, PageReader, ParsedPage};

use super::EvalArgs;
use crate::layout::Sidecars;

/// Methods that are run on one parsed page after the other.
pub struct MethodRunner {
    reader: PageReader,
    methods: Vec<Method>,
    never_empty: bool,
    rescue: bool,
    comments: bool,
    layouts: Option<Sidecars>,
}

/// Reads a list of methods, for pages with or without layouts; commas within parentheses belong to a method.
fn parse_methods(list: &str, layouts: bool) -> anyhow::Result<Vec<Method>> {
    let all = || if layouts { layout_methods() } else { Vec::new() }.into_iter().chain(methods());
    let read = |name: &str| if layouts { Method::for_layout(name) } else { name.parse() };
    let mut names: Vec<String> = Vec::new();
    for part in split_outside_parentheses(list) {
        match part.trim() {
            "" => {}
            "all" => names.extend(all().map(|info| info.name.to_owned())),
            name => names.push(name.to_owned()),
        }
    }
    anyhow::ensure!(!names.is_empty(), "`--method` names no method");
    let mut methods: Vec<Method> = Vec::new();
    for name in names {
        let method = read(&name).with_context(|| format!("`--method {list}`"))?;
        if !methods.iter().any(|known| known.name() == method.name()) {
            methods.push(method);
        }
    }
    Ok(methods)
}

/// Parts between commas; those within parentheses belong to a method.
pub fn split_outside_parentheses(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, c) in list.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

impl MethodRunner {
    /// The methods of a list, run as the command line says.
    pub fn new(list: &str, args: &EvalArgs) -> anyhow::Result<MethodRunner> {
        let layouts = args.layouts.as_deref().map(Sidecars::new);
        Ok(MethodRunner {
            reader: PageReader::default(),
            methods: parse_methods(list, layouts.is_some())?,
            never_empty: args.never_empty,
            rescue: !args.no_rescue,
            comments: args.comments,
            layouts,
        })
    }

    pub fn n_methods(&self) -> usize {
        self.methods.len()
    }

    pub fn name(&self, n: usize) -> &str {
        self.methods[n].name()
    }

    /// A page as the product reads it.
    pub fn parsed(&self, html: &[u8], url: Option<&str>) -> ParsedPage<'_> {
        self.reader.parse(html, &CharsetHints { content_type: None, url })
    }

    /// The text of method `n`, and the rows that it keeps.
    pub fn kept(&self, n: usize, page: &Page<'_>, document: &GoldPage) -> (String, Selection) {
        let (extraction, selection) = extract_from(page, &self.options(&self.methods[n], document, None));
        (extraction.text, selection)
    }

    /// The page with what method `n` keeps marked.
    pub fn marked(&self, n: usize, document: &GoldPage) -> Option<String> {
        let html = document.read_html().ok()?;
        let method = &self.methods[n];
        let (parsed, layout) = self.parse(document, &html).ok()?;
        guarded(|| {
            let page = Page::new(&parsed.doc);
            let (_, selection) = extract_from(&page, &self.options(method, document, layout.as_ref()));
            render_marked(&page, &selection, &format!("{} on {}/{}", method.name(), document.package, document.id))
        })
        .ok()
    }

    fn parse(&self, document: &GoldPage, html: &[u8]) -> Result<(ParsedPage<'_>, Option<PageLayout>), String> {
        let url = document.url.as_deref();
        match &self.layouts {
            None => Ok((self.parsed(html, url), None)),
            Some(sidecars) => {
                let (doc, layout) = sidecars.read(document).map_err(|error| format!("{error:#}"))?;
                Ok((self.reader.parsed(doc, url), Some(layout)))
            }
        }
    }

    /// As the product extracts, but without the title before the text, and without the ladder unless asked for.
    fn options<'d>(
        &self,
        method: &Method,
        document: &'d GoldPage,
        layout: Option<&'d PageLayout>,
    ) -> ExtractOptions<'d> {
        ExtractOptions {
            layout,
            method: method.clone(),
            url: document.url.as_deref(),
            never_empty: self.never_empty,
            // What a published method keeps of the tree is what is judged; `best` is judged as the product has it.
            rescue: self.rescue && method.name() == "best",
            comments: self.comments || method.name() != "best",
            attach_title: false,
            ..ExtractOptions::default()
        }
    }

    fn answer(&self, method: &Method, page: &Page<'_>, query: &MethodInput<'_>, document: &GoldPage) -> (String, f64) {
        let select = || -> Selection { method.extractor().select(page, query, &mut Trace::default()) };
        // Statistics that several methods share are made by the first that asks: it must not pay for the others.
        select();
        let start = ThreadTime::now();
        let selection = select();
        let text = render_text(page, &selection);
        let seconds = start.elapsed().as_secs_f64();
        let options = self.options(method, document, query.layout);
        if options.rescue || !options.comments || (selection.is_empty() && self.never_empty) {
            return (extract_from(page, &options).0.text, seconds);
        }
        (text, seconds)
    }
}

impl System for MethodRunner {
    fn names(&self) -> Vec<String> {
        self.methods.iter().map(|method| method.name().to_owned()).collect()
    }

    fn extract(&self, document: &GoldPage, html: &[u8]) -> Vec<Answer> {
        let start = ThreadTime::now();
        let (parsed, layout) = match self.parse(document, html) {
            Ok(parsed) => parsed,
            Err(error) => return vec![Err(error); self.methods.len()],
        };
        let page = Page::new(&parsed.doc);
        let shared = start.elapsed().as_secs_f64();
        // The product finds title and description; any method will do to ask for them.
        let about = ExtractOptions { never_empty: false, ..self.options(&self.methods[0], document, None) };
        let about = guarded(|| extract_from(&page, &about).0).unwrap_or_default();
        let title = heading(&parsed.doc, None);
        let query = MethodInput {
            title: title.as_deref(),
            description: about.description.as_deref().unwrap_or_default(),
            types: Some(about.types),
            layout: layout.as_ref(),
            ..MethodInput::default()
        };
        let answer = |method: &Method| {
            let (text, own) = guarded(|| self.answer(method, &page, &query, document))?;
            let total = shared + own;
            Ok(SystemOutput {
                text,
                seconds: Some(total),
                cpu_seconds: Some(total),
                shared_cpu_seconds: Some(shared),
                ..SystemOutput::default()
            })
        };
        self.methods.iter().map(answer).collect()
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    #[test]
    fn a_list_of_methods_is_split_outside_of_parentheses() {
        assert_eq!(split_outside_parentheses("vsse(t1=0.3,refine=off),bte"), ["vsse(t1=0.3,refine=off)", "bte"]);
        assert_eq!(split_outside_parentheses("a),b"), ["a)", "b"]);
        let names = |list| {
            parse_methods(list, false).unwrap().iter().map(|method| method.name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("plain, vsse(t1=0.3,refine=off),plain"), ["plain", "vsse(t1=0.3,refine=off)"]);
        assert_eq!(names("all").len(), methods().len());
        assert!(parse_methods(",", false).is_err());
        assert!(format!("{:#}", parse_methods("nosuch", false).unwrap_err()).contains("`nosuch`"));
        let on_boxes = parse_methods("clg,all", true).unwrap();
        assert_eq!((on_boxes[0].name(), on_boxes.len()), ("clg", layout_methods().len() + methods().len()));
    }

    #[test]
    fn the_text_is_that_of_the_product_without_title_and_ladder() {
        let html = b"<title>Storm</title><h1>Storm</h1><p>It rained, it poured, and the old man snored. Twice.</p>";
        let methods = parse_methods("all", false).unwrap();
        let reader = PageReader::default();
        let system =
            MethodRunner { reader, methods, never_empty: false, rescue: false, comments: false, layouts: None };
        let answers = system.extract(&GoldPage::default(), html);
        let doc = Doc::parse(std::str::from_utf8(html).unwrap(), &TreeLimits::default());
        for (name, answer) in system.names().iter().zip(answers) {
            let options = ExtractOptions {
                method: name.parse().unwrap(),
                attach_title: false,
                never_empty: false,
                comments: true,
                ..ExtractOptions::default()
            };
            assert_eq!(answer.unwrap().text, gristmill_extract::extract(&doc, &options).text, "{name}");
        }
    }
}
