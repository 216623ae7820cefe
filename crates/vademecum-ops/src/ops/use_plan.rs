//! Says which plan a session works on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::plan::{PlanName, Stage};
use vademecum_store::Change;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::{plans, succession};

/// Says which plan a session works on.
#[derive(Debug)]
pub struct UsePlan;

/// Which plan.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name; absent to go by the parent, else by the only open plan
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
}

/// The plan that the session works on from now on.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The plan; none where nothing says which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The session.
    pub session: String,
}

impl Operation for UsePlan {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "use_plan",
        aliases: &[],
        title: "Work on a plan",
        about: "Say which plan this session and its sub-agents work on: entries go there and wisdom comes from there.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["plan", "use"], places: &["plan"], stdin: None }),
        example: r#"{"plan": "03-01-refunds"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let (session, _) = call.open_session()?;
        let project = call.open_project()?;
        let name = input.plan.as_deref().map(PlanName::parse).transpose()?;
        if name.as_ref().is_some_and(PlanName::is_project) {
            plans::begin_project(call, &project)?;
        }
        call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let plan = name.as_ref().map(|name| plans::named(view, &project, name)).transpose()?;
            if let Some(plan) = &plan
                && plan.stage() != Stage::Open
            {
                let message = format!("plan \"{}\" is {}, not open", plan.name, plan.stage().word());
                return Err(OpError::denied(message).hint(format!("vade plan init {} opens it again", plan.name)));
            }
            let plan = plan.map(|plan| plan.name);
            let is_so = view.card(&session.key)?.active_plan == plan;
            let set = Change::SetActivePlan { session: session.key.clone(), plan };
            Ok((if is_so { Vec::new() } else { vec![set] }, ()))
        })?;
        let active = call.look(|view| plans::active(view, &project, Some(&session)))?;
        Ok(Output { plan: active.map(|plan| plan.name.to_string()), session: session.handle() })
    }

    fn say(output: &Output) -> String {
        let who = succession::called(&output.session);
        match &output.plan {
            Some(plan) => format!("{who} works on plan {plan}"),
            None => format!("{who} works on no plan: entries go to the project"),
        }
    }
}
