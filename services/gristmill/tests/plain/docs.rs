//! The pages under `docs/` against the program: a table that says something else than the code fails here.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use common::{finish, gristmill, text};
use gristmill_log::{Log, MemoryLog};
use gristmill_proto::topics::{TABLE, TopicRetention, groups};
use gristmill_runtime::lag_gauges::LagGauges;
use prometheus::Registry;
use prometheus::proto::MetricType;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    let path = root().join("docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What stands between a heading and the next one of its rank.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no heading `{heading}`"));
    rest.split("\n## ").next().unwrap()
}

/// The cells of all table rows that begin with code.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The pieces of a text that are set as code.
fn codes(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// `gristmill config show` with the given settings file.
fn show(settings: &str) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("gristmill.toml");
    std::fs::write(&file, settings).unwrap();
    let mut command = gristmill();
    command.current_dir(dir.path()).arg("--config").arg(file).args(["config", "show"]);
    finish(command)
}

/// Keys and defaults of `docs/configuration.md`; no default where the page says unset.
fn documented_settings() -> BTreeMap<String, Option<toml::Value>> {
    let page = page("configuration.md");
    let mut settings = BTreeMap::new();
    for row in rows(&page).into_iter().filter(|row| !row[0].starts_with("`--")) {
        let key = codes(row[0])[0].to_owned();
        let default = (row[1] != "unset").then(|| {
            let line = format!("value = {}", codes(row[1]).first().unwrap_or_else(|| panic!("default of `{key}`")));
            toml::from_str::<toml::Table>(&line).unwrap_or_else(|error| panic!("`{key}`: {error}"))["value"].clone()
        });
        assert!(settings.insert(key.clone(), default).is_none(), "`{key}` stands twice");
    }
    settings
}

fn flatten(prefix: &str, table: &toml::Table, settings: &mut BTreeMap<String, toml::Value>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            toml::Value::Table(inner) if !inner.is_empty() => flatten(&key, inner, settings),
            leaf => drop(settings.insert(key, leaf.clone())),
        }
    }
}

#[test]
fn the_page_of_settings_has_the_defaults_of_the_program() {
    let output = show("");
    assert!(output.status.success(), "{}", text(&output));
    let shown: toml::Table = toml::from_str(std::str::from_utf8(&output.stdout).unwrap()).unwrap();
    let mut program = BTreeMap::new();
    flatten("", &shown, &mut program);
    let page: BTreeMap<String, toml::Value> =
        documented_settings().into_iter().filter_map(|(key, default)| Some((key, default?))).collect();
    let missing: Vec<_> = program.keys().filter(|key| !page.contains_key(*key)).collect();
    let extra: Vec<_> = page.keys().filter(|key| !program.contains_key(*key)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "not on the page {missing:?}, only on the page {extra:?}");
    for (key, default) in &program {
        assert_eq!(&page[key], default, "`{key}`");
    }
}

/// The program names all fields of a section when it meets one that it does not know; so unset ones are found too.
#[test]
fn the_page_of_settings_has_every_field_of_every_section() {
    let settings = documented_settings();
    let mut sections: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for key in settings.keys() {
        let mut end = key.len();
        while end > 0 {
            let start = key[..end].rfind('.').map_or(0, |dot| dot + 1);
            sections.entry(key[..start].trim_end_matches('.')).or_default().insert(&key[start..end]);
            end = start.saturating_sub(1);
        }
    }
    for (section, documented) in sections {
        let header = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
        let output = show(&format!("{header}surely_unknown = 1\n"));
        let message = String::from_utf8_lossy(&output.stderr);
        let known = expected_fields(&message);
        let known: BTreeSet<&str> = known.iter().map(String::as_str).collect();
        assert_eq!(documented, known, "section `{section}`\n{}", text(&output));
    }
}

/// Reads ``expected one of `a`, `b` `` or ``expected `a` or `b` ``.
fn expected_fields(message: &str) -> Vec<String> {
    let (_, list) = message.split_once(", expected ").unwrap_or_else(|| panic!("no list of fields in: {message}"));
    let mut rest = list.strip_prefix("one of ").unwrap_or(list);
    let mut fields = Vec::new();
    while let Some((field, after)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        fields.push(field.to_owned());
        rest = after.strip_prefix(", ").or_else(|| after.strip_prefix(" or ")).unwrap_or_default();
    }
    fields
}

#[test]
fn lists_and_tables_are_set_by_environment_variables_as_the_page_says() {
    let dir = tempfile::tempdir().unwrap();
    let shown = |variables: &[(&str, &str)]| {
        let mut command = gristmill();
        command.current_dir(dir.path()).args(["config", "show"]).envs(variables.iter().copied());
        finish(command)
    };
    let page = page("configuration.md");
    let documented = |name: &str| {
        let (_, rest) = page.split_once(&format!("`{name}='")).unwrap_or_else(|| panic!("no example of {name}"));
        rest.split("'`").next().unwrap().to_owned()
    };
    let [exclude, resolve] = ["GRISTMILL__FRONTIER__SCOPE__EXCLUDE", "GRISTMILL__FETCH__RESOLVE"];
    let output = shown(&[
        (exclude, &documented(exclude)),
        (resolve, &documented(resolve)),
        ("GRISTMILL__FETCH__ACCEPT", "text/html, application/xhtml+xml"),
        ("GRISTMILL__FRONTIER__SCOPE__INCLUDE", "/docs/"),
    ]);
    assert!(output.status.success(), "{}", text(&output));
    let told = String::from_utf8(output.stdout).unwrap();
    let settings: toml::Table = toml::from_str(&told).unwrap();
    let scope = &settings["frontier"]["scope"];
    let list = |value: &toml::Value| {
        value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(list(&scope["exclude"]), ["/login", "a{1,3}"]);
    assert_eq!(list(&scope["include"]), ["/docs/"]);
    assert_eq!(list(&settings["fetch"]["accept"]), ["text/html", "application/xhtml+xml"]);
    assert_eq!(settings["fetch"]["resolve"]["docs.test"].as_str(), Some("127.0.0.1:8081"));
    let wrong = shown(&[("GRISTMILL__FETCH__ACCEPT", "[1, {}]")]);
    let told = String::from_utf8_lossy(&wrong.stderr);
    assert!(!wrong.status.success() && told.contains("fetch.accept"), "{}", text(&wrong));
}

#[test]
fn the_example_of_a_settings_file_is_accepted() {
    let page = page("configuration.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let example = rest.split("```").next().unwrap();
    let output = show(example);
    assert!(output.status.success(), "{}", text(&output));
    let (mut wanted, mut shown) = (BTreeMap::new(), BTreeMap::new());
    flatten("", &toml::from_str(example).unwrap(), &mut wanted);
    flatten("", &toml::from_str(std::str::from_utf8(&output.stdout).unwrap()).unwrap(), &mut shown);
    for (key, value) in wanted {
        assert_eq!(shown.get(&key), Some(&value), "`{key}`");
    }
}

/// Name → type and label names.
type Metrics = BTreeMap<String, (&'static str, BTreeSet<String>)>;
/// Metric and label → values.
type LabelValues = BTreeMap<(String, String), BTreeSet<String>>;

/// What all services register on one registry.
fn registered_metrics() -> (Metrics, LabelValues) {
    let registry = Registry::new();
    gristmill_scheduler::Metrics::register(&registry).unwrap();
    gristmill_fetcher::Metrics::register(&registry).unwrap();
    gristmill_fetcher::RenderMetrics::register(&registry).unwrap();
    gristmill_extractor::Metrics::register(&registry).unwrap();
    gristmill_indexer::Metrics::register(&registry).unwrap();
    gristmill_sink::Metrics::register(&registry).unwrap();
    gristmill_sink::AlertMetrics::register(&registry).unwrap();
    gristmill_archiver::Metrics::register(&registry).unwrap();
    let searcher = gristmill_searcher::Metrics::register(&registry).unwrap();
    let specs = gristmill_runtime::process::topic_specs();
    let log: Arc<dyn Log> = Arc::new(MemoryLog::new(&specs, 1, 1 << 20));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    for service in groups::ALL {
        let _lag = runtime.block_on(async { LagGauges::watch(log.clone(), &registry, service) }).unwrap();
    }
    // Its labels show with the first request only.
    searcher.requests.with_label_values(&["start", "200"]);
    let (mut metrics, mut values) = (Metrics::new(), LabelValues::new());
    for family in registry.gather() {
        let kind = match family.get_field_type() {
            MetricType::COUNTER => "counter",
            MetricType::GAUGE => "gauge",
            MetricType::HISTOGRAM => "histogram",
            other => panic!("`{}` is a {other:?}", family.name()),
        };
        let mut names = BTreeSet::new();
        for label in family.get_metric().iter().flat_map(|metric| metric.get_label()) {
            names.insert(label.name().to_owned());
            let place = (family.name().to_owned(), label.name().to_owned());
            values.entry(place).or_default().insert(label.value().to_owned());
        }
        metrics.insert(family.name().to_owned(), (kind, names));
    }
    values.retain(|(metric, _), _| metric != "gristmill_searcher_requests_total");
    (metrics, values)
}

#[test]
fn the_page_of_metrics_has_names_types_labels_and_values_of_the_program() {
    let page = page("metrics.md");
    let (first, _) = page.split_once("\n## Label values\n").unwrap();
    let (metrics, values) = registered_metrics();
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    let mut documented = BTreeMap::new();
    for row in rows(first) {
        documented.insert(codes(row[0])[0].to_owned(), (row[1], owned(codes(row[2]))));
    }
    assert_eq!(documented, metrics);
    let mut documented = LabelValues::new();
    for row in rows(section(&page, "## Label values")) {
        documented.insert((codes(row[0])[0].to_owned(), codes(row[1])[0].to_owned()), owned(codes(row[2])));
    }
    assert_eq!(documented, values);
}

#[test]
fn the_code_map_has_every_crate_and_no_other() {
    let page = page("architecture.md");
    let map = section(&page, "## Code map").split("\n### ").next().unwrap();
    let rows = rows(map);
    let mut documented: Vec<String> = rows.into_iter().map(|row| codes(row[0])[0].to_owned()).collect();
    documented.sort();
    let mut found = vec!["proto".to_owned()];
    for floor in ["crates", "services", "lab"] {
        for entry in std::fs::read_dir(root().join(floor)).unwrap().map(Result::unwrap) {
            if entry.path().join("Cargo.toml").is_file() {
                found.push(format!("{floor}/{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    found.sort();
    assert_eq!(documented, found);
}

#[test]
fn the_table_of_dependencies_is_that_of_the_manifests() {
    let page = page("architecture.md");
    let mut documented: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows(section(&page, "### Which crate depends on which")) {
        let needed: Vec<String> = row[1].split(", ").filter(|name| *name != "none").map(str::to_owned).collect();
        documented.extend(codes(row[0]).into_iter().map(|name| (name.to_owned(), needed.clone())));
    }
    let folders = ["crates", "lab"].iter().flat_map(|floor| std::fs::read_dir(root().join(floor)).unwrap());
    let folders = folders.map(|entry| entry.unwrap().path());
    for folder in folders.chain([root().join("proto")]) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let manifest: toml::Table = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
        let table = manifest["dependencies"].as_table().unwrap();
        let mut known: Vec<String> =
            table.keys().filter_map(|key| key.strip_prefix("gristmill-")).map(str::to_owned).collect();
        known.sort();
        assert_eq!(documented.remove(&name), Some(known), "`{name}` in docs/architecture.md");
    }
    assert!(documented.is_empty(), "no such crates: {documented:?}");
}

#[test]
fn the_table_of_topics_is_that_of_the_code() {
    let page = page("architecture.md");
    let rows = rows(section(&page, "## Topics"));
    assert_eq!(rows.iter().map(|row| codes(row[0])[0]).collect::<Vec<_>>(), TABLE.map(|topic| topic.name));
    for (row, topic) in rows.iter().zip(TABLE) {
        let [_, message, key, written_by, read_by, kept] = row[..] else { panic!("{row:?}") };
        assert_eq!(codes(message).first().copied(), topic.message, "{}", topic.name);
        assert_eq!(key, topic.key, "{}", topic.name);
        let every = topic.written_by.len() == groups::ALL.len();
        assert!(every && written_by == "every stage" || services(written_by) == topic.written_by, "{written_by}");
        let readers: Vec<&str> = topic.read_by.iter().chain(topic.read_back_by).copied().collect();
        assert_eq!(services(read_by), readers, "{}", topic.name);
        for group in topic.read_back_by {
            assert!(read_by.contains(&format!("{group} at its start")), "{read_by}");
        }
        match topic.kept {
            TopicRetention::UntilCommittedBy(committers) | TopicRetention::LatestOfKey(committers) => {
                assert!(kept.contains("committed past it"), "{kept}");
                assert_eq!(services(kept), committers, "{kept}");
            }
            TopicRetention::Newest(_) => assert!(kept.starts_with("the newest"), "{kept}"),
        }
    }
}

/// The services that a cell of a table names, in its order.
fn services(cell: &str) -> Vec<&'static str> {
    let mut named: Vec<(usize, &str)> =
        groups::ALL.iter().filter_map(|group| Some((cell.find(group)?, *group))).collect();
    if cell.contains("no sink") {
        named.clear();
    }
    named.sort_unstable();
    named.into_iter().map(|(_, group)| group).collect()
}

#[test]
fn links_and_paths_in_the_pages_lead_somewhere() {
    let docs = root().join("docs");
    let mut broken = Vec::new();
    for folder in [docs.clone(), docs.join("adr")] {
        for entry in std::fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let file = entry.path();
            if file.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            let links = links.filter(|link| !link.contains("://") && !link.starts_with('#'));
            let targets = links.map(|link| folder.join(link.split('#').next().unwrap()));
            let paths = codes(&text).into_iter().filter(|code| is_path(code)).map(|code| root().join(code));
            broken.extend(targets.chain(paths).filter(|path| !path.exists()).map(|path| (file.clone(), path)));
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Whether a piece of code names a file or folder of this repository.
fn is_path(code: &str) -> bool {
    let folders =
        ["crates/", "deploy/", "docs/", "examples/", "fuzz/", "k8s/", "lab/", "proto/", "scripts/", "services/"];
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    folders.iter().any(|folder| code.starts_with(folder)) && code.chars().all(plain)
}
