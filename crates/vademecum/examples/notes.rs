//! Keeps a note and a page for an agent, and gets back what belongs in front of its model.

use serde_json::json;
use vademecum::Vade;
use vademecum::ops::OpError;
use vademecum::ops::ops::add_note::{self, AddNote};

fn main() -> Result<(), OpError> {
    let address = std::env::args().nth(1).unwrap_or("sqlite:target/notes.db".to_owned());
    let vade = Vade::open(&address)?;

    // Any id of your own names a session; a sub-agent has one below it, as my-agent:run-1/scout.
    let session = vade.session("my-agent:run-1")?;

    // Typed, or by name with JSON: the same operation.
    let kept = session.run::<AddNote>(add_note::Input {
        content: "Retry swallows E_DUP: map it to Ok, else the queue loops.".to_owned(),
        tags: Some(vec!["bug".to_owned(), "queue".to_owned()]),
    })?;
    println!("kept {}, {} open", kept.note.id, kept.open);

    let page = "## Plan\n- [x] find the loop\n- [ ] map E_DUP to Ok in worker.rs\n";
    let saved = session.call("write_notepad", json!({"content": page}))?;
    println!("{}", saved.text);

    let found = session.call("search_notes", json!({"query": "E_DUP"}))?;
    println!("{}", found.text);

    // What belongs in front of the model when it has lost its conversation.
    let context = session.call("get_context", json!({}))?;
    println!("\n{}", context.text);
    Ok(())
}
