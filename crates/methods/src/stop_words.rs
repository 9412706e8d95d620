//! Words too common to tell anything, in a few languages.

/// Sorted by bytes. English, and the particles of Chinese that stand alone or in pairs of characters.
static STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
    "before", "being", "but", "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "he",
    "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "may", "me", "might",
    "more", "most", "must", "my", "no", "not", "of", "off", "on", "one", "only", "or", "other", "our", "out", "over",
    "own", "same", "she", "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "through", "to", "too", "under", "until", "up", "us", "very", "was", "we",
    "were", "what", "when", "where", "which", "while", "who", "whom", "why", "will", "with", "would", "you", "your",
    "与", "中", "为", "也", "了", "于", "他", "以", "们", "会", "但", "你", "和", "在", "她", "对", "将", "就", "您",
    "我", "或", "是", "有", "本", "的", "而", "被", "让", "这", "那", "都",
];

/// Whether a lower-cased word is one of them.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_its_words_are_found() {
        assert!(STOP_WORDS.is_sorted(), "{:?}", STOP_WORDS.windows(2).find(|pair| pair[0] > pair[1]));
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
        assert!(!is_stop_word("storm") && !is_stop_word("The"));
    }
}
