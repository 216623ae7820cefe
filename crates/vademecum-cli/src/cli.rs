//! The command line: what people type becomes a call of an operation, and its answer becomes text or JSON.

mod arguments;
mod editor;
mod exit;
mod globals;
mod own;
pub(crate) mod print;
mod refusal;
mod setup;
mod stdin;
mod text;
mod tree;
mod xml;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::ArgMatches;
use vademecum::ops::{OpError, Reply};

use exit::Failure;
use globals::Scanned;
use setup::Setup;
use tree::{Leaf, Tree};

/// What a command line leads to.
enum Answer {
    /// The answer of a command.
    Reply(Reply),
    /// Help or the version, which were asked for.
    Help(String),
}

/// Does what `words` ask for.
pub(crate) fn run(words: &[OsString]) -> ExitCode {
    let scanned = Scanned::of(words);
    let printed = match answer(words, &scanned) {
        Ok(Answer::Reply(reply)) => print::reply(&reply, scanned.json),
        Ok(Answer::Help(text)) => print::text(&text),
        Err(failure) => return print::failure(&failure, scanned.json),
    };
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => print::failure(&failure, scanned.json),
    }
}

fn answer(words: &[OsString], scanned: &Scanned) -> Result<Answer, Failure> {
    let setup = Setup::new(scanned);
    let mut tree = Tree::for_words(setup.config_or_default(), words);
    if words.is_empty() {
        return Ok(Answer::Help(tree.root.render_help().to_string()));
    }
    let named = [&[OsString::from("vade")], text::marked(words).as_slice()].concat();
    let matches = match tree.root.try_get_matches_from_mut(named) {
        Ok(matches) => matches,
        Err(error) => return refusal::answer(&error).map(Answer::Help).map_err(Failure::Op),
    };
    let (path, chain) = walk(&matches);
    match tree.leaf(&path) {
        Some(leaf) => leaf_answer(&setup, leaf, &chain).map(Answer::Reply),
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
    let matches = chain.last().expect("the root is always there");
    match leaf {
        Leaf::Op(op) => {
            let arguments = arguments::read(op, matches)?;
            setup.call(op, arguments, &globals)
        }
        Leaf::Own(own) => (own.run)(setup, &globals, matches),
    }
}

/// A noun without a verb, or options without a command.
fn unfinished(tree: &Tree, path: &[&str]) -> OpError {
    let words = tree.words_below(path).join(", ");
    let name = [&["vade"], path].concat().join(" ");
    OpError::usage(format!("{name} needs a command: {words}")).hint(format!("{name} --help"))
}
