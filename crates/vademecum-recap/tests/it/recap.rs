//! What a reader gets.

use insta::assert_snapshot;

use crate::turns::{asked, digest, ran, refunds, said};

#[test]
fn tells_where_a_session_stands() {
    assert_snapshot!(digest(&refunds()).recap(300).text);
}

#[test]
fn says_the_most_needed_when_there_is_little_room() {
    assert_snapshot!(digest(&refunds()).recap(90).text);
}

#[test]
fn says_nothing_of_nothing() {
    assert_eq!(digest(&[]).recap(1_000).text, "");
}

#[test]
fn tells_the_rest() {
    let recap = digest(&refunds()).recap(100);
    assert_snapshot!(recap.rest.join("\n"));
}

#[test]
fn offers_a_session_to_its_successor() {
    insta::assert_debug_snapshot!(digest(&refunds()).recap(300).offer);
}

#[test]
fn drops_standing_words_that_were_undone() {
    let turns = [
        asked("Never push to the origin. Always sign commits."),
        said("Understood."),
        asked("Forget what I said about the origin, push."),
    ];
    assert_eq!(digest(&turns).recap(300).offer.standing, ["Always sign commits."]);
}

#[test]
fn knows_how_it_stopped() {
    use vademecum_core::turn::Event;
    use vademecum_recap::Stop;

    let check = |turns: &[_], stop| assert_eq!(digest(turns).recap(100).stop, stop);
    check(&[asked("Go."), said("Done.")], Stop::Ended);
    check(&[asked("Go."), ran("1", "cargo test -q")], Stop::Broken);
    check(&[said("Done."), asked("Go on.")], Stop::Unanswered);
    check(&[asked("Go."), crate::turns::turn(Event::Interrupted)], Stop::Interrupted);
}
