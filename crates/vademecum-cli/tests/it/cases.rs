//! The black-box cases of notepad, notes, scratchpad and plans, for every surface to play.

mod notepad;
mod notes;
mod plans;
mod scratchpad;

use std::path::PathBuf;

use serde_json::Value;

/// What a surface answered: the object, or the kind of the error and what it says.
pub(crate) type Answer = Result<Value, (String, String)>;

/// A way to call operations, in one home with one configuration.
pub(crate) trait Surface {
    /// Calls an operation in the current session.
    fn call(&mut self, operation: &str, arguments: Value) -> Answer;

    /// What would be put in front of the model now.
    fn context(&mut self) -> String;

    /// Goes on in another session of the same project, or back in one.
    fn enter(&mut self, session: &str);

    /// The folder of the project, where the files of plans lie.
    fn project(&self) -> PathBuf;

    /// Ends all processes without a word and starts anew, in the same session.
    fn kill(&mut self);
}

impl dyn Surface + '_ {
    /// Calls and gives the object.
    #[track_caller]
    fn object(&mut self, operation: &str, arguments: Value) -> Value {
        let answer = self.call(operation, arguments);
        assert!(answer.is_ok(), "{operation}: {answer:?}");
        answer.unwrap_or_default()
    }

    /// Calls and gives the error as `kind: message`.
    #[track_caller]
    fn error(&mut self, operation: &str, arguments: Value) -> String {
        match self.call(operation, arguments) {
            Err((kind, message)) => format!("{kind}: {message}"),
            Ok(object) => format!("no error: {object}"),
        }
    }
}

/// One case.
pub(crate) struct Case {
    /// Its number, such as `C0.2`.
    pub(crate) number: &'static str,
    /// The person's configuration.
    pub(crate) config: &'static str,
    /// What is done and seen.
    pub(crate) play: fn(&mut dyn Surface),
}

impl Case {
    const fn new(number: &'static str, play: fn(&mut dyn Surface)) -> Self {
        Self { number, config: "", play }
    }

    const fn with(self, config: &'static str) -> Self {
        Self { config, ..self }
    }
}

/// All cases, in their order.
pub(crate) fn all() -> impl Iterator<Item = &'static Case> {
    let cases = notepad::CASES.iter().chain(notes::CASES).chain(scratchpad::CASES);
    cases.chain(plans::CASES)
}
