//! scratch
use gristmill_extract::{Method, Options, Page, methods};
use gristmill_reading::{Format, Hints, PageReader};
use std::hash::{Hash, Hasher};
use std::io::Read as _;
fn h(s: &str) -> u64 {
    let mut h = std::collections::hash_map::DefaultHasher::new();
    s.hash(&mut h);
    h.finish()
}
fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let all_methods = args.iter().any(|a| a == "--methods");
    args.retain(|a| a != "--methods");
    let step: usize = args.pop().unwrap().parse().unwrap();
    for folder in &args {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.to_string_lossy().contains(".html"))
            .collect();
        paths.sort();
        for p in paths.iter().step_by(step) {
            let mut b = std::fs::read(p).unwrap();
            if p.extension().unwrap() == "gz" {
                let mut u = Vec::new();
                flate2::read::GzDecoder::new(&b[..]).read_to_end(&mut u).unwrap();
                b = u;
            }
            let stem = p.to_string_lossy().trim_end_matches(".gz").trim_end_matches(".html").to_owned();
            let url = std::fs::read(format!("{stem}.json"))
                .ok()
                .and_then(|b| serde_json::from_slice::<serde_json::Value>(&b).ok())
                .and_then(|v| v["url"].as_str().map(str::to_owned));
            let reader = PageReader::default();
            let parsed = reader.parse(&b, &Hints { content_type: None, url: url.as_deref() });
            let reading = parsed.read(Options { parts: true, trace: true, ..reader.options() });
            let plain = parsed.read(Options { attach_title: true, ..reader.options() });
            let mut s = vec![
                h(&format!("{:?}", reading.document)),
                h(&format!("{:?}", plain.document)),
                h(&reading.json().to_string()),
            ];
            for f in Format::ALL {
                s.push(h(&reading.form(f)));
            }
            if all_methods {
                for m in methods().iter() {
                    s.push(h(&parsed
                        .read(Options { method: m.name.parse::<Method>().unwrap(), ..Options::default() })
                        .document
                        .text));
                }
                let page = Page::new(&parsed.doc);
                for method in gristmill_records::Method::ALL {
                    let o = gristmill_records::Options { method, ..reader.records.clone() };
                    s.push(h(&format!("{:?}", gristmill_records::records(&page, url.as_deref(), &o))));
                }
            }
            println!("{}\t{:x?}", p.display(), s);
        }
    }
}
