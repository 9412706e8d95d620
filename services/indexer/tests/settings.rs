//! The settings file that is deployed with this service is one that it reads.

#[path = "../../deployed.rs"]
mod deployed;

#[test]
fn the_deployed_settings_are_accepted() {
    deployed::assert_accepts(deployed::program(env!("CARGO_BIN_EXE_gristmill-indexer")), "indexer");
}
