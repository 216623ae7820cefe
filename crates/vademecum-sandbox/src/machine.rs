//! The engine of a child: runs one program to its end, within its limits, and never twice.

mod calls;
mod console;
mod state;
mod thrown;

use std::io;
use std::mem::ManuallyDrop;
use std::rc::Rc;

use rquickjs::context::EvalOptions;
use rquickjs::{Context, Ctx, Module, Persistent, Promise, Runtime, Value};
use serde_json::value::RawValue;

use crate::wire::{Answer, Failure, Fault, Start};
use calls::Calls;
use state::{Elapsed, State};

/// What stands before the code, on its first line.
const OPEN: &str = "(async()=>{";

/// What stands behind it: a comment on its last line ends there.
const CLOSE: &str = "\n})()";

/// The name of a program in its errors.
const NAME: &str = "program";

/// Asks the parent for a call.
pub(crate) type Ask<'a> = dyn FnMut(usize, String) -> io::Result<Answer> + 'a;

/// What a program gave back, or why it gave nothing.
type Outcome = Result<Option<Box<RawValue>>, Failure>;

/// Runs the program of `start`; gives what came of it and what it printed.
pub(crate) fn run(
    start: &Start,
    elapsed: Rc<Elapsed>,
    ask: &mut Ask<'_>,
) -> io::Result<(Outcome, String)> {
    let state = Rc::new(State::new(start.limits, elapsed));
    let Ok((runtime, context)) = engine(&state) else {
        return Ok((Err(Failure { fault: Fault::Memory, place: None }), String::new()));
    };
    // The end of the process frees them at once.
    let machine = ManuallyDrop::new(Machine { runtime, context, state });
    let outcome = match machine.begin(start) {
        Ok((main, calls)) => machine.go_on(&main, &calls, ask)?,
        Err(failure) => Err(failure),
    };
    Ok((outcome, machine.state.printed.take()))
}

fn engine(state: &Rc<State>) -> rquickjs::Result<(Runtime, Context)> {
    let runtime = Runtime::new()?;
    runtime.set_memory_limit(state.limits.memory);
    runtime.set_max_stack_size(state.limits.stack);
    let watch = Rc::clone(state);
    runtime.set_interrupt_handler(Some(Box::new(move || watch.is_stopped())));
    let notes = Rc::clone(state);
    runtime.set_host_promise_rejection_tracker(Some(Box::new(
        move |ctx, _, reason, is_handled| {
            notes.note_rejection(thrown::failure(&ctx, &reason, &notes), is_handled);
        },
    )));
    let context = Context::full(&runtime)?;
    Ok((runtime, context))
}

/// An engine with one program in it.
struct Machine {
    runtime: Runtime,
    context: Context,
    state: Rc<State>,
}

/// The promise of the whole program.
type Main = Persistent<Promise<'static>>;

impl Machine {
    /// Runs the program until it waits for the first time.
    fn begin(&self, start: &Start) -> Result<(Main, Calls), Failure> {
        if start.code.contains('\0') {
            return Err(thrown::syntax("the program holds a NUL character"));
        }
        self.context.with(|ctx| {
            if leaves_its_function(&ctx, &start.code) {
                return Err(thrown::syntax("the program closes more than it opens"));
            }
            let begun = evaluate(&ctx, start, &self.state);
            let (main, calls) = begun.map_err(|error| self.failed(&ctx, &error))?;
            match main.into_promise() {
                Some(main) => Ok((Persistent::save(&ctx, main), calls)),
                None => Err(thrown::syntax("the program closes more than it opens")),
            }
        })
    }

    /// Goes on while there is anything to do, one call after the other.
    fn go_on(&self, main: &Main, calls: &Calls, ask: &mut Ask<'_>) -> io::Result<Outcome> {
        loop {
            while !self.state.is_stopped() && self.does_a_job() {}
            if self.state.is_stopped() {
                let fault = self.state.stop.take().unwrap_or(Fault::Time);
                return Ok(Err(Failure { fault, place: self.state.place.take() }));
            }
            if !calls.make_next(&self.context, ask)? {
                return Ok(self.context.with(|ctx| self.ended(&ctx, main)));
            }
        }
    }

    /// Whether there was a job; one that was interrupted says where.
    fn does_a_job(&self) -> bool {
        match self.runtime.execute_pending_job() {
            Ok(was_there) => was_there,
            Err(exception) => {
                exception
                    .0
                    .with(|ctx| self.state.note_place(thrown::place(&ctx.catch(), &self.state)));
                true
            }
        }
    }

    /// What came of a program that has nothing more to do.
    fn ended(&self, ctx: &Ctx<'_>, main: &Main) -> Outcome {
        let main = main.clone().restore(ctx).map_err(|error| self.failed(ctx, &error))?;
        let value = match main.result::<Value<'_>>() {
            None => return Err(Failure { fault: Fault::Waits, place: None }),
            Some(value) => value.map_err(|error| self.failed(ctx, &error))?,
        };
        // A call that failed and that nobody looked at must not pass for done.
        if let Some(failure) = self.state.first_rejection() {
            return Err(failure);
        }
        let json = ctx.json_stringify(value);
        let json = json.and_then(|json| json.map(|json| json.to_string()).transpose());
        match json.map_err(|error| no_json(self.failed(ctx, &error)))? {
            Some(json) => self.fitting(json).map(Some),
            None => Ok(None),
        }
    }

    fn fitting(&self, json: String) -> Result<Box<RawValue>, Failure> {
        if self.state.limits.output < self.state.printed.borrow().len() + json.len() {
            return Err(Failure { fault: Fault::Output, place: None });
        }
        RawValue::from_string(json).map_err(|error| Failure {
            fault: Fault::Value { message: error.to_string() },
            place: None,
        })
    }

    /// What `error` stands for; if a limit has ended the program, that.
    fn failed(&self, ctx: &Ctx<'_>, error: &rquickjs::Error) -> Failure {
        let failure = thrown::caught(ctx, error, &self.state);
        match self.state.stop.take() {
            Some(fault) => Failure { fault, place: self.state.place.take().or(failure.place) },
            None => failure,
        }
    }
}

/// Whether code is no body of a function and yet makes a program of what stands around it.
///
/// What ends an arrow function in parentheses must go on with one or with a comma, and what ends a
/// declaration with neither: so nothing but a body compiles as both.
fn leaves_its_function(ctx: &Ctx<'_>, code: &str) -> bool {
    let compiles = |text: String| {
        let is_compiled = Module::declare(ctx.clone(), NAME, text).is_ok();
        if !is_compiled {
            drop(ctx.catch());
        }
        is_compiled
    };
    !compiles(format!("async function f(){{{code}\n}}")) && compiles(format!("{OPEN}{code}{CLOSE}"))
}

fn evaluate<'js>(
    ctx: &Ctx<'js>,
    start: &Start,
    state: &Rc<State>,
) -> rquickjs::Result<(Value<'js>, Calls)> {
    console::install(ctx, state)?;
    let calls = calls::install(ctx, &start.functions, state)?;
    state.n_lines.set(start.code.lines().count().max(1));
    let mut options = EvalOptions::default();
    options.filename = Some(NAME.to_owned());
    let main = ctx.eval_with_options(format!("{OPEN}{}{CLOSE}", start.code), options)?;
    Ok((main, calls))
}

/// A failure of giving back is one of the value.
fn no_json(failure: Failure) -> Failure {
    match failure.fault {
        Fault::Threw { message, .. } => Failure { fault: Fault::Value { message }, ..failure },
        Fault::Time
        | Fault::Memory
        | Fault::Stack
        | Fault::Output
        | Fault::Calls
        | Fault::Sent
        | Fault::Waits
        | Fault::Value { .. } => failure,
    }
}

#[cfg(test)]
mod tests;
