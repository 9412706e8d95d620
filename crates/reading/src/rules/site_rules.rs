//! Rules ready for use, and what they find on a page.

use gristmill_html::{Doc, NodeId};
use gristmill_urls::SitePattern;
use scraper::Selector;

use crate::rules::config::{AttributeConfig, SiteRulesConfig};
use crate::rules::error::RuleError;
use crate::rules::selector::SelectorTarget;
use crate::rules::tree::{Match, SelectorTree};

/// Most rows, or names and values, that one attribute rule takes on a page.
const MAX_ROWS: usize = 1_000;

/// Most elements that one exclusion takes away.
const MAX_EXCLUDED: usize = 10_000;

/// The rules of all sites.
#[derive(Debug, Clone, Default)]
pub struct SiteRuleSet {
    sites: Vec<SiteRules>,
}

/// The rules of one site.
#[derive(Debug, Clone)]
pub struct SiteRules {
    pattern: SitePattern,
    /// What the settings say every page is.
    pub kind: Option<String>,
    /// Which of their pages a browser draws.
    pub render: Option<String>,
    /// Its place in the settings, such as `sites[0]`.
    pub name: String,
    title: Option<SelectorTarget>,
    price: Option<SelectorTarget>,
    attributes: Vec<Attributes>,
    exclude: Vec<Selector>,
}

#[derive(Debug, Clone)]
struct Attributes {
    rule: String,
    row: Option<Selector>,
    name: NameOf,
    value: SelectorTarget,
}

#[derive(Debug, Clone)]
enum NameOf {
    Picked(SelectorTarget),
    Fixed(String),
}

/// A text, the rule that found it and the element it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleMatch {
    /// White space collapsed.
    pub text: String,
    /// Such as `sites[0].title`.
    pub rule: String,
    /// Node of the page as it was, before anything was left out.
    pub node: NodeId,
}

/// An attribute that a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleAttribute {
    /// White space collapsed, as the value.
    pub name: String,
    pub value: String,
    /// Such as `sites[0].attributes[1]`.
    pub rule: String,
    /// The element of the value; node of the page as it was.
    pub node: NodeId,
}

/// What the rules of a site find on a page.
#[derive(Debug, Clone, Default)]
pub struct RuleResults {
    pub title: Option<RuleMatch>,
    pub price: Option<RuleMatch>,
    /// In page order within one rule; at most 1,000 from each.
    pub pairs: Vec<RuleAttribute>,
    /// The page without what the rules leave out; `None` if nothing is left out.
    pub rest: Option<Doc>,
}

impl SiteRuleSet {
    /// Reads the rules as they stand at `setting`, such as `sites`.
    ///
    /// # Errors
    /// The first rule that cannot be used.
    pub fn compile(sites: &[SiteRulesConfig], setting: &str) -> Result<SiteRuleSet, RuleError> {
        let site = |(n, site)| SiteRules::compile(site, format!("{setting}[{n}]"));
        let sites = sites.iter().enumerate().filter(|(_, site)| site.says_anything());
        Ok(SiteRuleSet { sites: sites.map(site).collect::<Result<_, _>>()? })
    }

    /// The rules for an address, the first that cover it.
    pub fn for_address(&self, host: &str, path: &str) -> Option<&SiteRules> {
        self.sites.iter().find(|site| site.pattern.covers(host, path))
    }
}

impl SiteRules {
    fn compile(config: &SiteRulesConfig, name: String) -> Result<SiteRules, RuleError> {
        let pattern = SitePattern::new(&config.hosts, config.path.as_deref());
        let pattern = pattern.map_err(|source| RuleError::Pattern { rule: name.clone(), source })?;
        let pick = |selector: &Option<String>, key: &str| {
            selector.as_deref().map(|selector| SelectorTarget::parse(selector, &format!("{name}.{key}"))).transpose()
        };
        let attributes = config.attributes.iter().enumerate();
        let exclude = config.remove.iter().enumerate();
        Ok(SiteRules {
            pattern,
            kind: config.kind.clone(),
            render: config.render.clone(),
            title: pick(&config.title, "title")?,
            price: pick(&config.price, "price")?,
            attributes: attributes
                .map(|(n, rule)| Attributes::compile(rule, format!("{name}.attributes[{n}]")))
                .collect::<Result<_, _>>()?,
            exclude: exclude
                .map(|(n, selector)| SelectorTarget::element(selector, &format!("{name}.remove[{n}]")))
                .collect::<Result<_, _>>()?,
            name,
        })
    }

    /// Applies the rules to a page. Copies it once, if any selector is to be matched.
    ///
    /// Cost: O(nodes) for each selector; within rows O(nodes of the row) for each of at most 1,000 rows.
    pub fn apply(&self, doc: &Doc) -> RuleResults {
        let idle = self.title.is_none() && self.price.is_none() && self.attributes.is_empty();
        if idle && self.exclude.is_empty() {
            return RuleResults::default();
        }
        let tree = SelectorTree::of(doc);
        let excluded: Vec<NodeId> = self
            .exclude
            .iter()
            .flat_map(|selector| tree.select(selector, MAX_EXCLUDED))
            .map(|found| found.id)
            .collect();
        let first = |pick: &Option<SelectorTarget>, key: &str| {
            let pick = pick.as_ref()?;
            let found = |found: Match<'_>| pick.text(doc, found.id).map(|text| (text, found.id));
            let (text, node) = tree.select(&pick.selector, MAX_ROWS).find_map(found)?;
            Some(RuleMatch { text, rule: format!("{}.{key}", self.name), node })
        };
        RuleResults {
            title: first(&self.title, "title"),
            price: first(&self.price, "price"),
            pairs: self.attributes.iter().flat_map(|rule| rule.find(doc, &tree)).collect(),
            rest: (!excluded.is_empty()).then(|| doc.without(&excluded)),
        }
    }
}

impl Attributes {
    fn compile(config: &AttributeConfig, rule: String) -> Result<Attributes, RuleError> {
        let name = match (&config.name, &config.label) {
            (Some(name), None) => NameOf::Picked(SelectorTarget::parse(name, &format!("{rule}.name"))?),
            (None, Some(label)) if !label.trim().is_empty() => NameOf::Fixed(label.trim().to_owned()),
            _ => return Err(RuleError::Name { rule }),
        };
        let row = config.row.as_deref().map(|row| SelectorTarget::element(row, &format!("{rule}.row"))).transpose()?;
        let value = SelectorTarget::parse(&config.value, &format!("{rule}.value"))?;
        Ok(Attributes { rule, row, name, value })
    }

    fn find(&self, doc: &Doc, tree: &SelectorTree) -> Vec<RuleAttribute> {
        match (&self.row, &self.name) {
            (Some(row), _) => tree.select(row, MAX_ROWS).filter_map(|row| self.in_row(doc, tree, &row)).collect(),
            (None, NameOf::Fixed(name)) => {
                let values = tree.select(&self.value.selector, MAX_ROWS);
                values.filter_map(|found| self.pair(name.clone(), doc, found.id)).collect()
            }
            (None, NameOf::Picked(name)) => self.side_by_side(doc, tree, name),
        }
    }

    fn in_row(&self, doc: &Doc, tree: &SelectorTree, row: &Match<'_>) -> Option<RuleAttribute> {
        let name = match &self.name {
            NameOf::Fixed(name) => name.clone(),
            NameOf::Picked(pick) => pick.text(doc, tree.select_in(row, &pick.selector)?.id)?,
        };
        self.pair(name, doc, tree.select_in(row, &self.value.selector)?.id)
    }

    /// Each name with the values that stand before the next name.
    fn side_by_side(&self, doc: &Doc, tree: &SelectorTree, name: &SelectorTarget) -> Vec<RuleAttribute> {
        let names: Vec<NodeId> = tree.select(&name.selector, MAX_ROWS).map(|found| found.id).collect();
        let mut pairs = Vec::new();
        for found in tree.select(&self.value.selector, MAX_ROWS) {
            let at = names.partition_point(|name| *name < found.id);
            let Some(text) = at.checked_sub(1).and_then(|at| name.text(doc, names[at])) else { continue };
            pairs.extend(self.pair(text, doc, found.id));
        }
        pairs
    }

    fn pair(&self, name: String, doc: &Doc, node: NodeId) -> Option<RuleAttribute> {
        let name = name.trim_end_matches([':', '：']).trim_end().to_owned();
        let value = self.value.text(doc, node)?;
        (!name.is_empty()).then(|| RuleAttribute { name, value, rule: self.rule.clone(), node })
    }
}
