//! Public names for what is read: properties of schema.org for attributes, codes of UCUM for units.

/// The common names of the dictionary that schema.org has a property for, of `Product` or of `Book`.
const PROPERTIES: [(&str, &str); 26] = [
    ("author", "author"),
    ("brand", "brand"),
    ("category", "category"),
    ("color", "color"),
    ("country_of_origin", "countryOfOrigin"),
    ("depth", "depth"),
    ("format", "bookFormat"),
    ("gtin", "gtin"),
    ("height", "height"),
    ("isbn", "isbn"),
    ("isbn10", "isbn"),
    ("isbn13", "isbn"),
    ("language", "inLanguage"),
    ("manufacturer", "manufacturer"),
    ("material", "material"),
    ("model", "model"),
    ("mpn", "mpn"),
    ("name", "name"),
    ("pages", "numberOfPages"),
    ("pattern", "pattern"),
    ("publication_date", "datePublished"),
    ("publisher", "publisher"),
    ("size", "size"),
    ("sku", "sku"),
    ("weight", "weight"),
    ("width", "width"),
];

/// Symbols of [`crate::units::Quantity`] whose case-sensitive code in UCUM 2.1 is another.
const CODES: [(&str, &str); 14] = [
    ("in", "[in_i]"),
    ("ft", "[ft_i]"),
    ("lb", "[lb_av]"),
    ("oz", "[oz_av]"),
    ("fl oz", "[foz_us]"),
    ("ml", "mL"),
    ("l", "L"),
    ("mAh", "mA.h"),
    ("MB", "MBy"),
    ("GB", "GBy"),
    ("TB", "TBy"),
    ("Ω", "Ohm"),
    ("°C", "Cel"),
    ("dpi", "{dot}/[in_i]"),
];

/// The property of schema.org that a common name of the dictionary stands for; `None` where schema.org leaves it to
/// `additionalProperty`.
pub fn property(canonical: &str) -> Option<&'static str> {
    PROPERTIES.iter().find(|(name, _)| *name == canonical).map(|(_, property)| *property)
}

/// The UCUM code of a unit; `None` for a bare number.
pub fn ucum(unit: &'static str) -> Option<&'static str> {
    let other = CODES.iter().find(|(symbol, _)| *symbol == unit).map(|(_, code)| *code);
    other.or_else(|| (!unit.is_empty()).then_some(unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::quantity;

    #[test]
    fn every_name_with_a_property_is_in_the_dictionary() {
        let names: Vec<&str> =
            include_str!("../dictionary/attributes.tsv").lines().filter_map(|line| line.split('\t').next()).collect();
        for (name, _) in PROPERTIES {
            assert!(names.contains(&name), "{name}");
        }
    }

    #[test]
    fn units_have_codes() {
        let code = |text: &str| quantity(text).and_then(|quantity| ucum(quantity.unit));
        assert_eq!(code("1 1/2\""), Some("[in_i]"));
        assert_eq!(code("2,5 kg"), Some("kg"));
        assert_eq!(code("500 ml"), Some("mL"));
        assert_eq!(code("240"), None);
    }
}
