//! The least a sandbox can do: start, make the engine, run one asynchronous program, end.

use rquickjs::{Context, Promise, Runtime};

fn main() -> anyhow::Result<()> {
    let runtime = Runtime::new()?;
    let context = Context::full(&runtime)?;
    let value: i32 = context.with(|ctx| {
        let main: Promise = ctx.eval("(async () => { return 1 + 1 })()")?;
        main.finish()
    })?;
    println!("{value}");
    // Freeing the engine is no part of what anybody waits for.
    std::mem::forget((context, runtime));
    Ok(())
}
