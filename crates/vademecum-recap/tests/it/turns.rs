//! Turns written by hand.

use vademecum_core::turn::{Action, Answer, Call, Event, Holds, Item, Outcome, Progress, Turn};
use vademecum_recap::{Digest, Options};

pub(crate) fn turn(event: Event) -> Turn {
    Turn { record: 0, at: None, event }
}

pub(crate) fn asked(text: &str) -> Turn {
    turn(Event::Asked { text: text.to_owned(), is_plan: false })
}

pub(crate) fn said(text: &str) -> Turn {
    turn(Event::Said { text: text.to_owned() })
}

/// A message of the agent behind all that matters, so long that nothing before it is told because it was said last.
pub(crate) fn later() -> Vec<Turn> {
    let of = |n: &str| {
        format!(
            "The {n} page of the manual lists {n} colours, {n} fonts, {n} margins, the {n} paper and {n} ink. "
        )
    };
    let pages =
        "red blue green brown black white grey pink violet orange yellow silver golden scarlet";
    vec![said(&pages.split(' ').map(of).collect::<String>())]
}

pub(crate) fn called(id: &str, action: Action, text: &str) -> Turn {
    let call = Call {
        id: id.to_owned(),
        tool: "tool".to_owned(),
        actions: vec![action],
        text: text.to_owned(),
    };
    turn(Event::Called(call))
}

pub(crate) fn ran(id: &str, command: &str) -> Turn {
    called(id, Action::Ran { command: command.to_owned(), is_look: false }, command)
}

pub(crate) fn edited(id: &str, path: &str, text: &str) -> Turn {
    called(id, Action::Edited { path: path.to_owned() }, &format!("{path}\n{text}"))
}

pub(crate) fn read(id: &str, path: &str) -> Turn {
    called(id, Action::Read { path: path.to_owned() }, path)
}

pub(crate) fn planned(items: &[(&str, Progress)]) -> Turn {
    let item = |(text, state): &(&str, Progress)| Item {
        id: String::new(),
        text: (*text).to_owned(),
        state: *state,
    };
    called("plan", Action::Planned { items: items.iter().map(item).collect(), is_whole: true }, "")
}

pub(crate) fn answered(call: &str, is_ok: bool, text: &str) -> Turn {
    came(call, if is_ok { Outcome::Done } else { Outcome::Failed }, text)
}

pub(crate) fn came(call: &str, outcome: Outcome, text: &str) -> Turn {
    let (call, text) = (call.to_owned(), text.to_owned());
    turn(Event::Answered(Answer { call, outcome, text, holds: Holds::Output }))
}

pub(crate) fn digest(turns: &[Turn]) -> Digest {
    let mut digest = Digest::new(&Options { roots: vec!["/home/dev/shop".to_owned()] });
    for turn in turns {
        digest.push(turn);
    }
    digest
}

/// A session on refunds, stopped in the middle.
pub(crate) fn refunds() -> Vec<Turn> {
    vec![
        asked(
            "Make refunds idempotent, keep the public API as it is. Don't touch the ledger crate.",
        ),
        said("I start with the service."),
        planned(&[
            ("Reproduce the double refund", Progress::Done),
            ("Key in RefundService::submit", Progress::Active),
            ("Webhook retry path", Progress::Pending),
        ]),
        read("1", "/home/dev/shop/crates/pay/src/service.rs"),
        answered(
            "1",
            true,
            "pub struct RefundService;\nimpl RefundService { fn submit_refund() {} }",
        ),
        edited(
            "2",
            "/home/dev/shop/crates/pay/src/service.rs",
            "struct RefundKey(String);\nfn submit_refund(key: RefundKey)",
        ),
        answered("2", true, "ok"),
        asked("No mocks in the integration tests. Never mind the ledger crate, you may change it."),
        edited(
            "3",
            "/home/dev/shop/crates/pay/src/cli/refund.rs",
            "let args = SubmitArgs { key: RefundKey::new() };",
        ),
        answered("3", true, "ok"),
        ran("4", "cd /home/dev/shop && cargo test -p pay refund 2>&1 | tail -20"),
        answered(
            "4",
            false,
            "running 9 tests\nerror: refund_cli_reuses_key failed: left rk_1, right rk_2\n",
        ),
        said(
            "The key is made anew in cli/refund.rs. Next: pass the key from there through SubmitArgs.",
        ),
        ran("5", "cargo sqlx prepare --workspace"),
    ]
}
