//! Gives the project another name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::project::{NAME_MAX, shown};
use vademecum_store::{Change, Scope};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};

/// Gives the project another name.
#[derive(Debug)]
pub struct RenameProject;

/// Which name.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The name from now on
    pub name: String,
}

/// The names.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The name from now on.
    pub name: String,
    /// The name before.
    pub before: String,
}

impl Operation for RenameProject {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "rename_project",
        aliases: &[],
        title: "Give the project another name",
        about: "Give the project of this folder another name; its folders stay as they are.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["project", "rename"], places: &["name"], stdin: None }),
        example: r#"{"name": "billing"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let name = call.accept(&input.name)?;
        if name.trim().is_empty() || shown(&name) != name {
            let given = match name.trim() {
                "" => "none given".to_owned(),
                _ => format!("\"{}\" given", shown(&name)),
            };
            let message =
                format!("a project's name takes 1 to {NAME_MAX} characters on one line, {given}");
            return Err(OpError::usage(message).hint("vade project rename billing"));
        }
        let project = call.open_project()?;
        let written = call.write_once_in(Scope::Project(project.id), Self::DECLARATION.name, &input, |view| {
            let before = view.project(project.id)?.map(|now| now.name).unwrap_or_default();
            let change = Change::RenameProject { project: project.id, name: name.clone() };
            let changes = if before == name { Vec::new() } else { vec![change] };
            Ok((changes, Output { name: name.clone(), before }))
        })?;
        Ok(written.value)
    }

    fn say(output: &Output) -> String {
        format!("project {} is called {} now", shown(&output.before), output.name)
    }
}
