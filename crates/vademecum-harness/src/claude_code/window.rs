//! At how many tokens Claude Code compacts, as measured on version 2.1.330.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Env;

/// The smallest window that a user can set, in tokens.
const WINDOW_MIN: u64 = 100_000;
/// The context of the older models, in tokens.
const SHORT: u64 = 200_000;
/// The context of the newer models, in tokens.
const LONG: u64 = 1_000_000;
/// The most of a window that is kept free for the answer.
const OUTPUT_MAX: u64 = 20_000;
/// What is kept free for the summary.
const BUFFER: u64 = 13_000;

/// Where compaction comes, and of what window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The tokens of context at which the conversation is compacted.
    pub compact_at: u64,
    /// The window that the harness works with.
    pub window: u64,
    /// Whether the harness counts; else it waits until the model's API refuses.
    pub is_counted: bool,
}

/// Why it cannot be said where compaction comes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoLimit {
    /// Automatic compaction is switched off.
    #[error("automatic compaction is off: {0}")]
    Off(&'static str),
    /// The harness has not said which model answers.
    #[error("the model is not known")]
    NoModel,
    /// The model's window is not known.
    #[error("the window of the model \"{0}\" is not known")]
    Model(String),
}

/// The settings of a user or project that bear on compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    auto_compact_enabled: Option<bool>,
    auto_compact_window: Option<Window>,
    #[serde(rename = "modelSettings")]
    models: BTreeMap<String, ModelSettings>,
    env: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ModelSettings {
    auto_compact_window: Option<Window>,
}

/// A window in settings: tokens, or `"auto"`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Window {
    Tokens(u64),
    Other(serde_json::Value),
}

/// The value of a variable in settings, which people also write as a number.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Other(serde_json::Value),
}

impl Settings {
    /// Reads the parts that bear on compaction out of a settings file or `.claude.json`.
    pub fn parse(json: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json))
    }

    /// These settings with those of `stronger` before them: project before user, local before both.
    #[must_use]
    pub fn under(mut self, stronger: Self) -> Self {
        // A window for all models of a stronger file replaces a weaker one's for single models.
        if stronger.auto_compact_window.is_some() {
            self.models.clear();
        }
        self.models.extend(stronger.models);
        self.env.extend(stronger.env);
        Self {
            auto_compact_enabled: stronger.auto_compact_enabled.or(self.auto_compact_enabled),
            auto_compact_window: stronger.auto_compact_window.or(self.auto_compact_window),
            ..self
        }
    }

    fn variable(&self, env: Env<'_>, name: &str) -> Option<String> {
        env(name).or_else(|| match self.env.get(name)? {
            Value::Text(text) => Some(text.clone()),
            Value::Other(value) => Some(value.to_string()),
        })
    }

    fn window(&self, model: &Model) -> Option<u64> {
        let own = self.models.iter().find_map(|(name, settings)| {
            let window = settings.auto_compact_window.as_ref()?;
            (Model::parse(name) == *model).then_some(window)
        });
        match own.or(self.auto_compact_window.as_ref())? {
            Window::Tokens(tokens) => Some((*tokens).max(WINDOW_MIN)),
            Window::Other(_) => None,
        }
    }
}

/// At how many tokens a conversation with `model` is compacted.
pub fn limit(model: Option<&str>, env: Env<'_>, settings: &Settings) -> Result<Limit, NoLimit> {
    let variable = |name: &str| settings.variable(env, name);
    off(&variable, settings)?;
    let name = model.filter(|name| !name.is_empty()).ok_or(NoLimit::NoModel)?;
    let model = Model::parse(name);

    let configured = variable("CLAUDE_CODE_AUTO_COMPACT_WINDOW")
        .and_then(|text| window_of(&text))
        .or_else(|| settings.window(&model));
    let is_long_off = variable("CLAUDE_CODE_DISABLE_1M_CONTEXT").is_some_and(|text| is_true(&text));
    let own = model.window(name, is_long_off).or_else(|| {
        let tokens = variable("CLAUDE_CODE_MAX_CONTEXT_TOKENS")?.trim().parse().ok()?;
        (0 < tokens).then_some(Own { window: tokens, is_counted: true })
    });

    let own = match (own, configured) {
        (Some(own), _) => own,
        (None, Some(window)) => Own { window, is_counted: true },
        (None, None) => return Err(NoLimit::Model(name.to_owned())),
    };
    let window = configured.map_or(own.window, |window| window.min(own.window));
    if configured.is_none() && !own.is_counted {
        return Ok(Limit { compact_at: window, window, is_counted: false });
    }
    Ok(Limit { compact_at: threshold(window, &variable), window, is_counted: true })
}

fn off(variable: &dyn Fn(&str) -> Option<String>, settings: &Settings) -> Result<(), NoLimit> {
    for name in ["DISABLE_AUTO_COMPACT", "DISABLE_COMPACT"] {
        if variable(name).is_some_and(|text| is_true(&text)) {
            return Err(NoLimit::Off(name));
        }
    }
    match settings.auto_compact_enabled {
        Some(false) => Err(NoLimit::Off("autoCompactEnabled")),
        Some(true) | None => Ok(()),
    }
}

fn threshold(window: u64, variable: &dyn Fn(&str) -> Option<String>) -> u64 {
    let output = variable("CLAUDE_CODE_MAX_OUTPUT_TOKENS")
        .and_then(|text| text.trim().parse().ok())
        .filter(|&tokens: &u64| 0 < tokens);
    let effective = window.saturating_sub(output.map_or(OUTPUT_MAX, |it| it.min(OUTPUT_MAX)));
    let latest = effective.saturating_sub(BUFFER);

    let percent: Option<f64> =
        variable("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE").and_then(|text| text.trim().parse().ok());
    match percent.filter(|percent| 0.0 < *percent && *percent <= 100.0) {
        Some(percent) => share(effective, percent).min(latest),
        None => latest,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a share of at most a few million tokens, in the harness's own floating point"
)]
fn share(tokens: u64, percent: f64) -> u64 {
    (tokens as f64 * (percent / 100.0)).floor() as u64
}

/// Reads a window as the harness does: tokens, or with the suffix k or m.
///
/// One that is too small counts as the smallest; one that is no number is none.
fn window_of(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let (number, unit) = match (text.strip_suffix('k'), text.strip_suffix('m')) {
        (Some(number), _) => (number, 1_000.0),
        (_, Some(number)) => (number, 1_000_000.0),
        (None, None) => (text.as_str(), 1.0),
    };
    let tokens: f64 = number.trim().parse().ok()?;
    let tokens = (tokens * unit).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be at least 1 and within what JavaScript counts exactly"
    )]
    (1.0..=9e15).contains(&tokens).then(|| (tokens as u64).max(WINDOW_MIN))
}

fn is_true(text: &str) -> bool {
    matches!(text.trim().to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on")
}

/// The window that a model has by itself.
struct Own {
    window: u64,
    /// Whether the harness compacts before the API refuses: it does when the API would take more
    /// than the harness uses, or takes the most there is.
    is_counted: bool,
}

/// A model by its family and version, whatever the provider calls it.
#[derive(Debug, PartialEq, Eq)]
struct Model {
    family: String,
    major: u32,
    minor: u32,
}

impl Model {
    /// Reads names such as `claude-sonnet-5`, `claude-opus-4-6[1m]`,
    /// `us.anthropic.claude-haiku-4-5-20251001-v1:0`; an unknown one has no family.
    fn parse(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let rest = name.split_once("claude-").map_or("", |(_, rest)| rest);
        let mut words = rest.split(|c: char| !c.is_ascii_alphanumeric());
        let family = words.next().unwrap_or_default().to_owned();
        // A number of more than two digits is the date of a release.
        let mut number = || words.next().filter(|word| word.len() <= 2)?.parse().ok();
        let major = number().unwrap_or(0);
        Self { family, major, minor: number().unwrap_or(0) }
    }

    fn window(&self, name: &str, is_long_off: bool) -> Option<Own> {
        let (is_long, can_be_long) = match (self.family.as_str(), self.major, self.minor) {
            ("fable" | "mythos", 5, 0..=2)
            | ("haiku", 5, 5)
            | ("sonnet" | "opus", 5, 0 | 5)
            | ("opus", 4, 7 | 8) => (true, true),
            ("opus" | "sonnet", 4, 6) => (false, true),
            ("haiku", 4, 5) | ("sonnet", 4, 0 | 5) | ("opus", 4, 0 | 1 | 5) => (false, false),
            _ => return None,
        };
        Some(if is_long_off {
            Own { window: SHORT, is_counted: can_be_long }
        } else if is_long {
            Own { window: LONG, is_counted: true }
        } else if name.to_ascii_lowercase().contains("[1m]") {
            Own { window: LONG, is_counted: false }
        } else {
            Own { window: SHORT, is_counted: can_be_long }
        })
    }
}
