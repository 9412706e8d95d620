//! What is deployed beside the program speaks of metrics, alerts and fields that exist; scripts/check-deploy looks at the rest.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gristmill_index::{IndexDocument, ProductAttribute};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn file(name: &str) -> String {
    let path = root().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pieces of a text that are set as code.
fn codes(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The metrics of `docs/metrics.md`, as series: histograms by their three endings. Another test compares that page with the code.
fn documented_series() -> BTreeSet<String> {
    let page = file("docs/metrics.md");
    let (table, _) = page.split_once("\n## Label values\n").unwrap();
    let mut series = BTreeSet::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let name = codes(row)[0];
        let endings: &[&str] = if row.contains("| histogram |") { &["_bucket", "_sum", "_count"] } else { &[""] };
        series.extend(endings.iter().map(|ending| format!("{name}{ending}")));
    }
    series
}

/// Metric and label → values, of the same page.
fn documented_values() -> BTreeMap<(String, String), BTreeSet<String>> {
    let page = file("docs/metrics.md");
    let (_, rest) = page.split_once("\n## Label values\n").unwrap();
    let table = rest.split("\n## ").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let words = codes(row);
        let values = words[2..].iter().map(|&value| value.to_owned()).collect();
        ((words[0].to_owned(), words[1].to_owned()), values)
    })
    .collect()
}

/// Every metric that a text names, with what stands in braces behind it.
fn metrics_in(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices("gristmill_") {
        if text[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || "_/:.-".contains(c)) {
            continue;
        }
        let rest = &text[start..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let labels = rest[end..].strip_prefix('{').and_then(|rest| rest.split('}').next()).unwrap_or("");
        found.push((&rest[..end], labels));
    }
    found
}

/// The queries of the dashboards, and where each stands.
fn dashboard_queries() -> Vec<(String, String)> {
    let dashboard: serde_json::Value = serde_json::from_str(&file("deploy/grafana/dashboards/gristmill.json")).unwrap();
    let mut queries = Vec::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        for target in panel["targets"].as_array().into_iter().flatten() {
            let query = target["expr"].as_str().unwrap().to_owned();
            queries.push((panel["title"].as_str().unwrap().to_owned(), query));
        }
    }
    assert!(queries.len() > 20, "{queries:?}");
    queries
}

#[test]
fn rules_and_dashboards_name_metrics_labels_and_values_that_exist() {
    let (series, values) = (documented_series(), documented_values());
    let mut texts = vec![("rules.yml", file("deploy/prometheus/rules.yml"))];
    texts.push(("rules_test.yml", file("deploy/prometheus/rules_test.yml").replace("\\\"", "\"")));
    texts.extend(dashboard_queries().into_iter().map(|(_, query)| ("dashboard", query)));
    let mut n = 0;
    for (place, text) in &texts {
        for (name, labels) in metrics_in(text) {
            n += 1;
            assert!(series.contains(name), "{place}: no metric `{name}`");
            for label in labels.split(',').filter(|label| !label.is_empty()) {
                let (label, wanted) = label.split_once('=').unwrap();
                let Some(known) = values.get(&(name.to_owned(), label.to_owned())) else { continue };
                for value in wanted.trim_start_matches('~').trim_matches('"').split('|') {
                    assert!(known.contains(value), "{place}: `{name}` has no {label} `{value}`");
                }
            }
        }
    }
    assert!(n > 80, "only {n} metrics were found in the files");
}

#[test]
fn rules_named_in_dashboards_and_alerts_exist() {
    let rules = file("deploy/prometheus/rules.yml");
    let recorded: BTreeSet<&str> =
        rules.lines().filter_map(|line| line.trim().strip_prefix("- record: ")).map(str::trim).collect();
    let mut texts: Vec<String> = dashboard_queries().into_iter().map(|(_, query)| query).collect();
    texts.push(rules.clone());
    for text in &texts {
        for (start, _) in text.match_indices("gristmill:") {
            let rest = &text[start..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_:".contains(c)).unwrap_or(rest.len());
            assert!(recorded.contains(&rest[..end]), "no rule `{}`", &rest[..end]);
        }
    }
}

#[test]
fn every_alert_has_a_test_and_its_paragraph_in_the_guide() {
    let (rules, tests, guide) =
        (file("deploy/prometheus/rules.yml"), file("deploy/prometheus/rules_test.yml"), file("docs/operations.md"));
    let alerts: Vec<&str> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() >= 10, "{alerts:?}");
    for alert in &alerts {
        assert!(tests.contains(&format!("        alertname: {alert}\n")), "no test makes `{alert}` fire");
        assert!(rules.contains(&format!("docs/operations.md#{}\n", alert.to_lowercase())), "`{alert}` has no link");
        let (_, rest) =
            guide.split_once(&format!("\n### {alert}\n")).unwrap_or_else(|| panic!("no `{alert}` in the guide"));
        let paragraph = rest.split("\n#").next().unwrap();
        assert!(paragraph.contains("**Do:**"), "the guide does not say what to do about `{alert}`");
    }
    for heading in guide.lines().filter_map(|line| line.strip_prefix("### Gristmill")) {
        assert!(alerts.iter().any(|alert| alert.strip_prefix("Gristmill") == Some(heading)), "no alert `{heading}`");
    }
}

#[test]
fn the_quickwit_index_has_the_fields_of_an_exported_document() {
    let document = serde_json::to_value(IndexDocument::default()).unwrap();
    let exported: BTreeSet<&str> = document.as_object().unwrap().keys().map(String::as_str).collect();
    let index = file("deploy/quickwit/index.yaml");
    let fields = index.lines().filter_map(|line| line.trim().strip_prefix("- {name: "));
    let fields: BTreeSet<&str> = fields.map(|rest| rest.split(',').next().unwrap()).collect();
    assert_eq!(fields, exported);
}

#[test]
fn the_opensearch_mapping_has_the_fields_of_an_exported_document() {
    let document = IndexDocument { attributes: vec![ProductAttribute::default()], ..IndexDocument::default() };
    let exported = serde_json::to_value(&document).unwrap();
    let index: serde_json::Value = serde_json::from_str(&file("deploy/opensearch/index.json")).unwrap();
    let names = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<String>>();
    let fields = &index["mappings"]["properties"];
    assert_eq!(names(fields), names(&exported));
    assert_eq!(names(&fields["attributes"]["properties"]), names(&exported["attributes"][0]));
    assert_eq!((&index["mappings"]["dynamic"], &fields["simhash"]["type"]), (&"strict".into(), &"keyword".into()));
}

/// What a service says that ends by itself.
fn ended(listen: &str, arguments: &[&str]) -> String {
    let (mut command, data) = (common::gristmill(), tempfile::tempdir().unwrap());
    // The folder of the images is another's here. The sink wants to know where documents go, which is told beside its file.
    command.env("GRISTMILL__DATA", data.path());
    command.env("GRISTMILL__SINK__TOPIC", "true").env("GRISTMILL__ADMIN__LISTEN", listen);
    command.current_dir(root()).args(arguments);
    let output = common::finish(command);
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn each_service_reads_the_settings_that_are_deployed_with_it() {
    for service in ["scheduler", "fetcher", "extractor", "indexer", "searcher", "sink", "archiver"] {
        let file = format!("deploy/config/{service}.toml");
        // An address that no machine has: the process ends right after it has read its settings.
        let said = ended("192.0.2.1:9", &["--config", &file, "run", service]);
        assert!(said.contains("192.0.2.1:9"), "{service} ended for another reason: {said}");
    }
}

#[test]
fn services_on_a_log_of_their_own_are_refused_with_the_setting_that_they_need() {
    for service in ["scheduler", "fetcher", "extractor", "indexer", "archiver"] {
        let said = ended("127.0.0.1:0", &["run", service]);
        assert!(said.contains("log.engine = \"kafka\""), "{service}: {said}");
    }
}
