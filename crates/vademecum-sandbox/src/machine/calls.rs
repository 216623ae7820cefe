//! The functions of `session`: each call is a promise, and waits in line until the program itself waits.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

use rquickjs::function::Rest;
use rquickjs::object::Property;
use rquickjs::{Array, Context, Ctx, Function, Object, Persistent, Promise, Result, Value};

use super::state::State;
use super::{Ask, console};
use crate::wire::Answer;

/// A call that is not made yet.
struct Pending {
    function: usize,
    arguments: String,
    resolve: Persistent<Function<'static>>,
    reject: Persistent<Function<'static>>,
    /// Made where the call stands, so that it says so if the call is refused.
    error: Persistent<Object<'static>>,
}

/// The line of calls.
#[derive(Clone)]
pub(super) struct Calls {
    line: Rc<RefCell<VecDeque<Pending>>>,
    /// As it was before the program could change it.
    make_error: Persistent<Function<'static>>,
    state: Rc<State>,
}

/// Makes `session` with all its functions; a program cannot change it.
pub(super) fn install<'js>(
    ctx: &Ctx<'js>,
    functions: &[String],
    state: &Rc<State>,
) -> Result<Calls> {
    let globals = ctx.globals();
    let line = Rc::new(RefCell::new(VecDeque::new()));
    let make_error: Function<'js> = globals.get("Error")?;
    let make_error = Persistent::save(ctx, make_error);
    let calls = Calls { line, make_error, state: Rc::clone(state) };
    let session = Object::new(ctx.clone())?;
    let mut nouns: Vec<Object<'js>> = Vec::new();
    for (at, path) in functions.iter().enumerate() {
        let mine = calls.clone();
        let call = move |ctx: Ctx<'js>, given: Rest<Value<'js>>| mine.add(&ctx, at, given.0);
        let function = Function::new(ctx.clone(), call)?.with_name(path)?;
        let Some((noun, verb)) = path.split_once('.') else {
            session.set(path.as_str(), function)?;
            continue;
        };
        let holder = match session.get::<_, Option<Object<'js>>>(noun)? {
            Some(holder) => holder,
            None => Object::new(ctx.clone())?,
        };
        holder.set(verb, function)?;
        session.set(noun, holder.clone())?;
        nouns.push(holder);
    }
    let freeze: Function<'js> = globals.get::<_, Object<'js>>("Object")?.get("freeze")?;
    for object in nouns.into_iter().chain([session.clone()]) {
        freeze.call::<_, Value<'js>>((object,))?;
    }
    globals.prop("session", Property::from(session).enumerable())?;
    Ok(calls)
}

impl Calls {
    /// Puts a call into the line.
    fn add<'js>(
        &self,
        ctx: &Ctx<'js>,
        function: usize,
        given: Vec<Value<'js>>,
    ) -> Result<Promise<'js>> {
        if self.state.is_over() {
            return Err(console::over(ctx));
        }
        let array = Array::new(ctx.clone())?;
        for (at, value) in given.into_iter().enumerate() {
            array.set(at, value)?;
        }
        let json = ctx.json_stringify(array)?;
        let arguments = json.map_or_else(|| Ok("[]".to_owned()), |json| json.to_string())?;
        self.state.count(arguments.len()).map_err(|fault| {
            self.state.end(fault, console::here(ctx, &self.state));
            console::over(ctx)
        })?;
        let error: Object<'js> = self.make_error.clone().restore(ctx)?.call(("",))?;
        let (promise, resolve, reject) = ctx.promise()?;
        self.line.borrow_mut().push_back(Pending {
            function,
            arguments,
            resolve: Persistent::save(ctx, resolve),
            reject: Persistent::save(ctx, reject),
            error: Persistent::save(ctx, error),
        });
        Ok(promise)
    }

    /// Makes the next call and settles its promise; false if none waits.
    pub(super) fn make_next(&self, context: &Context, ask: &mut Ask<'_>) -> io::Result<bool> {
        let Some(mut pending) = self.line.borrow_mut().pop_front() else { return Ok(false) };
        let answer = ask(pending.function, std::mem::take(&mut pending.arguments))?;
        context.with(|ctx| {
            // Memory was too short for the answer: the promise says so.
            if settle(&ctx, answer, pending.resolve, pending.reject.clone(), pending.error).is_err()
            {
                let error = ctx.catch();
                drop(
                    pending.reject.restore(&ctx).and_then(|reject| reject.call::<_, ()>((error,))),
                );
            }
        });
        Ok(true)
    }
}

fn settle(
    ctx: &Ctx<'_>,
    answer: Answer,
    resolve: Persistent<Function<'static>>,
    reject: Persistent<Function<'static>>,
    error: Persistent<Object<'static>>,
) -> Result<()> {
    let value = match answer {
        Ok(None) => Value::new_undefined(ctx.clone()),
        Ok(Some(json)) => ctx.json_parse(json.get())?,
        Err(refusal) => {
            let error = error.restore(ctx)?;
            error.set("message", refusal.message)?;
            error.set("kind", refusal.kind)?;
            error.set("hint", refusal.hint)?;
            return reject.restore(ctx)?.call((error,));
        }
    };
    resolve.restore(ctx)?.call((value,))
}
