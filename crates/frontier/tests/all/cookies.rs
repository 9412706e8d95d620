//! Cookies go along with the orders of their site, over a restart too, and with no others.

use crate::common;

use common::{Bed, plain};
use gristmill_frontier::{Cookie, News, Notice};

#[test]
fn what_a_site_has_set_goes_along_with_its_orders_until_it_is_taken_back() {
    let mut bed = Bed::new(plain());
    let cookie = Cookie { url: "http://www.a.com/".into(), field: "seen=1".into() };
    let set = |bed: &mut Bed, cookies: Vec<Cookie>| {
        let (now, news) = (bed.now, News::Cookies { cookies });
        bed.frontier().notice(&Notice { url: "http://www.a.com/".into(), news }, now).unwrap()
    };
    assert!(set(&mut bed, vec![cookie.clone()]));
    bed.commit();
    bed.reopen();
    for url in ["http://a.com/1", "http://b.com/1"] {
        bed.page(url);
    }
    for _ in 0..2 {
        let order = bed.order();
        let expected = if order.url.contains("a.com") { vec![cookie.clone()] } else { Vec::new() };
        assert_eq!(order.cookies, expected, "{}", order.url);
        bed.ok(&order);
    }
    set(&mut bed, Vec::new());
    bed.page("http://a.com/2");
    assert_eq!(bed.await_order().cookies, []);
    let huge = Cookie { field: "x".repeat(20_000), ..cookie.clone() };
    set(&mut bed, vec![huge]);
    assert!(!format!("{cookie:?}").contains("seen"), "nothing that is logged");
}
