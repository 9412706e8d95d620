//! Which changes an alert is about, as far as the change itself tells.

use gristmill_proto::{Change, ChangeKind, PageState};

use super::config::AlertConfig;

/// Names of schema.org for what can be bought now.
const IN_STOCK: [&str; 4] = ["InStock", "InStoreOnly", "LimitedAvailability", "OnlineOnly"];

/// Whether the rules of `alert` hold for `change`; its query is not asked.
pub(crate) fn holds(alert: &AlertConfig, change: &Change) -> bool {
    let is_of_kind = alert.kinds.is_empty() || alert.kinds.iter().any(|kind| kind == change.kind.as_str());
    is_of_kind
        && (alert.query.trim().is_empty() || change.kind != ChangeKind::Gone)
        && alert.price_below.is_none_or(|limit| comes_below(change, limit))
        && (!alert.back_in_stock || is_back(change))
}

/// Once for each fall below the limit, and not at each change below it.
fn comes_below(change: &Change, limit: f64) -> bool {
    let is_below = |state: &Option<PageState>| state.as_ref().and_then(|state| state.price).is_some_and(|p| p < limit);
    is_below(&change.after) && !is_below(&change.before)
}

fn is_back(change: &Change) -> bool {
    let stock = |state: &Option<PageState>| state.as_ref().and_then(|state| state.availability.clone());
    let is_in = |name: &String| IN_STOCK.contains(&name.as_str());
    stock(&change.after).is_some_and(|now| is_in(&now)) && stock(&change.before).is_some_and(|before| !is_in(&before))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(price: Option<f64>, stock: &str) -> Option<PageState> {
        Some(PageState { price, availability: Some(stock.into()), ..PageState::default() })
    }

    fn change(kind: ChangeKind, before: Option<PageState>, after: Option<PageState>) -> Change {
        let text = String::new;
        Change {
            id: text(),
            kind,
            key: text(),
            url: text(),
            site: text(),
            document_kind: text(),
            at: 0,
            before,
            after,
            words_added: 0,
            words_removed: 0,
            position: 0,
        }
    }

    fn changed(before: Option<PageState>, after: Option<PageState>) -> Change {
        change(ChangeKind::Changed, before, after)
    }

    #[test]
    fn a_price_is_told_when_it_comes_below_the_limit_and_not_again_while_it_stays_there() {
        let alert = AlertConfig { price_below: Some(20.0), ..AlertConfig::default() };
        let told = |before, after| holds(&alert, &changed(state(before, ""), state(after, "")));
        assert!(told(Some(20.0), Some(19.99)) && told(None, Some(5.0)));
        assert!(!told(Some(30.0), Some(20.0)) && !told(Some(15.0), Some(10.0)) && !told(Some(15.0), None));
        assert!(holds(&alert, &change(ChangeKind::New, None, state(Some(5.0), ""))));
        assert!(!holds(&alert, &change(ChangeKind::Gone, state(Some(5.0), ""), None)));
    }

    #[test]
    fn stock_is_back_when_it_was_known_to_be_away() {
        let alert = AlertConfig { back_in_stock: true, ..AlertConfig::default() };
        let told = |before, after| holds(&alert, &changed(state(None, before), state(None, after)));
        assert!(told("OutOfStock", "InStock") && told("SoldOut", "LimitedAvailability"));
        assert!(!told("InStock", "InStock") && !told("InStock", "OutOfStock") && !told("OutOfStock", "SoldOut"));
        let unknown = Some(PageState::default());
        assert!(!holds(&alert, &changed(unknown, state(None, "InStock"))));
        assert!(!holds(&alert, &change(ChangeKind::New, None, state(None, "InStock"))));
    }

    #[test]
    fn all_rules_must_hold_and_no_query_finds_what_is_gone() {
        let gone = change(ChangeKind::Gone, state(Some(5.0), "InStock"), None);
        assert!(holds(&AlertConfig::default(), &gone));
        assert!(!holds(&AlertConfig { query: "mill".into(), ..AlertConfig::default() }, &gone));
        let both = AlertConfig { price_below: Some(20.0), back_in_stock: true, ..AlertConfig::default() };
        assert!(holds(&both, &changed(state(Some(30.0), "OutOfStock"), state(Some(10.0), "InStock"))));
        assert!(!holds(&both, &changed(state(Some(30.0), "InStock"), state(Some(10.0), "InStock"))));
        let kinds = AlertConfig { kinds: vec!["new".into()], ..AlertConfig::default() };
        assert!(!holds(&kinds, &gone) && holds(&kinds, &change(ChangeKind::New, None, state(None, ""))));
    }
}
