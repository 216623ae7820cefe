//! What a sandbox costs from its start to the end of a program that does nothing, against a bare engine.

use std::fs::{self, File};

use anyhow::{Result, ensure};
use serde_json::json;
use vademecum_ops::Config;
use vademecum_ops::sandbox::doors;
use vademecum_sandbox::{Limits, WORD};

use super::figure::{Bound, Figure, Unit};
use super::stores::Size;
use super::world::{World, collected, finish};

/// The child as its parent starts it, but for the locks, under which nothing could be counted.
pub(super) fn start(world: &World) -> Result<Vec<Figure>> {
    let (said, counted) = finish(&mut world.counted("floor-sandbox", Size::Empty)?)?;
    ensure!(said == "2\n", "the floor should say 2, it said {said}");
    let floor = collected(&counted)?;

    let functions: Vec<&str> = doors(&Config::default()).iter().map(|door| door.path).collect();
    let limits = Limits { time: Limits::LONGEST, ..Limits::default() };
    let frame = json!({
        "code": "return 1 + 1", "functions": functions, "limits": limits, "is_locked": false,
    });
    let frame = frame.to_string();
    let mut bytes = u32::try_from(frame.len())?.to_le_bytes().to_vec();
    bytes.extend(frame.as_bytes());
    let file = world.path("start.frame");
    fs::write(&file, bytes)?;
    let mut command = world.counted("vade", Size::Empty)?;
    command.arg(WORD).stdin(File::open(&file)?);
    let (said, counted) = finish(&mut command)?;
    ensure!(said.contains("{\"Ok\":2}"), "the program should give 2, it said {said}");
    let figure = Figure::new("sandbox, an empty program", Unit::Instructions, collected(&counted)?);
    Ok(vec![figure.against("floor-sandbox", floor).within(Bound::Ratio(2.0))])
}
