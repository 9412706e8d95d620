//! Runs of digits with signs between them.

/// Bytes of the longest run that is looked at: longer ones are no numbers of people.
const MAX_BYTES: usize = 40;

/// Digits, and where each stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigitRun {
    pub digits: Vec<u8>,
    /// Where each digit ends in the text.
    pub ends: Vec<usize>,
    /// What stands between the digits: the number of digits before it, and the sign.
    pub signs: Vec<(usize, char)>,
}

impl DigitRun {
    /// The sizes of the groups between signs.
    pub fn groups(&self) -> Vec<usize> {
        let mut cuts: Vec<usize> =
            self.signs.iter().map(|(at, _)| *at).filter(|at| (1..self.digits.len()).contains(at)).collect();
        cuts.dedup();
        cuts.push(self.digits.len());
        let mut before = 0;
        cuts.iter().map(|cut| cut - std::mem::replace(&mut before, *cut)).collect()
    }

    /// Only the first so many groups.
    pub fn first_groups(&self, n: usize) -> DigitRun {
        let len: usize = self.groups().iter().take(n).sum();
        let signs = self.signs.iter().filter(|(at, _)| *at < len).copied().collect();
        DigitRun { digits: self.digits[..len].to_vec(), ends: self.ends[..len].to_vec(), signs }
    }
}

/// The run that begins here, with `+`, brackets and the signs that people write between digits; none without digits, or if a
/// word, a decimal number or a longer run goes on behind it.
pub fn digit_run(text: &str, at: usize) -> Option<DigitRun> {
    let mut run = DigitRun { digits: Vec::new(), ends: Vec::new(), signs: Vec::new() };
    let mut last = ' ';
    for (offset, c) in text[at..].char_indices() {
        if offset > MAX_BYTES {
            return None;
        }
        match c {
            '0'..='9' => {
                run.digits.push(c as u8 - b'0');
                run.ends.push(at + offset + 1);
            }
            '+' if offset == 0 => run.signs.push((0, c)),
            // A blank before and behind brackets and dashes, but no two blanks.
            ' ' | '\u{a0}' | '-' | '.' | '/' | '(' | ')' | '\u{2010}' | '\u{2011}' | '\u{2013}' => {
                if c.is_whitespace() && last.is_whitespace() && offset > 0 {
                    break;
                }
                run.signs.push((run.digits.len(), if c == '\u{a0}' { ' ' } else { c }));
            }
            _ if c.is_ascii_alphabetic() || c == '_' => {
                // `4111x`, but not `4111 x`.
                if last.is_ascii_digit() {
                    return None;
                }
                break;
            }
            _ => break,
        }
        last = c;
    }
    run.signs.retain(|(at, _)| *at < run.digits.len());
    (!run.digits.is_empty()).then_some(run)
}
