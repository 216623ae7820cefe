//! Pinned programs of other makers, fetched by npm into `target/tools` and kept there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use crate::step;

/// An npm package at one version, with the program it brings.
pub(crate) struct Tool {
    /// The package's short name, as in the folder under `target/tools`.
    pub(crate) name: &'static str,
    /// The one version that is run.
    pub(crate) version: &'static str,
    /// The folder of `package.json` and `package-lock.json`, below the repository.
    pub(crate) pins: &'static str,
    /// The program, below `node_modules`.
    pub(crate) program: &'static str,
    /// Whether the program says its version; of a library the lock alone tells it.
    pub(crate) says_version: bool,
}

/// The accessibility rules that the page is held to.
pub(crate) const AXE: Tool = Tool {
    name: "axe-core",
    version: "4.14.1",
    pins: "xtask/e2e/axe",
    program: "axe-core/axe.min.js",
    says_version: false,
};

/// The Claude Code of the end-to-end run.
pub(crate) const CLAUDE_CODE: Tool = Tool {
    name: "claude-code",
    version: "2.1.330",
    pins: "xtask/e2e/claude",
    program: ".bin/claude",
    says_version: true,
};

/// The Codex of the end-to-end run; its own launcher would need a Node.js on the way.
pub(crate) const CODEX: Tool = Tool {
    name: "codex",
    version: "0.169.0",
    pins: "xtask/e2e/codex",
    program: if cfg!(target_os = "macos") {
        "@openai/codex-darwin-arm64/vendor/aarch64-apple-darwin/bin/codex"
    } else if cfg!(target_arch = "aarch64") {
        "@openai/codex-linux-arm64/vendor/aarch64-unknown-linux-musl/bin/codex"
    } else {
        "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
    },
    says_version: true,
};

impl Tool {
    /// Finds the program under `target`, fetching the package first if it is not there.
    ///
    /// A package that was fetched under other pins is fetched again. A download that fails is an error.
    pub(crate) fn program(&self, target: &Path) -> Result<PathBuf> {
        let pins = step::root().join(self.pins);
        let home = target.join("tools").join(self.folder());
        if !self.is_at(&home, &pins)? {
            self.fetch(&home, &pins)
                .with_context(|| format!("cannot fetch {} {}", self.name, self.version))?;
        }
        let program = home.join("node_modules").join(self.program);
        fs::canonicalize(&program).with_context(|| format!("no program at {}", program.display()))
    }

    fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    fn is_at(&self, home: &Path, pins: &Path) -> Result<bool> {
        if !home.join("node_modules").join(self.program).exists() {
            return Ok(false);
        }
        Ok(fs::read(home.join(LOCK))? == fs::read(pins.join(LOCK))?)
    }

    /// Installs beside `home` and moves it there whole, so that a stopped run leaves no half package.
    fn fetch(&self, home: &Path, pins: &Path) -> Result<()> {
        let draft = home.with_file_name(format!("{}.draft-{}", self.folder(), std::process::id()));
        let mut tries = 1;
        while let Err(error) = self.install(&draft, pins) {
            fs::remove_dir_all(&draft)?;
            if tries == TRIES {
                return Err(error);
            }
            eprintln!("{error:#}; trying again");
            std::thread::sleep(PAUSE * tries);
            tries += 1;
        }
        if home.exists() {
            fs::remove_dir_all(home)?;
        }
        fs::rename(&draft, home).context("cannot move the package into place")
    }

    fn install(&self, draft: &Path, pins: &Path) -> Result<()> {
        fs::create_dir_all(draft)?;
        for name in ["package.json", LOCK] {
            fs::copy(pins.join(name), draft.join(name))?;
        }
        eprintln!("fetching {} {} with npm", self.name, self.version);
        npm_ci(draft)?;
        self.check_version(draft)
    }

    fn check_version(&self, draft: &Path) -> Result<()> {
        if !self.says_version {
            return Ok(());
        }
        let program = draft.join("node_modules").join(self.program);
        let said = step::output(Command::new(&program).arg("--version"))?;
        ensure!(
            said.split_whitespace().any(|word| word == self.version),
            "the program says version {said:?}, wanted {}",
            self.version
        );
        Ok(())
    }
}

const LOCK: &str = "package-lock.json";

/// A native program is an optional dependency: where its download fails, npm reports success and leaves a
/// placeholder that cannot start. Only another try tells that from a platform without the program.
const TRIES: u32 = 5;

/// What is waited before the second try; each later one waits that much longer.
const PAUSE: Duration = Duration::from_secs(10);

/// Installs exactly what the lock names; install scripts run, since they put the native program in place.
fn npm_ci(folder: &Path) -> Result<()> {
    // A cache of its own, so that nothing is left in the person's home.
    let cache = folder.join("npm-cache");
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts=false", "--engine-strict=false", "--no-audit", "--no-fund"]);
    npm.arg("--cache").arg(&cache).current_dir(folder);
    step::output(&mut npm).context("npm comes with Node.js")?;
    fs::remove_dir_all(&cache).context("cannot remove npm's cache")
}
