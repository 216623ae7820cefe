//! Two stores that people work with and copy into each other by turns, by chance: an end is reached, and what was
//! forgotten in one stays out of it.
//!
//! `VADE_COPIES` says how many courses are played, `VADE_COPIES_FROM` the first of them.

mod cases;
mod half;

use vademecum_core::id::Seq;
use vademecum_store::Memory;

use self::half::{Half, compared, copied, into};
use crate::chance::Chance;

/// So many are played where nobody says how many.
const COURSES: u64 = 12;

#[expect(clippy::disallowed_methods, reason = "how long is played is no part of the play")]
fn asked(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Copies, and looks whether it was a copy: once, of all that may come, with nothing that was forgotten.
fn check_copy(from: &Half, to: &Half, course: u64) {
    let before = from.bytes();
    let missing = from.missing(to);
    copied(from, to);
    assert_eq!(from.bytes(), before, "course {course}: FROM changed");
    let lost: Vec<_> = missing.into_iter().filter(|word| !to.tells(word)).collect();
    assert_eq!(lost, Vec::<String>::new(), "course {course}: not brought to {}", to.name);
    let back: Vec<_> = to.forgotten.iter().filter(|word| to.holds(word)).collect();
    assert_eq!(back, Vec::<&String>::new(), "course {course}: came back to {}", to.name);
    let at = to.newest();
    let again = copied(from, to);
    assert!(again.is_empty() && to.newest() == at, "course {course}: twice is not once: {again:?}");
    check_compared(from, to, course);
    to.check_sound();
}

/// Stores that are the same by comparison export the same.
fn check_compared(one: &Half, other: &Half, course: u64) {
    let is_same = compared(one, other).is_same();
    if is_same {
        assert_eq!(one.exported(), other.exported(), "course {course}: exports differ");
    }
}

fn play(course: u64) {
    let mut chance = Chance::of(course);
    // Where write ids are the same, times are not: else two writes would be one.
    let (mut one, mut two) = Half::pair(course.is_multiple_of(2));
    for _ in 0..4 {
        for half in [&mut one, &mut two] {
            for _ in 0..chance.below(7) {
                half.does(&mut chance);
            }
        }
        if chance.below(2) == 0 {
            check_copy(&one, &two, course);
        } else {
            check_copy(&two, &one, course);
        }
    }
    check_copy(&one, &two, course);
    check_copy(&two, &one, course);
    let ends = |one: &Half, two: &Half| -> (Seq, Seq) { (one.newest(), two.newest()) };
    let end = ends(&one, &two);
    copied(&one, &two);
    assert_eq!(ends(&one, &two), end, "course {course}: back and forth has no end");
    copied(&two, &one);
    assert_eq!(ends(&one, &two), end, "course {course}: back and forth has no end");
    check_fresh(&one, course);
}

/// A copy into nothing is the same.
fn check_fresh(one: &Half, course: u64) {
    let fresh = Memory::new(vademecum_core::hash::Key([7; 32]));
    into(one, &fresh);
    let found = vademecum_ops::comparing::compare(one.side(), half::side(&fresh));
    assert_eq!(found.expect("a comparison").differences, Vec::<String>::new(), "course {course}");
}

#[test]
fn copies_come_to_an_end_and_bring_nothing_that_was_forgotten() {
    let first = asked("VADE_COPIES_FROM", 0);
    let courses = first..first + asked("VADE_COPIES", COURSES);
    let n_threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    std::thread::scope(|scope| {
        for n in 0..n_threads {
            let own = courses.clone().filter(move |course| course % n_threads == n);
            scope.spawn(move || own.for_each(play));
        }
    });
}
