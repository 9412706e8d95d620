//! CLG and its baselines on small pages.

use std::sync::LazyLock;

use gristmill_html::TreeLimits;
use gristmill_page::layout::{PageLayout, Sidecar};
use serde_json::json;

use super::*;

/// Positive where the tag is `p`: .88 against .12, whatever else is known of a node.
static PARAGRAPHS: LazyLock<ClgModel> = LazyLock::new(|| by_tag(false));
static PARAGRAPHS_WITH_LAYOUT: LazyLock<ClgModel> = LazyLock::new(|| by_tag(true));

fn by_tag(layout: bool) -> ClgModel {
    let mut weights = [0.0; 17];
    weights[14] = 4.0;
    let linear = Linear { bias: -2.0, weights };
    ClgModel {
        layout,
        best: GoldMeans { left: 0.0, right: 1.0, top: 0.0, bottom: 1.0, center_x: 0.5, center_y: 0.5, area: 0.5 },
        tag_scores: vec![("p".to_owned(), 1.0)],
        unseen_tag: 0.0,
        lr: linear,
        svm: linear,
    }
}

fn select(method: &dyn MainTextExtractor, doc: &Doc, layout: Option<&PageLayout>) -> (Vec<String>, Trace) {
    let page = Page::new(doc);
    let mut trace = Trace::recording();
    let selection = method.select(&page, &MethodInput { layout, ..MethodInput::default() }, &mut trace);
    let kept = (0..page.leaves.len()).filter(|&at| selection.keeps(at));
    (kept.map(|at| page.leaf_text(&page.leaves[at]).to_owned()).collect(), trace)
}

const HTML: &str =
    "<body><h1>Title</h1><ul><li>menu</li></ul><div><section><p>one</p><i>between</i><p>two</p></section></div>
    <div><div>a</div><div>b</div><div>c</div><div>d</div><div>e</div><div>f</div></div><div><p>far</p></div>";

#[test]
fn lr_keeps_candidates_lr_a_the_best_and_clg_the_area_around_the_best_group() {
    let doc = Doc::parse(HTML, &TreeLimits::default());
    for scorer in [Scorer::Lr, Scorer::Svm] {
        assert_eq!(select(&ThresholdBaseline::new(&PARAGRAPHS, scorer), &doc, None).0, ["one", "two", "far"]);
        assert_eq!(select(&BestNode::new(&PARAGRAPHS, scorer), &doc, None).0, ["one"], "the first of equals");
    }
    let (kept, trace) = select(&Clg { gap_text: 0.0, ..Clg::new(&PARAGRAPHS) }, &doc, None);
    assert_eq!(kept, ["Title", "one", "between", "two"], "`between` comes back with the common ancestor");
    assert_eq!(trace.get("groups"), Some(&TraceValue::Series(vec![2.0, 1.0])));
    assert_eq!(trace.get("step"), Some(&TraceValue::Text("3a".into())));
    let loose = Clg { gap_rows: 6, ..Clg::new(&PARAGRAPHS) };
    assert_eq!(select(&loose, &doc, None).1.get("groups"), Some(&TraceValue::Series(vec![3.0])));
}

#[test]
fn without_a_candidate_clg_takes_the_best_node_and_lr_keeps_nothing() {
    let doc = Doc::parse(HTML, &TreeLimits::default());
    assert_eq!(select(&Clg { threshold: 0.9, ..Clg::new(&PARAGRAPHS) }, &doc, None).0, ["one"]);
    assert!(
        select(&ThresholdBaseline { threshold: 0.9, ..ThresholdBaseline::new(&PARAGRAPHS, Scorer::Lr) }, &doc, None)
            .0
            .is_empty()
    );
}

#[test]
fn a_page_without_text_keeps_nothing() {
    for html in ["", "<frameset><frame src=a></frameset>", "<script>x</script>", "<img>"] {
        let doc = Doc::parse(html, &TreeLimits::default());
        assert!(select(&Clg::NO_LAYOUT, &doc, None).0.is_empty(), "{html}");
        assert!(select(&BestNode::SVM_NO_LAYOUT, &doc, None).0.is_empty(), "{html}");
    }
}

#[test]
fn methods_are_named_by_the_layout_that_their_model_needs() {
    let names = |model: &'static ClgModel| {
        let lr =
            (ThresholdBaseline::new(model, Scorer::Lr).about().name, BestNode::new(model, Scorer::Lr).about().name);
        let svm =
            (ThresholdBaseline::new(model, Scorer::Svm).about().name, BestNode::new(model, Scorer::Svm).about().name);
        (Clg::new(model).about().name, lr, svm)
    };
    assert_eq!(names(&PARAGRAPHS_WITH_LAYOUT), ("clg", ("lr", "lr-a"), ("svm", "svm-a")));
    assert_eq!(
        names(&PARAGRAPHS),
        ("clg-nolayout", ("lr-nolayout", "lr-a-nolayout"), ("svm-nolayout", "svm-a-nolayout"))
    );
}

/// body > (p at the left, p at the right, p below the left one), each with one word.
static COLUMNS: LazyLock<(Doc, PageLayout)> = LazyLock::new(|| {
    let bounds = [
        [0, 0, 1000, 1000],
        [0, 0, 1000, 1000],
        [0, 0, 300, 500],
        [0, 0, 300, 100],
        [0, 0, 200, 20],
        [600, 0, 400, 1000],
        [620, 600, 300, 300],
        [620, 600, 200, 20],
    ];
    let file = json!({
        "format": "gristmill-layout", "version": 1,
        "computedStyles": ["visibility", "opacity", "font-size", "color"],
        "strings": ["#document", "HTML", "BODY", "DIV", "P", "#text", "left", "right", "visible", "1", "16px", "black"],
        "document": { "contentWidth": 1000, "contentHeight": 1000,
            "nodes": { "parentIndex": [-1, 0, 1, 2, 3, 1, 5, 6], "nodeType": [9, 1, 1, 1, 3, 1, 1, 3],
                "nodeName": [0, 1, 3, 4, 5, 3, 4, 5], "nodeValue": [-1, -1, -1, -1, 6, -1, -1, 7],
                "attributes": vec![json!([]); 8] },
            "layout": { "nodeIndex": [0, 1, 2, 3, 4, 5, 6, 7], "bounds": bounds,
                "styles": vec![json!([8, 9, 10, 11]); 8] } },
    });
    Sidecar::read(file.to_string().as_bytes(), &TreeLimits::default()).unwrap()
});

#[test]
fn a_layout_model_groups_by_the_boxes_of_the_side_car() {
    let (doc, layout) = &*COLUMNS;
    let clg = Clg::new(&PARAGRAPHS_WITH_LAYOUT);
    assert!(clg.uses_layout() && !Clg::NO_LAYOUT.uses_layout());
    let (kept, trace) = select(&clg, doc, Some(layout));
    assert_eq!(trace.get("layout"), Some(&TraceValue::Text("browser".into())));
    assert_eq!(trace.get("groups"), Some(&TraceValue::Series(vec![1.0, 1.0])), "neither aligned nor siblings");
    assert_eq!(kept, ["right"], "the larger box");
}

#[test]
fn a_layout_model_without_a_layout_keeps_nothing_and_says_so() {
    let doc = Doc::parse(HTML, &TreeLimits::default());
    let clg = Clg::new(&PARAGRAPHS_WITH_LAYOUT);
    let (kept, trace) = select(&clg, &doc, None);
    assert!(kept.is_empty());
    assert!(matches!(trace.get("layout"), Some(TraceValue::Text(text)) if text.starts_with("missing")));
    let other = &COLUMNS.1;
    assert!(select(&clg, &doc, Some(other)).0.is_empty(), "the layout of another page is none");
    let pseudo = PageLayout::pseudo(&Page::new(&doc));
    assert!(select(&clg, &doc, Some(&pseudo)).0.is_empty(), "a guess is no layout of a browser");
}

#[test]
fn without_a_layout_model_the_side_car_is_not_used_and_the_trace_says_so() {
    let (doc, layout) = &*COLUMNS;
    let (_, trace) = select(&Clg::NO_LAYOUT, doc, Some(layout));
    assert!(matches!(trace.get("layout"), Some(TraceValue::Text(text)) if text.contains("not used")));
}

#[test]
fn hostile_pages_take_no_time_and_give_finite_scores() {
    let deep = format!("{}text", "<div>".repeat(20_000));
    let wide = "<a href=x>link</a>".repeat(50_000);
    let images = "<img width=99999999999999999999999 height=0><p>x".repeat(20_000);
    for html in [deep, wide, images] {
        let doc = Doc::parse(&html, &TreeLimits::default());
        for method in
            [&Clg::NO_LAYOUT as &dyn MainTextExtractor, &BestNode::SVM_NO_LAYOUT, &ThresholdBaseline::LR_NO_LAYOUT]
        {
            let (_, trace) = select(method, &doc, None);
            let Some(TraceValue::Series(scores)) = trace.get("scores") else { panic!("no scores") };
            assert!(scores.iter().all(|score| score.is_finite()));
        }
    }
}
