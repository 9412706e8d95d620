//! The settings file that is deployed with this service is one that it reads.

#[path = "../../deployed.rs"]
mod deployed;

#[test]
fn the_deployed_settings_are_accepted() {
    deployed::assert_accepts(deployed::program(env!("CARGO_BIN_EXE_gristmill-extractor")), "extractor");
}

#[test]
fn an_option_and_a_log_of_its_own_are_refused() {
    deployed::assert_says_what_it_needs(env!("CARGO_BIN_EXE_gristmill-extractor"));
}
