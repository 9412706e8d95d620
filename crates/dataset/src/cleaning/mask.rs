//! Personal data in a text, replaced by the name of its kind.

use std::ops::Range;

use super::{bank, mail, network, numbers, phone};

/// What is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonalData {
    /// An address of electronic mail.
    Email,
    /// A telephone number.
    Phone,
    /// An international bank account number whose check digits are right.
    Iban,
    /// The number of a payment card whose check digit is right.
    Card,
    /// An IP address, but for those that stand for the machine itself.
    Ip,
}

impl PersonalData {
    pub const ALL: [PersonalData; 5] = [Self::Email, Self::Phone, Self::Iban, Self::Card, Self::Ip];

    /// The name, as it stands in brackets in a masked text.
    pub fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Iban => "iban",
            Self::Card => "card",
            Self::Ip => "ip",
        }
    }
}

/// A text in which something was masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaskedText {
    pub text: String,
    counts: [u64; PersonalData::ALL.len()],
}

impl MaskedText {
    /// How many of a kind were masked.
    pub fn count(&self, kind: PersonalData) -> u64 {
        self.counts[kind as usize]
    }
}

/// Masks the personal data in a text; none if there are none.
///
/// Numbers within addresses of the web, file names and identifiers are not looked at: there only mail and IP addresses are what
/// they look like. O(bytes).
pub fn mask(text: &str) -> Option<MaskedText> {
    let mut masked = MaskedText { text: String::new(), counts: [0; PersonalData::ALL.len()] };
    let mut done = 0;
    let mut scan = MaskScan { text, at: 0, done: 0, web: 0..0, login: 0..0 };
    while let Some((place, kind)) = scan.next() {
        masked.text.push_str(&text[done..place.start]);
        masked.text.extend(["[", kind.name(), "]"]);
        masked.counts[kind as usize] += 1;
        done = place.end;
    }
    masked.text.push_str(&text[done..]);
    (done > 0).then_some(masked)
}

/// Goes along a text from one find to the next.
struct MaskScan<'t> {
    text: &'t str,
    at: usize,
    /// Where the last find ends.
    done: usize,
    /// The last address of the web that begins before `at`, and what of it may be a login and a host.
    web: Range<usize>,
    login: Range<usize>,
}

impl MaskScan<'_> {
    fn next(&mut self) -> Option<(Range<usize>, PersonalData)> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let at = self.at;
            let found = match byte {
                b'@' => {
                    let place = mail::around(self.text, at).filter(|_| !self.login.contains(&at));
                    place.filter(|place| place.start >= self.done).map(|place| (place, PersonalData::Email))
                }
                _ if at < self.web.end && !byte.is_ascii_hexdigit() => None,
                b':' if bytes[at..].starts_with(b"://") => self.enter_web_address(at),
                b'w' | b'W' if starts_word(bytes, at) && network::starts_www(&bytes[at..]) => {
                    self.enter_web_address(at)
                }
                _ if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'(') => self.number(at),
                _ => None,
            };
            if let Some((place, kind)) = found {
                (self.at, self.done) = (place.end, place.end);
                return Some((place, kind));
            }
            // Where a word or number was nothing, nothing begins within it.
            let is_inside = |byte: &u8| byte.is_ascii_alphanumeric();
            self.at += match byte {
                _ if !is_inside(&byte) => 1,
                _ => bytes[at..].iter().take_while(|byte| is_inside(byte)).count(),
            };
        }
        None
    }

    fn enter_web_address<T>(&mut self, at: usize) -> Option<T> {
        self.web = network::web_address(self.text, at);
        let address = &self.text[self.web.clone()];
        self.login = self.web.start..self.web.start + address.find('/').unwrap_or(address.len());
        None
    }

    /// What begins with a letter or digit here.
    fn number(&self, at: usize) -> Option<(Range<usize>, PersonalData)> {
        let bytes = self.text.as_bytes();
        if !starts_word(bytes, at) {
            return None;
        }
        if let Some(place) = network::ip_address(self.text, at) {
            return Some((place, PersonalData::Ip));
        }
        if self.web.contains(&at) {
            return None;
        }
        if bytes[at].is_ascii_alphabetic() {
            return bank::iban(self.text, at).map(|place| (place, PersonalData::Iban));
        }
        let run = numbers::digit_run(self.text, at)?;
        let card = || bank::card(&run).map(|end| (at..end, PersonalData::Card));
        let phone = || phone::number(self.text, at, &run).map(|end| (at..end, PersonalData::Phone));
        card().or_else(phone)
    }
}

/// Whether no word, number or path goes on here.
fn starts_word(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| bytes[before]) else { return true };
    // Bytes of other scripts: their words stand beside numbers without a space.
    !(before.is_ascii_alphanumeric() || matches!(before, b'_' | b'\\' | b'%'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> String {
        mask(text).map_or_else(|| text.to_owned(), |masked| masked.text)
    }

    #[test]
    fn each_kind_is_masked_in_the_forms_that_people_write() {
        let kinds = [
            ("[email]", &["ann@mill.example", "a.b-c+d@sub.mill.co.uk"][..]),
            ("[ip]", &["203.0.113.9", "192.168.1.1", "2001:db8::8a2e:370:7334", "fe80::1"]),
            (
                "[iban]",
                &[
                    "DE89 3704 0044 0532 0130 00",
                    "DE89370400440532013000",
                    "GB29 NWBK 6016 1331 9268 19",
                    "NO9386011117947",
                ],
            ),
            (
                "[card]",
                &[
                    "4111 1111 1111 1111",
                    "4111-1111-1111-1111",
                    "5555555555554444",
                    "3782 822463 10005",
                    "6011111111111117",
                ],
            ),
            (
                "[phone]",
                &[
                    "+49 30 1234567",
                    "+1 (212) 555-0123",
                    "(212) 555-0123",
                    "212-555-0123",
                    "01 23 45 67 89",
                    "030/1234567",
                    "0171 1234567",
                    "020 7946 0018",
                    "138 1234 5678",
                    "13812345678",
                    "03-1234-5678",
                    "0049 171 1234567",
                    "+86 138-1234-5678",
                    "+44 20 7946 0018",
                    "8 (495) 123-45-67",
                    "+33 1 23 45 67 89",
                    "+4930123456",
                ],
            ),
        ];
        for (name, written) in kinds {
            for number in written {
                assert_eq!(masked(&format!("Before {number}, behind.")), format!("Before {name}, behind."), "{number}");
                assert_eq!(masked(&format!("以前{number}。")), format!("以前{name}。"), "{number}");
                assert_eq!(masked(number), name);
            }
        }
        assert_eq!(
            masked("Telefon: 123456-7, Fax 7654321; 电话：010 8888"),
            "Telefon: [phone], Fax [phone]; 电话：[phone]"
        );
        assert_eq!(masked("mailto:ann@mill.example?subject=x"), "mailto:[email]?subject=x");
        assert_eq!(masked("http://203.0.113.9:8080/x"), "http://[ip]:8080/x");
    }

    #[test]
    fn what_only_looks_like_it_stays() {
        let others = [
            "https://shop.example/p/4111111111111111?tel=2125550123",
            "www.shop.example/212-555-0123",
            "git@github.com:owner/repo.git",
            "https://user@host.example/x",
            "@app.route and @media, pkg@1.2.3, logo@2x.png, a@b",
            "version 1.2.3.4, v1.2.3.4, 1.2.3.4.5, 256.1.1.1, 127.0.0.1, 0.0.0.0",
            "std::fs::File, a::b, add::face, 12:30:45, ::1",
            "4111 1111 1111 1112, 1234567890123456, id_4111111111111111",
            "DE89 3704 0044 0532 0130 01, XX89370400440532013000",
            "2024-05-31, 31.05.2024, 10 000 000, 1,000,000, 3.14159, 100-200, 1914-1918, 12 34 56",
            "ISBN 978-3-16-148410-0, sha 356a192b7913b04c54574d18c28d46e6395428ab",
            "score +10, C++ 11 2020, $212-555-0123, 5 555 555 555",
        ];
        for text in others {
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn finds_do_not_overlap() {
        assert_eq!(masked("203.0.113.9@mill.example"), "[ip]@mill.example");
        assert_eq!(masked("a@b.example@c.example x@y.example"), "a@[email] [email]");
    }
}
