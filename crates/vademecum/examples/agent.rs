//! A working agent with working memory: `agent DIALECT HOST:PORT MODEL`, then one request a line.
//!
//! It speaks plain HTTP, as the servers of one's own do; `AGENT_KEY` is sent along if it is set.

use std::error::Error;
use std::io::{BufRead as _, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::thread;

use serde_json::{Value, json};
use vademecum::controller::{Controller, Options, Request, Step};
use vademecum::dialect::{Dialect, Tool, ToolCall};
use vademecum::{Vade, world};

/// Where the model is.
pub struct Server {
    /// `HOST:PORT`.
    pub address: String,
    /// What is sent as its key.
    pub key: String,
    /// How one speaks with it.
    pub dialect: Dialect,
}

impl Server {
    /// Sends a request and gives the body of the answer.
    pub fn send(&self, request: &Request) -> Result<Value, Box<dyn Error>> {
        let (body, path, Self { address, key, .. }) =
            (request.body.to_string(), request.path, self);
        let mut stream = TcpStream::connect(address)?;
        // HTTP/1.0: the answer ends with the connection.
        let head = format!(
            "POST {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Authorization: Bearer {key}\r\nx-api-key: {key}\r\nanthropic-version: 2023-06-01\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").ok_or("no HTTP answer")?;
        Ok(serde_json::from_str(body)?)
    }
}

/// What the agent is, but for its model.
#[must_use]
pub fn options(dialect: Dialect, model: &str, window: u64) -> Options {
    let path = json!({"type": "string", "description": "the path of a text file"});
    let input = json!({"type": "object", "properties": {"path": path}, "required": ["path"]});
    let about = "Read a text file.".to_owned();
    Options {
        system: "You are a careful assistant. Use tools to look before you answer.".to_owned(),
        tools: vec![Tool { name: "read_file".to_owned(), about, input }],
        ..Options::new(dialect, model, window)
    }
}

/// Runs one of the host's own tools.
pub type Run = dyn Fn(&ToolCall) -> Result<String, String> + Sync;

/// Lets the agent work until it has an answer for the user.
pub fn work(
    agent: &mut Controller<'_>,
    server: &Server,
    run: &Run,
) -> Result<String, Box<dyn Error>> {
    loop {
        match agent.step()? {
            Step::Call(request) => {
                let answer = server.dialect.answer(&server.send(&request)?)?;
                agent.answer(answer)?;
            }
            Step::Run(calls) => {
                for call in calls {
                    let (text, is_error) =
                        run(&call).map_or_else(|text| (text, true), |text| (text, false));
                    agent.result(&call.id, &text, is_error)?;
                }
            }
            Step::Wait(children) => thread::scope(|threads| {
                let (agent, work) = (&*agent, |child: &mut _| work(child, server, run));
                let start = |id| threads.spawn(move || agent.work_child(id, work));
                let started: Vec<_> = children.iter().map(start).collect();
                started.into_iter().try_for_each(|child| child.join().expect("no panic gets out"))
            })?,
            Step::Summarise(request) => {
                let answer = server.dialect.answer(&server.send(&request)?)?;
                agent.summarised(&answer.text)?;
            }
            Step::Done(text) => return Ok(text),
        }
    }
}

fn read_file(call: &ToolCall) -> Result<String, String> {
    let path = call.arguments["path"].as_str().ok_or("read_file needs path")?;
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

fn main() -> Result<(), Box<dyn Error>> {
    let [dialect, address, model]: [String; 3] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "DIALECT HOST:PORT MODEL")?;
    let dialect: Dialect = serde_json::from_value(dialect.into())?;
    let key = world::var("AGENT_KEY").and_then(|key| key.into_string().ok()).unwrap_or_default();
    let server = Server { address, key, dialect };
    let vade = Vade::open("sqlite:target/agent.db")?;
    let session = vade.session("my-agent:1")?;
    let file = Path::new("target/agent.jsonl");
    let mut agent = Controller::open(session, file, options(dialect, &model, 128_000))?;
    for line in std::io::stdin().lock().lines() {
        agent.ask(&line?)?;
        println!("{}", work(&mut agent, &server, &read_file)?);
    }
    Ok(())
}
