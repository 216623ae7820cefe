//! By which shape a run of characters is told to be a path, a name, a flag, an id or a code.

use vademecum_core::id::is_uuid;

/// Endings by which a bare word is a file.
const ENDINGS: &[&str] = &[
    "rs", "go", "py", "pyi", "ts", "tsx", "js", "jsx", "mjs", "cjs", "json", "jsonl", "toml",
    "yaml", "yml", "md", "mdx", "sh", "bash", "zsh", "fish", "sql", "html", "css", "scss",
    "svelte", "vue", "php", "rb", "java", "kt", "swift", "c", "h", "cc", "cpp", "hpp", "lock",
    "txt", "xml", "proto", "nix", "ex", "exs", "lua", "tf", "ini", "cfg", "env", "bats", "pkl",
    "kdl", "snap", "csv",
];

/// The endings as numbers: a text is looked for among numbers at once.
const PACKED: [u64; ENDINGS.len()] = {
    let mut all = [0; ENDINGS.len()];
    let mut idx = 0;
    while idx < ENDINGS.len() {
        all[idx] = packed(ENDINGS[idx]);
        idx += 1;
    }
    all
};

/// At most eight bytes as one number.
const fn packed(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut word, mut at) = (0, 0);
    while at < bytes.len() {
        word = word << 8 | bytes[at] as u64;
        at += 1;
    }
    word
}

fn is_ending(ending: &str) -> bool {
    (1..=8).contains(&ending.len()) && PACKED.contains(&packed(ending))
}

/// The longest name taken: what is longer is data.
const LONGEST_NAME: usize = 60;

/// Whether a run is a path: a known ending, or folders and some ending, or two folders.
pub(super) fn is_path(run: &str) -> bool {
    let (mut slashes, mut has_letter, mut is_split, mut dot, mut last) = (0, false, false, None, 0);
    for (at, byte) in run.bytes().enumerate() {
        match byte {
            b'/' => {
                slashes += 1;
                is_split |= last == b'/';
            }
            b'.' => dot = Some(at),
            b'a'..=b'z' | b'A'..=b'Z' => has_letter = true,
            _ => {}
        }
        last = byte;
    }
    if !has_letter || is_split {
        return false;
    }
    let ending = dot.map(|at| &run[at + 1..]);
    if slashes == 0 {
        let starts = run.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        return starts && ending.is_some_and(is_ending);
    }
    let ends = ending.is_some_and(|it| {
        (1..=9).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    ends || 2 <= slashes
}

/// Whether a path has neither an ending nor a beginning that only paths have.
pub(super) fn is_loose(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !name.contains('.') && !path.starts_with(['/', '.', '~'])
}

/// The flag that a run starts with.
pub(super) fn flag(run: &str) -> Option<&str> {
    let word = &run[2..];
    let len = word
        .bytes()
        .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
        .count();
    let fits = 3 <= len && word.as_bytes()[0].is_ascii_lowercase();
    fits.then(|| &run[..2 + len])
}

/// Whether a run is a version, an issue, a UUID or a hash.
pub(super) fn is_id(run: &str) -> bool {
    if let Some(number) = run.strip_prefix('#') {
        return (1..=6).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    }
    is_hash(run) || is_version(run) || is_uuid(run)
}

fn is_hash(run: &str) -> bool {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (7..=40).contains(&run.len())
        && run.bytes().all(hex)
        && run.bytes().any(|byte| byte.is_ascii_digit())
        && run.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn is_version(run: &str) -> bool {
    let run = run.strip_prefix('v').unwrap_or(run);
    if !run.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let (numbers, more) = run.split_once('-').unwrap_or((run, "x"));
    let mut parts = 0;
    for part in numbers.split('.') {
        parts += 1;
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
    }
    parts == 3 && !more.is_empty()
}

/// Whether a run is the code of an error: `E0382`, `TS2345`, `ENOENT`.
pub(super) fn is_code(run: &str) -> bool {
    let letters = run.bytes().take_while(u8::is_ascii_uppercase).count();
    let rest = &run.as_bytes()[letters..];
    if rest.is_empty() {
        return run.starts_with('E') && (5..=11).contains(&letters);
    }
    (1..=5).contains(&letters)
        && (3..=5).contains(&rest.len())
        && rest.iter().all(u8::is_ascii_digit)
}

/// The name that a run starts with: two words or more, joined by `_` or by a hump.
pub(super) fn name(run: &str) -> Option<&str> {
    let end = run.bytes().position(|byte| !is_letter(byte)).unwrap_or(run.len());
    if run[end..].starts_with(|c: char| !c.is_ascii()) {
        return None;
    }
    let name = run[..end].trim_matches('_');
    let fits = (5..=LONGEST_NAME).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && is_joined(&run.as_bytes()[..end]);
    fits.then_some(name)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_joined(name: &[u8]) -> bool {
    let name = name.strip_prefix(b"_").unwrap_or(name);
    let humps =
        name.windows(2).any(|two| !two[0].is_ascii_uppercase() && two[1].is_ascii_uppercase());
    humps || name[..name.len().saturating_sub(1)].contains(&b'_')
}
