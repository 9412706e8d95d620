//! The model of CLG for pseudo-layouts, as training printed it: do not edit, train again.
//!
//! Trained on the gold texts of these packages:
//!
//! * wcxb-dev: 1332 pages, CC-BY-4.0
//! * fundus: 128 pages, MIT (repository); page texts remain with their publishers
//! * magic-html-article: 78 pages, Apache-2.0 (repository); page texts remain with their publishers
//! * magic-html-forum: 52 pages, Apache-2.0 (repository); page texts remain with their publishers
//! * newspaper4k-langs: 15 pages, MIT (repository); page texts remain with their publishers

use std::borrow::Cow;

use super::model::{Best, Linear, Model, Package, Provenance};

/// Weights, best values and tag scores for pseudo-layouts.
pub static PSEUDO: Model = Model {
    layout: false,
    best: Best {
        left: 0.0,
        right: 1.0,
        top: 0.49498731383028255,
        bottom: 0.5008036688876802,
        center_x: 0.5,
        center_y: 0.49789549135897815,
        area: 0.005816355057390688,
    },
    tag_scores: Cow::Borrowed(&[
        ("a", 0.12823331657424153),
        ("abbr", 0.2839756592292089),
        ("address", 0.05357142857142857),
        ("article", 0.12740252608456892),
        ("aside", 0.040754716981132075),
        ("b", 0.5234093637454982),
        ("big", 0.6666666666666666),
        ("blockquote", 0.683852140077821),
        ("body", 0.001866832607342875),
        ("button", 0.053030710482439625),
        ("caption", 0.3),
        ("center", 0.19607843137254902),
        ("cite", 0.4908675799086758),
        ("code", 0.8104905463100113),
        ("content", 0.3333333333333333),
        ("dd", 0.1675208199871877),
        ("del", 0.4819277108433735),
        ("details", 0.0953125),
        ("dialog", 0.016666666666666666),
        ("div", 0.15173175051839852),
        ("dl", 0.08621667612024958),
        ("dt", 0.20958317101675106),
        ("em", 0.6564508156203658),
        ("fieldset", 0.02717391304347826),
        ("figcaption", 0.13978494623655913),
        ("figure", 0.16154661016949154),
        ("font", 0.22149122807017543),
        ("footer", 0.014127144298688193),
        ("form", 0.019914096056228035),
        ("h1", 0.3430690774223458),
        ("h2", 0.545667094049325),
        ("h3", 0.5202362849456077),
        ("h4", 0.3777286135693215),
        ("h5", 0.25231992929739283),
        ("h6", 0.15369458128078817),
        ("header", 0.11301259283177269),
        ("hgroup", 0.043478260869565216),
        ("html", 0.001866832607342875),
        ("i", 0.5441114394259181),
        ("ins", 0.34146341463414637),
        ("kbd", 0.14893617021276595),
        ("label", 0.026845637583892617),
        ("legend", 0.007772020725388601),
        ("li", 0.1349302905896179),
        ("main", 0.02446808510638298),
        ("mark", 0.5),
        ("menu", 0.0196078431372549),
        ("nav", 0.012252591894439209),
        ("nobr", 0.14285714285714285),
        ("noscript", 0.02702702702702703),
        ("ol", 0.30319510537049627),
        ("optgroup", 0.0625),
        ("option", 0.013323509547491865),
        ("p", 0.6035528647025004),
        ("picture", 0.2),
        ("pre", 0.809862735129639),
        ("q", 0.6428571428571429),
        ("s", 0.14285714285714285),
        ("section", 0.19901080307171679),
        ("select", 0.00684931506849315),
        ("small", 0.14626865671641792),
        ("span", 0.29695735392564515),
        ("strike", 0.25),
        ("strong", 0.7454237447649522),
        ("sub", 0.6333333333333333),
        ("summary", 0.12320675105485232),
        ("sup", 0.4004611837048424),
        ("table", 0.1753607103218646),
        ("tbody", 0.19094922737306844),
        ("td", 0.391529610217483),
        ("textarea", 0.25),
        ("tfoot", 0.2),
        ("th", 0.38102893890675243),
        ("thead", 0.30514705882352944),
        ("time", 0.13838268792710706),
        ("title", 0.06521739130434782),
        ("tr", 0.31290154540718873),
        ("tt", 0.8095238095238095),
        ("u", 0.6552631578947369),
        ("ul", 0.15402673442333187),
        ("var", 0.9411764705882353),
        ("xmp", 0.75),
    ]),
    unseen_tag: 0.11234245440981734,
    lr: Linear {
        bias: -4.108061459474792,
        weights: [
            0.0, // POS_LEFT
            0.0, // POS_RIGHT
            2.2853554801377043, // POS_TOP
            2.231524922056704, // POS_BOTTOM
            0.0, // POS_CENTERX
            -0.47396623696568885, // POS_CENTERY
            -0.6702894804391845, // POS_DIST
            -6.200075975186298, // AREA_SIZE
            0.17692673841180087, // AREA_DIST
            0.0, // FONT_COLOR_POPULARITY
            0.39319390269433635, // FONT_SIZE
            -0.23673302602802107, // FONT_SIZE_POPULARITY
            3.4141304757445425, // VISIBLE_CHAR
            0.3735843404560789, // TEXT_RATIO
            3.844458862687619, // TAG_SCORE
            -1.4939538370346688, // TAG_DENSITY
            -1.5225312405808487, // LINK_DENSITY
        ],
    },
    svm: Linear {
        bias: -1.7595739022392975,
        weights: [
            0.0, // POS_LEFT
            0.0, // POS_RIGHT
            1.67142793036471, // POS_TOP
            1.801995639052816, // POS_BOTTOM
            0.0, // POS_CENTERX
            -1.1173446131099356, // POS_CENTERY
            -1.5801639057091896, // POS_DIST
            -0.3656321598885685, // AREA_SIZE
            0.10174402695039943, // AREA_DIST
            0.0, // FONT_COLOR_POPULARITY
            0.3115285294773684, // FONT_SIZE
            -0.32326888852965596, // FONT_SIZE_POPULARITY
            0.8507213912213933, // VISIBLE_CHAR
            0.08382475610541583, // TEXT_RATIO
            3.546768363528075, // TAG_SCORE
            -0.6809429624812751, // TAG_DENSITY
            0.20148888713529692, // LINK_DENSITY
        ],
    },
};

/// What [`PSEUDO`] was trained on.
pub static PSEUDO_PROVENANCE: Provenance = Provenance {
    features_version: 1,
    training_hash: 0x3335583735e9a0d3,
    packages: Cow::Borrowed(&[
        Package { name: Cow::Borrowed("wcxb-dev"), licence: Cow::Borrowed("CC-BY-4.0"), pages: 1332 },
        Package { name: Cow::Borrowed("fundus"), licence: Cow::Borrowed("MIT (repository); page texts remain with their publishers"), pages: 128 },
        Package { name: Cow::Borrowed("magic-html-article"), licence: Cow::Borrowed("Apache-2.0 (repository); page texts remain with their publishers"), pages: 78 },
        Package { name: Cow::Borrowed("magic-html-forum"), licence: Cow::Borrowed("Apache-2.0 (repository); page texts remain with their publishers"), pages: 52 },
        Package { name: Cow::Borrowed("newspaper4k-langs"), licence: Cow::Borrowed("MIT (repository); page texts remain with their publishers"), pages: 15 },
    ]),
    nodes: 1370635,
    positive: 307961,
    fold_scores: Cow::Borrowed(&[0.6948172243214347, 0.7080868640901304, 0.745201489870138]),
};
