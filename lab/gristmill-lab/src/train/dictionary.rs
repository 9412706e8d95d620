//! Learns attribute names from product pages, or from the harvest of a crawl.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use gristmill_eval::is_permissive;
use gristmill_eval::records::RecordPackage;
use gristmill_html::{Doc, TreeLimits};
use gristmill_index::IndexReader;
use gristmill_records::name_induction::{LearnedName, Learner, to_file};
use gristmill_records::{Dictionary, MARKUPS};

#[derive(Args)]
pub struct DictionaryArgs {
    /// Packages of product pages, or folders of saved pages
    #[arg(required_unless_present = "data", value_name = "PACKAGE_DIR")]
    packages: Vec<PathBuf>,
    /// Learn from the attributes that a crawl has put into the index of this data directory
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Where the new names go, as a file for `records.dictionary` [default: they are only shown]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Take packages of any licence: for a dictionary that is not given to others
    #[arg(long)]
    any_licence: bool,
}

/// Learns, shows on standard output what would be added, and writes the file.
pub fn run(args: &DictionaryArgs) -> anyhow::Result<()> {
    let mut learner = Learner::new();
    for folder in &args.packages {
        read_package(folder, args.any_licence, &mut learner)?;
    }
    if let Some(data) = &args.data {
        read_index(&data.join("index"), &mut learner)?;
    }
    let learnt = learner.finish(&Dictionary::built_in());
    show(&learnt)?;
    if let Some(out) = &args.out {
        std::fs::write(out, to_file(&learnt)).with_context(|| format!("could not write `{}`", out.display()))?;
        eprintln!("to use it: records.dictionary = \"{}\"", out.display());
    }
    Ok(())
}

fn read_package(folder: &Path, any_licence: bool, learner: &mut Learner) -> anyhow::Result<()> {
    let package = RecordPackage::read(folder)?;
    let (mut n_left_out, mut problems) = (0, package.problems);
    for page in &package.pages {
        if !(any_licence || is_permissive(&page.licence)) {
            n_left_out += 1;
            continue;
        }
        match page.document.read_html() {
            Ok(bytes) => {
                let html = gristmill_html::decode(&bytes, None);
                learner.read_page(&page.site, &Doc::parse(&html.text, &TreeLimits::default()));
            }
            Err(problem) => problems.push(problem),
        }
    }
    if n_left_out > 0 {
        let name = &package.name;
        eprintln!("{name}: {n_left_out} pages left out for their licence; `--any-licence` takes them");
    }
    problems.iter().for_each(|problem| eprintln!("left out: {problem}"));
    Ok(())
}

/// The pairs that were read from what a visitor sees; what markup declares has no names of its own.
fn read_index(index: &Path, learner: &mut Learner) -> anyhow::Result<()> {
    for document in IndexReader::open(index)?.documents() {
        let document = document?;
        let seen = document.attributes.iter().filter(|attribute| !is_declared(&attribute.source));
        let pairs: Vec<(&str, &str)> =
            seen.map(|attribute| (attribute.name.as_str(), attribute.value.as_str())).collect();
        if !pairs.is_empty() {
            learner.read_pairs(&document.site, &pairs);
        }
    }
    Ok(())
}

fn is_declared(source: &str) -> bool {
    matches!(source, "markup" | "text") || MARKUPS.iter().any(|markup| markup.as_str() == source)
}

/// A table of what is new, and how much was known.
fn show(learnt: &[LearnedName]) -> anyhow::Result<()> {
    const SHOWN_SITES: usize = 3;
    let mut out = std::io::stdout().lock();
    let new: Vec<&LearnedName> = learnt.iter().filter(|one| one.known.is_none()).collect();
    writeln!(out, "name\tpages\tvalues\tsites")?;
    for one in &new {
        let mut sites = one.sites[..one.sites.len().min(SHOWN_SITES)].join(" ");
        if one.sites.len() > SHOWN_SITES {
            sites.push_str(&format!(" and {} more", one.sites.len() - SHOWN_SITES));
        }
        writeln!(out, "{}\t{}\t{}\t{sites}", one.name, one.n_pages, one.n_values)?;
    }
    eprintln!("{} names met the rule: {} are known, {} are new", learnt.len(), learnt.len() - new.len(), new.len());
    Ok(())
}
