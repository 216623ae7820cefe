//! Each operation's example with each call of the store failing in turn: a typed error, nothing half
//! done, and a repeat that ends where it would have ended without the fault.

use serde_json::Value;
use vademecum_core::error::Kind;
use vademecum_core::id::WriteId;
use vademecum_ops::operation::{Effect, Op};
use vademecum_ops::who::Clues;
use vademecum_ops::{Call, Caller, OpError, Reply, registry};
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::faulty::{Faulty, Point};
use vademecum_store::{Author, Origin, Store, Surface, conformance};

use crate::desk::Desk;

/// The note that examples name.
const NOTE: i64 = 1_734_604_200_000;

/// A desk at which every example finds what it names.
fn prepared() -> Desk {
    let desk = Desk::new();
    desk.clock.store(NOTE, std::sync::atomic::Ordering::SeqCst);
    let note = serde_json::json!({"content": "why it fails", "tags": ["bug"]});
    desk.object("add_note", note);
    for content in ["first", "second", "third", "fourth"] {
        desk.object("write_notepad", serde_json::json!({ "content": content }));
    }
    desk.object("init_plan", serde_json::json!({"name": "03-01-refunds"}));
    desk.clock.store(NOTE + 1000, std::sync::atomic::Ordering::SeqCst);
    desk
}

fn run(desk: &Desk, store: &dyn Store, op: &Op) -> Result<Reply, OpError> {
    let caller = Caller {
        origin: Origin { surface: Surface::Mcp, author: Author::Agent },
        clues: Clues { told: desk.session.clone(), ..Clues::default() },
        write_id: WriteId::new("the call"),
    };
    let call = Call::new(store, &desk.world, &desk.config, caller);
    let example: Value = serde_json::from_str(op.declaration.example).expect("an example is JSON");
    op.run(&call, example)
}

/// Everything that is kept.
fn kept(desk: &Desk) -> Value {
    desk.object("switch_on", serde_json::json!({"all": true}));
    desk.object("switch_on", serde_json::json!({}));
    desk.object("export", serde_json::json!({"format": "json", "all": true}))
}

/// Lets the n-th call fail; whether there are so many.
#[track_caller]
fn check(
    op: &Op,
    point: Point,
    nth: usize,
    expected: &Result<Reply, OpError>,
    end: &Value,
) -> bool {
    let desk = prepared();
    let path = desk.folder().join("data/vade.db");
    let faulty = Faulty::new(Sqlite::at(&path, Options::patient()), point, nth);
    let first = run(&desk, &faulty, op);
    if faulty.calls() <= nth {
        return false;
    }
    let place = format!("{}, call {nth} fails: {point:?}", op.declaration.name);
    if let Err(error) = &first {
        assert_eq!(error.kind, Kind::Broken, "{place}: {error:?}");
        assert!(error.hint.is_some(), "{place}: {error:?}");
    }
    conformance::check_sound(&desk.store);

    // Who repeats what has taken everything away finds nothing any more.
    let again = run(&desk, &desk.store, op);
    let is_gone = op.declaration.effect == Effect::Destroys
        && point == Point::After
        && again.as_ref().is_err_and(|error| error.kind == Kind::Missing);
    if first.is_err() && !is_gone {
        let kind = |result: &Result<Reply, OpError>| result.as_ref().map(drop).map_err(|e| e.kind);
        assert_eq!(kind(&again), kind(expected), "{place}: {again:?}");
    }
    assert_eq!(kept(&desk), *end, "{place}");
    true
}

#[test]
fn no_fault_leaves_anything_half_done() {
    let mut n_faults = 0;
    for op in registry::ALL {
        let desk = prepared();
        let expected = run(&desk, &desk.store, op);
        let end = kept(&desk);
        // What only reads sees no difference between the points.
        let points: &[Point] = match op.declaration.effect {
            Effect::Reads => &[Point::Before],
            Effect::Writes | Effect::Destroys => &[Point::Before, Point::During, Point::After],
        };
        for &point in points {
            n_faults += (0..1000).take_while(|&nth| check(op, point, nth, &expected, &end)).count();
        }
    }
    assert!(60 < n_faults, "only {n_faults} calls were made to fail");
}
