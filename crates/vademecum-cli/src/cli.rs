//! The command line: what people type becomes a call of an operation, and its answer becomes text or JSON.

mod arguments;
mod complete;
mod editor;
pub(crate) mod exit;
pub(crate) mod globals;
mod habits;
pub(crate) mod own;
mod present;
pub(crate) mod print;
mod refusal;
pub(crate) mod setup;
mod stdin;
mod text;
mod tree;
mod whose;
mod xml;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::ArgMatches;
use clap_complete::CompleteEnv;
use vademecum::ops::{OpError, Reply, voice};

use exit::Failure;
use globals::{Globals, Scanned};
use print::Paint;
use setup::Setup;
use tree::{Leaf, Tree};

use crate::view;

/// The variable with which a shell asks for completions.
const COMPLETE: &str = "COMPLETE";

/// What a command line leads to.
enum Answer {
    /// The answer of a command, laid out for a terminal.
    Painted(String),
    /// The answer of a command.
    Reply(Reply),
    /// Help or the version, which were asked for.
    Help(String),
}

/// Does what `words` ask for.
pub(crate) fn run(words: &[OsString]) -> ExitCode {
    let scanned = Scanned::of(words);
    if vademecum::world::var(COMPLETE).is_some() {
        return completed(words);
    }
    let printed = match answer(words, &scanned) {
        Ok(Answer::Reply(reply)) => print::reply(&reply, scanned.json),
        Ok(Answer::Painted(text)) => print::painted(&text),
        Ok(Answer::Help(text)) => {
            print::painted(&present::help(&text, Paint::of(&io::stdout(), scanned.no_color)))
        }
        Err(failure) => Err(failure),
    };
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            print::failure(&failure, scanned.json, Paint::of(&io::stderr(), scanned.no_color))
        }
    }
}

/// A shell asks what may stand behind its words.
fn completed(words: &[OsString]) -> ExitCode {
    let setup = Setup::new(&Scanned::default());
    let shell =
        CompleteEnv::with_factory(|| Tree::grow(setup.config_or_default()).root).bin("vade");
    let words = std::iter::once(OsString::from("vade")).chain(words.iter().cloned());
    match shell.var(COMPLETE).try_complete(words, Some(&setup.world.folders.work)) {
        Ok(_) => ExitCode::SUCCESS,
        // A shell has no use for words that it did not ask for.
        Err(_) => ExitCode::FAILURE,
    }
}

fn answer(words: &[OsString], scanned: &Scanned) -> Result<Answer, Failure> {
    let setup = Setup::new(scanned);
    let mut tree = Tree::for_words(setup.config_or_default(), words);
    if words.is_empty() && view::is_seen() {
        setup.world.read_only()?;
        view::run(&setup, &Globals::default(), false)?;
        return Ok(Answer::Painted(String::new()));
    }
    if words.is_empty() {
        return Ok(Answer::Help(tree.root.render_help().to_string()));
    }
    let named = [&[OsString::from("vade")], text::marked(words).as_slice()].concat();
    let matches = match tree.root.try_get_matches_from_mut(named) {
        Ok(matches) => matches,
        Err(error) => {
            return refusal::answer(&error, &tree, words).map(Answer::Help).map_err(Failure::Op);
        }
    };
    let (path, chain) = walk(&matches);
    match tree.leaf(&path) {
        Some(leaf) => {
            let reply =
                leaf_answer(&setup, leaf, &chain).map_err(|failure| spoken(leaf, failure))?;
            Ok(laid_out(&setup, leaf, &reply, scanned)
                .map_or(Answer::Reply(reply), Answer::Painted))
        }
        None => Err(Failure::Op(unfinished(&tree, &path))),
    }
}

/// The words of the command, and what was matched for each of them, the root first.
fn walk(root: &ArgMatches) -> (Vec<&str>, Vec<&ArgMatches>) {
    let (mut path, mut chain) = (Vec::new(), vec![root]);
    let mut at = root;
    while let Some((word, below)) = at.subcommand() {
        path.push(word);
        chain.push(below);
        at = below;
    }
    (path, chain)
}

fn leaf_answer(setup: &Setup, leaf: Leaf, chain: &[&ArgMatches]) -> Result<Reply, Failure> {
    let globals = globals::read(chain)?;
    setup.world.read_only()?;
    let matches = chain.last().expect("the root is always there");
    match leaf {
        Leaf::Op(op) => {
            let arguments = arguments::read(op, matches)?;
            setup.call(op, arguments, &globals)
        }
        Leaf::Own(own) => (own.run)(setup, &globals, matches),
    }
}

/// The failure in the words of the command line; who calls an operation by its name knows the names.
fn spoken(leaf: Leaf, failure: Failure) -> Failure {
    match failure {
        Failure::Op(error) if leaf.words() != ["call"] => Failure::Op(voice::to_person(error)),
        other => other,
    }
}

/// The answer as a terminal shows it; none for programs and pipes, and where it is a text of its own.
fn laid_out(setup: &Setup, leaf: Leaf, reply: &Reply, scanned: &Scanned) -> Option<String> {
    let Leaf::Op(op) = leaf else { return None };
    if scanned.json || !io::stdout().is_terminal() {
        return None;
    }
    present::shown(op, reply, setup.world.now(), Paint::of(&io::stdout(), scanned.no_color))
}

/// A noun without a verb, or options without a command.
fn unfinished(tree: &Tree, path: &[&str]) -> OpError {
    let words = tree.words_below(path).join(", ");
    let name = [&["vade"], path].concat().join(" ");
    OpError::usage(format!("{name} needs a command: {words}")).hint(format!("{name} --help"))
}
