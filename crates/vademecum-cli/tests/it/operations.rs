//! The shared cases, played on the operations themselves, in this process.

use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;
use vademecum::Vade;
use vademecum::ops::world::{Folders, World};
use vademecum::ops::{Config, OpError};

use crate::cases::{self, Answer, Surface};

struct Operations {
    folder: TempDir,
    config: Config,
    session: String,
    vade: Vade,
}

impl Operations {
    fn new(toml: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["config", "demo"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        std::fs::write(folder.path().join("config/config.toml"), toml).expect("a file");
        let world = world(&folder);
        let config = Config::load(&world.folders, &world.folders.work).expect("a configuration");
        let vade = open(&folder, &config);
        Self { folder, config, session: "test:session-1".to_owned(), vade }
    }
}

fn world(folder: &TempDir) -> World {
    let path = |name: &str| folder.path().join(name);
    let folders =
        Folders { home: path(""), data: path("data"), config: path("config"), work: path("demo") };
    let real = vademecum::world::real(None);
    World { folders, env: Box::new(|_| None), ..real }
}

fn open(folder: &TempDir, config: &Config) -> Vade {
    Vade::with("sqlite:../vade.db", world(folder), config.clone()).expect("a store")
}

impl Surface for Operations {
    fn call(&mut self, operation: &str, arguments: Value) -> Answer {
        let session = self.vade.session(&self.session).expect("a name");
        let refused = |error: OpError| (error.kind.word().to_owned(), error.message);
        session.call(operation, arguments).map(|reply| reply.object).map_err(refused)
    }

    fn context(&mut self) -> String {
        let context = self.call("get_context", Value::Object(serde_json::Map::new()));
        context.expect("a context")["context"].as_str().expect("text").to_owned()
    }

    fn enter(&mut self, session: &str) {
        self.session = format!("test:{session}");
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("demo")
    }

    fn kill(&mut self) {
        self.vade = open(&self.folder, &self.config);
    }
}

#[test]
fn hold() {
    for case in cases::all() {
        println!("{} {}", case.number, case.config);
        (case.play)(&mut Operations::new(case.config));
    }
}
