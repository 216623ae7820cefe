//! The scratchpad in the tree of commands; what it does is in the shared cases.

use super::home::Home;

const TEN: &str = "[scratchpad]\nmaxTokens = 10";

#[test]
fn it_is_there_when_its_table_is() {
    for (toml, is_there) in [
        ("", false),
        ("[scratchpad]\nenabled = false", false),
        (TEN, true),
        ("profile = 'seed2'", true),
    ] {
        let home = Home::configured(toml);
        let said = home.vade(&["scratchpad", "put", "x"]);
        assert_eq!(said.code, if is_there { 0 } else { 2 }, "{toml}");
        assert_eq!(home.text(&["--help"]).contains("scratchpad"), is_there, "{toml}");
        let by_name = home.vade(&["call", "session.scratchpad", r#"{"content": "x"}"#]);
        assert_eq!(by_name.code, if is_there { 0 } else { 6 }, "{toml}");
    }
}
