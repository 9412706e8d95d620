//! Code on a page, from the web server to the hit: its words are words, and its lines are lines.

use crate::common;

use common::server::{HTML, serve};
use common::{finish, gristmill, text};
use gristmill_index::IndexReader;

/// As pygments colours it: white space stands between the elements.
const PAGE: &str = "<html><head><title>Reading tables</title></head><body><h1>Reading tables<a class='headerlink' href='#r'>¶</a></h1>
<p>The module reads and writes tables that spreadsheets keep, one row after the other, whatever divides their fields.
A reader takes any object that gives lines, and gives one list of strings for each of them, as the example shows.</p>
<div class='highlight-python3 notranslate'><div class='highlight'><pre><span></span><span class='kn'>import</span> <span class='nn'>csv</span>

<span class='k'>with</span> <span class='nb'>open</span><span class='p'>(</span><span class='n'>name</span><span class='p'>)</span> <span class='k'>as</span> <span class='n'>file</span><span class='p'>:</span>
    <span class='k'>for</span> <span class='n'>row</span> <span class='ow'>in</span> <span class='n'>csv</span><span class='o'>.</span><span class='n'>reader</span><span class='p'>(</span><span class='n'>file</span><span class='p'>):</span>
        <span class='nb'>print</span><span class='p'>(</span><span class='n'>row</span><span class='p'>)</span>
</pre></div></div>
<p>Rows that were read are lists of strings; no other type is made of a field unless the caller asks for numbers.
What stands between quotes is one field, even if the sign that divides fields, or the end of a line, stands in it.</p>
</body></html>";

const HOME: &str =
    "<title>Manual</title><h1>Manual</h1><p>A manual of one page, to read in peace and quiet, as it stands.</p>
    <a href=/library/tables.html>Reading tables</a>";

#[test]
fn a_phrase_of_coloured_code_is_found_and_its_lines_are_stored_as_they_stand() {
    let address = serve(|_, path| match path {
        "/" => ("200 OK", HTML, HOME.to_owned()),
        "/library/tables.html" => ("200 OK", HTML, PAGE.to_owned()),
        _ => ("404 Not Found", HTML, String::new()),
    });
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let mut command = gristmill();
    command.arg("--data").arg(&data).args(["crawl", "--allow-private", "--delay", "0s"]);
    command.arg(format!("http://{address}/"));
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));

    let reader = IndexReader::open(&data.join("index")).unwrap();
    let mut documents = reader.documents().map(Result::unwrap);
    let document = documents.find(|document| document.url.ends_with("/tables.html")).unwrap();
    let code = "import csv\n\nwith open(name) as file:\n    for row in csv.reader(file):\n        print(row)\n";
    assert!(document.text.contains(code) && !document.text.contains('¶'), "{}", document.text);

    for phrase in ["\"import csv\"", "\"for row in csv\""] {
        let mut command = gristmill();
        command.args(["search", phrase, "--json", "--data"]).arg(&data);
        let output = finish(command);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["hits"].as_array().map(Vec::len), Some(1), "{phrase}: {answer}");
    }
}
