//! What rules find on pages, what they leave out, and which rules are refused.

use gristmill_html::{Doc, TreeLimits};
use gristmill_reading::rules::{RuleResults, SiteRuleSet, SiteRulesConfig};
use proptest::prelude::*;

fn sites(toml: &str) -> Vec<SiteRulesConfig> {
    #[derive(serde::Deserialize)]
    struct File {
        sites: Vec<SiteRulesConfig>,
    }
    toml::from_str::<File>(toml).unwrap().sites
}

fn rules(toml: &str) -> SiteRuleSet {
    SiteRuleSet::compile(&sites(toml), "sites").unwrap()
}

fn refused(toml: &str) -> String {
    SiteRuleSet::compile(&sites(toml), "sites").unwrap_err().to_string()
}

fn apply(rules: &str, html: &str) -> RuleResults {
    let rules = self::rules(&format!("[[sites]]\nhosts = [\"shop.example\"]\n{rules}"));
    rules.for_address("shop.example", "/").unwrap().apply(&Doc::parse(html, &TreeLimits::default()))
}

fn pairs(ruled: &RuleResults) -> Vec<(&str, &str)> {
    ruled.pairs.iter().map(|pair| (pair.name.as_str(), pair.value.as_str())).collect()
}

#[test]
fn the_first_entry_that_names_the_host_counts() {
    let rules = rules(
        "[[sites]]\nhosts = [\"www.shop.example\"]\nkind = \"other\"\n\
         [[sites]]\nhosts = [\"*.shop.example\", \"a.test\"]\nkind = \"product\"",
    );
    let kind = |host: &str| rules.for_address(host, "/").and_then(|site| site.kind.as_deref());
    assert_eq!(kind("www.shop.example"), Some("other"));
    assert_eq!(kind("WWW.Shop.example"), Some("other"));
    assert_eq!(kind("shop.example"), Some("product"));
    assert_eq!(kind("x.y.shop.example"), Some("product"));
    assert_eq!(kind("a.test"), Some("product"));
    assert_eq!((kind("b.a.test"), kind("myshop.example"), kind("")), (None, None, None));
}

#[test]
fn title_and_price_are_the_first_match_with_text_and_attributes_can_be_meant() {
    let ruled = apply(
        "title = \"h1.name\"\nprice = \"meta[itemprop=price]::attr(content)\"",
        "<h1 class=name> </h1><h1 class='big name'>Hand <b>mill</b><br>No. 3</h1><meta itemprop=price content=' 49.00 '>",
    );
    let title = ruled.title.unwrap();
    assert_eq!((title.text.as_str(), title.rule.as_str()), ("Hand mill No. 3", "sites[0].title"));
    assert_eq!(ruled.price.unwrap().text, "49.00");
    assert!(ruled.rest.is_none());
}

#[test]
fn attributes_come_from_rows_from_neighbours_and_under_a_given_name() {
    let ruled = apply(
        "attributes = [{ row = 'table.specs tr', name = 'th', value = 'td' },\n\
         { name = 'dl dt', value = 'dl dd' }, { label = 'Author', value = '.by a' }]",
        "<table class=specs><tr><th>Weight:</th><td>1.2<br>kg</td></tr><tr><td>no name</td></tr></table>
         <table><tr><th>Not</th><td>this</td></tr></table>
         <dl><dd>before any name</dd><dt>Colour</dt><dd>red</dd><dd>blue</dd><dt>None</dt></dl><p class=by><a>Ann</a>",
    );
    assert_eq!(pairs(&ruled), [("Weight", "1.2 kg"), ("Colour", "red"), ("Colour", "blue"), ("Author", "Ann")]);
    assert_eq!(ruled.pairs[3].rule, "sites[0].attributes[2]");
}

#[test]
fn a_row_may_be_its_own_name_or_value() {
    let ruled = apply(
        "attributes = [{ row = 'li', name = 'li::attr(data-name)', value = 'li' }]",
        "<ul><li data-name=Size>15 in</li><li>no name</li></ul>",
    );
    assert_eq!(pairs(&ruled), [("Size", "15 in")]);
}

#[test]
fn what_is_excluded_is_gone_from_the_rest_but_rules_still_see_it() {
    let ruled = apply(
        "price = '.related .price'\nremove = ['.related', 'p:empty']",
        "<p>kept</p><div class=related><b class=price>3</b></div><p></p>",
    );
    assert_eq!(ruled.price.unwrap().text, "3");
    let rest = ruled.rest.unwrap();
    assert_eq!(rest.text_content(rest.body().unwrap()).trim(), "kept");
}

#[test]
fn rules_that_cannot_be_used_are_refused_with_their_place() {
    let site = |rest: &str| refused(&format!("[[sites]]\nhosts = [\"a.test\"]\n{rest}"));
    let all = [
        (site("title = 'h1['"), vec!["sites[0].title", "h1["]),
        (site("remove = ['.a', 'p::attr(x)']"), vec!["sites[0].remove[1]", "attribute"]),
        (site("attributes = [{ value = 'td' }]"), vec!["sites[0].attributes[0]", "`label`"]),
        (site("attributes = [{ label = 'A', name = 'b', value = 'td' }]"), vec!["attributes[0]", "either"]),
        (site("attributes = [{ label = 'A', value = '' }]"), vec!["attributes[0].value"]),
        (refused("[[sites]]\ntitle = 'h1'"), vec!["sites[0]", "`hosts` is empty"]),
        (refused("[[sites]]\nhosts = ['https://a.test/']\ntitle = 'h1'"), vec!["https://a.test/", "host name"]),
    ];
    for (message, parts) in all {
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
    let unknown = toml::from_str::<SiteRulesConfig>("hosts = []\ntitel = 'h1'").unwrap_err().to_string();
    assert!(unknown.contains("titel"), "{unknown}");
}

#[test]
fn a_page_of_a_hundred_thousand_rows_is_read_within_the_cap() {
    let html = "<i><b>n</b><u>v</u></i>".repeat(30_000);
    let ruled = apply("attributes = [{ row = 'i', name = 'b', value = 'u' }]\nremove = ['u']", &html);
    assert_eq!(ruled.pairs.len(), 1_000);
}

proptest! {
    #[test]
    fn any_page_is_read(html in "(<(div|tr|td|p|/div|/p|svg|table)( class=a)?>|[a-z:]{0,4}){0,40}") {
        let ruled = apply("title = 'p'\nattributes = [{ row = 'tr, div', name = '*', value = '.a' }]\nremove = ['p']", &html);
        if let Some(rest) = ruled.rest {
            prop_assert!(rest.ids().all(|id| rest.end(id) <= rest.len()));
        }
    }
}
