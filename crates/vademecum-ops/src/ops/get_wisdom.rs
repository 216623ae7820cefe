//! Gives what the next reader of a plan must know, within a budget.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::{Category, Entry};
use vademecum_core::mirror;
use vademecum_core::wisdom::{Form, Tally, Task, Wisdom};

use crate::call::Call;
use crate::config::Profile;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::plans::EntryShape;
use crate::shapes::counted;
use crate::wisdom::{self, Asked, Told};

/// Gives what the next reader must know.
#[derive(Debug)]
pub struct GetWisdom;

/// For whom, and how much.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Default: the active one, else the project
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// What the reader is about to do
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// What it is about
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Kind of reader
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// As many as fit. Default: three of each kind
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// Default: plain
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["plain", "block"]))]
    pub format: Option<String>,
}

/// What the reader must know.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The wisdom; none where no plan has the name that was given.
    pub wisdom: Option<Shown>,
    /// What is wrong with the files, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// What is told.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// The text; empty when there is nothing to say.
    pub text: String,
    /// What it costs, four characters a token.
    pub tokens: usize,
    /// The plan that was read beside the project; none for the project alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The issues shown, oldest first.
    pub issues: Vec<EntryShape>,
    /// The decisions shown, oldest first.
    pub decisions: Vec<EntryShape>,
    /// The learnings shown, oldest first.
    pub learnings: Vec<EntryShape>,
    /// What is in force and was not shown, in words; none when all was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// Whether the budget was too small for what would be shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Where no entry found room, the `max_tokens` that shows all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed: Option<usize>,
    /// What the published design gives in the place of all this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub published: Option<Published>,
    /// What it could cost.
    #[serde(skip)]
    pub budget: usize,
}

/// The published summary: each entry as its section of the file, from its time on.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// The learnings shown, oldest first.
    pub learnings: Vec<String>,
    /// The decisions shown, oldest first.
    pub decisions: Vec<String>,
    /// The issues shown, oldest first.
    pub issues: Vec<String>,
    /// What they cost, four characters a token.
    pub token_estimate: usize,
}

impl Published {
    fn of(wisdom: &Wisdom) -> Self {
        let sections = |category: Category| -> Vec<String> {
            let shown = wisdom.shown.iter().filter(|entry| entry.category() == Some(category));
            shown.map(|entry| section(category, entry)).collect()
        };
        Self {
            learnings: sections(Category::Learning),
            decisions: sections(Category::Decision),
            issues: sections(Category::Issue),
            token_estimate: wisdom.tokens,
        }
    }
}

/// The entry as it stands in a file, without the marks that part it from others there.
fn section(category: Category, entry: &Entry) -> String {
    let text = mirror::render(category, entry.at, &entry.said);
    let text = text.trim_start_matches(['\n', '#', ' ']).trim_end();
    text.strip_suffix("---").unwrap_or(text).trim_end().to_owned()
}

impl Operation for GetWisdom {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "get_wisdom",
        aliases: &[],
        title: "Get what the next reader must know",
        about: "Get what this project knows (issues, decisions, learnings), for a task if named. Before redoing work or delegating.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::Guarded("text"),
        command: Some(Command { words: &["plan", "wisdom"], places: &["plan"], stdin: None }),
        example: r#"{"task": "Make webhook retries idempotent", "files": ["src/webhook.rs"], "max_tokens": 500}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let form = match input.format.as_deref() {
            None | Some("plain") => Form::Plain,
            Some("block") => Form::Block,
            Some(other) => {
                return Err(OpError::usage(format!("format \"{other}\" is not known: use plain or block")));
            }
        };
        let task = Task {
            text: input.task.unwrap_or_default(),
            files: input.files,
            agent_type: input.agent_type,
        };
        let (max_tokens, is_all) = (input.max_tokens, input.max_tokens.is_some());
        let asked = Asked { plan: input.plan.as_deref(), task: Some(&task), max_tokens, is_all, form };
        let told = wisdom::tell(call, &asked)?;
        let budget = max_tokens.unwrap_or(call.config.plans.wisdom_tokens);
        let is_published = call.config.profile == Profile::Seed3;
        let published = is_published.then(|| Published::of(&told.wisdom));
        let shown = (!told.is_unknown).then(|| Shown { published, budget, ..Shown::of(&told) });
        Ok(Output { wisdom: shown, problems: told.problems })
    }

    fn say(output: &Output) -> String {
        match &output.wisdom {
            Some(Shown { needed: Some(needed), left_out: Some(left_out), budget, .. }) => {
                let budget = counted(*budget, "token");
                format!("no entry fits {budget}; of the newest in force: {left_out} (max_tokens={needed} shows them)")
            }
            Some(shown) => shown.text.clone(),
            None => "no plan has this name: there is no wisdom".to_owned(),
        }
    }
}

impl Shown {
    fn of(told: &Told) -> Self {
        let wisdom = &told.wisdom;
        let of = |category: Category| -> Vec<EntryShape> {
            let shown = wisdom.shown.iter().filter(|entry| entry.category() == Some(category));
            shown.map(|entry| EntryShape::told(entry, &told.elsewhere)).collect()
        };
        let left_out = wisdom.left_out;
        Self {
            text: wisdom.text.clone(),
            tokens: wisdom.tokens,
            plan: told.plan.as_ref().map(ToString::to_string),
            issues: of(Category::Issue),
            decisions: of(Category::Decision),
            learnings: of(Category::Learning),
            left_out: (left_out != Tally::default()).then(|| left_out.words()),
            truncated: wisdom.is_cut,
            needed: wisdom.needed,
            published: None,
            budget: 0,
        }
    }
}
