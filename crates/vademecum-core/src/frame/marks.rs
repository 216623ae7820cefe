//! Finds the characters that make a text more than text: frames, voices, and what is not seen.

/// The places, rising, of the characters of a text that a guard must escape.
pub(super) struct Marks<'a> {
    text: &'a str,
    at: usize,
    line_start: usize,
    is_marked: fn(&str, usize, char, usize) -> bool,
}

impl<'a> Marks<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, line_start: 0, is_marked }
    }

    /// Those alone that no eye would see, and that a terminal may obey.
    pub(super) fn unseen(text: &'a str) -> Self {
        Self { is_marked: is_hidden, ..Self::new(text) }
    }
}

impl Iterator for Marks<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        loop {
            let step = bytes[self.at..].iter().position(|&byte| IS_SUSPECT[usize::from(byte)])?;
            let at = self.at + step;
            let c = self.text[at..].chars().next()?;
            self.at = at + c.len_utf8();
            if c == '\n' {
                self.line_start = self.at;
            } else if (self.is_marked)(self.text, at, c, self.line_start) {
                return Some(at);
            }
        }
    }
}

/// The bytes at which a character can begin that needs a look; all others are passed over.
static IS_SUSPECT: [bool; 256] = suspects();

const fn suspects() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = byte != b'\t' as usize;
        byte += 1;
    }
    table[b'<' as usize] = true;
    table[b'[' as usize] = true;
    table[b':' as usize] = true;
    table[0x7f] = true;
    // First bytes of the characters of `is_unseen`, and of the full-width colon.
    let leads = [0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf0, 0xf3];
    let mut idx = 0;
    while idx < leads.len() {
        table[leads[idx]] = true;
        idx += 1;
    }
    table
}

fn is_marked(text: &str, at: usize, c: char, line_start: usize) -> bool {
    let after = &text[at + c.len_utf8()..];
    match c {
        '<' => opens_frame(after),
        '[' => opens_bracket(after, &text[line_start..at]),
        // An address such as `vade://notepad` is nobody's voice.
        ':' | '：' => !after.starts_with("//") && ends_voice(&text[line_start..at]),
        _ => is_hidden(text, at, c, line_start),
    }
}

fn is_hidden(text: &str, at: usize, c: char, _line_start: usize) -> bool {
    let after = &text[at + c.len_utf8()..];
    match c {
        '\r' => !after.starts_with('\n'),
        _ => is_unseen(c) && !is_needed(c, &text[..at], after),
    }
}

// Frames

/// Openers of frames whose names are one plain word, in small letters or in capitals only, since
/// `Vec<User>` is code.
#[rustfmt::skip]
const FRAME_WORDS: [&str; 23] = [
    "analysis", "assistant", "bos", "critical", "developer", "end_of_turn", "eos", "functions",
    "human", "important", "instruction", "instructions", "invoke", "permissions",
    "reminder", "s", "start_of_turn", "summary", "system", "think", "thinking", "user", "wisdom",
];

/// How the names of other frames begin, whatever their case.
#[rustfmt::skip]
const FRAME_STARTS: [&str; 38] = [
    "agent-", "agent_", "antml", "assistant-", "assistant_", "available_", "bash-", "claude-",
    "codex", "collaboration_mode", "command-", "context_", "developer-", "developer_",
    "environment_", "extremely", "function_", "hook-", "hook_", "human-", "human_", "ide_",
    "local-command", "memory-", "new-diagnostics", "persisted-", "session-start", "session_start",
    "subagent", "system-", "system_", "task-", "tool-", "tool_", "turn_", "user-", "user_", "vade",
];

/// Whether a `<` before `after` opens or closes a frame.
fn opens_frame(after: &str) -> bool {
    let mut rest = after.bytes();
    match rest.next() {
        Some(b'|') => rest.next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
        Some(b'<') => starts_with(after, "<SYS"),
        Some(b'/') => closes_frame(&after[1..]),
        Some(b' ' | b'\t') => {
            after.trim_start_matches([' ', '\t']).strip_prefix('/').is_some_and(closes_frame)
        }
        Some(0xef) => after.starts_with('｜'),
        Some(byte) if byte.is_ascii_alphabetic() => is_frame(name(after)),
        Some(_) | None => false,
    }
}

fn is_frame(name: &str) -> bool {
    let is_id = name.ends_with("_id") || name.ends_with("-id");
    let is_plain = !name.bytes().any(|byte| byte.is_ascii_uppercase())
        || 1 < name.len() && !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let is_word = is_plain && FRAME_WORDS.iter().any(|word| name.eq_ignore_ascii_case(word));
    is_word
        || name.eq_ignore_ascii_case("work_context")
        || !is_id && FRAME_STARTS.iter().any(|start| starts_with(name, start))
}

/// Elements of HTML and SVG, in order, whose closers are code and no frame; `output`, `s` and
/// `summary` are left out, since models and harnesses frame with them.
#[rustfmt::skip]
const ELEMENTS: [&str; 104] = [
    "a", "abbr", "address", "article", "aside", "audio", "b", "bdi", "bdo", "big", "blockquote",
    "body", "br", "button", "canvas", "caption", "center", "circle", "cite", "code", "col",
    "colgroup", "datalist", "dd", "defs", "del", "details", "dfn", "dialog", "div", "dl", "dt",
    "em", "embed", "fieldset", "figcaption", "figure", "font", "footer", "form", "g", "h1", "h2",
    "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "img",
    "input", "ins", "kbd", "label", "legend", "li", "line", "link", "main", "map", "mark", "menu",
    "meta", "meter", "nav", "noscript", "ol", "optgroup", "option", "p", "path", "picture", "pre",
    "progress", "q", "rect", "script", "section", "select", "slot", "small", "span", "strike",
    "strong", "style", "sub", "sup", "svg", "table", "tbody", "td", "template", "textarea",
    "tfoot", "th", "thead", "title", "tr", "tt",
];

/// Folders at the root that shells read from: `cmd </dev/null`.
const ROOTS: [&str; 7] = ["dev", "etc", "home", "proc", "tmp", "usr", "var"];

/// Whether `</` before `after` closes a frame: what is no known element, component or path may.
fn closes_frame(after: &str) -> bool {
    if after.starts_with(['|', '｜']) {
        return true;
    }
    let after = after.trim_start();
    let name = name(after);
    if name.is_empty() {
        return after.starts_with(char::is_alphabetic);
    }
    if ELEMENTS.binary_search(&name).is_ok() {
        return false;
    }
    let is_path = after[name.len()..].starts_with('/') && ROOTS.contains(&name);
    !is_path && !is_component(name)
}

/// Whether `name` is that of a component: `Provider`, `Form.Field`, but not `System`.
fn is_component(name: &str) -> bool {
    let is_pascal = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().any(|byte| byte.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
    let small = name.to_ascii_lowercase();
    let is_voice = small.split('.').any(|part| FRAME_WORDS.contains(&part));
    is_pascal && !is_voice && !FRAME_STARTS.iter().any(|start| small.starts_with(start))
}

/// The tag name that `text` starts with.
fn name(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())]
}

/// What stands in brackets where a model or one of our own blocks begins or ends.
const BRACKETS: [&str; 9] = [
    "INST]",
    "/INST]",
    "AVAILABLE_TOOLS]",
    "TOOL_CALLS]",
    "TOOL_RESULTS]",
    "SYSTEM_PROMPT]",
    "vade receipt",
    "End Scratchpad",
    "Session Scratchpad",
];

fn opens_bracket(after: &str, before: &str) -> bool {
    if BRACKETS.iter().any(|bracket| starts_with(after, bracket)) {
        return true;
    }
    let name = &after[..after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len())];
    is_voice(name) && is_decoration(before)
}

// Voices

const VOICES: [&str; 5] = ["Human", "User", "Assistant", "System", "Developer"];

/// With what every line of ours to a model begins, before a colon.
const OURS: &str = "vade";

/// Whether `line`, which a colon follows, is the name of another voice, or our own.
///
/// It is read from its end and stops at the name or colon before, so that a long line of them costs no more than another.
fn ends_voice(line: &str) -> bool {
    let named = line.trim_end_matches(is_decorative);
    let before = named.trim_end_matches(char::is_alphanumeric);
    let name = &named[before.len()..];
    if let Some(at) = name.len().checked_sub(OURS.len())
        && name.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(OURS))
    {
        // Behind a list's mark, a number or a time a reader takes it for ours, too.
        return !line[..before.len() + at].chars().rev().any(char::is_alphabetic);
    }
    is_voice(name) && is_decoration(before)
}

/// Whether `name` is that of a voice, with a capital or in capitals: `user:` is a key in YAML.
fn is_voice(name: &str) -> bool {
    let is_shouted = name.bytes().all(|byte| byte.is_ascii_uppercase());
    VOICES.iter().any(|&voice| name == voice || is_shouted && name.eq_ignore_ascii_case(voice))
}

fn is_decoration(text: &str) -> bool {
    text.chars().rev().all(is_decorative)
}

/// Whether Markdown or a quotation may put `c` around a name.
fn is_decorative(c: char) -> bool {
    c.is_whitespace() || matches!(c, '#' | '*' | '_' | '>' | '`' | '"' | '“' | '”') || is_unseen(c)
}

fn starts_with(text: &str, start: &str) -> bool {
    text.as_bytes()
        .get(..start.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

// What is not seen

/// Whether `c` has no shape of its own, or changes the order or the lines of what is seen.
fn is_unseen(c: char) -> bool {
    let is_control = c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    is_control
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the text could not be written without `c`: joiners and the choice of an emoji's look.
fn is_needed(c: char, before: &str, after: &str) -> bool {
    let last = before.chars().next_back();
    let next = after.chars().next();
    match c {
        '\u{200d}' if last.is_some_and(is_pictorial) => next.is_some_and(is_pictorial),
        '\u{200c}' | '\u{200d}' => last.is_some_and(is_joining) && !next.is_some_and(is_unseen),
        '\u{200b}' => last.is_some_and(is_unspaced) && next.is_some_and(is_unspaced),
        '\u{fe0e}' | '\u{fe0f}' => last.is_some_and(takes_look),
        _ => false,
    }
}

fn takes_look(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '#' | '*' | '©' | '®' | '\u{203c}' | '\u{2049}') || is_sign(c)
}

fn is_pictorial(c: char) -> bool {
    is_sign(c) || c == '\u{fe0f}'
}

fn is_sign(c: char) -> bool {
    matches!(c, '\u{2100}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
        && !is_unseen(c)
}

/// Letters of Arabic and of the scripts of India and its neighbours.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}')
        && !is_unseen(c)
}

/// Letters of scripts that write no blanks, and may mark where a line can break.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
        && !is_unseen(c)
}
