//! Which characters Chinese is written in.

/// Common characters that only the simplified form has, and those of the traditional form in the same order.
const SIMPLIFIED: &str =
    "们这来国时说对发会学过样间动长问开关见车东书马门风电话语钱给让认为从业两军战场听写读买卖头实现员题经济应该";
const TRADITIONAL: &str =
    "們這來國時說對發會學過樣間動長問開關見車東書馬門風電話語錢給讓認為從業兩軍戰場聽寫讀買賣頭實現員題經濟應該";

/// `Hans` or `Hant` by the characters that only one of them has, `Hani` where neither has more.
pub(crate) fn form(letters: &[char]) -> &'static str {
    let count = |own: &str| letters.iter().filter(|c| own.contains(**c)).count();
    let (simplified, traditional) = (count(SIMPLIFIED), count(TRADITIONAL));
    match simplified.cmp(&traditional) {
        std::cmp::Ordering::Greater => "Hans",
        std::cmp::Ordering::Less => "Hant",
        std::cmp::Ordering::Equal => "Hani",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_that_with_more_characters_of_its_own() {
        let form = |text: &str| form(&text.chars().collect::<Vec<_>>());
        assert_eq!(form("我们今天学习中国历史"), "Hans");
        assert_eq!(form("我們今天學習中國歷史"), "Hant");
        assert_eq!(form("山水"), "Hani");
    }

    #[test]
    fn no_character_stands_in_both_lists() {
        assert!(SIMPLIFIED.chars().all(|c| !TRADITIONAL.contains(c)));
        assert_eq!(SIMPLIFIED.chars().count(), TRADITIONAL.chars().count());
    }
}
