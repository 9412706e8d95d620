//! The list of methods.

use crate::common;

use common::{finish, lab, text};

#[test]
fn the_methods_of_text_and_records_are_listed() {
    let mut command = lab();
    command.arg("methods");
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let listing = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = listing
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
        .map_while(|line| line.split(' ').next())
        .collect();
    let methods: Vec<&str> = gristmill_extract::methods().iter().map(|method| method.name).collect();
    assert_eq!(names[..methods.len()], methods);
    for name in ["hmm", "hmm-literal", "cnbe", "records"] {
        let named = |line: &str| line.split("  ").next() == Some(name);
        assert!(listing.lines().any(named), "{name}: {listing}");
    }
}
