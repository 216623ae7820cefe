//! Makes the stores that vademecum is measured on: the same bytes of notes each time.

use std::path::Path;

use vademecum::Patience;
use vademecum::core::entry::{self, Category, Entry, Line, Said};
use vademecum::core::hash;
use vademecum::core::id::{EntryId, MachineId, NoteId, PersonId, ProjectId, WriteId};
use vademecum::core::note::{Content, Note, Tags};
use vademecum::core::plan::PlanName;
use vademecum::core::project::{KeyKind, ProjectKey};
use vademecum::core::session::{Began, Place, SessionKey};
use vademecum::core::splice::Splice;
use vademecum::core::time::Time;
use vademecum::port::{Author, Change, Decision, Origin, Scope, Store, Surface, Write};
use vademecum::store::open_file;

const START: i64 = 1_763_700_000_000;

/// So many notes are written at once; the newest ones one by one, as a model writes them.
const AT_ONCE: usize = 250;
const ONE_BY_ONE: usize = 200;

/// The identifier that is searched for stands in so many notes, however many others there are.
const N_PLANTED: usize = 12;

/// A store with so many notes in its one session and entries in its project, or one for another folder.
fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [path, folder] = words.as_slice() {
        return move_to(Path::new(path), folder);
    }
    let [path, external, n_notes, n_bytes, n_entries] = words.as_slice() else {
        anyhow::bail!("usage: bench-stores DATABASE (FOLDER | SESSION NOTES PAGE_BYTES ENTRIES)");
    };
    let store = open_file(Path::new(path), Patience::Command);
    let mut writer = Writer { store: &store, n_writes: 0, session: session(external) };
    writer.begin(Path::new(path))?;
    writer.notes(n_notes.parse()?)?;
    writer.page(n_bytes.parse()?)?;
    writer.entries(n_entries.parse()?)?;
    plain(&Path::new(path).with_file_name("plain.db"), n_notes.parse()?)
}

/// Who wrote the store: what is measured has written before.
const BY: vademecum::port::Writer =
    vademecum::port::Writer { person: PersonId([1; 16]), machine: MachineId([2; 16]) };

/// Lets the project be known by the folder that it is measured in, and the data folder be this machine's.
fn move_to(path: &Path, folder: &str) -> anyhow::Result<()> {
    let store = open_file(path, Patience::Command);
    let mut writer = Writer { store: &store, n_writes: 1_000_000, session: session("none") };
    let keys = vec![ProjectKey {
        kind: KeyKind::Folder,
        machine: Some(BY.machine),
        value: folder.as_bytes().to_vec(),
    }];
    let identity = format!(r#"{{"person":"{}","machine":"{}"}}"#, BY.person, BY.machine);
    std::fs::write(path.with_file_name("identity.json"), identity)?;
    let keys = Change::AddProjectKeys { project: PROJECT, keys };
    writer.commit(Scope::Project(PROJECT), "move_project", &[keys])
}

/// The same notes in a table of FTS5 as anyone would make it, committed as often.
fn plain(path: &Path, n_notes: usize) -> anyhow::Result<()> {
    let mut connection = rusqlite::Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
         CREATE VIRTUAL TABLE plain USING fts5 (content, tags);",
    )?;
    for several in in_turns(&notes(n_notes)) {
        let transaction = connection.transaction()?;
        for note in several {
            let tags = note.tags.as_slice().join(" ");
            let sql = "INSERT INTO plain (rowid, content, tags) VALUES (?1, ?2, ?3)";
            let values = rusqlite::params![note.id.0, note.content.as_str(), tags];
            transaction.prepare_cached(sql)?.execute(values)?;
        }
        transaction.commit()?;
    }
    Ok(())
}

fn notes(n_notes: usize) -> Vec<Note> {
    let mut text = Text(0x9e37_79b9_7f4a_7c15);
    (0..n_notes).map(|idx| note(&mut text, idx, n_notes)).collect()
}

/// The old ones many at once, the newest ones one by one.
fn in_turns(notes: &[Note]) -> impl Iterator<Item = &[Note]> {
    let (old, new) = notes.split_at(notes.len().saturating_sub(ONE_BY_ONE));
    old.chunks(AT_ONCE).chain(new.chunks(1))
}

struct Writer<'a> {
    store: &'a dyn Store,
    n_writes: i64,
    session: SessionKey,
}

const PROJECT: ProjectId = ProjectId([1; 16]);

fn session(external: &str) -> SessionKey {
    let (harness, external) = ("claude-code".to_owned(), external.to_owned());
    SessionKey { harness, external, agent: None }
}

impl Writer<'_> {
    fn commit(
        &mut self,
        scope: Scope,
        kind: &'static str,
        changes: &[Change],
    ) -> anyhow::Result<()> {
        self.n_writes += 1;
        let write = Write {
            scope,
            is_fresh: false,
            id: WriteId::new(format!("write-{}", self.n_writes)).expect("a short word"),
            arguments: hash::plain(kind.as_bytes()),
            kind,
            origin: Origin { surface: Surface::Mcp, author: Author::Agent },
            by: BY,
            at: Time(START + self.n_writes),
        };
        self.store.write(&write, &mut |_| {
            Ok(Decision::Commit { changes: changes.to_vec(), reply: "{}".to_owned() })
        })?;
        Ok(())
    }

    fn begin(&mut self, path: &Path) -> anyhow::Result<()> {
        let keys =
            vec![ProjectKey { kind: KeyKind::Folder, machine: None, value: b"/project".to_vec() }];
        let project =
            Change::AddProject { id: PROJECT, name: "project".to_owned(), keys, at: Time(START) };
        self.commit(Scope::Store, "begin_project", &[project])?;
        // By its own search key each store would lie otherwise, and cost a few percent more or less.
        rusqlite::Connection::open(path)?.execute("UPDATE project SET search = 1", ())?;
        let session = Change::AddSession {
            project: PROJECT,
            key: self.session.clone(),
            parent: None,
            began: Began::Start,
            instance: 1,
            host_name: "bench".to_owned(),
            place: Place::default(),
            at: Time(START),
        };
        self.commit(Scope::Project(PROJECT), "begin_session", &[session])
    }

    fn notes(&mut self, n_notes: usize) -> anyhow::Result<()> {
        for several in in_turns(&notes(n_notes)) {
            let session = self.session.clone();
            let add =
                |note: &Note| Change::AddNote { session: session.clone(), note: note.clone() };
            let changes: Vec<Change> = several.iter().map(add).collect();
            self.commit(Scope::Session(self.session.clone()), "add_note", &changes)?;
        }
        Ok(())
    }

    /// Half of them in the project, half in its one open plan.
    fn entries(&mut self, n_entries: usize) -> anyhow::Result<()> {
        let plans = [PlanName::project(), PlanName::new("03-01-refunds").expect("a name")];
        let mut text = Text(11);
        let entries: Vec<Entry> = (0..n_entries)
            .map(|idx| entry(&mut text, idx, &plans[idx % 2], &self.session))
            .collect();
        for name in plans.iter().filter(|_| 0 < n_entries) {
            let (name, at) = (name.clone(), Time(START));
            let add = Change::AddPlan { project: PROJECT, name, is_tracked: false, at };
            self.commit(Scope::Project(PROJECT), "init_plan", &[add])?;
        }
        for several in entries.chunks(AT_ONCE) {
            let add = |entry: &Entry| Change::AddEntry { project: PROJECT, entry: entry.clone() };
            let changes: Vec<Change> = several.iter().map(add).collect();
            self.commit(Scope::Project(PROJECT), "add_entry", &changes)?;
        }
        Ok(())
    }

    fn page(&mut self, n_bytes: usize) -> anyhow::Result<()> {
        if n_bytes == 0 {
            return Ok(());
        }
        let mut text = Text(7);
        let mut page = String::from("# Goal\n");
        while page.len() < n_bytes {
            page.push_str("- ");
            page.push_str(&text.sentence(12));
            page.push('\n');
        }
        let splice = Splice { at: 0, remove: 0, insert: page };
        let session = self.session.clone();
        let edit = Change::EditNotepad { session, splice, rev: 1, at: Time(START) };
        self.commit(Scope::Session(self.session.clone()), "write_notepad", &[edit])
    }
}

fn note(text: &mut Text, idx: usize, n_notes: usize) -> Note {
    let mut content = text.sentence(24);
    if idx.is_multiple_of(2) {
        content.push_str(" queue");
    }
    if idx.is_multiple_of(3) {
        content.push_str(" error");
    }
    if idx.is_multiple_of(n_notes.div_ceil(N_PLANTED)) {
        content.push_str(" in restore_ledger");
    }
    let topic = text.word();
    let kind = ["decision", "todo", "bug", "pattern"][idx % 4];
    let at = START + i64::try_from(idx).expect("a small number");
    Note {
        id: NoteId(at),
        content: Content::new(content).expect("some words"),
        tags: Tags::new(&[kind, topic.as_str()]).expect("two words"),
        created_at: Time(at),
        updated_at: Time(at),
        scratched_at: None,
    }
}

fn entry(text: &mut Text, idx: usize, plan: &PlanName, session: &SessionKey) -> Entry {
    let category = Category::ALL[idx / 2 % 3];
    let content = text.sentence(24);
    let said = Said {
        pattern: Line::new(&format!("src/{}.rs:{}-60", text.word(), idx % 60)).ok(),
        ..Said::bare(category, core_text(content))
    };
    let at = START + i64::try_from(idx).expect("a small number");
    let session = Some(std::sync::Arc::new(session.clone()));
    Entry { session, ..Entry::new(EntryId(at), plan.clone(), Time(at), said) }
}

fn core_text(content: String) -> entry::Text {
    entry::Text::new(content).expect("some words")
}

/// Sentences of made-up words, the first words of the list far more often than the last.
struct Text(u64);

impl Text {
    const SYLLABLES: [&str; 16] = [
        "ta", "ri", "mo", "ke", "lun", "sa", "per", "to", "vi", "cor", "den", "ba", "shi", "fol",
        "nu", "gra",
    ];
    const N_WORDS: u64 = 4096;

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn word(&mut self) -> String {
        // The product of two draws leans to small numbers.
        let place = (self.next() % Self::N_WORDS) * (self.next() % Self::N_WORDS) / Self::N_WORDS;
        let part = |shift: u64| Self::SYLLABLES[(place >> shift & 15) as usize];
        [part(0), part(4), part(8)].concat()
    }

    fn sentence(&mut self, n_words: usize) -> String {
        let words: Vec<String> = (0..n_words).map(|_| self.word()).collect();
        words.join(" ")
    }
}
