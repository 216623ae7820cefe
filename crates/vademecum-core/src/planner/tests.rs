//! The vectors of the seeds' planner, and each cause of a warning that did not come.

use proptest::prelude::*;

use super::*;

const FRESH: State = State {
    used: Used::Fresh(0),
    pending: 0,
    cycle: 0,
    flushed_in: None,
    running: None,
    slipped: false,
};

fn settings(reserve: i64, soft: i64) -> Settings {
    Settings::new(true, reserve, soft).expect("the settings of a vector are good")
}

#[track_caller]
fn check(state: State, limits: Limits, expected: Result<Due, Cause>) {
    let expected = expected.map_or_else(Decision::Hold, Decision::Warn);
    assert_eq!(plan(&state, &limits), expected);
}

#[track_caller]
fn check_vector(used: u64, [window, reserve, soft]: [i64; 3], fires: bool) {
    let window = u64::try_from(window).expect("a window is positive");
    let decision = plan(
        &State { used: Used::Fresh(used), ..FRESH },
        &Limits::exact(window, &settings(reserve, soft)),
    );
    assert_eq!(matches!(decision, Decision::Warn(_)), fires, "{decision}");
}

#[test]
fn fires_from_the_line_on() {
    check_vector(85, [100, 10, 5], true);
    check_vector(84, [100, 10, 5], false);
    check_vector(10_000, [100_000, 20_000, 10_000], false);
    check_vector(0, [16_000, 20_000, 4_000], false);
    check_vector(1_000_000, [16_000, 20_000, 4_000], false);
    check_vector(u64::MAX, [100, 10, 5], true);
}

#[test]
fn what_is_pending_counts() {
    let limits = Limits::exact(100, &settings(10, 5));
    let state = State { used: Used::Fresh(80), pending: 5, ..FRESH };
    check(state, limits, Ok(Due::Reached { total: 85, flush_at: 85, compact_at: 90 }));
    let state = State { pending: 4, ..state };
    check(state, limits, Err(Cause::Below { total: 84, flush_at: 85 }));
    let state = State { used: Used::Fresh(u64::MAX), ..state };
    check(state, limits, Ok(Due::Reached { total: u64::MAX, flush_at: 85, compact_at: 90 }));
}

#[test]
fn fires_once_a_cycle() {
    let limits = Limits::exact(100, &settings(10, 5));
    let over = State { used: Used::Fresh(86), ..FRESH };
    let reached = Ok(Due::Reached { total: 86, flush_at: 85, compact_at: 90 });
    check(over, limits, reached);
    check(State { flushed_in: Some(0), ..over }, limits, Err(Cause::Flushed { cycle: 0 }));
    check(State { cycle: 1, flushed_in: Some(0), ..over }, limits, reached);
}

#[test]
fn an_old_count_needs_a_projection() {
    let limits = Limits::exact(100_000, &settings(5_000, 2_000));
    let stale = |projected| State { used: Used::Stale { projected }, ..FRESH };
    check(stale(None), limits, Err(Cause::Stale));
    let reached = Due::Reached { total: 93_000, flush_at: 93_000, compact_at: 95_000 };
    check(stale(Some(93_000)), limits, Ok(reached));
    let below = Cause::Below { total: 92_999, flush_at: 93_000 };
    check(stale(Some(92_999)), limits, Err(below));
}

#[test]
fn a_compaction_that_slipped_by_is_made_up_for_once() {
    let limits = Limits::exact(100, &settings(10, 5));
    let slipped = State { cycle: 3, flushed_in: Some(1), slipped: true, ..FRESH };
    check(slipped, limits, Ok(Due::CatchUp { cycle: 3 }));
    let made_up = State { flushed_in: Some(3), ..slipped };
    check(made_up, limits, Err(Cause::Flushed { cycle: 3 }));
}

#[test]
fn nothing_is_entered_twice() {
    let limits = Limits::exact(100, &settings(10, 5));
    for running in [Running::Flush, Running::Compaction] {
        let state = State { used: Used::Fresh(99), running: Some(running), slipped: true, ..FRESH };
        check(state, limits, Err(Cause::Running(running)));
    }
}

#[test]
fn a_host_that_compacts_before_any_answer_does_not_warn() {
    let limits = Limits::exact(100, &settings(10, 5));
    let at = |used| plan(&State { used: Used::Fresh(used), ..FRESH }, &limits);
    assert_eq!(at(89).if_in_time(), at(89));
    assert_eq!(at(84).if_in_time(), at(84));
    let late = at(90).if_in_time();
    assert_eq!(late, Decision::Hold(Cause::Late { total: 90, compact_at: 90 }));
    assert!(at(90).is_due(), "the rule as published says nothing of that");
    let said = "not due: 90 tokens used and pending, the compaction at 90 comes before any answer";
    assert_eq!(late.to_string(), said);
    let slipped = State { cycle: 3, flushed_in: Some(1), slipped: true, ..FRESH };
    assert!(plan(&slipped, &limits).if_in_time().is_due());
}

#[test]
fn small_windows_are_fitted() {
    for (window, reserve, soft) in [
        (8_000, 4_000, 2_000),
        (16_000, 8_000, 4_000),
        (24_000, 16_000, 4_000),
        (32_000, 20_000, 4_000),
        (128_000, 20_000, 4_000),
        (200_000, 20_000, 4_000),
    ] {
        assert_eq!(Settings::default().fitted(window), (reserve, soft));
    }
}

#[test]
fn the_warning_lies_below_the_compaction() {
    let known = |window, compact_at, flush_at| Limits::Known { window, compact_at, flush_at };
    let settings = Settings::default();
    let harness =
        |window, compact_at| Limits::of_harness(Some(window), Some(compact_at), &settings);
    assert_eq!(harness(200_000, 167_000), known(200_000, 167_000, 157_000));
    assert_eq!(harness(60_000, 47_000), known(60_000, 47_000, 43_000));
    let host = |window| Limits::of_host(Some(window), &settings);
    assert_eq!(host(200_000), known(200_000, 180_000, 170_000));
    assert_eq!(host(8_000), known(8_000, 4_000, 2_000));
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let message = |reserve, soft| Settings::new(true, reserve, soft).map_err(|e| e.to_string());
    let soft = "precompact.soft takes 1 or more tokens, 0 given: the warning must come before the compaction";
    assert_eq!(message(20_000, 0), Err(soft.to_owned()));
    let reserve = "precompact.reserve takes 0 or more tokens, -1 given";
    assert_eq!(message(-1, 1), Err(reserve.to_owned()));
    assert!(message(20_000, -4_000).is_err());
}

#[test]
fn says_why() {
    let small = Limits::exact(16_000, &settings(20_000, 4_000));
    let good = Limits::exact(100, &settings(10, 5));
    let off = Settings::new(false, 20_000, 4_000).expect("the settings are good");
    let harness = |window| Limits::of_harness(window, None, &Settings::default());
    let unknown = State { used: Used::Unknown, ..FRESH };
    let running = |running| State { running: Some(running), ..FRESH };
    let lines = [
        (FRESH, Limits::of_host(Some(200_000), &off)),
        (running(Running::Flush), good),
        (running(Running::Compaction), good),
        (State { flushed_in: Some(0), ..FRESH }, good),
        (FRESH, harness(None)),
        (FRESH, harness(Some(200_000))),
        (FRESH, small),
        (unknown, good),
        (State { used: Used::Stale { projected: None }, ..FRESH }, good),
        (State { used: Used::Fresh(84), ..FRESH }, good),
        (State { used: Used::Fresh(85), ..FRESH }, good),
        (State { slipped: true, ..FRESH }, good),
    ];
    let said: Vec<_> =
        lines.iter().map(|(state, limits)| plan(state, limits).to_string()).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    not due: precompact.enabled is false
    not due: a warning is being answered
    not due: a compaction is under way
    not due: given in this cycle already (cycle 0)
    not due: the size of the context window is not known
    not due: the point where the harness compacts is not known
    not due: a window of 16000 tokens has no room for it, it would come at -8000
    not due: the tokens used are not known
    not due: the tokens used are out of date and none are projected
    not due: 84 tokens used and pending, the warning comes at 85
    due: 85 tokens used and pending, the warning comes at 85, the compaction at 90
    due: a compaction passed without a warning, cycle 0 makes up for it
    ");
}

#[test]
fn the_host_warns_only_where_it_is_due() {
    let limits = Limits::exact(100, &settings(10, 5));
    assert!(plan(&State { used: Used::Fresh(85), ..FRESH }, &limits).is_due());
    assert!(!plan(&FRESH, &limits).is_due());
}

proptest! {
    #[test]
    fn the_line_is_the_boundary(used in 0u64..300_000, pending in 0u64..50_000, window in 1u64..250_000) {
        let limits = Limits::of_host(Some(window), &Settings::default());
        let state = State { used: Used::Fresh(used), pending, ..FRESH };
        if let Limits::Known { compact_at, flush_at, .. } = limits {
            prop_assert!(flush_at < compact_at);
            let over = 0 < flush_at && flush_at.unsigned_abs() <= used + pending;
            prop_assert_eq!(matches!(plan(&state, &limits), Decision::Warn(_)), over);
        }
    }
}
