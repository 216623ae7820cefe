//! Measures what vademecum costs against the least that a process can do, in the same run.

mod baselines;
mod distance;
mod figure;
mod instructions;
mod large;
mod page;
mod programs;
mod recap;
mod sandbox;
mod server;
mod stores;
mod talk;
mod wall;
mod world;

use anyhow::{Context as _, Result, bail};

use self::baselines::Baselines;
use self::figure::Figure;
use self::programs::Programs;
use self::world::World;
use crate::needs::Program;

/// Counts instructions.
pub(crate) const VALGRIND: Program = Program { name: "valgrind", package: "valgrind" };

/// One thing that is measured; it may give several figures.
struct Measure {
    name: &'static str,
    /// Whether it counts instructions, which are the same on a busy machine and are held in CI.
    is_count: bool,
    run: fn(&World) -> Result<Vec<Figure>>,
}

/// Every measure; a new one is a function and one line here.
const MEASURES: &[Measure] = &[
    Measure { name: "prompt", is_count: true, run: instructions::prompt },
    Measure { name: "start", is_count: true, run: instructions::start },
    Measure { name: "sub-agent", is_count: true, run: instructions::sub_agent },
    Measure { name: "cold", is_count: true, run: instructions::cold },
    Measure { name: "add", is_count: true, run: instructions::add },
    Measure { name: "search", is_count: true, run: instructions::search },
    Measure { name: "list", is_count: true, run: instructions::list },
    Measure { name: "fork", is_count: true, run: instructions::fork },
    Measure { name: "recap", is_count: true, run: recap::recap },
    Measure { name: "sandbox", is_count: true, run: sandbox::start },
    Measure { name: "prompt-wall", is_count: false, run: wall::prompt },
    Measure { name: "start-wall", is_count: false, run: wall::start },
    Measure { name: "cold-wall", is_count: false, run: wall::cold },
    Measure { name: "memory", is_count: false, run: wall::memory },
    Measure { name: "add-wall", is_count: false, run: wall::add },
    Measure { name: "search-wall", is_count: false, run: wall::search },
    Measure { name: "common-wall", is_count: false, run: wall::common },
    Measure { name: "list-wall", is_count: false, run: wall::list },
    Measure { name: "distance-wall", is_count: false, run: distance::prompt },
    Measure { name: "server-wall", is_count: false, run: server::calls },
    Measure { name: "recap-memory", is_count: false, run: large::memory },
    Measure { name: "recap-hook", is_count: false, run: large::hook },
];

/// What was asked for on the command line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    is_quick: bool,
    as_json: bool,
    writes_baselines: bool,
    names: Vec<String>,
}

impl Asked {
    fn parse(words: &[String]) -> Result<Self> {
        let mut asked = Self::default();
        for word in words {
            match word.as_str() {
                "--quick" => asked.is_quick = true,
                "--json" => asked.as_json = true,
                "--write-baselines" => asked.writes_baselines = true,
                name if MEASURES.iter().any(|it| it.name == name) => {
                    asked.names.push(name.to_owned());
                }
                other => bail!("{other} is neither a flag nor a measure; {}", usage()),
            }
        }
        Ok(asked)
    }

    fn wants(&self, measure: &Measure) -> bool {
        let is_named = self.names.iter().any(|name| name == measure.name);
        is_named || (self.names.is_empty() && (measure.is_count || !self.is_quick))
    }
}

fn usage() -> String {
    let names: Vec<&str> = MEASURES.iter().map(|it| it.name).collect();
    format!("cargo xtask bench [--quick] [--json] [--write-baselines] [{}]", names.join("|"))
}

/// The stage of `cargo xtask test`: the counts, which are the same on a busy machine.
pub(crate) fn stage() -> Result<()> {
    run(&["--quick".to_owned()])
}

/// Measures, prints a table, and fails when a count is over its bound or its baseline.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let asked = Asked::parse(words)?;
    VALGRIND.provide()?;
    let programs = Programs::build()?;
    let world = World::new(&programs)?;
    let mut figures = Vec::new();
    for measure in MEASURES.iter().filter(|measure| asked.wants(measure)) {
        eprintln!("measuring {}", measure.name);
        figures.extend((measure.run)(&world).context(measure.name)?);
    }
    let baselines = Baselines::read()?;
    if asked.writes_baselines {
        baselines.with(&figures)?.write()?;
    }
    let baselines = baselines.of_these_tools()?;
    print!("{}", if asked.as_json { page::json(&figures)? } else { page::table(&figures) });
    let over = page::over(&figures, &baselines, asked.writes_baselines);
    if !over.is_empty() {
        bail!("{}", over.join("\n"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &[&str], wanted: &[&str]) {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let asked = Asked::parse(&words).expect("known words");
        let measures = MEASURES.iter().filter(|measure| asked.wants(measure));
        assert_eq!(measures.map(|it| it.name).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn quick_means_counts_alone() {
        check(
            &["--quick"],
            &[
                "prompt",
                "start",
                "sub-agent",
                "cold",
                "add",
                "search",
                "list",
                "fork",
                "recap",
                "sandbox",
            ],
        );
        check(&["list-wall", "--quick"], &["list-wall"]);
        assert!(Asked::parse(&["--fast".to_owned()]).is_err());
    }
}
