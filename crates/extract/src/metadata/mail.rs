//! The header of a mail, as archives of mailing lists show it above the message.

use gristmill_html::NodeId;
use gristmill_page::Page;

/// Rows and lines of code in which a header begins.
const MAX_ROWS: usize = 40;
const MAX_BLOCKS: usize = 3;
const MAX_LINES: usize = 15;
/// Longest line of a header, in bytes.
const MAX_LINE: usize = 300;
/// Names of lines, in lower case: the writer, the day, and others.
const FROM: &[&str] = &["from", "von", "de", "da", "от", "发件人", "差出人"];
const DATE: &[&str] = &["date", "sent", "datum", "gesendet", "fecha", "data", "дата", "日期", "日付"];
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "to", "cc", "subject", "message-id", "reply-to", "in-reply-to", "references", "newsgroups", "an", "betreff", "asunto", "para", "objet",
    "à", "oggetto", "assunto", "кому", "тема", "主题", "件名",
];

/// What the header of a mail says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct MailHeader {
    /// Who wrote it, with the address.
    pub(super) from: String,
    pub(super) date: Option<String>,
}

/// The first header of a mail in the rows of a page or in its first blocks of code: a line that says who wrote it and one that says when,
/// with an address or another line beside them. O(rows looked at).
pub(super) fn header(page: &Page<'_>) -> Option<MailHeader> {
    let rows = || read(page.rows.iter().take(MAX_ROWS).map(|row| page.row_text(row)));
    let in_code = || {
        let blocks = page.verbatim().blocks().iter().take(MAX_BLOCKS).map(|block| text_of_code(page, block.node));
        blocks.into_iter().find_map(|text| read(text.lines().take(MAX_LINES)))
    };
    in_code().or_else(rows)
}

/// Whether a block of code begins with the header of a mail.
pub(crate) fn begins_mail(page: &Page<'_>, id: NodeId) -> bool {
    read(text_of_code(page, id).lines().take(MAX_LINES)).is_some()
}

/// The text of a block of code with its lines, as far as a header may go.
fn text_of_code(page: &Page<'_>, id: NodeId) -> String {
    const MAX_BYTES: usize = 3_000;
    let mut text = String::new();
    for id in page.doc.subtree(id).filter(|&id| page.doc.is_text(id)) {
        text.push_str(page.doc.text(id));
        if text.len() > MAX_BYTES {
            break;
        }
    }
    text
}

/// The header among some lines.
fn read<'t>(lines: impl Iterator<Item = &'t str>) -> Option<MailHeader> {
    let (mut from, mut date, mut n_others) = (None, None, 0);
    for line in lines.filter(|line| line.len() <= MAX_LINE) {
        let Some((name, value)) = line.trim().split_once([':', '：']) else { continue };
        let (name, value) = (name.trim().to_lowercase(), value.trim());
        match name.as_str() {
            name if FROM.contains(&name) => from = from.or_else(|| Some(value.to_owned())),
            name if DATE.contains(&name) => date = date.or_else(|| Some(value.to_owned())),
            name if OTHERS.contains(&name) => n_others += 1,
            _ => {}
        }
    }
    let from = from?;
    let is_address = from.contains(['@', '<']) || from.contains(" at ");
    let is_mail = if is_address { date.is_some() || n_others > 0 } else { date.is_some() && n_others > 1 };
    is_mail.then_some(MailHeader { from, date })
}

impl MailHeader {
    /// The name without the address: `Jane Doe <jane@mill.example>`, `jane@mill.example (Jane Doe)`.
    pub(super) fn writer(&self) -> &str {
        let from = self.from.trim();
        let is_address = |text: &str| {
            let text = text.trim();
            text.contains('@') && !text.contains(' ') || text.split(' ').nth(1) == Some("at")
        };
        let in_brackets = || from.split_once('(').filter(|(address, _)| is_address(address));
        let name = match in_brackets() {
            Some((_, name)) => name.split(')').next().unwrap_or_default(),
            None => from.split(['<', '(']).next().unwrap_or_default(),
        };
        name.split(" @ ").next().unwrap_or_default().trim_matches(['"', '\'', ' ', ','])
    }

    /// The day and time, in its own line or behind the name: `From: Jane Doe @ 2024-03-09 9:15 UTC`.
    pub(super) fn sent(&self) -> Option<&str> {
        self.date.as_deref().or_else(|| self.from.split_once(" @ ").map(|(_, sent)| sent))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::metadata;

    #[test]
    fn a_mail_says_who_wrote_it_and_when() {
        let rows = "<ul><li><em>To</em>: mill@lists.example<li><em>From</em>: Jane Doe &lt;jane@mill.example&gt;<li><em>Date</em>: Sat, 09 Mar 2024 10:15:00 +0100</ul>";
        let code = "<pre>From: Jane Doe &lt;jane@mill.example&gt;\nSubject: The wheel\nDate: Sat, 09 Mar 2024 10:15:00 +0100\n\nIt stops.</pre>";
        let thread =
            "<pre>* The wheel\nFrom: Jane Doe @ 2024-03-09 10:15 UTC (permalink / raw)\n  To: mill\n\nIt stops.</pre>";
        let old = "<strong>From:</strong> Jane Doe (<em>jane@mill.example</em>)<br><strong>Date:</strong> Sat 09 Mar 2024 - 10:15:00 CET<br>";
        for header in [rows, code, thread, old] {
            let found = metadata(&format!("<title>The wheel</title><h1>The wheel</h1>{header}<p>It stops at night."));
            assert_eq!(found.author.as_deref(), Some("Jane Doe"), "{header}");
            assert!(found.published.is_some_and(|day| day.starts_with("2024-03-09")), "{header}");
        }
        let list = "<b>Jane Doe</b> <a href=mailto:mill@lists.example>jane at mill.example</a><br><i>Sat Mar 9 10:15:00 CET 2024</i>";
        assert_eq!(
            metadata(&format!("<h1>The wheel</h1>{list}<pre>It stops at night.</pre>")).author.as_deref(),
            Some("Jane Doe")
        );
        for other in ["<p>From: London<p>To: Paris<p>Date: 5 May 2024", "<p>From: Jane's kitchen"] {
            assert_eq!(metadata(&format!("<h1>The wheel</h1>{other}<p>It stops at night.")).author, None, "{other}");
        }
    }
}
