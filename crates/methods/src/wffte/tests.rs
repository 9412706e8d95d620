//! The worked examples of WFFTE, and small pages.

use gristmill_html::{Doc, TreeLimits};

use super::*;

fn page(html: &str, check: impl FnOnce(&Page<'_>)) {
    let doc = Doc::parse(html, &TreeLimits::default());
    check(&Page::new(&doc));
}

fn select(wffte: Wffte, html: &str) -> (Vec<String>, Trace) {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let mut trace = Trace::recording();
    let selection = wffte.select(&page, &MethodInput::default(), &mut trace);
    let kept = page.leaves.iter().enumerate().filter(|(at, _)| selection.keeps(*at));
    (kept.map(|(_, leaf)| page.leaf_text(leaf).to_owned()).collect(), trace)
}

fn series(trace: &Trace, name: &str) -> Vec<f64> {
    match trace.get(name) {
        Some(TraceValue::Series(values)) => values.clone(),
        other => panic!("`{name}` is {other:?}"),
    }
}

/// DSD of the innermost container of a page in which each number is a rank along the path.
fn dsd(ranks: &[u32], q: f64) -> f64 {
    let html: String = ranks.iter().map(|&rank| "<div></div>".repeat(rank as usize - 1) + "<div>").collect();
    let mut value = 0.0;
    page(&(html + "x"), |page| {
        let containers = Containers::new(page, |_, _| ());
        let at = containers.of_leaf[0] as usize;
        value = places(&containers, q)[at];
    });
    value
}

#[test]
fn place_weights_follow_the_worked_values() {
    for (ranks, expected) in
        [(&[1][..], 1.0), (&[1, 1], 0.9091), (&[2], 0.5), (&[1, 2], 0.8333), (&[3, 1, 2], 0.3205), (&[1, 12], 0.4545)]
    {
        assert!((dsd(ranks, 10.0) - expected).abs() < 5e-5, "{ranks:?}: {}", dsd(ranks, 10.0));
    }
    assert!(dsd(&[1, 12], 13.0) > dsd(&[2], 13.0), "a base above the number of siblings keeps their order");
}

#[test]
fn the_base_can_follow_the_page() {
    page("<div>a</div><div>b</div><div>c<div>d</div></div>", |page| {
        let containers = Containers::new(page, |_, _| ());
        assert_eq!(WeightBase::Auto.of(&containers), 4.0);
    });
    assert_eq!("auto".parse(), Ok(WeightBase::Auto));
    assert!(["NaN", "0.5", "-1", "inf", "ten"].iter().all(|text| text.parse::<WeightBase>().is_err()));
}

#[test]
fn scores_follow_the_worked_example() {
    let container = |marks, plain_words, link_words| TextContainer {
        id: gristmill_html::NodeId::DOCUMENT,
        parent: 0,
        rank: 0,
        level: 0,
        children: 0,
        chars: 0,
        plain_words,
        link_words,
        marks,
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-4, "{a} is not {b}");
    near(punctuation(&container(0, 2, 20)), 0.0001);
    near(punctuation(&container(9, 120, 3)), 15.0);
    near(punctuation(&container(4, 30, 14)), 0.2);
    let containers = Containers {
        all: vec![
            TextContainer { children: 3, ..container(0, 0, 0) },
            TextContainer { level: 1, rank: 1, ..container(0, 2, 20) },
            TextContainer { level: 1, rank: 2, ..container(9, 120, 3) },
            TextContainer { level: 1, rank: 3, ..container(4, 30, 14) },
        ],
        of_leaf: Vec::new(),
    };
    let counts = [(0, 0), (1, 0), (3, 2), (1, 1)];
    let scores = Wffte::PAPER.scores(&containers, &counts, &mut Trace::default());
    near(scores[1], 0.5001);
    near(scores[2], 9.25);
    near(scores[3], 0.5667);
}

#[test]
fn path_distances_follow_the_formula() {
    // …/div[1]/div[0] and …/div[1]/div[2]/div[1] of the example, with siblings, parent and cousin.
    let html = "<div><div>a</div><div>b</div><div>c<div>d</div></div></div><div>e<div>f</div></div>";
    page(html, |page| {
        let containers = Containers::new(page, |_, _| ());
        let groups = Groups::new(page, &containers, &vec![0.0; containers.all.len()], true);
        let group = |leaf: usize| groups.of_container[containers.of_leaf[leaf] as usize].unwrap() as usize;
        let distance = |a, b| {
            assert_eq!(
                groups.distance(&containers, group(b), group(a)),
                groups.distance(&containers, group(a), group(b))
            );
            groups.distance(&containers, group(a), group(b))
        };
        assert_eq!(distance(0, 3), 2, "printed as 3");
        assert_eq!((distance(0, 1), distance(2, 3), distance(0, 0)), (1, 0, 0));
        assert_eq!(distance(0, 5), 3, "cousins");
        assert_eq!(distance(3, 5), 4);
    });
}

#[test]
fn the_distance_of_merged_siblings_is_that_of_the_nearest() {
    let html = "<div class=a>one</div><div class=a>two<div>inner</div></div>";
    page(html, |page| {
        let containers = Containers::new(page, |_, _| ());
        let groups = Groups::new(page, &containers, &vec![0.0; containers.all.len()], true);
        assert_eq!(groups.all.len(), 2);
        assert_eq!(groups.distance(&containers, 0, 1), 0, "the second of the merged lies around it");
        assert_eq!(groups.distance(&containers, 1, 0), 0);
    });
}

#[test]
fn siblings_merge_by_class_or_style_and_never_without() {
    let merged = |html: &str| {
        let mut n = 0;
        page(html, |page| {
            let containers = Containers::new(page, |_, _| ());
            n = Groups::new(page, &containers, &vec![0.0; containers.all.len()], true).all.len();
        });
        n
    };
    assert_eq!(merged("<div class=a>x</div><div class=a>y</div><div class=b>z</div>"), 2);
    assert_eq!(merged("<div style='color:red'>x</div><div style='color:red'>y</div>"), 1);
    assert_eq!(merged("<div>x</div><div>y</div><div class=''>z</div>"), 3);
    assert_eq!(merged("<div class=a>x</div><section class=a>y</section>"), 2);
}

const ARTICLE: &str = "<title>Flood at the mill</title>
    <div class=nav><div><div><div><a href=/>Home</a> <a href=/n>News of the mill</a></div></div></div></div>
    <div class=main><h1>Flood at the mill</h1><div class=p>The flood came to the mill at night, and it stayed, wet and
    cold. Nobody slept, nobody spoke.</div><div class=p>Then the flood went, at last. The mill, they say, stands.</div>
    </div><div class=foot><div><div><div><div>Copyright © Mill Privacy Terms</div></div></div></div></div>";

#[test]
fn the_best_container_and_what_is_near_it_are_kept() {
    let (kept, trace) = select(Wffte::PAPER, ARTICLE);
    assert_eq!(kept.len(), 3, "{kept:?}");
    assert!(!kept.iter().any(|text| text.contains("Copyright")));
    assert_eq!(trace.get("first_word"), Some(&TraceValue::Text("mill".into())));
    assert_eq!(trace.get("second_word"), Some(&TraceValue::Text("flood".into())));
    assert_eq!(trace.get("juli"), Some(&TraceValue::Number(2.0)));
}

#[test]
fn a_best_container_with_less_than_half_of_the_text_reaches_farther() {
    let share = |best: usize| {
        let html = format!(
            "<div><div><div>{},.;:?!</div></div></div><div><div><div>{}</div></div></div>",
            "a ".repeat(best - 6),
            "b".repeat(500 - best)
        );
        let (kept, trace) = select(Wffte::PAPER, &html);
        (kept.len(), trace.get("best_share").cloned(), trace.get("juli").cloned())
    };
    let number = |n| Some(TraceValue::Number(n));
    assert_eq!(share(300), (1, number(0.6), number(2.0)));
    assert_eq!(share(200), (1, number(0.4), number(4.0)));
}

#[test]
fn a_footer_beside_the_text_is_told_by_its_phrases() {
    let html = "<div>One, two, three, four, five, six, seven.</div><div>Copyright © Mill Privacy Terms</div>";
    let (kept, trace) = select(Wffte::PAPER, html);
    assert_eq!(kept, ["One, two, three, four, five, six, seven."]);
    assert_eq!(series(&trace, "distances"), [0.0, 1.0]);
}

#[test]
fn text_directly_in_the_body_is_kept_only_when_no_container_has_any() {
    assert_eq!(select(Wffte::PAPER, "<p>alone</p><div></div>").0, ["alone"]);
    assert_eq!(select(Wffte::PAPER, "<p>beside</p><div>inside</div>").0, ["inside"]);
    assert!(select(Wffte::PAPER, "").0.is_empty());
}

#[test]
fn a_page_without_title_is_judged_by_place_and_punctuation() {
    let (_, trace) = select(Wffte::PAPER, "<div>One, two.</div>");
    assert_eq!(series(&trace, "tsd"), [0.0, 0.0]);
    assert_eq!(trace.get("first_word"), Some(&TraceValue::Text(String::new())));
}
