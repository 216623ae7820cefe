//! A small HTTP/1.1 server on the loopback: enough for one well-behaved client, never for the world.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use anyhow::{Context as _, Result, bail, ensure};

/// One request as it came in; headers are read for their length only and not kept.
pub(super) struct Incoming {
    /// The method, such as `POST`.
    pub(super) method: String,
    /// The path with its query.
    pub(super) path: String,
    /// The body, empty if there was none.
    pub(super) body: Vec<u8>,
}

/// What is sent back, always with status 200.
pub(super) struct Outgoing {
    /// The content type.
    pub(super) content_type: &'static str,
    /// The body.
    pub(super) body: Vec<u8>,
}

/// Answers one request; called from several threads at once.
pub(super) type Answer = Arc<dyn Fn(&Incoming) -> Outgoing + Send + Sync>;

/// Serves on a free loopback port until the process ends.
pub(super) fn serve(answer: Answer) -> Result<SocketAddr> {
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot listen on the loopback")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || {
                if let Err(error) = converse(&stream, &answer) {
                    eprintln!("mock model: {error:#}");
                }
            });
        }
    });
    Ok(address)
}

/// Answers requests on one connection until the client closes it.
fn converse(stream: &TcpStream, answer: &Answer) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(incoming) = read(&mut reader)? {
        let outgoing = answer(&incoming);
        if write(stream, &incoming, &outgoing).is_err() {
            // The client left before its answer, as a killed one does.
            break;
        }
    }
    Ok(())
}

/// Reads one request; nothing if the connection ended between two.
fn read(reader: &mut BufReader<&TcpStream>) -> Result<Option<Incoming>> {
    let mut first = String::new();
    if !matches!(reader.read_line(&mut first), Ok(1..)) {
        return Ok(None);
    }
    let mut words = first.split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        bail!("not a request line: {first:?}");
    };

    let length = body_length(reader)?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).context("the body ended early")?;
    Ok(Some(Incoming { method: method.to_owned(), path: path.to_owned(), body }))
}

/// Reads the headers to their end and says how long the body is.
fn body_length(reader: &mut BufReader<&TcpStream>) -> Result<usize> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        ensure!(0 < reader.read_line(&mut line)?, "the headers ended early");
        let line = line.trim_end();
        if line.is_empty() {
            return Ok(length);
        }
        let (name, value) =
            line.split_once(':').with_context(|| format!("not a header: {line:?}"))?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().context("a length that is no number")?;
        }
        ensure!(
            !name.eq_ignore_ascii_case("transfer-encoding"),
            "a body in chunks is not understood"
        );
    }
}

fn write(mut stream: &TcpStream, incoming: &Incoming, outgoing: &Outgoing) -> std::io::Result<()> {
    let length = outgoing.body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {}\r\ncontent-length: {length}\r\n\r\n",
        outgoing.content_type
    );
    let mut bytes = head.into_bytes();
    if incoming.method != "HEAD" {
        bytes.extend_from_slice(&outgoing.body);
    }
    stream.write_all(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_several_requests_on_one_connection() {
        let address = serve(Arc::new(|incoming| Outgoing {
            content_type: "text/plain",
            body: format!("{} {} {}", incoming.method, incoming.path, incoming.body.len())
                .into_bytes(),
        }))
        .expect("the loopback is there");
        let mut stream = TcpStream::connect(address).expect("the server listens");
        stream
            .write_all(b"POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n")
            .expect("the server reads");
        stream.shutdown(std::net::Shutdown::Write).expect("the connection is open");

        let mut said = String::new();
        stream.read_to_string(&mut said).expect("the server writes text");
        let bodies: Vec<&str> = said.split("\r\n\r\n").skip(1).collect();
        assert_eq!(bodies.len(), 2);
        assert!(bodies[0].starts_with("POST /a 3HTTP/1.1"));
        assert_eq!(bodies[1], "GET /b 0");
    }
}
