//! Values as numbers with a unit, beside the text they were read from: `15.6英寸` → 15.6 in, `30 x 20 x 10 cm`.

/// A value that could be read as one or more numbers with one unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// One number, several for dimensions (`30 x 20 x 10 cm`), or the two ends of a range.
    pub numbers: Vec<f64>,
    /// Whether the two numbers are the ends of a range (`5–10 kg`).
    pub is_range: bool,
    /// Unit symbol (`in`, `kg`, `mAh`, `%`), empty for a bare number.
    pub unit: &'static str,
}

/// Spellings of units, lower case; matched whole, longest first.
const UNITS: [(&str, &str); 118] = [
    ("millimeters", "mm"),
    ("millimeter", "mm"),
    ("millimetre", "mm"),
    ("毫米", "mm"),
    ("mm", "mm"),
    ("мм", "mm"),
    ("centimeters", "cm"),
    ("centimetres", "cm"),
    ("centimeter", "cm"),
    ("centimetre", "cm"),
    ("厘米", "cm"),
    ("公分", "cm"),
    ("cm", "cm"),
    ("см", "cm"),
    ("meters", "m"),
    ("metres", "m"),
    ("米", "m"),
    ("m", "m"),
    ("м", "m"),
    ("inches", "in"),
    ("inch", "in"),
    ("英寸", "in"),
    ("吋", "in"),
    ("英吋", "in"),
    ("zoll", "in"),
    ("pouces", "in"),
    ("pulgadas", "in"),
    ("pollici", "in"),
    ("polegadas", "in"),
    ("дюймов", "in"),
    ("дюйма", "in"),
    ("in.", "in"),
    ("in", "in"),
    ("\"", "in"),
    ("”", "in"),
    ("″", "in"),
    ("feet", "ft"),
    ("ft.", "ft"),
    ("ft", "ft"),
    ("'", "ft"),
    ("kilograms", "kg"),
    ("kilogram", "kg"),
    ("kilogramm", "kg"),
    ("千克", "kg"),
    ("公斤", "kg"),
    ("kgs", "kg"),
    ("kg", "kg"),
    ("кг", "kg"),
    ("grams", "g"),
    ("gram", "g"),
    ("gramm", "g"),
    ("grammes", "g"),
    ("grammi", "g"),
    ("gr", "g"),
    ("克", "g"),
    ("g", "g"),
    ("г", "g"),
    ("milligrams", "mg"),
    ("毫克", "mg"),
    ("mg", "mg"),
    ("pounds", "lb"),
    ("pound", "lb"),
    ("lbs.", "lb"),
    ("lbs", "lb"),
    ("lb.", "lb"),
    ("lb", "lb"),
    ("磅", "lb"),
    ("ounces", "oz"),
    ("ounce", "oz"),
    ("oz.", "oz"),
    ("oz", "oz"),
    ("fl oz", "fl oz"),
    ("fluid ounces", "fl oz"),
    ("milliliters", "ml"),
    ("毫升", "ml"),
    ("ml", "ml"),
    ("мл", "ml"),
    ("liters", "l"),
    ("litres", "l"),
    ("liter", "l"),
    ("litre", "l"),
    ("升", "l"),
    ("公升", "l"),
    ("l", "l"),
    ("л", "l"),
    ("watts", "W"),
    ("watt", "W"),
    ("瓦", "W"),
    ("w", "W"),
    ("вт", "W"),
    ("kw", "kW"),
    ("volts", "V"),
    ("volt", "V"),
    ("v", "V"),
    ("в", "V"),
    ("mah", "mAh"),
    ("毫安", "mAh"),
    ("мач", "mAh"),
    ("ghz", "GHz"),
    ("mhz", "MHz"),
    ("hz", "Hz"),
    ("гц", "Hz"),
    ("gb", "GB"),
    ("гб", "GB"),
    ("tb", "TB"),
    ("mb", "MB"),
    ("dpi", "dpi"),
    ("db", "dB"),
    ("дб", "dB"),
    ("ω", "Ω"),
    ("ohm", "Ω"),
    ("hours", "h"),
    ("小时", "h"),
    ("minutes", "min"),
    ("分钟", "min"),
    ("%", "%"),
    ("°c", "°C"),
    ("天", "d"),
];

pub(crate) fn unit(text: &str) -> Option<&'static str> {
    let text = text.trim().trim_end_matches([',', ';']);
    if text.is_empty() {
        return Some("");
    }
    let lower = text.to_lowercase();
    UNITS.iter().find(|(spelling, _)| *spelling == lower).map(|&(_, unit)| unit)
}

/// Reads a value that is nothing but numbers and one unit. A decimal comma is understood; a remark in brackets at
/// the end is passed over. `None` for anything else: nothing is guessed.
pub fn quantity(value: &str) -> Option<Quantity> {
    if value.len() > 120 {
        return None;
    }
    let body = match value.find(['(', '（']) {
        Some(at) if at > 0 => &value[..at],
        _ => value,
    };
    let body = body.trim().trim_start_matches(['~', '≈', '约']);
    if let Some(range) = range(body) {
        return Some(range);
    }
    let mut numbers = Vec::new();
    let mut found = "";
    for part in body.split(['x', 'X', '×', '*', 'х']) {
        let part = part.trim();
        let (number, rest) = leading(part)?;
        // Dimensions may carry letters for the side: `30 W x 20 H cm`, which are not units of a length.
        let this = unit(rest.trim())?;
        if !found.is_empty() && !this.is_empty() && found != this {
            return None;
        }
        if !this.is_empty() {
            found = this;
        }
        numbers.push(number);
        if numbers.len() > 4 {
            return None;
        }
    }
    Some(Quantity { numbers, is_range: false, unit: found })
}

/// Two numbers with a dash between them and one unit: `5–10 kg`, `5 kg - 10 kg`. The second is the larger one, so that a number of an
/// article (`20-15`) is none.
fn range(body: &str) -> Option<Quantity> {
    let (from, to) = body.split_once(['-', '–', '—', '~', '～'])?;
    let (low, low_unit) = leading(from.trim())?;
    let (high, high_unit) = leading(to.trim())?;
    let (low_unit, high_unit) = (unit(low_unit.trim())?, unit(high_unit.trim())?);
    let is_one = low_unit.is_empty() || low_unit == high_unit;
    (is_one && !high_unit.is_empty() && low < high).then(|| Quantity {
        numbers: vec![low, high],
        is_range: true,
        unit: high_unit,
    })
}

/// The number at the start of a text, with a fraction behind it (`1 1/2`, `3/4`, `1½`), and the rest.
fn leading(text: &str) -> Option<(f64, &str)> {
    let digits =
        |text: &str| text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(text.len());
    if let Some((value, rest)) = fraction(text) {
        return Some((value, rest));
    }
    let (whole, rest) = text.split_at(digits(text));
    let whole = number(whole)?;
    match fraction(rest.trim_start()) {
        Some((part, rest)) if whole.fract() == 0.0 => Some((whole + part, rest)),
        _ => Some((whole, rest)),
    }
}

/// A fraction below 1 at the start of a text: `1/2`, `½`.
fn fraction(text: &str) -> Option<(f64, &str)> {
    const SIGNS: [(char, f64); 9] = [
        ('½', 0.5),
        ('¼', 0.25),
        ('¾', 0.75),
        ('⅓', 1.0 / 3.0),
        ('⅔', 2.0 / 3.0),
        ('⅛', 0.125),
        ('⅜', 0.375),
        ('⅝', 0.625),
        ('⅞', 0.875),
    ];
    let first = text.chars().next()?;
    if let Some((sign, value)) = SIGNS.iter().find(|(sign, _)| *sign == first) {
        return Some((*value, &text[sign.len_utf8()..]));
    }
    let (above, rest) = text.split_once('/')?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (below, rest) = rest.split_at(end);
    let small = |text: &str| (text.len() <= 2).then(|| text.parse::<u8>().ok()).flatten().filter(|&n| n > 0);
    let (above, below) = (small(above)?, small(below)?);
    (above < below).then(|| (f64::from(above) / f64::from(below), rest))
}

fn number(text: &str) -> Option<f64> {
    let marks = text.matches([',', '.']).count();
    let text = match marks {
        0 => text.to_owned(),
        1 if text.contains(',') && text.len() - text.find(',')? - 1 == 3 => text.replace(',', ""),
        1 => text.replace(',', "."),
        _ => crate::price::decimal(text)?,
    };
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether a text starts with a number and its unit. Cheap; for counting.
pub(crate) fn has_quantity(text: &str) -> bool {
    let text = text.trim_start();
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(text.len());
    if end == 0 {
        return false;
    }
    let rest = text[end..].trim_start();
    let word_end = rest.find(|c: char| c.is_whitespace() || c.is_ascii_digit()).unwrap_or(rest.len());
    !rest.is_empty() && unit(&rest[..word_end]).is_some_and(|unit| !unit.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_and_units_are_read_in_many_spellings() {
        for (text, numbers, unit) in [
            ("15.6英寸", vec![15.6], "in"),
            ("1 1/2\"", vec![1.5], "in"),
            ("3/4 in", vec![0.75], "in"),
            ("1½ inches", vec![1.5], "in"),
            ("2½ x 1/4 in", vec![2.5, 0.25], "in"),
            ("1.2 kg", vec![1.2], "kg"),
            ("1,2 kg", vec![1.2], "kg"),
            ("1,200 g", vec![1200.0], "g"),
            ("30 x 20 x 10 cm", vec![30.0, 20.0, 10.0], "cm"),
            ("30cm × 20cm", vec![30.0, 20.0], "cm"),
            ("5.5 pounds (View shipping rates)", vec![5.5], "lb"),
            ("240", vec![240.0], ""),
            ("4000mAh", vec![4000.0], "mAh"),
            ("720天", vec![720.0], "d"),
        ] {
            assert_eq!(quantity(text), Some(Quantity { numbers, is_range: false, unit }), "{text}");
        }
    }

    #[test]
    fn ranges_keep_both_ends() {
        for (text, numbers, unit) in [
            ("5–10 kg", vec![5.0, 10.0], "kg"),
            ("5 kg - 10 kg", vec![5.0, 10.0], "kg"),
            ("2,5-3 cm", vec![2.5, 3.0], "cm"),
        ] {
            assert_eq!(quantity(text), Some(Quantity { numbers, is_range: true, unit }), "{text}");
        }
        for text in ["10-5 kg", "2019-2020", "5 g - 10 kg", "N-30 cm"] {
            assert_eq!(quantity(text), None, "{text}");
        }
    }

    #[test]
    fn nothing_is_guessed() {
        for text in ["about 3", "3 to 5 kg", "USB 3.0", "1 x HDMI, 2 x USB", "3 kg x 2 cm", ""] {
            assert_eq!(quantity(text), None, "{text}");
        }
        assert!(has_quantity("15.6\" display") && !has_quantity("2 books"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "\\PC{0,40}") {
            quantity(&text);
            has_quantity(&text);
        }
    }
}
