//! A context that nearly fills what the harness lets through arrives whole, emoji and all.

use anyhow::{Result, ensure};

use super::ask::Ask;
use super::expect::{context, holds, receipt};
use super::samples;
use super::script::Script;
use super::world::World;

/// What our adapter gives one string, in UTF-16 units.
const CAP: usize = 9_000;

/// What header, title, closing line and receipt take around the page; one that grows cuts the page, and fails here.
const FRAME: usize = 300;

/// The least that the whole context must have.
const FULL: usize = 8_950;

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let page = page(CAP - FRAME);
    let script = Script::new().call(samples::write_page(&page)).say("Written.");
    let first = world.ask(&Ask::new("Note all of it.").script(script))?;

    let resumed = world.ask(&Ask::new("Go on.").resume(&first.session))?;
    let context = context(resumed.first()?)?;
    holds("the context", context, &page)?;
    receipt(context)?;
    let n_units = context.encode_utf16().count();
    ensure!((FULL..=CAP).contains(&n_units), "the context has {n_units} UTF-16 units");
    Ok(format!("{n_units} units, {} bytes", context.len()))
}

/// A page of this many UTF-16 units: most of its characters take two units or three bytes.
fn page(n_units: usize) -> String {
    let mut page = String::from("## 帳簿 🥕\n");
    let mut left = n_units - page.encode_utf16().count();
    for number in 0.. {
        let line = format!("- {number}: 🥕🥬🧅 胡萝卜和韭葱 👩‍🌾\n");
        let Some(rest) = left.checked_sub(line.encode_utf16().count()) else {
            break;
        };
        page.push_str(&line);
        left = rest;
    }
    page + &"胡".repeat(left)
}
