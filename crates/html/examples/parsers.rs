//! Our parser beside html5ever and lexbor, page by page in turn, over all HTML files below the folders that are named.
//!
//! ```sh
//! cargo run --release -p gristmill-html --example parsers -- [--python PYTHON] FOLDER...
//! ```
//! html5ever runs twice: with the tree of `scraper`, and with a sink that keeps the names of elements and no tree, which is less than
//! any tree costs. lexbor is that of resiliparse, asked for one page at a time and timed within its own process (PYTHON has
//! resiliparse). Each page is parsed five times by each; the sums of the medians of processor time count. Dropping the tree is timed, too.

use std::cell::{Ref, RefCell};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use cpu_time::ThreadTime;
use gristmill_html::{Doc, TreeLimits, decode};
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, QualName, local_name, ns};

const ROUNDS: usize = 5;
/// Folders hold more pages than a comparison needs.
const MOST_PAGES: usize = 1_500;

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let python = words.iter().position(|word| word == "--python").map(|at| {
        let python = words.get(at + 1).cloned().expect("--python wants a program");
        words.drain(at..at + 2);
        python
    });
    assert!(!words.is_empty(), "usage: parsers [--python PYTHON] FOLDER...");
    let mut lexbor = python.map(|python| Lexbor::start(&python));
    println!("| pages | MB | ours MB/s | html5ever, no tree | scraper | lexbor |\n|---|---|---|---|---|---|");
    for folder in &words {
        compare(Path::new(folder), lexbor.as_mut());
    }
}

fn compare(folder: &Path, mut lexbor: Option<&mut Lexbor>) {
    let pages = pages(folder);
    let bytes: usize = pages.iter().map(String::len).sum();
    let mut sums = [0.0; 4];
    for page in &pages {
        let mut times = [(); 4].map(|()| Vec::new());
        for _ in 0..ROUNDS {
            times[0].push(seconds(|| drop(Doc::parse(page, &TreeLimits::default()))));
            times[1].push(seconds(|| html5ever::parse_document(Names::new(), Default::default()).one(page.as_str())));
            times[2].push(seconds(|| drop(scraper::Html::parse_document(page))));
            times[3].push(lexbor.as_mut().map_or(f64::NAN, |lexbor| lexbor.seconds(page)));
        }
        for (sum, mut times) in sums.iter_mut().zip(times) {
            times.sort_by(f64::total_cmp);
            *sum += times[ROUNDS / 2];
        }
    }
    let mb = bytes as f64 / 1e6;
    let cells = sums.map(|sum| format!("{:.0} ({:.1} times)", mb / sum, sum / sums[0]));
    println!("| {} | {mb:.0} | {} |", pages.len(), cells.join(" | "));
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64()
}

/// The decoded pages below a folder, by name.
fn pages(folder: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if [".html", ".html.gz", ".en"].iter().any(|end| name.ends_with(end)) {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: &PathBuf| {
        let mut bytes = std::fs::read(path).unwrap();
        if bytes.starts_with(b"\x1f\x8b") {
            let mut plain = Vec::new();
            flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).unwrap();
            bytes = plain;
        }
        decode(&bytes, None).text.into_owned()
    };
    files.iter().take(MOST_PAGES).map(read).collect()
}

/// A process that parses pages with lexbor: the length of a page and the page in, nanoseconds out.
struct Lexbor {
    child: Child,
    pages: ChildStdin,
    times: BufReader<ChildStdout>,
}

const SERVE: &str = "
import sys, time
from resiliparse.parse.html import HTMLTree
while line := sys.stdin.buffer.readline():
    page = sys.stdin.buffer.read(int(line)).decode()
    start = time.thread_time_ns()
    tree = HTMLTree.parse(page)
    del tree
    print(time.thread_time_ns() - start, flush=True)
";

impl Lexbor {
    fn start(python: &str) -> Lexbor {
        let mut command = Command::new(python);
        command.args(["-c", SERVE]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{python}: {error}"));
        let (pages, times) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Lexbor { child, pages, times: BufReader::new(times) }
    }

    fn seconds(&mut self, page: &str) -> f64 {
        write!(self.pages, "{}\n{page}", page.len()).unwrap();
        self.pages.flush().unwrap();
        let mut line = String::new();
        self.times.read_line(&mut line).unwrap();
        line.trim().parse::<f64>().expect("resiliparse answers") / 1e9
    }
}

impl Drop for Lexbor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keeps what the rules of tree construction ask for, and nothing else.
struct Names(RefCell<Vec<QualName>>);

impl Names {
    fn new() -> Names {
        Names(RefCell::new(vec![QualName::new(None, ns!(), local_name!(""))]))
    }
}

impl TreeSink for Names {
    type Handle = usize;
    type Output = ();
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) {}

    fn parse_error(&self, _: std::borrow::Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Ref<'a, QualName> {
        Ref::map(self.0.borrow(), |names| &names[*target])
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> usize {
        let mut names = self.0.borrow_mut();
        names.push(name);
        names.len() - 1
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        0
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        0
    }

    fn append(&self, _: &usize, _: NodeOrText<usize>) {}

    fn append_before_sibling(&self, _: &usize, _: NodeOrText<usize>) {}

    fn append_based_on_parent_node(&self, _: &usize, _: &usize, _: NodeOrText<usize>) {}

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, _: &usize, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, _: &usize) {}

    fn reparent_children(&self, _: &usize, _: &usize) {}
}
