//! Shows what is set, and where it was set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::Call;
use crate::config::Config;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::settings::{KEYS, Key};

/// Shows what is set, and where it was set.
#[derive(Debug)]
pub struct ShowConfig;

/// How much is shown.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Say also what each key means and what its default is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub explain: bool,
}

/// All keys.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The keys, those of one table together.
    pub keys: Vec<KeyShape>,
}

/// One key.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyShape {
    /// Its name, the table first.
    pub key: String,
    /// What it is set to; null if nothing is.
    pub value: Value,
    /// The file that sets it; none where the default holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// What it means and what it is by default, if that was asked for.
    #[serde(flatten)]
    pub explained: Option<Explained>,
}

/// What there is to know of a key.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explained {
    /// What it means.
    pub about: String,
    /// What it is by default, under the profile in use.
    pub default: Value,
}

impl Operation for ShowConfig {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "show_config",
        aliases: &[],
        title: "Show what is set",
        about: "Show every key of the configuration with its value, and the file that sets it; the text is a legal config.toml.",
        effect: Effect::Reads,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["config", "show"], places: &[], stdin: None }),
        example: r#"{"explain": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let default = Config::of(call.config.profile);
        let shape = |key: &Key| KeyShape {
            key: key.name.to_owned(),
            value: (key.value)(call.config),
            from: call.config.sources.iter().find(|it| it.key == key.name).map(|it| it.from.clone()),
            explained: input
                .explain
                .then(|| Explained { about: key.about.to_owned(), default: (key.value)(&default) }),
        };
        Ok(Output { keys: KEYS.iter().map(shape).collect() })
    }

    fn say(output: &Output) -> String {
        let mut table = "";
        let mut lines = Vec::new();
        for key in &output.keys {
            let (of, name) = key.key.rsplit_once('.').unwrap_or(("", &key.key));
            if of != table {
                // A table alone may switch something on.
                let is_set = output.keys.iter().any(|it| it.key.starts_with(&format!("{of}.")) && !it.value.is_null());
                lines.push(format!("\n{}[{of}]", if is_set { "" } else { "# " }));
                table = of;
            }
            lines.extend(key.lines(name));
        }
        lines.join("\n")
    }
}

impl KeyShape {
    /// The key as a line of TOML, with what is known of it in comments.
    fn lines(&self, name: &str) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(Explained { about, default }) = &self.explained {
            let default = if default.is_null() { "not set".to_owned() } else { default.to_string() };
            lines.push(format!("# {about}; default: {default}"));
        }
        let from = self.from.as_ref().map(|from| format!("  # set in {from}")).unwrap_or_default();
        lines.push(match &self.value {
            Value::Null => format!("# {name} is not set"),
            // A scalar of JSON is a scalar of TOML.
            value => format!("{name} = {value}{from}"),
        });
        lines
    }
}
