//! Searching: words, phrases, fields, filters, ranking, snippets and near-duplicates, in Chinese and English.

use std::time::Duration;

use gristmill_index::{
    DocumentKind, IndexConfig, IndexDocument, IndexReader, IndexWriter, Positions, ProductAttribute, RenderInfo,
    SearchFilter, SearchQuery, SearchResults, parse_period,
};
use gristmill_text::FINGERPRINT_VERSION;

pub(crate) struct Library {
    _dir: tempfile::TempDir,
    pub(crate) reader: IndexReader,
}

impl Library {
    pub(crate) fn of(documents: &[IndexDocument]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let config = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
        let mut writer = IndexWriter::open(dir.path(), &config).unwrap();
        for document in documents {
            writer.upsert(document).unwrap();
        }
        writer.commit(&Positions::new()).unwrap();
        let reader = IndexReader::open(dir.path()).unwrap();
        Self { _dir: dir, reader }
    }

    /// The same documents dealt out to shards.
    fn sharded(documents: &[IndexDocument], n_shards: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let config = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
        for shard in 0..n_shards {
            let mut writer = IndexWriter::open(&dir.path().join(format!("p{shard:04}")), &config).unwrap();
            documents.iter().skip(shard).step_by(n_shards).for_each(|document| writer.upsert(document).unwrap());
            writer.commit(&Positions::from([(("documents".into(), shard as u32), 7)])).unwrap();
        }
        let reader = IndexReader::open(dir.path()).unwrap();
        Self { _dir: dir, reader }
    }

    pub(crate) fn search(&self, text: &str) -> SearchResults {
        self.reader.search(&SearchQuery { text: text.into(), ..SearchQuery::default() }).unwrap()
    }

    /// Keys of the hits, in rank order.
    pub(crate) fn keys(&self, text: &str) -> Vec<String> {
        self.search(text).hits.into_iter().map(|hit| hit.key).collect()
    }

    /// Keys of the hits, sorted.
    pub(crate) fn found(&self, text: &str) -> String {
        let mut keys = self.keys(text);
        keys.sort();
        keys.join(" ")
    }
}

pub(crate) fn page(key: &str, title: &str, text: &str) -> IndexDocument {
    let url = format!("https://docs.example.org/{key}/page.html");
    IndexDocument {
        key: key.into(),
        url,
        title: title.into(),
        text: text.into(),
        site: "example.org".into(),
        host: "docs.example.org".into(),
        language: "en".into(),
        ..IndexDocument::default()
    }
}

fn shelf() -> Library {
    Library::of(&books())
}

fn books() -> Vec<IndexDocument> {
    let day = |text| Some(parse_period(text).unwrap().start);
    let zh = |document: IndexDocument| IndexDocument { language: "zh".into(), site: "example.cn".into(), ..document };
    vec![
        page(
            "path",
            "os.path: common pathname manipulations",
            "Functions on pathnames. Use asyncio.create_subprocess_exec() to run.",
        ),
        page("async", "Subprocesses", "The asyncio library runs a subprocess; it isn't hard. Ｆｕｌｌ width."),
        IndexDocument {
            author: "Jane Q. Doe".into(),
            published: day("2023-07-01"),
            ..page("bread", "Bread", "Flour, water, salt.")
        },
        zh(IndexDocument {
            published: day("2024-03-05"),
            ..page("zh1", "机器学习简介", "社会主义核心价值观。机器学习是人工智能的一个分支。")
        }),
        zh(page("zh2", "產品與服務", "我們的產品和服務很好，電腦軟體也不錯。")),
        zh(page("zh3", "和服的历史", "和服是日本的传统服装。社会学者主张主义之争。")),
        IndexDocument {
            kind: DocumentKind::Product,
            attributes: vec![
                ProductAttribute::new("颜色", "深红色"),
                ProductAttribute {
                    number: Some(15.6),
                    unit: "in".into(),
                    ..ProductAttribute::new("Screen Size", "15.6 inch")
                },
                ProductAttribute { canonical: "brand".into(), ..ProductAttribute::new("品牌", "Lenovo 联想") },
                ProductAttribute {
                    canonical: "price".into(),
                    number: Some(4299.0),
                    ..ProductAttribute::new("价格", "¥4,299")
                },
            ],
            ..page("lap", "Laptop", "A laptop with a screen.")
        },
        IndexDocument {
            language: "ja".into(),
            ..page("ja", "コンピューターの歴史", "ﾌﾟﾛｸﾞﾗﾑとデータベースについて説明します。")
        },
        IndexDocument {
            language: "ko".into(), ..page("ko", "서울에서", "대한민국의 수도는 서울입니다.")
        },
    ]
}

#[test]
fn english_words_are_found_in_any_case_width_and_position() {
    let shelf = shelf();
    assert_eq!(shelf.found("ASYNCIO"), "async path");
    assert_eq!(shelf.found("full"), "async");
    assert_eq!(shelf.found("ｂｒｅａｄ"), "bread");
    assert_eq!(shelf.found("asyncio library"), "async", "all words must be there");
    assert_eq!(shelf.found("isn’t"), "async");
}

#[test]
fn identifiers_are_found_whole_and_in_part() {
    let shelf = shelf();
    assert_eq!(shelf.found("os.path"), "path");
    assert_eq!(shelf.found("create_subprocess_exec"), "path");
    assert_eq!(shelf.found("create subprocess"), "path");
    assert_eq!(shelf.found("\"subprocess create\""), "");
}

#[test]
fn chinese_is_found_by_word_phrase_and_character_in_either_script() {
    let shelf = shelf();
    assert_eq!(shelf.found("机器学习"), "zh1");
    assert_eq!(shelf.found("機器學習"), "zh1");
    assert_eq!(shelf.found("电脑软件 OR 電腦"), "zh2");
    assert_eq!(shelf.found("服务"), "zh2");
    assert_eq!(shelf.found("值"), "zh1");
}

#[test]
fn chinese_phrases_match_across_overlapping_words() {
    let shelf = shelf();
    assert_eq!(shelf.found("\"社会主义\""), "zh1");
    assert_eq!(shelf.found("\"社会 主义\""), "zh1");
    assert_eq!(shelf.found("“社會主義核心”"), "zh1");
    assert_eq!(shelf.found("\"义核心价\""), "zh1", "a piece that is no word");
}

#[test]
fn a_word_of_its_own_ranks_before_one_inside_of_another() {
    let shelf = shelf();
    assert_eq!(shelf.keys("和服"), ["zh3", "zh2"]);
}

#[test]
fn japanese_and_korean_are_found_without_their_endings() {
    let shelf = shelf();
    assert_eq!(shelf.found("プログラム"), "ja");
    assert_eq!(shelf.found("データベース"), "ja");
    assert_eq!(shelf.found("コンピューター"), "ja");
    assert_eq!(shelf.found("서울"), "ko");
    assert_eq!(shelf.found("대한민국"), "ko");
}

#[test]
fn fields_limit_where_a_word_is_sought() {
    let shelf = shelf();
    assert_eq!(shelf.found("title:subprocesses"), "async");
    assert_eq!(shelf.found("title:subprocess"), "async", "by another form of the word");
    assert_eq!(shelf.found("title:\"subprocess\""), "");
    assert_eq!(shelf.found("author:doe"), "bread");
    assert_eq!(shelf.found("author:\"jane q\""), "bread");
    assert_eq!(shelf.found("site:example.cn"), "zh1 zh2 zh3");
    assert_eq!(shelf.found("site:docs.example.org lang:ko"), "ko");
    for place in ["http://Docs.example.org/", "docs.example.org:80", "docs.example.org/ko/page.html"] {
        assert_eq!(shelf.found(&format!("site:{place} lang:ko")), "ko", "{place}");
        let warnings = shelf.search(&format!("site:{place} lang:ko")).warnings;
        assert_eq!(warnings.len(), usize::from(place.ends_with("html")), "{place}: {warnings:?}");
    }
    assert_eq!(shelf.found("kind:product"), "lap");
    assert_eq!(shelf.found("url:bread"), "bread");
    assert_eq!(shelf.found("https://docs.example.org/zh1/page.html"), "zh1");
    assert_eq!(shelf.found("attr.颜色:红色 kind:product"), "lap");
    assert_eq!(shelf.found("attr.screen_size:15.6"), "lap");
    assert_eq!(shelf.found("brand:lenovo attr.品牌:联想"), "lap", "by the common name and by the page's own");
    assert_eq!(shelf.found("brand:asus"), "");
}

#[test]
fn signs_and_or_combine_clauses() {
    let shelf = shelf();
    assert_eq!(shelf.found("asyncio -library"), "path");
    assert_eq!(shelf.found("bread OR laptop"), "bread lap");
    assert_eq!(shelf.found("-lang:en -lang:zh"), "ja ko");
    assert_eq!(shelf.found("lang:zh NOT \"和服\""), "zh1");
}

#[test]
fn dates_select_by_publication() {
    let shelf = shelf();
    assert_eq!(shelf.found("date:2024"), "zh1");
    assert_eq!(shelf.found("date:2023-07-01"), "bread");
    assert_eq!(shelf.found("date:2023..2024-03"), "bread zh1");
    assert_eq!(shelf.found("date:<2024"), "bread");
    assert_eq!(shelf.found("date:*"), "bread zh1");
    let filter = SearchFilter { from: parse_period("2024").map(|year| year.start), ..SearchFilter::default() };
    let results = shelf.reader.search(&SearchQuery { filter, ..SearchQuery::default() }).unwrap();
    assert_eq!((results.total, results.hits[0].key.as_str()), (1, "zh1"));
}

#[test]
fn filters_narrow_and_facets_count_what_matches() {
    let shelf = shelf();
    let all = shelf.search("");
    assert_eq!(all.total, 9);
    assert_eq!(all.facets.sites, [("example.org".into(), 6), ("example.cn".into(), 3)]);
    assert_eq!(all.facets.languages[..2], [("en".into(), 4), ("zh".into(), 3)]);
    let filter = SearchFilter {
        site: Some("EXAMPLE.org".into()),
        kind: Some(DocumentKind::Product),
        language: Some("en".into()),
        ..SearchFilter::default()
    };
    let narrowed = shelf.reader.search(&SearchQuery { filter, ..SearchQuery::default() }).unwrap();
    assert_eq!((narrowed.total, narrowed.facets.kinds), (1, vec![("product".into(), 1)]));
}

#[test]
fn what_a_browser_drew_is_found_by_how_it_was_drawn_and_counted() {
    let drawn = |key: &str, mode: &str, ended: &str| {
        let drawing = RenderInfo { mode: mode.into(), ended: ended.into() };
        IndexDocument { rendered: Some(drawing), ..page(key, "Mill", "The stones turn.") }
    };
    let documents = [
        page("sent", "Mill", "The stones turn."),
        drawn("a", "scripts", "loaded"),
        drawn("b", "scripts", "cap"),
        drawn("c", "styles", "loaded"),
    ];
    let library = Library::of(&documents);
    for (query, found) in [
        ("rendered:scripts", "a b"),
        ("stones RENDERED:Styles", "c"),
        ("rendered:loaded", "a c"),
        ("rendered:*", "a b c"),
        ("stones -rendered:*", "sent"),
    ] {
        assert_eq!(library.found(query), found, "{query}");
    }
    let results = library.search("stones");
    assert_eq!(results.facets.rendered, [("scripts".into(), 2), ("styles".into(), 1)]);
    let hits: Vec<_> = results.hits.iter().map(|hit| (hit.key.as_str(), hit.rendered.clone())).collect();
    assert!(documents.iter().all(|document| hits.contains(&(document.key.as_str(), document.rendered.clone()))));
    let odd = library.search("rendered:canvas");
    assert!(odd.total == 0 && odd.warnings[0].contains("`canvas`") && odd.warnings[0].contains("`scripts`"));
}

#[test]
fn the_title_outweighs_the_text() {
    let text = "word ".repeat(3);
    let library = Library::of(&[page("a", "Other", "gristmill stands here"), page("b", "Gristmill", &text)]);
    assert_eq!(library.keys("gristmill"), ["b", "a"]);
}

#[test]
fn words_side_by_side_rank_first() {
    let library = Library::of(&[
        page("apart", "x", "subprocess comes long before asyncio does"),
        page("near", "x", "the asyncio subprocess comes long before it does"),
    ]);
    assert_eq!(library.keys("asyncio subprocess"), ["near", "apart"]);
}

#[test]
fn without_a_document_that_has_all_words_some_are_enough() {
    let shelf = shelf();
    let results = shelf.search("flour motorway");
    assert_eq!(results.hits[0].key, "bread");
    assert_eq!(results.warnings.len(), 1);
}

#[test]
fn strange_queries_give_warnings_and_no_errors() {
    let shelf = shelf();
    for text in ["\"", "((((", "title:", "-", "OR", "date:soon", "kind:tool", "a:b:c", "🙂", "\0", "\\", "[* TO", "~"]
    {
        shelf.search(text);
    }
    assert_eq!(shelf.search("!!!").total, 0);
    assert!(!shelf.search("date:soon").warnings.is_empty());
    assert_eq!(shelf.found("date:bread"), shelf.found("bread"), "what is no date is words");
    let long = shelf.search(&"salt ".repeat(1000));
    assert_eq!((long.total, long.warnings.len()), (1, 2));
    let han = shelf.search(&"社会主义核心价值观".repeat(100));
    assert!(han.warnings.len() >= 2);
}

#[test]
fn a_search_out_of_time_says_that_it_is_partial() {
    let many: Vec<_> = (0..3000).map(|n| page(&format!("{n:04}"), "t", "word")).collect();
    let library = Library::of(&many);
    let query = |time_limit| SearchQuery { text: "word".into(), time_limit, ..SearchQuery::default() };
    let cut = library.reader.search(&query(Some(Duration::ZERO))).unwrap();
    assert!(cut.partial && cut.total < 3000);
    let full = library.reader.search(&query(None)).unwrap();
    assert_eq!((full.partial, full.total), (false, 3000));
}

#[test]
fn pages_of_hits_join_without_gap_or_repeat_in_order_of_key() {
    let many: Vec<_> = (0..25).rev().map(|n| page(&format!("{n:02}"), "t", "word")).collect();
    let library = Library::of(&many);
    let mut keys = Vec::new();
    for offset in [0, 10, 20] {
        let query = SearchQuery { text: "word".into(), offset, ..SearchQuery::default() };
        let results = library.reader.search(&query).unwrap();
        assert_eq!(results.more, offset < 20);
        keys.extend(results.hits.into_iter().map(|hit| hit.key));
    }
    assert_eq!(keys, (0..25).map(|n| format!("{n:02}")).collect::<Vec<_>>());
}

#[test]
fn snippets_mark_the_right_characters() {
    let shelf = shelf();
    let hit = shelf.search("機器學習").hits.remove(0);
    assert_eq!(hit.title_marked.to_html(), "<mark>机器学习</mark>简介");
    assert!(hit.snippet_html.contains("。<mark>机器学习</mark>是"), "{}", hit.snippet_html);
    let hit = shelf.search("服务").hits.remove(0);
    assert!(hit.snippet_html.contains("和<mark>服務</mark>很好"), "{}", hit.snippet_html);
    let hit = shelf.search("full").hits.remove(0);
    assert!(hit.snippet_html.contains("<mark>Ｆｕｌｌ</mark> width"), "{}", hit.snippet_html);
}

const LONG: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
                    seventeen eighteen nineteen twenty twenty-one";

/// A document with a fingerprint of the present version.
fn printed(key: &str, simhash: u64) -> IndexDocument {
    IndexDocument { simhash, simhash_version: FINGERPRINT_VERSION, ..page(key, "t", LONG) }
}

#[test]
fn collapse_shows_one_of_each_cluster_whatever_the_order_of_indexing() {
    let near = |key: &str, bits: u64| printed(key, 0xabcd_0000_1234_5678 ^ bits);
    let documents = [near("a", 0), near("b", 0b1), near("c", 0b11 << 40), near("far", 0xffff), page("none", "t", LONG)];
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
        let library = Library::of(&order.map(|n| documents[n].clone()));
        let query = SearchQuery { text: "eleven".into(), collapse: true, ..SearchQuery::default() };
        let results = library.reader.search(&query).unwrap();
        let shown: Vec<_> = results.hits.iter().map(|hit| (hit.key.as_str(), hit.duplicates)).collect();
        assert_eq!(shown, [("a", 2), ("far", 0), ("none", 0)]);
        assert_eq!(results.total, 5);
        let near = library.reader.near_duplicates(&documents[0], 10).unwrap();
        let near: Vec<_> = near.iter().map(|other| (other.key.as_str(), other.distance)).collect();
        assert_eq!(near, [("b", 1), ("c", 2)]);
    }
}

#[test]
fn short_texts_are_never_collapsed() {
    let short = |key: &str| IndexDocument { text: "only a few words".into(), ..printed(key, 77) };
    let library = Library::of(&[short("a"), short("b")]);
    let query = SearchQuery { text: "words".into(), collapse: true, ..SearchQuery::default() };
    assert_eq!(library.reader.search(&query).unwrap().hits.len(), 2);
}

#[test]
fn fingerprints_of_different_versions_are_never_compared() {
    let old = IndexDocument { simhash_version: FINGERPRINT_VERSION - 1, ..printed("old", 77) };
    let library = Library::of(&[printed("new", 77), old.clone(), IndexDocument { key: "older".into(), ..old.clone() }]);
    let query = SearchQuery { text: "eleven".into(), collapse: true, ..SearchQuery::default() };
    assert_eq!(library.reader.search(&query).unwrap().hits.len(), 3);
    assert!(library.reader.near_duplicates(&old, 10).unwrap().is_empty());
    assert!(library.reader.near_duplicates(&printed("new", 77), 10).unwrap().is_empty());
    assert_eq!(library.reader.get("old").unwrap().unwrap().simhash_version, FINGERPRINT_VERSION - 1);
}

#[test]
fn what_links_say_is_found_but_counts_less_than_title_and_text() {
    let linked = |key: &str| IndexDocument { anchor_title: "storm".into(), ..page(key, "One title", "Some words.") };
    let library = Library::of(&[
        linked("anchor"),
        page("text", "One title", "Some words of the storm."),
        page("title", "One storm", "Some words."),
    ]);
    let query = SearchQuery { text: "storm".into(), ..SearchQuery::default() };
    let hits = library.reader.search(&query).unwrap().hits;
    assert_eq!(hits.iter().map(|hit| hit.key.as_str()).collect::<Vec<_>>(), ["title", "text", "anchor"]);
}

#[test]
fn all_that_a_query_finds_comes_out_whatever_the_limits_for_hits() {
    let many: Vec<IndexDocument> = (0..40).map(|n| page(&format!("k{n}"), "Mill", LONG)).collect();
    let library = Library::of(&[&many[..], &[page("other", "Storm", "nothing alike")]].concat());
    let query = SearchQuery { text: "eleven mill".into(), limit: 3, ..SearchQuery::default() };
    let (found, warnings) = library.reader.matching(&query).unwrap();
    assert_eq!((found.map(Result::unwrap).filter(|document| document.title == "Mill").count(), warnings), (40, vec![]));
    let (none, _) =
        library.reader.matching(&SearchQuery { text: "eleven storm".into(), ..SearchQuery::default() }).unwrap();
    assert_eq!(none.count(), 0, "all words, never some of them");
    let (all, _) = library.reader.matching(&SearchQuery::default()).unwrap();
    assert_eq!(all.count(), 41);
}

#[test]
fn numbers_of_attributes_are_found_by_range() {
    let shelf = shelf();
    for inside in ["[3000 TO 5000]", "[4299 TO *]", "[* TO 4299]", "4000..", "..4300", ">=4299", "<4300", "4000..5000"]
    {
        assert_eq!(shelf.found(&format!("price:{inside}")), "lap", "{inside}");
        assert_eq!(shelf.found(&format!("-price:{inside} kind:product")), "", "{inside}");
    }
    for outside in ["[3000 TO 4298]", ">4299", "<4299", "5000.."] {
        assert_eq!(shelf.found(&format!("price:{outside}")), "", "{outside}");
    }
    let turned = shelf.search("price:[5000 TO 3000]");
    assert_eq!((turned.total, turned.warnings.len()), (1, 1), "turned round, and told: {:?}", turned.warnings);
    assert_eq!(shelf.found("attr.screen_size:[13 TO 16] brand:Lenovo price:[3000 TO 5000]"), "lap");
    assert_eq!(shelf.found("attr.价格:>4000"), "lap", "the page's own name does as well");
    assert_eq!(shelf.found("price:[cheap TO dear]"), "");
}

#[test]
fn shards_answer_as_one_index_does_scores_and_facets_included() {
    let (one, three) = (shelf(), Library::sharded(&books(), 3));
    assert_eq!(three.reader.count(), one.reader.count());
    assert_eq!(three.reader.digest().unwrap(), one.reader.digest().unwrap());
    assert_eq!(three.reader.positions().unwrap().len(), 3, "those of every shard");
    for query in [
        "asyncio",
        "laptop screen",
        "机器学习",
        "主义",
        "brand:lenovo price:[4000 TO 5000]",
        "kind:product",
        "the",
        "salt OR 産品",
    ] {
        let (whole, dealt) = (one.search(query), three.search(query));
        let ranked = |results: &SearchResults| -> Vec<(String, f32)> {
            results.hits.iter().map(|hit| (hit.key.clone(), hit.score)).collect()
        };
        assert_eq!(ranked(&dealt), ranked(&whole), "{query}");
        assert_eq!((dealt.total, &dealt.facets), (whole.total, &whole.facets), "{query}");
    }
    assert_eq!(three.reader.get("zh2").unwrap(), one.reader.get("zh2").unwrap());
}

#[test]
fn a_reader_knows_when_shards_have_come() {
    let library = Library::sharded(&books(), 2);
    let dir = library._dir.path();
    assert!(library.reader.covers(dir));
    let config = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
    IndexWriter::open(&dir.join("p0002"), &config).unwrap();
    assert!(!library.reader.covers(dir));
    assert!(IndexReader::open(dir).unwrap().covers(dir));
}

#[test]
fn a_date_that_most_pages_of_a_site_share_is_the_sites_and_not_theirs() {
    const DAY: i64 = 86_400;
    let dated = |site: &str, n: i64, published: i64| IndexDocument {
        site: site.into(),
        published: Some(published),
        ..page(&format!("{site}-{n}"), "Chapter", "Some text of a chapter")
    };
    // A manual built at one moment, one with a day alone, a front page's news of one day, a site of few pages.
    let mut documents: Vec<IndexDocument> = (0..30).map(|n| dated("manual.example", n, 20_000 * DAY + 3_723)).collect();
    documents.push(dated("manual.example", 30, 19_000 * DAY + 1));
    documents.extend((0..60).map(|n| dated("daily-build.example", n, 20_000 * DAY)));
    documents.extend((0..40).map(|n| dated("news.example", n, 20_000 * DAY)));
    documents.extend((0..30).map(|n| dated("news.example", 40 + n, (19_000 + n) * DAY)));
    documents.extend((0..19).map(|n| dated("small.example", n, 20_000 * DAY + 3_723)));
    for library in [Library::of(&documents), Library::sharded(&documents, 3)] {
        let mut with_date = std::collections::BTreeMap::new();
        for document in library.reader.documents().map(Result::unwrap) {
            *with_date.entry(document.site).or_insert(0) += usize::from(document.published.is_some());
        }
        let expected = [("daily-build.example", 0), ("manual.example", 1), ("news.example", 70), ("small.example", 19)];
        assert_eq!(with_date, expected.map(|(site, n)| (site.to_owned(), n)).into());
        let hit = &library.search("site:manual.example chapter").hits[0];
        assert_eq!(library.reader.get(&hit.key).unwrap().unwrap().published, hit.published);
        // Nor are they found by it: 2024-10-04 is the day 20,000, 2022-01-08 the day 19,000.
        let total = |query: &str| library.search(query).total;
        assert_eq!((total("site:manual.example date:2024"), total("site:manual.example date:2022")), (0, 1));
        assert_eq!((total("site:daily-build.example date:>=2000"), total("date:2024-10-04")), (0, 59));
        assert_eq!((total("site:daily-build.example -date:2024"), total("site:small.example date:2024")), (60, 19));
    }
}

#[test]
fn the_day_that_a_page_declares_is_its_own_however_many_share_it() {
    const DAY: i64 = 20_000 * 86_400;
    let of = |site: &str, n: i64, published: i64, declared: bool| IndexDocument {
        site: site.into(),
        published: Some(published),
        published_text: "2024-10-04".into(),
        published_declared: declared,
        ..page(&format!("{site}-{n}"), "Story", "Some text of a story")
    };
    // All news of a day; a manual of which a few pages declare what the others show in their footer.
    let mut documents: Vec<IndexDocument> = (0..60).map(|n| of("news.example", n, DAY, true)).collect();
    documents.extend((0..60).map(|n| of("manual.example", n, DAY, n < 5)));
    for library in [Library::of(&documents), Library::sharded(&documents, 3)] {
        let dated = |site: &str| {
            let all = library.reader.documents().map(Result::unwrap).filter(|document| document.site == site);
            all.map(|document| {
                assert_eq!(document.published_text, "2024-10-04", "what is taken away stays as the page worded it");
                assert_eq!(document.published.is_none(), document.published_of_site);
                usize::from(document.published.is_some())
            })
            .sum::<usize>()
        };
        assert_eq!((dated("news.example"), dated("manual.example")), (60, 5));
        let total = |query: &str| library.search(query).total;
        assert_eq!((total("site:news.example date:2024-10-04"), total("site:manual.example date:2024")), (60, 5));
        let newest =
            library.search("site:manual.example story").hits.iter().filter(|hit| hit.published.is_some()).count();
        assert!(newest <= 5);
    }
}

#[test]
fn an_author_that_most_pages_of_a_site_share_is_the_sites_unless_a_person_wrote_its_articles() {
    let by = |site: &str, n: usize, kind: DocumentKind, author: &str| IndexDocument {
        site: site.into(),
        kind,
        author: author.into(),
        ..page(&format!("{site}-{n}"), "Page", "Some text of a page")
    };
    // Of each site the first pages are articles, the last two listings.
    let kind = |n: usize| if n < 28 { DocumentKind::Article } else { DocumentKind::Listing };
    let mut documents: Vec<IndexDocument> = (0..30).map(|n| by("weblog.example", n, kind(n), "Jane Miller")).collect();
    documents.extend((0..30).map(|n| by("manual.example", n, kind(n), "The Mill Project")));
    documents.extend((0..30).map(|n| by("news.example", n, kind(n), if n % 2 == 0 { "Bo Reed" } else { "News Team" })));
    documents.extend((0..30).map(|n| by("shop.example", n, DocumentKind::Product, "Web Smith")));
    documents.extend((0..19).map(|n| by("small.example", n, DocumentKind::Product, "Web Smith")));
    for library in [Library::of(&documents), Library::sharded(&documents, 3)] {
        let mut with_author = std::collections::BTreeMap::new();
        for document in library.reader.documents().map(Result::unwrap) {
            *with_author.entry(document.site).or_insert(0) += usize::from(!document.author.is_empty());
        }
        let expected = [
            ("manual.example", 0),
            ("news.example", 30),
            ("shop.example", 0),
            ("small.example", 19),
            ("weblog.example", 28),
        ];
        assert_eq!(with_author, expected.map(|(site, n)| (site.to_owned(), n)).into());
    }
}

fn mills() -> Library {
    let mill = |key: &str, brand: &str, price: f64, published: Option<i64>| IndexDocument {
        key: key.into(),
        title: format!("Mill {key}"),
        text: "A hand mill for grain.".into(),
        kind: DocumentKind::Product,
        published,
        attributes: vec![
            ProductAttribute { canonical: "brand".into(), ..ProductAttribute::new("Brand", brand) },
            ProductAttribute {
                canonical: "price".into(),
                number: Some(price),
                ..ProductAttribute::new("Price", format!("{price:.2} EUR"))
            },
        ],
        ..IndexDocument::default()
    };
    let at = |day: &str| Some(parse_period(day).unwrap().start);
    Library::of(&[
        mill("a", "Weir & Daughters", 48.0, at("2023-04-01")),
        mill("b", "溪上石坊", 120.0, at("2024-05-05")),
        mill("c", "Vat & Felt", 189.5, None),
    ])
}

#[test]
fn a_brand_is_found_by_a_word_of_it_in_any_case() {
    let mills = mills();
    for (query, key) in
        [("brand:daughters", "a"), ("brand:WEIR", "a"), ("brand:\"vat & felt\"", "c"), ("brand:石坊", "b")]
    {
        assert_eq!(mills.found(query), key, "{query}");
    }
}

#[test]
fn a_product_is_found_by_the_number_that_only_its_data_has() {
    let product = |key: &str, canonical: &str, value: &str| IndexDocument {
        attributes: vec![ProductAttribute { canonical: canonical.into(), ..ProductAttribute::new("No.", value) }],
        ..page(key, "Mill", "A hand mill for grain.")
    };
    let shop = Library::of(&[
        product("a", "sku", "GM-1030"),
        product("b", "gtin", "4006381500001"),
        product("c", "weight", "10305 g"),
        product("d", "isbn", "9783161484100"),
        product("e", "mpn", "GM-1030"),
    ]);
    for (query, keys) in [
        ("GM-1030", "a e"),
        ("gm-1030 mill", "a e"),
        ("4006381500001", "b"),
        ("10305", ""),
        ("GM-1031", ""),
        ("978-3-16-148410-0", "d"),
        ("isbn:978-3-16-148410-0", "d"),
        ("sku:GM-1030", "a"),
    ] {
        assert_eq!(shop.found(query), keys, "{query}");
    }
}

#[test]
fn numbers_and_dates_are_asked_for_in_all_forms_of_a_range() {
    let mills = mills();
    for (query, keys) in [
        ("price:48", &["a"][..]),
        ("price:[40 TO 130]", &["a", "b"]),
        ("price:>=189.5", &["c"]),
        ("date:[2023 TO 2023-12]", &["a"]),
        ("date:[2024 TO *]", &["b"]),
        ("-date:[* TO 2024]", &["c"]),
    ] {
        assert_eq!(mills.found(query), keys.join(" "), "{query}");
        assert!(mills.search(query).warnings.is_empty(), "{query}: {:?}", mills.search(query).warnings);
    }
}

#[test]
fn what_cannot_be_read_in_a_query_is_told_and_not_silently_found_nowhere() {
    let mills = mills();
    for (query, says, total) in [
        ("prize:3", "`prize:` is no field", 0),
        ("Brnd:\"weir\"", "`Brnd:` is no field", 0),
        ("price:cheap", "`cheap` is no number; write price:[10 TO 20]", 0),
        ("price:[a TO b]", "`[a TO b]` is no number", 0),
        ("attr.weight:>=heavy", "`>=heavy` is no number; write weight:[10 TO 20]", 0),
        ("price:[130 TO 40]", "`[130 TO 40]` runs backwards", 2),
        ("date:2024..2023", "`2024..2023` runs backwards", 2),
        ("date:[2024 TO soon]", "`[2024 TO soon]` is no date", 0),
    ] {
        let results = mills.search(query);
        assert!(results.warnings.iter().any(|told| told.contains(says)), "{query}: {:?}", results.warnings);
        assert_eq!(results.total, total, "{query}");
    }
    assert!(mills.reader.has(DocumentKind::Product).unwrap() && !mills.reader.has(DocumentKind::Article).unwrap());
}
