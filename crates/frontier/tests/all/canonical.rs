//! Pages that name another as their canonical one are left out for it only while that one stands and says the same.

use crate::common;

use std::collections::BTreeMap;

use common::{Bed, START, answer, link, plain, with_robots};
use gristmill_frontier::{
    Departure, FailureKind, FetchOrder, FetchOutcome, FetchResult, Fingerprint, Frontier, News, NextAction, Notice,
    UrlState, Verdict,
};
use gristmill_urls::CanonicalUrl;

const SAID: Fingerprint = Fingerprint { text: 0x5eed_5eed_5eed_5eed, title: 7 };
/// Says what [`SAID`] says, but for a few words.
const NEARLY: Fingerprint = Fingerprint { text: SAID.text ^ 0b1111, title: 7 };
const OTHER: Fingerprint = Fingerprint { text: !SAID.text, title: 7 };

/// What one address answers, and what is read there.
#[derive(Debug, Clone, Default)]
struct Place {
    names: Option<&'static str>,
    says: Option<Fingerprint>,
    result: Option<FetchResult>,
}

fn page(says: Fingerprint) -> Place {
    Place { says: Some(says), ..Place::default() }
}

fn copy(says: Fingerprint, names: &'static str) -> Place {
    Place { names: Some(names), ..page(says) }
}

fn ends(result: FetchResult) -> Place {
    Place { result: Some(result), ..Place::default() }
}

type Web = BTreeMap<&'static str, Place>;

/// The outcome of an order, and what the extractor tells of it.
fn visit(web: &Web, order: &FetchOrder, now: u64) -> (FetchOutcome, Option<Notice>) {
    let place = web
        .get(order.url.as_str())
        .cloned()
        .unwrap_or_else(|| ends(FetchResult::Failed(FailureKind::Fetch(Verdict::Gone))));
    let result = place.result.clone().unwrap_or(FetchResult::Ok);
    let is_page = result == FetchResult::Ok;
    let canonical = place.names.map(str::to_owned);
    let outcome = FetchOutcome { canonical, ..answer(order, result, 200, now) };
    let news = News::Read { fingerprint: place.says, asks_password: false };
    (outcome, is_page.then(|| Notice { url: order.url.clone(), news }))
}

/// Fetches everything that is due, and applies what departs and what is read to `index`.
fn crawl(bed: &mut Bed, web: &Web, index: &mut Vec<String>) {
    loop {
        match bed.next() {
            NextAction::Order(order) => {
                let (outcome, notice) = visit(web, &order, bed.now);
                bed.apply(&outcome);
                if let Some(notice) = notice {
                    index.retain(|url| *url != order.url);
                    if let News::Read { fingerprint: Some(_), .. } = &notice.news {
                        index.push(order.url.clone());
                    }
                    let now = bed.now;
                    assert!(bed.frontier().notice(&notice, now).unwrap());
                }
                if outcome.result == FetchResult::Failed(FailureKind::Fetch(Verdict::Gone)) {
                    index.retain(|url| *url != order.url);
                }
                let departed = bed.frontier().take_departed();
                index.retain(|url| departed.iter().all(|gone| gone.as_str() != url));
            }
            NextAction::WaitUntil(time) if time < bed.now + 60_000 => bed.now = time,
            _ => break,
        }
    }
    index.sort();
}

/// What stands in the index after a crawl of `web`, links to all of it given in this order and in the other one.
fn indexed(web: &Web) -> Vec<String> {
    let urls: Vec<&str> = web.keys().copied().collect();
    let crawled = |urls: Vec<&str>| {
        let (mut bed, mut index) = (Bed::new(plain()), Vec::new());
        urls.into_iter().for_each(|url| _ = bed.page(url));
        crawl(&mut bed, web, &mut index);
        index
    };
    let index = crawled(urls.clone());
    assert_eq!(index, crawled(urls.into_iter().rev().collect()), "{web:?}");
    index
}

const PAGE: &str = "http://a.com/page";
const NAMED: &str = "http://a.com/named";

/// An address at a site of its own for each `n`.
fn at(n: usize, path: &str) -> &'static str {
    format!("http://site{n}.test/{path}").leak()
}

#[test]
fn a_page_is_left_out_for_its_canonical_one_where_that_says_the_same() {
    let (mut web, mut expected) = (Web::new(), Vec::new());
    for (n, (copy_at, original)) in [
        ("http://site.test/page", "http://site.test/named"),
        ("http://site.test/rye?ref=mail", "http://site.test/rye"),
        ("http://site.test/rye/print", "http://site.test/rye"),
        ("http://site.test/rye", "https://site.test/rye"),
        ("http://site.test/rye", "http://www.site.test/rye"),
        ("http://site.test/index.html", "http://site.test/"),
        ("http://other.test/rye", "http://site.test/rye"),
    ]
    .into_iter()
    .enumerate()
    {
        let unlike_title = Fingerprint { title: 8, text: SAID.text ^ 0b11 };
        for (m, (says, itself)) in
            [(SAID, false), (NEARLY, false), (SAID, true), (unlike_title, false)].into_iter().enumerate()
        {
            let place = |url: &str| -> &'static str {
                url.replace("site.test", &format!("s{n}-{m}.test")).replace("other", &format!("o{n}-{m}")).leak()
            };
            let (copy_at, original) = (place(copy_at), place(original));
            let is_home = original.ends_with(".test/");
            web.insert(copy_at, copy(says, original));
            web.insert(original, if itself { copy(SAID, original) } else { page(SAID) });
            expected.push(original);
            // Every page of some sites names the home page.
            expected.extend((is_home && says == unlike_title).then_some(copy_at));
        }
    }
    expected.sort_unstable();
    assert_eq!(indexed(&web), expected);
}

#[test]
fn a_page_stays_where_its_canonical_one_is_another_or_does_not_stand() {
    let redirect = |to: &str| FetchResult::Redirect(Some(to.to_owned()));
    let (wordless, unlike_title) = (Fingerprint { text: 0, ..SAID }, Fingerprint { title: 8, ..NEARLY });
    let mut web = Web::new();
    let stays = |n: usize| (at(n, "page"), at(n, "named"), at(n, "third"));
    for n in 0..11 {
        let (url, named, third) = stays(n);
        let place = match n {
            0 => page(OTHER),
            1 => page(unlike_title),
            2 => ends(FetchResult::Failed(FailureKind::Fetch(Verdict::Gone))),
            3 => ends(FetchResult::Failed(FailureKind::Fetch(Verdict::ClientError))),
            4 => ends(FetchResult::Failed(FailureKind::Fetch(Verdict::Login))),
            5 => ends(redirect(url)),
            6 => ends(redirect(third)),
            7 => Place::default(),
            8 => copy(SAID, url),
            9 => copy(SAID, third),
            _ => page(wordless),
        };
        web.insert(url, copy(if n == 10 { wordless } else { SAID }, named));
        web.insert(named, place);
    }
    let index = indexed(&web);
    let lost: Vec<usize> = (0..11).filter(|n| !index.contains(&stays(*n).0.to_owned())).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let (mut bed, mut index) = (Bed::new(plain()), Vec::new());
    bed.page(PAGE);
    crawl(&mut bed, &Web::from([(PAGE, copy(SAID, NAMED)), (NAMED, page(SAID))]), &mut index);
    assert_eq!(index, [PAGE], "the other one is no part of the crawl");
}

#[test]
fn a_page_is_left_out_for_the_one_that_its_canonical_one_leads_to_and_comes_back_when_that_goes() {
    const THIRD: &str = "http://a.com/third";
    for named in [copy(SAID, THIRD), ends(FetchResult::Redirect(Some(THIRD.to_owned())))] {
        let mut web = Web::from([(PAGE, copy(SAID, NAMED)), (NAMED, named), (THIRD, page(SAID))]);
        assert_eq!(indexed(&web), [THIRD], "{web:?}");
        let (mut bed, mut index) = (Bed::new(plain()), Vec::new());
        web.keys().for_each(|url| _ = bed.page(url));
        crawl(&mut bed, &web, &mut index);
        web.insert(THIRD, ends(FetchResult::Failed(FailureKind::Fetch(Verdict::Gone))));
        bed.now += 60_000;
        let now = bed.now;
        assert!(bed.frontier().modified(THIRD, now, now).unwrap());
        crawl(&mut bed, &web, &mut index);
        assert!(index.contains(&PAGE.to_owned()), "{web:?}: {index:?}");
    }
    let circle = Web::from([(PAGE, copy(SAID, NAMED)), (NAMED, copy(SAID, THIRD)), (THIRD, copy(SAID, NAMED))]);
    assert_eq!(indexed(&circle), [NAMED, PAGE, THIRD], "none of them is the canonical one");
}

#[test]
fn a_page_stays_where_robots_txt_closes_its_canonical_one() {
    let (mut bed, mut index) = (Bed::new(with_robots()), Vec::new());
    bed.page("http://a.com/private/named");
    bed.page(PAGE);
    let robots = bed.order();
    bed.robots(&robots, "User-agent: *\nDisallow: /private/");
    let web = Web::from([(PAGE, copy(SAID, "http://a.com/private/named")), ("http://a.com/private/named", page(SAID))]);
    crawl(&mut bed, &web, &mut index);
    assert_eq!(index, [PAGE]);
}

#[test]
fn a_page_comes_back_when_its_canonical_one_goes_or_changes_and_by_a_restart_in_between() {
    let redirect = FetchResult::Redirect(Some(PAGE.to_owned()));
    for (why, later) in [
        ("is gone", ends(FetchResult::Failed(FailureKind::Fetch(Verdict::Gone)))),
        ("redirects back", ends(redirect)),
        ("is kept no more", Place::default()),
        ("says something else", page(OTHER)),
        ("names it in turn", copy(SAID, PAGE)),
    ] {
        let (mut bed, mut index) = (Bed::new(plain()), Vec::new());
        let mut web = Web::from([(PAGE, copy(SAID, NAMED)), (NAMED, page(SAID))]);
        web.keys().for_each(|url| _ = bed.page(url));
        crawl(&mut bed, &web, &mut index);
        assert_eq!(index, [NAMED]);
        bed.commit();
        bed.reopen();
        let explained = bed.explain(PAGE);
        assert_eq!(explained.departure, Some(Departure::Canonical));
        assert_eq!(explained.canonical.as_deref(), Some(NAMED));
        web.insert(NAMED, later);
        bed.now += 60_000;
        let now = bed.now;
        assert!(bed.frontier().modified(NAMED, now, now).unwrap());
        crawl(&mut bed, &web, &mut index);
        assert!(index.contains(&PAGE.to_owned()), "{why}: {index:?}");
        assert_eq!(bed.explain(PAGE).departure, None, "{why}");
    }
}

#[test]
fn a_page_that_names_another_no_more_or_says_something_else_stays_at_its_next_visit() {
    for later in [page(SAID), copy(OTHER, NAMED), copy(SAID, "http://a.com/nowhere")] {
        let (mut bed, mut index) = (Bed::new(plain()), Vec::new());
        let mut web = Web::from([(PAGE, copy(SAID, NAMED)), (NAMED, page(SAID))]);
        web.keys().for_each(|url| _ = bed.page(url));
        crawl(&mut bed, &web, &mut index);
        web.insert(PAGE, later.clone());
        let now = bed.now;
        bed.frontier().again(now).unwrap();
        crawl(&mut bed, &web, &mut index);
        assert_eq!(index, [NAMED, PAGE], "{later:?}");
        web.insert(PAGE, copy(SAID, NAMED));
        let now = bed.now;
        bed.frontier().again(now).unwrap();
        crawl(&mut bed, &web, &mut index);
        assert_eq!(index, [NAMED], "and is left out again");
    }
}

/// Three frontiers, each with some of the domains, decide as one does.
#[test]
fn frontiers_that_share_a_crawl_leave_out_what_one_leaves_out_and_bring_it_back() {
    let web = Web::from([
        ("http://a.com/1", copy(SAID, "http://b.com/1")),
        ("http://b.com/1", page(NEARLY)),
        ("http://c.com/2", copy(SAID, "http://a.com/2")),
        ("http://a.com/2", page(OTHER)),
        ("http://b.com/3", copy(SAID, "http://c.com/3")),
        ("http://c.com/3", copy(SAID, "http://b.com/3")),
    ]);
    let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let share_of = |domain: &str| usize::from(domain.as_bytes()[0] - b'a');
    let owner = |url: &str| share_of(CanonicalUrl::parse(url, None).unwrap().registrable_domain());
    let open = |share: usize| {
        Frontier::open(dirs[share].path(), plain())
            .unwrap()
            .owning(move |domain| usize::from(domain.as_bytes()[0] - b'a') == share)
    };
    let mut frontiers: Vec<Frontier> = (0..3).map(open).collect();
    let mut index: Vec<String> = Vec::new();
    let mut web = web;
    for round in 0..2 {
        let mut now = START + round * 1_000_000;
        for url in web.keys() {
            frontiers[owner(url)].offer(&link(url), now).unwrap();
        }
        if round == 1 {
            web.insert("http://b.com/1", ends(FetchResult::Failed(FailureKind::Fetch(Verdict::Gone))));
            assert!(frontiers[1].modified("http://b.com/1", now, now).unwrap());
        }
        for _ in 0..40 {
            now += 2_000;
            for share in 0..3 {
                if let NextAction::Order(order) = frontiers[share].next(now).unwrap() {
                    let (outcome, notice) = visit(&web, &order, now);
                    frontiers[share].outcome(&outcome, now).unwrap();
                    index.retain(|url| *url != order.url);
                    if let Some(notice) = notice {
                        index.push(order.url.clone());
                        assert!(frontiers[share].notice(&notice, now).unwrap());
                        assert!(!frontiers[(share + 1) % 3].notice(&notice, now).unwrap(), "not its own");
                    }
                }
                for notice in frontiers[share].take_notices() {
                    let owner = owner(notice.subject());
                    assert_ne!(owner, share);
                    assert!(frontiers[owner].notice(&notice, now).unwrap());
                }
            }
            for frontier in &mut frontiers {
                let departed = frontier.take_departed();
                index.retain(|url| departed.iter().all(|gone| gone.as_str() != url));
            }
        }
        index.sort();
        let mut expected: Vec<&str> = web.keys().copied().collect();
        expected.retain(|url| *url != if round == 0 { "http://a.com/1" } else { "http://b.com/1" });
        assert_eq!(index, expected, "round {round}");
    }
}

#[test]
fn a_dead_end_that_shows_after_a_restart_takes_the_page_that_leads_there_out() {
    let (mut bed, mut index) = (Bed::new(plain()), Vec::new());
    let mut web = Web::from([(PAGE, page(SAID))]);
    bed.page(PAGE);
    crawl(&mut bed, &web, &mut index);
    web.insert(PAGE, ends(FetchResult::Redirect(Some("http://a.com/end".to_owned()))));
    let now = bed.now;
    bed.frontier().again(now).unwrap();
    let order = bed.await_order();
    let (outcome, _) = visit(&web, &order, bed.now);
    bed.apply(&outcome);
    bed.commit();
    bed.reopen();
    crawl(&mut bed, &web, &mut index);
    assert!(index.is_empty());
    let explained = bed.explain(PAGE);
    assert_eq!((explained.state, explained.departure), (UrlState::Redirected, Some(Departure::DeadEnd)));
}

#[test]
fn what_a_site_says_under_many_addresses_stays_under_one_of_them_and_a_login_under_none() {
    let words = ["http://a.com/lost/", "http://b.com/lost/"];
    // The extractor may be faster than the fetcher's word.
    for (asks_password, kept, is_read_first) in [(false, 1, false), (true, 0, false), (false, 1, true), (true, 0, true)]
    {
        let (mut bed, mut index) = (Bed::new(plain()), Vec::<String>::new());
        let urls: Vec<String> = (0..40).map(|n| format!("{}{n}", words[0])).collect();
        let lists: Vec<String> = (0..40).map(|n| format!("{}{n}", words[1])).collect();
        urls.iter().chain(&lists).for_each(|url| _ = bed.page(url));
        let mut n_pages = 0;
        while n_pages < 80 {
            match bed.next() {
                NextAction::Order(order) => {
                    n_pages += 1;
                    if !is_read_first {
                        bed.ok(&order);
                    }
                    // The pages of a list differ.
                    let number = order.url.rsplit('/').next().unwrap().parse::<u64>().unwrap();
                    let text = if order.url.starts_with(words[0]) { SAID.text } else { number << 20 | 1 };
                    let fingerprint = Some(Fingerprint { text, ..SAID });
                    let news = News::Read { fingerprint, asks_password };
                    index.push(order.url.clone());
                    let now = bed.now;
                    bed.frontier().notice(&Notice { url: order.url.clone(), news }, now).unwrap();
                    if is_read_first {
                        bed.ok(&order);
                    }
                    let departed = bed.frontier().take_departed();
                    index.retain(|url| departed.iter().all(|gone| gone.as_str() != url));
                }
                NextAction::WaitUntil(time) => bed.now = time,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(index.iter().filter(|url| url.starts_with(words[0])).count(), kept);
        assert_eq!(index.iter().filter(|url| url.starts_with(words[1])).count(), 40);
        if !asks_password {
            let explained = bed.explain("http://a.com/lost/33");
            assert_eq!(explained.departure, Some(Departure::Copy));
            assert!(explained.copy_of.unwrap().starts_with(words[0]));
        }
    }
}

#[test]
fn of_two_addresses_of_a_page_that_also_asks_for_a_password_the_plainest_stays() {
    let mut bed = Bed::new(plain());
    let urls = ["http://a.com/", "http://a.com/index.html", "http://a.com/rye?ref=1", "http://a.com/rye"];
    urls.iter().for_each(|url| _ = bed.page(url));
    let mut index = Vec::new();
    while index.len() < urls.len() {
        match bed.next() {
            NextAction::Order(order) => {
                bed.ok(&order);
                let fingerprint = if order.url.contains("rye") { OTHER } else { SAID };
                index.push(order.url.clone());
                let news = News::Read { fingerprint: Some(fingerprint), asks_password: true };
                let now = bed.now;
                bed.frontier().notice(&Notice { url: order.url, news }, now).unwrap();
            }
            NextAction::WaitUntil(time) => bed.now = time,
            other => panic!("{other:?}"),
        }
    }
    let departed: Vec<String> = bed.frontier().take_departed().iter().map(|url| url.as_str().to_owned()).collect();
    index.retain(|url| !departed.contains(url));
    index.sort();
    assert_eq!(index, ["http://a.com/", "http://a.com/rye"]);
    assert_eq!(bed.explain("http://a.com/rye?ref=1").departure, Some(Departure::Copy));
}
