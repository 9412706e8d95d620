//! The worst pages of each system, and their marked copies.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::Report;
use super::html::{escape, lines_table};
use crate::measures::Measure;
use crate::run::ResultRow;
use crate::tsv::free_name;

impl Report<'_> {
    /// The list as HTML; writes the marked pages.
    pub(super) fn worst_pages(&self, folder: &Path) -> io::Result<String> {
        let mut out = String::new();
        if self.options.worst == 0 {
            return Ok(out);
        }
        let pages = folder.join("pages");
        let mut taken = Vec::new();
        out.push_str("<h2>Worst pages</h2>\n<p class=\"quiet\">By word F1, the larger page first among equals.</p>\n");
        for &system in &self.order {
            let f1 = |row: &ResultRow| row.scores.get(Measure::Wcxb).map(|prf| prf.f1);
            let mut rows: Vec<(f64, &ResultRow)> = self
                .run
                .rows
                .iter()
                .filter_map(|row| {
                    let wanted = row.system == system && self.run.documents[row.document].in_means();
                    wanted.then(|| Some((f1(row)?, row))).flatten()
                })
                .collect();
            rows.sort_by(|a, b| {
                a.0.total_cmp(&b.0).then(b.1.bytes.cmp(&a.1.bytes)).then(a.1.document.cmp(&b.1.document))
            });
            rows.truncate(self.options.worst);
            let mut lines = Vec::new();
            for (_, row) in rows {
                lines.push(self.worst_row(system, row, &pages, &mut taken)?);
            }
            if !lines.is_empty() {
                let name = escape(&self.run.systems[system]);
                let _ = writeln!(out, "<details><summary>{name}</summary>");
                out.push_str(&lines_table(&["page", "type", "address", "F1", "P", "R", "kB"], &lines, 3));
                out.push_str("</details>\n");
            }
        }
        Ok(out)
    }

    fn worst_row(
        &self,
        system: usize,
        row: &ResultRow,
        pages: &Path,
        taken: &mut Vec<String>,
    ) -> io::Result<Vec<String>> {
        let document = &self.run.documents[row.document];
        let label = escape(&format!("{}/{}", document.package, document.id));
        let link = match (self.options.marked)(system, document) {
            None => label,
            Some(html) => {
                let wanted = format!("{}.{}.{}", document.package, document.id, self.run.systems[system]);
                let name = free_name(taken, &wanted);
                std::fs::create_dir_all(pages)?;
                std::fs::write(pages.join(format!("{name}.html")), html)?;
                format!("<a href=\"pages/{}.html\">{label}</a>", escape(&name))
            }
        };
        let prf = row.scores.get(Measure::Wcxb).unwrap_or_default();
        let address: String = document.url.as_deref().unwrap_or_default().chars().take(90).collect();
        Ok(vec![
            link,
            escape(document.page_type.as_deref().unwrap_or("")),
            format!("<span class=\"quiet\">{}</span>", escape(&address)),
            format!("{:.3}", prf.f1),
            format!("{:.3}", prf.precision),
            format!("{:.3}", prf.recall),
            format!("{:.0}", row.bytes as f64 / 1e3),
        ])
    }
}
