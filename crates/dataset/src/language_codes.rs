//! Codes of languages and scripts as FineWeb-2 has them: ISO 639-3, of a macrolanguage its commonest language.

/// By ISO 639-1, in its order.
#[rustfmt::skip]
const CODES: [(&str, &str); 169] = [
    ("aa", "aar"), ("ab", "abk"), ("af", "afr"), ("ak", "aka"), ("am", "amh"), ("an", "arg"), ("ar", "arb"),
    ("as", "asm"), ("av", "ava"), ("ay", "ayr"), ("az", "azj"), ("ba", "bak"), ("be", "bel"), ("bg", "bul"),
    ("bm", "bam"), ("bn", "ben"), ("bo", "bod"), ("br", "bre"), ("bs", "bos"), ("ca", "cat"), ("ce", "che"),
    ("ch", "cha"), ("co", "cos"), ("cs", "ces"), ("cu", "chu"), ("cv", "chv"), ("cy", "cym"), ("da", "dan"),
    ("de", "deu"), ("dv", "div"), ("dz", "dzo"), ("ee", "ewe"), ("el", "ell"), ("en", "eng"), ("eo", "epo"),
    ("es", "spa"), ("et", "ekk"), ("eu", "eus"), ("fa", "fas"), ("ff", "fuv"), ("fi", "fin"), ("fj", "fij"),
    ("fo", "fao"), ("fr", "fra"), ("fy", "fry"), ("ga", "gle"), ("gd", "gla"), ("gl", "glg"), ("gn", "grn"),
    ("gu", "guj"), ("gv", "glv"), ("ha", "hau"), ("he", "heb"), ("hi", "hin"), ("hr", "hrv"), ("ht", "hat"),
    ("hu", "hun"), ("hy", "hye"), ("ia", "ina"), ("id", "ind"), ("ie", "ile"), ("ig", "ibo"), ("ii", "iii"),
    ("io", "ido"), ("is", "isl"), ("it", "ita"), ("iu", "ike"), ("ja", "jpn"), ("jv", "jav"), ("ka", "kat"),
    ("kg", "kng"), ("ki", "kik"), ("kk", "kaz"), ("kl", "kal"), ("km", "khm"), ("kn", "kan"), ("ko", "kor"),
    ("ks", "kas"), ("ku", "kmr"), ("kv", "kpv"), ("kw", "cor"), ("ky", "kir"), ("la", "lat"), ("lb", "ltz"),
    ("lg", "lug"), ("li", "lim"), ("ln", "lin"), ("lo", "lao"), ("lt", "lit"), ("lv", "lvs"), ("mg", "plt"),
    ("mh", "mah"), ("mi", "mri"), ("mk", "mkd"), ("ml", "mal"), ("mn", "khk"), ("mr", "mar"), ("ms", "zsm"),
    ("mt", "mlt"), ("my", "mya"), ("nb", "nob"), ("nd", "nde"), ("ne", "npi"), ("nl", "nld"), ("nn", "nno"),
    ("no", "nob"), ("nr", "nbl"), ("nv", "nav"), ("ny", "nya"), ("oc", "oci"), ("om", "gaz"), ("or", "ory"),
    ("os", "oss"), ("pa", "pan"), ("pl", "pol"), ("ps", "pbt"), ("pt", "por"), ("qu", "quy"), ("rm", "roh"),
    ("rn", "run"), ("ro", "ron"), ("ru", "rus"), ("rw", "kin"), ("sa", "san"), ("sc", "srd"), ("sd", "snd"),
    ("se", "sme"), ("sg", "sag"), ("si", "sin"), ("sk", "slk"), ("sl", "slv"), ("sm", "smo"), ("sn", "sna"),
    ("so", "som"), ("sq", "als"), ("sr", "srp"), ("ss", "ssw"), ("st", "sot"), ("su", "sun"), ("sv", "swe"),
    ("sw", "swh"), ("ta", "tam"), ("te", "tel"), ("tg", "tgk"), ("th", "tha"), ("ti", "tir"), ("tk", "tuk"),
    ("tl", "fil"), ("tn", "tsn"), ("to", "ton"), ("tr", "tur"), ("ts", "tso"), ("tt", "tat"), ("tw", "twi"),
    ("ty", "tah"), ("ug", "uig"), ("uk", "ukr"), ("ur", "urd"), ("uz", "uzn"), ("vi", "vie"), ("vo", "vol"),
    ("wa", "wln"), ("wo", "wol"), ("xh", "xho"), ("yi", "ydd"), ("yo", "yor"), ("za", "zha"), ("zh", "cmn"),
    ("zu", "zul"),
];

/// The code of three letters for one of two; what is none stays as it is.
pub(crate) fn language_3(language: &str) -> &str {
    CODES.binary_search_by_key(&language, |(two, _)| two).map_or(language, |at| CODES[at].1)
}

/// Its scripts of Chinese and Korean are not told apart further.
pub(crate) fn script_of(script: &str) -> &str {
    match script {
        "Hans" | "Hant" => "Hani",
        "Kore" => "Hang",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_fineweb_2() {
        assert!(CODES.is_sorted());
        let languages = ["de", "zh", "ar", "no", "lv", "ast", ""].map(language_3);
        assert_eq!(languages, ["deu", "cmn", "arb", "nob", "lvs", "ast", ""]);
        assert_eq!(["Hans", "Kore", "Latn"].map(script_of), ["Hani", "Hang", "Latn"]);
    }
}
