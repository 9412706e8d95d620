//! The case that names of SVG and MathML have, which the tokenizer took away (HTML §13.2.6.1, "adjust").

use crate::name::{ExtraNames, LocalName};
use crate::tree::open::Namespace;

/// The name of an element of SVG, whose case the tokenizer took away.
pub(crate) fn svg_name(name: LocalName, names: &mut ExtraNames) -> LocalName {
    let adjusted = match names.text(name) {
        "altglyph" => "altGlyph",
        "altglyphdef" => "altGlyphDef",
        "altglyphitem" => "altGlyphItem",
        "animatecolor" => "animateColor",
        "animatemotion" => "animateMotion",
        "animatetransform" => "animateTransform",
        "clippath" => "clipPath",
        "feblend" => "feBlend",
        "fecolormatrix" => "feColorMatrix",
        "fecomponenttransfer" => "feComponentTransfer",
        "fecomposite" => "feComposite",
        "feconvolvematrix" => "feConvolveMatrix",
        "fediffuselighting" => "feDiffuseLighting",
        "fedisplacementmap" => "feDisplacementMap",
        "fedistantlight" => "feDistantLight",
        "fedropshadow" => "feDropShadow",
        "feflood" => "feFlood",
        "fefunca" => "feFuncA",
        "fefuncb" => "feFuncB",
        "fefuncg" => "feFuncG",
        "fefuncr" => "feFuncR",
        "fegaussianblur" => "feGaussianBlur",
        "feimage" => "feImage",
        "femerge" => "feMerge",
        "femergenode" => "feMergeNode",
        "femorphology" => "feMorphology",
        "feoffset" => "feOffset",
        "fepointlight" => "fePointLight",
        "fespecularlighting" => "feSpecularLighting",
        "fespotlight" => "feSpotLight",
        "fetile" => "feTile",
        "feturbulence" => "feTurbulence",
        "foreignobject" => "foreignObject",
        "glyphref" => "glyphRef",
        "lineargradient" => "linearGradient",
        "radialgradient" => "radialGradient",
        "textpath" => "textPath",
        _ => return name,
    };
    names.intern(adjusted)
}

/// The local name of an attribute of SVG or MathML, with its case.
pub(crate) fn attribute(name: LocalName, space: Namespace, names: &mut ExtraNames) -> LocalName {
    let text = names.text(name);
    let adjusted = match text {
        "definitionurl" if space == Namespace::MathMl => "definitionURL",
        "xlink:actuate" => "actuate",
        "xlink:arcrole" => "arcrole",
        "xlink:href" => "href",
        "xlink:role" => "role",
        "xlink:show" => "show",
        "xlink:title" => "title",
        "xlink:type" => "type",
        "xml:lang" => "lang",
        "xml:space" => "space",
        "xmlns:xlink" => "xlink",
        _ if space == Namespace::Svg => match svg_attribute(text) {
            Some(adjusted) => adjusted,
            None => return name,
        },
        _ => return name,
    };
    names.intern(adjusted)
}

fn svg_attribute(name: &str) -> Option<&'static str> {
    const NAMES: &[&str] = &[
        "attributeName",
        "attributeType",
        "baseFrequency",
        "baseProfile",
        "calcMode",
        "clipPathUnits",
        "diffuseConstant",
        "edgeMode",
        "filterUnits",
        "glyphRef",
        "gradientTransform",
        "gradientUnits",
        "kernelMatrix",
        "kernelUnitLength",
        "keyPoints",
        "keySplines",
        "keyTimes",
        "lengthAdjust",
        "limitingConeAngle",
        "markerHeight",
        "markerUnits",
        "markerWidth",
        "maskContentUnits",
        "maskUnits",
        "numOctaves",
        "pathLength",
        "patternContentUnits",
        "patternTransform",
        "patternUnits",
        "pointsAtX",
        "pointsAtY",
        "pointsAtZ",
        "preserveAlpha",
        "preserveAspectRatio",
        "primitiveUnits",
        "refX",
        "refY",
        "repeatCount",
        "repeatDur",
        "requiredExtensions",
        "requiredFeatures",
        "specularConstant",
        "specularExponent",
        "spreadMethod",
        "startOffset",
        "stdDeviation",
        "stitchTiles",
        "surfaceScale",
        "systemLanguage",
        "tableValues",
        "targetX",
        "targetY",
        "textLength",
        "viewBox",
        "viewTarget",
        "xChannelSelector",
        "yChannelSelector",
        "zoomAndPan",
    ];
    // The shortest have four letters.
    if name.len() < 4 {
        return None;
    }
    NAMES.iter().copied().find(|known| known.eq_ignore_ascii_case(name))
}
