//! Answers queries over a list of notes, both JSON lines, as a judge of note search asks for.
//!
//! Notes: `{"id", "text", "tags", "created_at"}`, oldest first; queries: `{"id", "text"}`. Each line of the
//! answer is `{"query": id, "notes": [ids, best first]}`.

use std::error::Error;
use std::path::Path;

use serde_json::{Value, json};
use vademecum::Vade;
use vademecum::ops::ops::search_notes::{self, SearchNotes};

const USAGE: &str = "usage: note_search NOTES.jsonl QUERIES.jsonl COUNT";

/// The name of the session that holds the notes.
const SESSION: &str = "judge:notes";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [notes, queries, count] = words.as_slice() else { return Err(USAGE.into()) };
    let notes = lines(Path::new(notes))?;
    let queries = lines(Path::new(queries))?;
    let limit = count.parse().map_err(|_| USAGE)?;

    let folder = tempfile::tempdir()?;
    let vade = Vade::open(&format!("sqlite:{}", folder.path().join("vade.db").display()))?;
    let session = vade.session(SESSION)?;
    session.call("import", json!({"content": package(&notes).to_string()}))?;
    for query in &queries {
        let input = search_notes::Input {
            query: query["text"].as_str().map(str::to_owned),
            limit: Some(limit),
            ..search_notes::Input::default()
        };
        let found = session.run::<SearchNotes>(input)?.notes;
        let ids: Vec<&Value> = found.iter().filter_map(|note| theirs(&notes, &note.id)).collect();
        println!("{}", json!({"query": query["id"], "notes": ids}));
    }
    Ok(())
}

fn lines(path: &Path) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The notes as an export of one session; the n-th has the id `note_n`.
fn package(notes: &[Value]) -> Value {
    let note = |(n, note): (usize, &Value)| {
        json!({
            "id": format!("note_{}", n + 1),
            "content": note["text"],
            "tags": note["tags"],
            "created_at": note["created_at"],
            "updated_at": note["created_at"],
            "scratched": false,
        })
    };
    let notes: Vec<Value> = notes.iter().enumerate().map(note).collect();
    let session =
        json!({"name": SESSION, "started_at": "2026-01-01T00:00:00.000Z", "notes": notes});
    json!({"vademecum": 1, "project": "judge", "sessions": [session]})
}

/// The judge's own id of the note that has the id `note_n` here.
fn theirs<'a>(notes: &'a [Value], id: &str) -> Option<&'a Value> {
    let n: usize = id.strip_prefix("note_")?.parse().ok()?;
    Some(&notes.get(n.checked_sub(1)?)?["id"])
}
