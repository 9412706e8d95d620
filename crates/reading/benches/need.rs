//! Cost of the decision whether a page needs a browser: the walk over its nodes, and the trees.

use divan::Bencher;
use gristmill_html::{Doc, TreeLimits};
use gristmill_reading::need::{ExtractionSignals, need};

fn main() {
    divan::main();
}

/// Many nodes of every kind that is looked at: more than the walk takes.
fn large() -> String {
    let mut html = String::from("<title>Mill</title><script src=/_next/app.js></script><body>");
    for n in 0..1_500 {
        html.push_str(&format!(
            "<div id=p{n} class=\"row loading\"></div><p class=text>Words {n} of <a href=/{n}>a page</a></p><h2>Part</h2>"
        ));
    }
    html
}

#[divan::bench(args = ["shell", "large"])]
fn decision(bencher: Bencher, page: &str) {
    let html = match page {
        "shell" => {
            "<title>Mill</title><div id=root></div><script type=module src=/assets/index.js></script>".to_owned()
        }
        _ => large(),
    };
    let doc = Doc::parse(&html, &TreeLimits::default());
    bencher.bench(|| need(&doc, &ExtractionSignals { chars: 300, ..ExtractionSignals::default() }));
}
