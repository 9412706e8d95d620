//! The searcher over a real socket: the API, the pages, and what strangers' text may not do.

use crate::support;

use gristmill_index::{IndexDocument, ProductAttribute};
use serde_json::Value;

use support::{Server, library, page};

#[test]
fn a_search_gives_hits_with_marks_facets_and_times() {
    let server = Server::start(&library());
    let answer = server.json("/api/v1/search?q=asyncio&limit=1");
    assert_eq!((answer["total"].as_u64(), answer["more"].as_bool()), (Some(2), Some(true)));
    let hit = &answer["hits"][0];
    let text = hit["snippet"]["text"].as_str().unwrap();
    let mark = hit["snippet"]["marks"][0].as_array().unwrap();
    let (from, to) = (mark[0].as_u64().unwrap() as usize, mark[1].as_u64().unwrap() as usize);
    assert_eq!(text[from..to].to_lowercase(), "asyncio");
    assert!(hit["snippet_html"].as_str().unwrap().to_lowercase().contains("<mark>asyncio</mark>"));
    assert_eq!(hit["fetched_at"], "2024-01-01T00:00:00Z");
    assert_eq!(answer["facets"]["site"][0]["count"], 2);
    assert!(answer["took_ms"].as_f64().unwrap() > 0.0);
}

#[test]
fn filters_paging_and_collapse_reach_the_index() {
    let server = Server::start(&library());
    let keys = |path: &str| -> Vec<String> {
        let answer = server.json(path);
        answer["hits"].as_array().unwrap().iter().map(|hit| hit["key"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(keys("/api/v1/search?q=%E6%9C%BA%E5%99%A8%E5%AD%A6%E4%B9%A0&language=zh"), ["zh1", "zh2"]);
    assert_eq!(keys("/api/v1/search?from=2024-01&to=2024-12-31"), ["zh1"]);
    assert_eq!(keys("/api/v1/search?kind=product"), ["product"]);
    assert_eq!(keys("/api/v1/search?q=asyncio&offset=1").len(), 1);
    assert_eq!(keys("/api/v1/search?q=copy&site=copies.example").len(), 3);
    let collapsed = server.json("/api/v1/search?q=copy&site=copies.example&collapse=true");
    assert_eq!((collapsed["hits"].as_array().unwrap().len(), &collapsed["hits"][0]["duplicates"]), (1, &2.into()));
}

#[test]
fn of_more_than_ten_thousand_matches_it_is_said_that_there_are_more_and_facets_are_estimates() {
    let many: Vec<_> = (0..20_001).map(|n| page(&format!("{n:05}"), "t", "word")).collect();
    let server = Server::start(&many);
    let answer = server.json("/api/v1/search?q=word%20t");
    assert_eq!((&answer["total"], &answer["total_is_exact"]), (&10_000.into(), &false.into()));
    assert_eq!(answer["facets_estimated"], true);
    let estimate = answer["facets"]["site"][0]["count"].as_u64().unwrap();
    assert!((19_000..21_000).contains(&estimate), "{estimate}");
    let (_, _, body) = server.get("/search?q=word%20t");
    assert!(body.contains("More than 10,000 documents") && body.contains("about "), "{body}");
    let all = server.json("/api/v1/search");
    assert_eq!((&all["total"], &all["total_is_exact"]), (&20_001.into(), &true.into()));
}

#[test]
fn hits_are_ordered_by_date_when_asked_and_the_page_keeps_the_choice() {
    let dated = |key: &str, published| IndexDocument { published, ..page(key, "t", "word") };
    let server = Server::start(&[dated("b", Some(5)), dated("a", None), dated("c", Some(7)), dated("d", Some(5))]);
    let answer = server.json("/api/v1/search?q=word&sort=date");
    let keys: Vec<_> = answer["hits"].as_array().unwrap().iter().map(|hit| hit["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["c", "b", "d", "a"]);
    let (_, _, body) = server.get("/search?q=word&sort=date");
    assert!(body.contains("<option value=\"date\" selected>"), "{body}");
    assert!(body.contains("&amp;sort=date"), "links keep it: {body}");
}

#[test]
fn hits_are_ordered_by_price_and_found_by_time_of_day() {
    let priced = |key: &str, price: f64, published| {
        let price =
            ProductAttribute { canonical: "price".into(), number: Some(price), ..ProductAttribute::new("price", "x") };
        IndexDocument { attributes: vec![price], published: Some(published), ..page(key, "t", "word") }
    };
    let noon = 1_790_000_000 / 86_400 * 86_400 + 43_200;
    let server = Server::start(&[priced("b", 20.0, noon), priced("a", 7.5, noon + 60), page("c", "t", "word")]);
    let keys = |path: &str| -> Vec<String> {
        let answer = server.json(path);
        answer["hits"].as_array().unwrap().iter().map(|hit| hit["key"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(keys("/api/v1/search?q=word&sort=price"), ["a", "b", "c"]);
    assert_eq!(keys("/api/v1/search?q=word&sort=price-desc"), ["b", "a", "c"]);
    let day = gristmill_index::format_day(noon);
    assert_eq!(keys(&format!("/api/v1/search?q=word&from={day}T12:01")), ["a"]);
    assert_eq!(keys(&format!("/api/v1/search?q=word&to={day}T12:00")), ["b"]);
    let (_, _, body) = server.get("/search?q=word&sort=price");
    assert!(body.contains("value=\"price\" selected") && body.contains("12:01"), "{body}");
}

#[test]
fn the_query_that_was_meant_is_a_link() {
    let server = Server::start(&[page("a", "Granite", "The stones are of granite.")]);
    assert_eq!(server.json("/api/v1/search?q=grannite")["suggestion"], "granite");
    assert!(server.json("/api/v1/search?q=granite")["suggestion"].is_null());
    let (_, _, body) = server.get("/search?q=grannite&site=");
    assert!(body.contains("Did you mean <a href=\"/search?q=granite\">granite</a>?"), "{body}");
}

#[test]
fn damage_of_any_index_file_is_told() {
    for ending in ["idx", "pos", "term", "fast", "fieldnorm", "store"] {
        let server = Server::start(&[page("a", "Granite", "The stones are of granite.")]);
        server.damage(ending);
        let (status, _, body) = server.get("/api/v1/search?q=granite");
        assert!(status == 500 && body.contains("damaged") && body.contains("reindex"), "{ending}: {body}");
        let (status, _, body) = server.get("/search?q=granite");
        assert!(status == 500 && body.contains("The index is damaged"), "{ending}: {body}");
    }
}

#[test]
fn bad_parameters_are_answered_with_400_and_the_reason() {
    let server = Server::start(&library());
    let bad =
        ["limit=0", "limit=1000", "offset=x", "kind=tool", "from=soon", "from=2025&to=2024", "colapse=1", "sort=x"];
    for parameter in bad {
        let (status, _, body) = server.get(&format!("/api/v1/search?q=x&{parameter}"));
        let error: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, &error["error"]["code"]), (400, &"bad_parameter".into()), "{parameter}");
        assert!(error["error"]["message"].as_str().unwrap().contains('`'), "{error}");
    }
    let (status, _, body) = server.get("/search?q=x&from=soon");
    assert_eq!(status, 400);
    assert!(body.contains("`from` must be"), "{body}");
}

#[test]
fn a_document_is_given_by_key_with_its_near_duplicates() {
    let server = Server::start(&library());
    let document = server.json("/api/v1/document/copy0");
    assert_eq!(document["near_duplicates"].as_array().unwrap().len(), 2);
    assert_eq!(server.json("/api/v1/document/product")["attributes"][0]["name"], "Color");
    let (status, _, body) = server.get("/api/v1/document/absent");
    assert_eq!((status, body.contains("\"not_found\"")), (404, true));
    let (status, _, body) = server.get("/document/product");
    assert_eq!((status, body.contains("<td dir=\"auto\">deep red</td>")), (200, true));
    assert_eq!(server.get("/document/absent").0, 404);
}

#[test]
fn unknown_routes_and_methods_are_refused_in_kind() {
    let server = Server::start(&library());
    for (route, expected) in [("nothing", 404), ("", 404), ("document/%ff", 400)] {
        let (status, headers, _) = server.get(&format!("/api/v1/{route}"));
        assert_eq!((status, headers.contains("application/json")), (expected, true), "{route}");
    }
    let (status, headers, _) = server.get("/nothing");
    assert_eq!((status, headers.contains("text/html")), (404, true));
    let (status, _, body) = server.send("POST /api/v1/search HTTP/1.1");
    assert_eq!((status, body.contains("method_not_allowed")), (405, true));
    assert_eq!(server.send("HEAD /search?q=asyncio HTTP/1.1").0, 200);
}

#[test]
fn markup_of_strangers_stays_text_on_every_page() {
    let attack = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>";
    let mut hostile = page("hostile", attack, &format!("needle {attack}\n</p><style>*{{}}</style>"));
    hostile.url = "javascript:alert(3)".to_owned();
    hostile.canonical = "data:text/html,<script>alert(4)</script>".to_owned();
    hostile.image = "https://evil.example/\"onload=\"x".to_owned();
    hostile.author = attack.to_owned();
    hostile.site = attack.to_lowercase();
    hostile.language = "en\" onclick=\"x".to_owned();
    hostile.published_text = attack.to_owned();
    hostile.method = attack.to_owned();
    hostile.attributes = vec![ProductAttribute::new(attack, attack)];
    let server = Server::start(&[hostile]);
    server.write_status(&format!(
        "{{\"state\":{0},\"hosts\":[{0}],\"outcomes\":{{{0}:1}},{0}:{0}}}",
        Value::from(attack)
    ));
    let query = "needle%22'%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    let pages = [
        "/search?q=needle".to_owned(),
        format!("/search?q={query}"),
        format!("/search?q=needle&site={query}&language={query}&to=%22%3E%3Cscript%3E"),
        format!("/search?q=needle&site={query}"),
        "/document/hostile".to_owned(),
        "/status".to_owned(),
        format!("/document/{query}"),
        format!("/{query}"),
    ];
    for path in pages {
        let (_, _, body) = server.get(&path);
        let body = body.to_lowercase();
        for forbidden in ["<script", "<img", "<style", "href=\"javascript:", "href=\"data:", "\" onclick=", "\"onload="]
        {
            assert!(!body.contains(forbidden), "{forbidden} in {path}:\n{body}");
        }
    }
    let shown = server.get("/search?q=needle").2;
    assert!(shown.contains("&lt;script&gt;alert(1)"), "shown as text: {shown}");
}

#[test]
fn every_answer_bears_the_headers_that_bind_the_browser() {
    let server = Server::start(&library());
    for path in ["/", "/search?q=x", "/document/zh1", "/status", "/style.css", "/nothing", "/api/v1/search?q=x"] {
        let (_, headers, _) = server.get(path);
        let headers = headers.to_lowercase();
        let policy = headers.lines().find(|line| line.starts_with("content-security-policy:")).unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert!(headers.contains("x-content-type-options: nosniff"), "{path}");
        assert!(headers.contains("referrer-policy: no-referrer"), "{path}");
    }
}

#[test]
fn links_out_carry_neither_referrer_nor_handle() {
    let server = Server::start(&library());
    for path in ["/search?q=asyncio", "/document/zh1"] {
        let body = server.get(path).2;
        for link in body.split("<a ").skip(1).filter(|link| link.starts_with("href=\"http")) {
            assert!(link.split('>').next().unwrap().contains("rel=\"noopener nofollow noreferrer\""), "{link}");
        }
    }
}

#[test]
fn before_the_first_commit_all_pages_are_friendly_and_later_commits_show() {
    let server = Server::start(&[]);
    for path in ["/", "/search?q=asyncio", "/status", "/api/v1/search?q=x", "/api/v1/status"] {
        assert_eq!(server.get(path).0, 200, "{path}");
    }
    assert!(server.get("/search?q=asyncio").2.contains("Nothing is indexed yet"));
    assert_eq!(server.json("/api/v1/status")["index"]["exists"], false);
    server.index(&library());
    server.until(|| server.json("/api/v1/search?q=asyncio")["total"] == 2);
    server.index(&[page("late", "Late", "asyncio comes late")]);
    server.until(|| server.json("/api/v1/search?q=asyncio")["total"] == 3);
}

#[test]
fn who_knows_of_a_commit_finds_it_at_once() {
    let server = Server::start(&[]);
    assert_eq!(server.count(), None);
    server.index(&library());
    assert_eq!(server.count_afresh(), Some(library().len() as u64));
    server.index(&[page("late", "Late", "asyncio comes late")]);
    assert_eq!(server.count_afresh(), Some(library().len() as u64 + 1));
}

#[test]
fn the_status_page_shows_what_is_there_and_bears_junk() {
    let server = Server::start(&library());
    assert!(server.get("/status").2.contains("No crawl has left"));
    for junk in ["", "{", "[]", "{\"state\":[],\"hosts\":7,\"outcomes\":\"x\",\"fetched\":{}}"] {
        server.write_status(junk);
        assert_eq!(server.get("/status").0, 200, "{junk}");
    }
    server.write_status(support::STATUS);
    let body = server.get("/status").2;
    for expected in ["12,345", "Pages a second", "87.5", "disallowed", "docs.example.org"] {
        assert!(body.contains(expected), "{expected} in {body}");
    }
    assert_eq!(server.json("/api/v1/status")["crawl"]["fetched"], 12345);
}

#[test]
fn requests_are_counted_by_route_and_status() {
    let server = Server::start(&library());
    server.get("/search?q=asyncio");
    server.get("/search?q=asyncio&from=x");
    server.get("/etc/passwd");
    let text = server.metrics();
    for line in [
        "gristmill_searcher_requests_total{route=\"search\",status=\"200\"} 1",
        "gristmill_searcher_requests_total{route=\"search\",status=\"400\"} 1",
        "gristmill_searcher_requests_total{route=\"other\",status=\"404\"} 1",
        "gristmill_search_duration_seconds_count 1",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn odd_requests_do_no_harm() {
    let server = Server::start(&library());
    for path in [
        "/search?q=%FF%FE",
        "/search?q=%00",
        "/document/%FF",
        "/document/..%2F..%2Fetc",
        "/search?&&=&q",
        "/search?q=%22",
    ] {
        let status = server.get(path).0;
        assert!((200..500).contains(&status), "{path}: {status}");
    }
    let long = format!("/search?q={}", "a".repeat(20_000));
    assert!(server.get(&long).2.contains("only the first 500 characters"));
}

#[test]
fn the_status_page_counts_documents_once_and_writes_a_process_id_as_it_is() {
    let server = Server::start(&library());
    let now = time::OffsetDateTime::now_utc().unix_timestamp();
    let status = format!(
        r#"{{"state":"running","updated_at":{now},"pid":123456,"documents":4711,"fetched":5000,"known":70000,"demo":true}}"#
    );
    server.write_status(&status);
    let (_, _, body) = server.get("/status");
    assert!(body.contains("The index holds 8 documents.") && body.contains("the next commit"), "{body}");
    assert!(!body.contains("4,711") && !body.contains("4711") && !body.contains("demo"), "{body}");
    assert!(body.contains("123456") && !body.contains("123,456") && body.contains("70,000"), "{body}");
}

#[test]
fn the_start_page_names_the_fields_of_products_where_there_are_products() {
    let with = Server::start(&library());
    assert!(with.get("/").2.contains("price:[10 TO 50]") && with.get("/").2.contains("brand:word"));
    let without = Server::start(&[page("a", "A mill", "A mill grinds.")]);
    assert!(!without.get("/").2.contains("price:"));
}

#[test]
fn the_server_answers_under_its_own_names_and_to_its_own_pages_only() {
    let server = Server::start(&library());
    let asked = |fields: &str| server.exchange_as(fields, "GET /api/v1/search?q=asyncio HTTP/1.1", b"");
    for host in ["localhost", "127.0.0.1:1", "[::1]:8080", "mill.localhost"] {
        assert_eq!(asked(&format!("Host: {host}\r\n")).0, 200, "{host}");
    }
    for fields in [
        "Host: evil.example\r\n",
        "Host: 192.0.2.1\r\n",
        "Host: localhost\r\nHost: evil.example\r\n",
        "Host: localhost\r\nOrigin: http://evil.example\r\n",
        "Host: localhost\r\nOrigin: null\r\n",
    ] {
        let (status, head, body) = asked(fields);
        assert_eq!((status, body.contains("hits")), (421, false), "{fields}: {body}");
        assert!(head.to_lowercase().contains("nosniff") && body.contains("`searcher.hosts`"), "{head} {body}");
    }
    assert_eq!(asked("").0, 400);
    assert!(server.metrics().contains("route=\"api_search\",status=\"421\"} 5"), "{}", server.metrics());
}

#[test]
fn the_status_page_tells_of_news_sites_rejects_and_the_last_hour() {
    let server = Server::start(&library());
    let now = time::OffsetDateTime::now_utc().unix_timestamp();
    let list = |value: &str| format!("[{}]", [value; 4].join(","));
    server.write_status(&format!(
        r#"{{"state":"running","updated_at":{now},"freshness":{{"pages":37,"median_seconds":121,"p95_seconds":540}},
        "hour":{{"step_seconds":60,"pages":{pages},"queued":{pages},"cpu_seconds":{{"read":{cpu},"<b>":{cpu}}}}},
        "sites":[{{"site":"a.example","state":"backing_off","next_turn":{turn},"queued":1234,"trouble":"server_error"}}],
        "newest_rejects":[{{"url":"http://a.example/x","reason":"an <i>empty</i> page","stage":"extractor","at":{now}}}]}}"#,
        pages = list("60"),
        cpu = list("0.5"),
        turn = (now + 600) * 1000 + 999,
    ));
    let body = server.get("/status").2;
    for told in [
        "median <b>2 min</b>, 95 % <b>9 min</b>, last day (37 pages)",
        "<td>refused or failed, asked less often</td><td>in ",
        "<td>1,234</td><td>server error</td>",
        "an &lt;i&gt;empty&lt;/i&gt; page",
        "<h2>Newest documents</h2>",
        "Pages a second: 1 at most, from 4 min ago until now",
        "&lt;b&gt;</span>",
    ] {
        assert!(body.contains(told), "{told}: {body}");
    }
    assert!(!body.contains("Last day"), "no step of it is over");
    assert_eq!(server.json("/api/v1/status")["crawl"]["freshness"]["median_seconds"], 121);
    for junk in [
        r#"{"hour":[],"sites":{},"newest_rejects":[1,null],"freshness":{"pages":-1}}"#,
        r#"{"hour":{"step_seconds":0,"pages":[1e308,-5,"x"],"queued":[1,2],"cpu_seconds":{"a":[]}},"sites":[{"site":"x","next_turn":1e300}]}"#,
        r#"{"hour":{"step_seconds":18446744073709551615,"pages":[0,0,0],"cpu_seconds":7},"newest_rejects":[{"url":"javascript:x","at":1e18}]}"#,
    ] {
        server.write_status(junk);
        let (status, _, body) = server.get("/status");
        assert!(status == 200 && !body.contains("NaN") && !body.contains("href=\"javascript"), "{junk}: {body}");
    }
}

#[test]
fn short_lines_in_a_row_stand_in_one_block_and_sentences_in_paragraphs() {
    let text =
        "The mills stand in a row.\nMill\nStones\nRiver mill\nbasalt\nThey grind day and night.\nA word\nAnother";
    let server = Server::start(&[page("table", "Mills", text)]);
    let body = server.get("/document/table").2;
    assert!(body.contains("<ul class=\"cells\"><li dir=\"auto\">Mill</li>"), "{body}");
    assert_eq!((body.matches("<li dir").count(), body.matches("<p dir=\"auto\">").count()), (4, 4), "{body}");
    let (text, record) = (body.find("class=\"text\""), body.find("<aside"));
    assert!(text < record, "the text comes first: {body}");
}

#[test]
fn the_filters_stand_before_the_hits() {
    let server = Server::start(&library());
    let body = server.get("/search?q=asyncio").2;
    assert!(body.find("class=\"filters\"") < body.find("class=\"hits\""), "{body}");
}
