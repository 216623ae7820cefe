//! A model that follows a script, behind real HTTP on the loopback device.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;
use vademecum::dialect::{Answer, Dialect};

use crate::agent::Server;
use crate::bench::body;

/// The agent's side of a server, and the requests that it receives.
pub(crate) struct Scripted {
    pub(crate) server: Server,
    pub(crate) received: Receiver<Value>,
}

/// Starts a server that answers each request as `script` says, by its number from 1.
///
/// Its thread ends with the test's process.
pub(crate) fn start(
    dialect: Dialect,
    mut script: impl FnMut(usize, &Value) -> Answer + Send + 'static,
) -> Scripted {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for (idx, stream) in listener.incoming().enumerate() {
            let mut stream = stream.expect("a connection");
            let request = read(dialect, &stream);
            let answer = body(dialect, &script(idx + 1, &request), idx).to_string();
            // The test may be over.
            sender.send(request).ok();
            let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", answer.len());
            stream.write_all((head + &answer).as_bytes()).expect("an answer");
        }
    });
    Scripted { server: Server { address, key: "key".to_owned(), dialect }, received }
}

fn read(dialect: Dialect, stream: &TcpStream) -> Value {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("a request");
    assert_eq!(line, format!("POST {} HTTP/1.0\r\n", dialect.path()));
    let mut n_bytes = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).expect("a header");
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => n_bytes = value.parse().expect("a number"),
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; n_bytes];
    reader.read_exact(&mut bytes).expect("a body");
    serde_json::from_slice(&bytes).expect("JSON")
}
