//! A trained model as Rust source.

use std::fmt::Write;

use super::super::features::FEATURES;
use super::super::model::Linear;
use super::Trained;

/// The source of the module: the same numbers give the same text, and every number reads back exactly.
pub(super) fn to_rust(trained: &Trained) -> String {
    let mut out = String::new();
    write(&mut out, trained).expect("a string takes all that is written to it");
    out
}

fn write(out: &mut String, Trained { model, provenance }: &Trained) -> std::fmt::Result {
    let (name, kind) = if model.layout { ("LAYOUT", "layouts of a browser") } else { ("PSEUDO", "pseudo-layouts") };
    writeln!(out, "//! The model of CLG for {kind}, as training printed it: do not edit, train again.")?;
    writeln!(out, "//!\n//! Trained on the gold texts of these packages:\n//!")?;
    for package in provenance.packages.iter() {
        writeln!(out, "//! * {}: {} pages, {}", package.name, package.pages, package.licence)?;
    }
    writeln!(out, "\nuse std::borrow::Cow;\n")?;
    writeln!(out, "use super::model::{{Best, Linear, Model, Package, Provenance}};\n")?;
    writeln!(out, "/// Weights, best values and tag scores for {kind}.")?;
    writeln!(out, "pub static {name}: Model = Model {{")?;
    writeln!(out, "    layout: {:?},", model.layout)?;
    let best = &model.best;
    writeln!(out, "    best: Best {{")?;
    let values = [
        ("left", best.left),
        ("right", best.right),
        ("top", best.top),
        ("bottom", best.bottom),
        ("center_x", best.center_x),
        ("center_y", best.center_y),
        ("area", best.area),
    ];
    for (field, value) in values {
        writeln!(out, "        {field}: {value:?},")?;
    }
    writeln!(out, "    }},")?;
    writeln!(out, "    tag_scores: Cow::Borrowed(&[")?;
    for (tag, score) in model.tag_scores.iter() {
        writeln!(out, "        ({tag:?}, {score:?}),")?;
    }
    writeln!(out, "    ]),")?;
    writeln!(out, "    unseen_tag: {:?},", model.unseen_tag)?;
    linear(out, "lr", &model.lr)?;
    linear(out, "svm", &model.svm)?;
    writeln!(out, "}};\n")?;
    writeln!(out, "/// What [`{name}`] was trained on.")?;
    writeln!(out, "pub static {name}_PROVENANCE: Provenance = Provenance {{")?;
    writeln!(out, "    features_version: {},", provenance.features_version)?;
    writeln!(out, "    training_hash: {:#018x},", provenance.training_hash)?;
    writeln!(out, "    packages: Cow::Borrowed(&[")?;
    for package in provenance.packages.iter() {
        let (name, licence) = (&package.name, &package.licence);
        writeln!(
            out,
            "        Package {{ name: Cow::Borrowed({name:?}), licence: Cow::Borrowed({licence:?}), pages: {} }},",
            package.pages
        )?;
    }
    writeln!(out, "    ]),")?;
    writeln!(out, "    nodes: {},", provenance.nodes)?;
    writeln!(out, "    positive: {},", provenance.positive)?;
    writeln!(out, "    fold_scores: Cow::Borrowed(&{:?}),", provenance.fold_scores)?;
    writeln!(out, "}};")
}

fn linear(out: &mut String, field: &str, linear: &Linear) -> std::fmt::Result {
    writeln!(out, "    {field}: Linear {{")?;
    writeln!(out, "        bias: {:?},", linear.bias)?;
    writeln!(out, "        weights: [")?;
    for (weight, feature) in linear.weights.iter().zip(FEATURES) {
        writeln!(out, "            {weight:?}, // {feature}")?;
    }
    writeln!(out, "        ],")?;
    writeln!(out, "    }},")
}
