//! Lets a person change a text in an editor; what was typed is only let go once it is kept.
#![expect(clippy::disallowed_methods, reason = "an editor is a program of the person's own")]

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use vademecum::core::session::SessionKey;
use vademecum::files::Root;
use vademecum::ops::{OpError, World, drafts};

use super::exit::Failure;

/// Far more than a page may have: what is wrong with a text that long is said where it is written.
const MAX_BYTES: u64 = 256 << 20;

/// A text in a file of its own, while a person changes it.
#[derive(Debug)]
pub(crate) struct Draft {
    data: Root,
    /// Where it is in the data folder.
    file: PathBuf,
    /// The text as it was, as it stands in the file.
    before: String,
    /// Whether the file was given the line end that editors want.
    is_ended: bool,
}

/// What a person made of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Edited {
    /// Nothing.
    Same,
    /// Nothing is left of it.
    Blank,
    /// This.
    Text(String),
}

impl Draft {
    /// Puts `text` into a new file of the session that begins with `name`; nobody else can look into it.
    pub(crate) fn new(world: &World, session: &SessionKey, name: &str, text: &str) -> Result<Self> {
        let folder = drafts::folder(session);
        let data = Root::private(&world.folders.data)?;
        data.make_folder(&folder).context("cannot make the folder of drafts")?;
        let file = folder.join(format!("{name}-{}.md", (world.new_id)()));
        let is_ended = !text.is_empty() && !text.ends_with('\n');
        let before = if is_ended { format!("{text}\n") } else { text.to_owned() };
        data.create_new(&file, before.as_bytes()).context("cannot write the draft")?;
        Ok(Self { data, file, before, is_ended })
    }

    /// Opens the file in the person's editor and waits until it is closed.
    pub(crate) fn edit(&self, world: &World) -> Result<Edited, Failure> {
        let editor =
            world.var("VISUAL").or_else(|| world.var("EDITOR")).unwrap_or_else(|| "vi".to_owned());
        // The shell reads the variable as it does for git: it may hold arguments.
        let script = format!("{editor} \"$@\"");
        let status = Command::new("sh").args(["-c", &script, &editor]).arg(self.path()).status();
        let status = status.context("cannot start a shell for the editor")?;
        let edited = self.read()?;
        if status.success() {
            return Ok(edited);
        }
        let message = format!("the editor \"{editor}\" ended with {status}: nothing was written");
        // A terminal that goes takes the shell along, and the editor behind it may still be writing.
        // A shell tells of a signal by a code above 128.
        let is_killed = status.code().is_none_or(|code| 128 < code);
        Err(match edited {
            Edited::Same | Edited::Blank if is_killed => self.keep(OpError::usage(message)),
            Edited::Same | Edited::Blank => {
                self.discard()?;
                OpError::usage(message).hint("VISUAL or EDITOR names the editor").into()
            }
            Edited::Text(_) => self.keep(OpError::usage(message)),
        })
    }

    fn path(&self) -> PathBuf {
        self.data.path().join(&self.file)
    }

    fn read(&self) -> Result<Edited, Failure> {
        let bytes = self.data.read(&self.file, MAX_BYTES).context("cannot read the draft")?;
        let bytes = bytes.context("the draft is gone")?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(self.keep(OpError::usage("the text is no UTF-8: nothing was written")));
        };
        if text == self.before {
            return Ok(Edited::Same);
        }
        if text.trim().is_empty() {
            return Ok(Edited::Blank);
        }
        let without = text.strip_suffix('\n').filter(|_| self.is_ended);
        Ok(Edited::Text(without.unwrap_or(&text).to_owned()))
    }

    /// Lets the file go: its text is kept in the store, or nobody wants it.
    pub(crate) fn discard(&self) -> Result<()> {
        self.data.remove_file(&self.file).context("cannot remove the draft")?;
        // The session's folder and the one of all drafts stay while they hold others.
        for folder in self.file.ancestors().skip(1).take(2) {
            self.data.remove_empty_folder(folder).context("cannot remove the folder of drafts")?;
        }
        Ok(())
    }

    /// The refusal, and where the text lies that was not written.
    pub(crate) fn keep(&self, error: OpError) -> Failure {
        let kept = format!("your text is in {}", self.path().display());
        let hint =
            error.hint.as_ref().map_or_else(|| kept.clone(), |hint| format!("{kept}; {hint}"));
        Failure::Op(error.hint(hint))
    }
}
