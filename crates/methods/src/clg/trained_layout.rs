//! The model of CLG for layouts of a browser, as training printed it: do not edit, train again.
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

/// Weights, best values and tag scores for layouts of a browser.
pub static LAYOUT: Model = Model {
    layout: true,
    best: Best {
        left: 0.04499887622476505,
        right: 0.8417406426756844,
        top: 0.47382887064052126,
        bottom: 0.4828412011716063,
        center_x: 0.44336975945001156,
        center_y: 0.4783350359060653,
        area: 0.006484561150348161,
    },
    tag_scores: Cow::Borrowed(&[
        ("a", 0.1449623924694861),
        ("abbr", 0.4697986577181208),
        ("address", 0.07894736842105263),
        ("article", 0.12485459480418767),
        ("aside", 0.042993630573248405),
        ("b", 0.542489270386266),
        ("big", 0.6666666666666666),
        ("blockquote", 0.684),
        ("body", 0.0018773466833541927),
        ("button", 0.05231054829940993),
        ("caption", 0.22580645161290322),
        ("center", 0.20833333333333334),
        ("cite", 0.5406824146981627),
        ("code", 0.8183537463976945),
        ("content", 0.3333333333333333),
        ("dd", 0.16580489486384006),
        ("del", 0.4027777777777778),
        ("details", 0.13384813384813385),
        ("div", 0.15929227426396658),
        ("dl", 0.09208103130755065),
        ("dt", 0.21242653232577666),
        ("em", 0.6583892617449665),
        ("fieldset", 0.03494623655913978),
        ("figcaption", 0.1412140575079872),
        ("figure", 0.15777525539160045),
        ("font", 0.22696629213483147),
        ("footer", 0.014783526927138331),
        ("form", 0.02247191011235955),
        ("h1", 0.346840328027014),
        ("h2", 0.5647387446598752),
        ("h3", 0.5403375906552853),
        ("h4", 0.4125187281504911),
        ("h5", 0.26040061633281975),
        ("h6", 0.16487455197132617),
        ("header", 0.1047787610619469),
        ("hgroup", 0.043478260869565216),
        ("html", 0.0018773466833541927),
        ("i", 0.5680880330123796),
        ("ins", 0.25),
        ("kbd", 0.15555555555555556),
        ("label", 0.024139155129570464),
        ("legend", 0.008368200836820083),
        ("li", 0.15427228153320646),
        ("main", 0.024757804090419805),
        ("mark", 0.5066666666666667),
        ("menu", 0.030303030303030304),
        ("nav", 0.012480896586856851),
        ("nobr", 0.14285714285714285),
        ("noscript", 0.04),
        ("ol", 0.3626760563380282),
        ("p", 0.637104036963076),
        ("picture", 0.2),
        ("pre", 0.8151169113648722),
        ("q", 0.6428571428571429),
        ("s", 0.16883116883116883),
        ("section", 0.21866783523225242),
        ("small", 0.17424242424242425),
        ("span", 0.3286453573320449),
        ("strike", 0.25),
        ("strong", 0.7614166835802719),
        ("sub", 0.76),
        ("summary", 0.16344916344916344),
        ("sup", 0.4018932874354561),
        ("table", 0.20159151193633953),
        ("tbody", 0.2160737812911726),
        ("td", 0.3944147439504783),
        ("tfoot", 0.2),
        ("th", 0.3754963131026659),
        ("thead", 0.3065134099616858),
        ("time", 0.1396598030438675),
        ("tr", 0.3035940803382664),
        ("tt", 0.8095238095238095),
        ("u", 0.6538461538461539),
        ("ul", 0.17495492542206195),
        ("var", 0.9411764705882353),
        ("xmp", 0.75),
    ]),
    unseen_tag: 0.1246521321555428,
    lr: Linear {
        bias: -6.253611110639147,
        weights: [
            -1.3352294009595278, // POS_LEFT
            -0.8420520356925676, // POS_RIGHT
            -0.4856350508578861, // POS_TOP
            2.594069857082865, // POS_BOTTOM
            0.5616922013031441, // POS_CENTERX
            -1.143026740819284, // POS_CENTERY
            5.009882614781021, // POS_DIST
            -11.017755327947297, // AREA_SIZE
            -0.04523617325912666, // AREA_DIST
            1.5611001582836577, // FONT_COLOR_POPULARITY
            -0.448206989732907, // FONT_SIZE
            -0.4897127490747384, // FONT_SIZE_POPULARITY
            3.825757301552665, // VISIBLE_CHAR
            0.7890789841359661, // TEXT_RATIO
            3.3063788717680227, // TAG_SCORE
            -1.6145015836925354, // TAG_DENSITY
            -0.38767892803221976, // LINK_DENSITY
        ],
    },
    svm: Linear {
        bias: -3.4669200005387584,
        weights: [
            -0.1426035374166622, // POS_LEFT
            -0.014320536651111283, // POS_RIGHT
            0.09566205031356673, // POS_TOP
            0.3659686290275023, // POS_BOTTOM
            0.6438470563064703, // POS_CENTERX
            -0.1257159923320272, // POS_CENTERY
            1.1106300339590336, // POS_DIST
            -3.5795302605839137, // AREA_SIZE
            -0.00456340737498624, // AREA_DIST
            0.6626234632756568, // FONT_COLOR_POPULARITY
            -0.1697667502449639, // FONT_SIZE
            -0.24067333648452793, // FONT_SIZE_POPULARITY
            1.1559359650930972, // VISIBLE_CHAR
            0.10402191745075762, // TEXT_RATIO
            3.511623939160628, // TAG_SCORE
            -0.5976747699140286, // TAG_DENSITY
            0.5814666771201475, // LINK_DENSITY
        ],
    },
};

/// What [`LAYOUT`] was trained on.
pub static LAYOUT_PROVENANCE: Provenance = Provenance {
    features_version: 1,
    training_hash: 0xd6ec3f9151904fe8,
    packages: Cow::Borrowed(&[
        Package { name: Cow::Borrowed("wcxb-dev"), licence: Cow::Borrowed("CC-BY-4.0"), pages: 1332 },
        Package { name: Cow::Borrowed("fundus"), licence: Cow::Borrowed("MIT (repository); page texts remain with their publishers"), pages: 128 },
        Package { name: Cow::Borrowed("magic-html-article"), licence: Cow::Borrowed("Apache-2.0 (repository); page texts remain with their publishers"), pages: 78 },
        Package { name: Cow::Borrowed("magic-html-forum"), licence: Cow::Borrowed("Apache-2.0 (repository); page texts remain with their publishers"), pages: 52 },
        Package { name: Cow::Borrowed("newspaper4k-langs"), licence: Cow::Borrowed("MIT (repository); page texts remain with their publishers"), pages: 15 },
    ]),
    nodes: 1139082,
    positive: 283978,
    fold_scores: Cow::Borrowed(&[0.7059285946095671, 0.7425385379299533, 0.7493032424538566]),
};
