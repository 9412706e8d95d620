//! What the commands that read pages are told of the reading.

use clap::{Args, ValueEnum};
use gristmill_extract::Structure;
use gristmill_extractor::{ExtractorConfig, RecordsConfig};
use gristmill_reading::PageReader;

use crate::values;

#[derive(Args)]
pub struct ReadingArgs {
    /// Extraction method such as `vsse` or `vsse(t1=0.3)` (docs/extraction.md lists them) [default: `extractor.method`]
    #[arg(long, value_parser = values::method)]
    pub method: Option<String>,
    /// Leave these out of the text and every other form: of links the addresses, of all others the words too
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    drop: Vec<StructurePart>,
    /// Keep these in the text and every other form [default: as `extractor.comments` says]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    include: Vec<OptionalText>,
    /// Take the page's description of itself when it has no text at all
    #[arg(long)]
    pub describe: bool,
}

/// What stands in the text only when it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OptionalText {
    /// What readers wrote below an article
    Comments,
}

/// Part of the structure that `--drop` leaves out.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StructurePart {
    Headings,
    Lists,
    Tables,
    Code,
    Quotes,
    Captions,
    Notes,
    Links,
    /// What readers wrote below an article, even if `extractor.comments` keeps it
    Comments,
}

impl ReadingArgs {
    /// The reader of the settings, with the method and the parts of the command line if it names them.
    ///
    /// # Errors
    /// A method that cannot be.
    pub fn page_reader(&self, extractor: &ExtractorConfig, records: &RecordsConfig) -> anyhow::Result<PageReader> {
        let reader = gristmill_extractor::page_reader(extractor, records)?;
        let method = self.method.as_deref().map(str::parse).transpose()?.unwrap_or_else(|| reader.method.clone());
        Ok(PageReader { method, comments: self.comments(reader.comments), ..reader })
    }

    /// Whether comments stay in texts, if the settings say so or not.
    fn comments(&self, by_settings: bool) -> bool {
        (by_settings || self.include.contains(&OptionalText::Comments)) && !self.drop.contains(&StructurePart::Comments)
    }

    /// What of the structure of pages the results keep; no images.
    pub fn structure(&self) -> Structure {
        let keeps = |part| !self.drop.contains(&part);
        Structure {
            headings: keeps(StructurePart::Headings),
            lists: keeps(StructurePart::Lists),
            tables: keeps(StructurePart::Tables),
            code: keeps(StructurePart::Code),
            quotes: keeps(StructurePart::Quotes),
            captions: keeps(StructurePart::Captions),
            notes: keeps(StructurePart::Notes),
            links: keeps(StructurePart::Links),
            images: false,
        }
    }
}
