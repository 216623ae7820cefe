//! The console: what a program prints is kept until it has ended.

use std::rc::Rc;

use rquickjs::convert::Coerced;
use rquickjs::function::Rest;
use rquickjs::{Ctx, Exception, Function, Object, Result, Value};

use super::state::State;
use super::thrown;

/// All of them print a line.
const NAMES: [&str; 5] = ["log", "info", "warn", "error", "debug"];

pub(super) fn install<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> Result<()> {
    let console = Object::new(ctx.clone())?;
    for name in NAMES {
        let state = Rc::clone(state);
        let print = Function::new(ctx.clone(), move |ctx: Ctx<'js>, given: Rest<Value<'js>>| {
            if state.is_over() {
                return Err(over(&ctx));
            }
            let words: Result<Vec<String>> = given.iter().map(|value| word(&ctx, value)).collect();
            let line = format!("{}\n", words?.join(" "));
            state.print(&line).map_err(|fault| {
                state.end(fault, here(&ctx, &state));
                over(&ctx)
            })
        })?;
        console.set(name, print.with_name(name)?)?;
    }
    ctx.globals().set("console", console)
}

/// What a function throws once the program is over; a program that catches it is interrupted.
pub(super) fn over(ctx: &Ctx<'_>) -> rquickjs::Error {
    Exception::throw_message(ctx, "the program is over")
}

/// Where the program stands now.
pub(super) fn here(ctx: &Ctx<'_>, state: &State) -> Option<crate::wire::Place> {
    let make: Function<'_> = ctx.globals().get("Error").ok()?;
    let error: Value<'_> = make.call(("",)).ok()?;
    thrown::place(&error, state)
}

/// A text as it is, an error as its words, anything else as JSON.
fn word<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<String> {
    let is_said = value.is_object() && !value.is_error() && !value.is_function();
    let json = if is_said { ctx.json_stringify(value.clone())? } else { None };
    match json {
        Some(json) => json.to_string(),
        None => Ok(value.get::<Coerced<String>>()?.0),
    }
}
