//! Many processes count up one number on one page by reading it and writing it back.

use std::thread;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::client::{Answer, Wire};
use super::home::Home;
use super::ledger;
use super::{Extent, Given};

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000002";

/// Runs it; the number must be exact.
pub(super) fn run(given: &Given) -> Result<String> {
    let (n_servers, n_steps) = match given.extent {
        Extent::Quick => (8, 10),
        Extent::Full => (16, 50),
    };
    let home = Home::new(&given.vade)?;
    let mut servers: Vec<_> = (0..n_servers).map(|_| home.serve(SESSION)).collect::<Result<_>>()?;
    let first = servers.first_mut().context("no server")?;
    first.wire.object("write_notepad", &json!({"content": "counter 0"}))?;
    let mut n_conflicts = 0;
    thread::scope(|scope| -> Result<()> {
        let counters: Vec<_> = servers
            .iter_mut()
            .map(|server| scope.spawn(move || count(&mut server.wire, n_steps)))
            .collect();
        for counter in counters {
            n_conflicts += counter.join().expect("a counter does not panic")?;
        }
        Ok(())
    })?;
    let page = ledger::find(&home, SESSION)?.page;
    let expected = format!("counter {}", n_servers * n_steps);
    ensure!(page == expected, "{page:?}, and not {expected:?}");
    home.check_sound()?;
    Ok(format!("{n_servers} processes × {n_steps}: {page}, exact; {n_conflicts} conflicts seen"))
}

/// Counts up so many times; how often another one was faster.
fn count(wire: &mut Wire, n_steps: usize) -> Result<usize> {
    let (mut done, mut n_conflicts) = (0, 0);
    while done < n_steps {
        let page = wire.object("read_notepad", &json!({}))?;
        let number: u64 = page["content"]
            .as_str()
            .and_then(|text| text.strip_prefix("counter "))
            .and_then(|number| number.parse().ok())
            .with_context(|| format!("no counter: {page}"))?;
        let edit = json!({
            "operation": "find_replace",
            "find": format!("counter {number}"),
            "replace": format!("counter {}", number + 1),
            "if_rev": page["rev"],
        });
        match wire.call("update_notepad", &edit)? {
            Answer::Done(_) => done += 1,
            Answer::Refused(error) => {
                ensure!(error["kind"] == "conflict", "refused: {error}");
                n_conflicts += 1;
            }
        }
    }
    Ok(n_conflicts)
}
