//! Where compaction comes, against what was measured with the real harness.

use vademecum_harness::claude_code::window::{Limit, NoLimit, Settings, limit};

fn limit_with(
    model: &str,
    variables: &[(&str, &str)],
    settings: &Settings,
) -> Result<Limit, NoLimit> {
    let env = |name: &str| {
        variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    };
    limit(Some(model), &env, settings)
}

/// `not_at` did not compact and `at` did, with the harness's counters faked to that sum.
#[track_caller]
fn measured(model: &str, variables: &[(&str, &str)], not_at: u64, at: u64) {
    let limit = limit_with(model, variables, &Settings::default()).expect("a limit");
    let bracket = not_at + 1..=at;
    assert!(bracket.contains(&limit.compact_at) && limit.is_counted, "{model}: {limit:?}");
}

const WINDOW: &str = "CLAUDE_CODE_AUTO_COMPACT_WINDOW";

#[test]
fn the_formula_fits_the_measurements() {
    measured("claude-sonnet-5", &[(WINDOW, "100000")], 66_000, 68_000);
    measured("claude-sonnet-5", &[(WINDOW, "50k")], 66_000, 68_000);
    measured("claude-sonnet-5", &[(WINDOW, "0.15m")], 116_000, 120_000);
    let percent = ("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "50");
    measured("claude-sonnet-5", &[(WINDOW, "100000"), percent], 39_000, 41_000);
    let output = ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "8000");
    measured("claude-sonnet-5", &[(WINDOW, "100000"), output], 70_000, 80_000);
    measured("claude-haiku-4-5", &[(WINDOW, "200000")], 166_000, 168_500);
    measured("claude-sonnet-5", &[], 960_000, 970_000);
    measured("claude-opus-5", &[], 960_000, 970_000);
    measured("claude-fable-5", &[], 960_000, 970_000);
    measured("claude-opus-4-6", &[], 166_000, 168_500);
    measured("claude-sonnet-5", &[("CLAUDE_CODE_DISABLE_1M_CONTEXT", "1")], 166_000, 168_500);
}

#[track_caller]
fn reactive(model: &str, variables: &[(&str, &str)], window: u64) {
    let limit = limit_with(model, variables, &Settings::default());
    assert_eq!(limit, Ok(Limit { compact_at: window, window, is_counted: false }));
}

#[test]
fn some_sessions_wait_for_the_api() {
    reactive("claude-haiku-4-5", &[], 200_000);
    reactive("claude-haiku-4-5", &[("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "50")], 200_000);
    reactive("us.anthropic.claude-haiku-4-5-20251001-v1:0", &[], 200_000);
    reactive("claude-sonnet-4-5@20250929", &[], 200_000);
    reactive("claude-sonnet-4-6[1m]", &[], 1_000_000);
    reactive("claude-opus-4-20250514", &[], 200_000);
}

#[track_caller]
fn unknown(model: &str, variables: &[(&str, &str)], why: &str) {
    let reason = limit_with(model, variables, &Settings::default()).map_err(|no| no.to_string());
    assert_eq!(reason, Err(why.to_owned()));
}

#[test]
fn what_is_not_known_says_why() {
    unknown("", &[], "the model is not known");
    unknown("glm-9", &[], "the window of the model \"glm-9\" is not known");
    unknown("claude-sonnet-9", &[], "the window of the model \"claude-sonnet-9\" is not known");
    unknown("claude-3-5-sonnet", &[], "the window of the model \"claude-3-5-sonnet\" is not known");
    let off = "automatic compaction is off: DISABLE_AUTO_COMPACT";
    unknown("claude-sonnet-5", &[(WINDOW, "100000"), ("DISABLE_AUTO_COMPACT", "true")], off);
    unknown(
        "claude-sonnet-5",
        &[("DISABLE_COMPACT", "1")],
        "automatic compaction is off: DISABLE_COMPACT",
    );
}

#[test]
fn an_unknown_model_can_be_told() {
    let known = |variables| limit_with("glm-9", variables, &Settings::default());
    let limit = |window: u64| Ok(Limit { compact_at: window - 33_000, window, is_counted: true });
    assert_eq!(known(&[("CLAUDE_CODE_MAX_CONTEXT_TOKENS", "131072")]), limit(131_072));
    assert_eq!(known(&[(WINDOW, "120k")]), limit(120_000));
}

#[track_caller]
fn with_settings(json: &[&str], expected: &Result<u64, NoLimit>) {
    let parse = |json: &&str| Settings::parse(json.as_bytes()).expect("settings");
    let settings = json.iter().map(parse).reduce(Settings::under).unwrap_or_default();
    let limit = limit_with("claude-sonnet-5", &[], &settings);
    assert_eq!(&limit.map(|limit| limit.compact_at), expected);
}

#[test]
fn settings_count_where_the_environment_is_silent() {
    with_settings(&["\u{feff}{\"hooks\":{}}"], &Ok(967_000));
    with_settings(&[r#"{"autoCompactWindow":300000}"#], &Ok(267_000));
    with_settings(&[r#"{"autoCompactWindow":"auto"}"#], &Ok(967_000));
    with_settings(
        &[r#"{"modelSettings":{"claude-sonnet-5[1m]":{"autoCompactWindow":200000},"opus":{}}}"#],
        &Ok(167_000),
    );
    with_settings(&[r#"{"env":{"CLAUDE_CODE_AUTO_COMPACT_WINDOW":150000}}"#], &Ok(117_000));
    with_settings(&[r#"{"autoCompactEnabled":false}"#], &Err(NoLimit::Off("autoCompactEnabled")));
    with_settings(
        &[r#"{"autoCompactEnabled":false}"#, r#"{"autoCompactEnabled":true}"#],
        &Ok(967_000),
    );
    with_settings(
        &[
            r#"{"modelSettings":{"claude-sonnet-5":{"autoCompactWindow":200000}}}"#,
            r#"{"autoCompactWindow":300000}"#,
        ],
        &Ok(267_000),
    );
}

#[test]
fn the_environment_goes_before_settings() {
    let settings = Settings::parse(br#"{"autoCompactWindow":300000}"#).expect("settings");
    let limit = limit_with("claude-sonnet-5", &[(WINDOW, "100k")], &settings);
    assert_eq!(limit.map(|limit| limit.window), Ok(100_000));
    let limit = limit_with("claude-sonnet-5", &[(WINDOW, "plenty")], &settings);
    assert_eq!(limit.map(|limit| limit.window), Ok(300_000));
}
