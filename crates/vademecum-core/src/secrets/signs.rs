//! What `=` and `:` part: passwords and headers, users and passwords of addresses, data of manifests.

use std::ops::Range;

use super::alphabet::{
    Alphabet, BASE64, BETWEEN, COOKIE, HEADER, HEX, KEBAB, LAST, SIGNATURE, looked_at,
};
use super::index::begins;
use super::value::{TOKEN, entropy, is_hash, is_password, is_stand_in, is_token};

/// A credential with its kind.
type Named = (&'static str, Range<usize>);

/// How far a text was looked through by rules that look at more than what is near.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Up to where for values of cookies.
    cookies: usize,
    /// Up to where for line ends, and where the line begins that stands there.
    rows: usize,
    line: usize,
}

/// The credentials around the sign at `at`, which stands behind those that were seen.
pub(super) fn look(bytes: &[u8], at: usize, seen: &mut Seen, found: &mut impl FnMut(Named)) {
    let is_colon = bytes[at] == b':';
    let is_same = |other: usize| bytes.get(other) == Some(&bytes[at]);
    // Paths of code and comparisons assign nothing.
    if is_same(at + 1) || at.checked_sub(1).is_some_and(is_same) {
        return;
    }
    if is_colon && bytes[at..].starts_with(b"://") {
        let address = webhook(bytes, at + 3).or_else(|| address(bytes, at + 3));
        return address.into_iter().for_each(found);
    }
    if let Some(signature) = signature(bytes, at) {
        return found(signature);
    }
    if is_colon && let Some(pair) = pair(bytes, at) {
        return found(pair);
    }
    if is_colon && let Some(user) = user_option(bytes, at) {
        return found(user);
    }
    if is_colon && let Some(password) = passfile(bytes, at) {
        return found(password);
    }
    let name = name(bytes, at);
    let Some(last) = name.last() else { return };
    // Most names end in other letters, and are read no further.
    if !LAST.has(*last) || name.len() < 3 {
        return;
    }
    match Sort::of(name) {
        Some(Sort::Manifest) if is_colon => manifest(bytes, at, found),
        Some(Sort::Attribute) => attribute(bytes, at).into_iter().for_each(found),
        Some(Sort::Cookie) if is_colon => cookies(bytes, at, seen, found),
        Some(_) if bytes[at] == b'|' && !is_row(bytes, at, seen) => {}
        Some(Sort::Password) if is_folder(name, &bytes[at + 1..]) => {}
        Some(sort) => assigned(bytes, at, sort).into_iter().for_each(found),
        None => {}
    }
}

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Password,
    /// `secret_key` of vendors whose keys have any sign in them.
    SecretKey,
    Header,
    /// `Cookie:` and `Set-Cookie:`.
    Cookie,
    /// `value="…"` of a setting, whose name stands in another attribute.
    Attribute,
    /// `kind: Secret` of Kubernetes.
    Manifest,
}

impl Sort {
    fn of(name: &[u8]) -> Option<Self> {
        let ends = |word: &str| {
            let start = name.len().checked_sub(word.len());
            start.is_some_and(|start| name[start..].eq_ignore_ascii_case(word.as_bytes()))
        };
        let any = |words: &[&str]| words.iter().any(|word| ends(word));
        if any(&["password", "passwd", "pwd", "passphrase", "pass", "passwort"]) {
            Some(Self::Password)
        } else if any(&["authorization", "authentication"]) {
            Some(Self::Header)
        } else if any(&["cookie"]) {
            Some(Self::Cookie)
        } else if any(&["secret_key"]) {
            Some(Self::SecretKey)
        } else if name.eq_ignore_ascii_case(b"value") {
            Some(Self::Attribute)
        } else {
            name.eq_ignore_ascii_case(b"kind").then_some(Self::Manifest)
        }
    }
}

/// Whether the working directory of a shell is what stands there.
fn is_folder(name: &[u8], value: &[u8]) -> bool {
    let is_named = [&b"pwd"[..], b"oldpwd"].iter().any(|it| name.eq_ignore_ascii_case(it));
    let value = value.trim_ascii_start();
    is_named && [&b"/"[..], b"~/", b"./"].iter().any(|start| value.starts_with(start))
}

/// The name right before a sign.
fn name(bytes: &[u8], at: usize) -> &[u8] {
    // Tables of settings are aligned: a dozen blanks may stand before a sign.
    let end = at - BETWEEN.run_back(bytes, at, 12);
    // The longest names of secrets have about thirty characters.
    let name = &bytes[end - KEBAB.run_back(bytes, end, 40)..end];
    // Emphasis by underscores is of the text and not of the name.
    &name[..name.iter().rposition(|byte| *byte != b'_').map_or(0, |last| last + 1)]
}

/// Whether the `|` at `at` parts the cells of a table, and no commands.
fn is_row(bytes: &[u8], at: usize, seen: &mut Seen) -> bool {
    if let Some(end) = memchr::memrchr(b'\n', &bytes[seen.rows..at]) {
        seen.line = seen.rows + end + 1;
    }
    looked_at(at - seen.rows);
    seen.rows = at;
    bytes[seen.line..at].trim_ascii_start().starts_with(b"|")
}

/// How many bytes from `at` on only end or begin emphasis: of the name before the sign, or of its value.
fn n_marks(bytes: &[u8], sign: usize, at: usize) -> usize {
    let rest = &bytes[at..];
    let n_marks = rest.iter().take(3).take_while(|byte| b"*_".contains(byte)).count();
    let next = rest.get(n_marks).copied().unwrap_or(b' ');
    if !next.is_ascii_whitespace() {
        // A row of stars stands for a secret.
        return if rest[..n_marks].contains(&b'_') { 0 } else { n_marks };
    }
    let before = &bytes[sign.saturating_sub(48)..sign];
    let opens = |pair: &[u8]| b"*_".contains(&pair[0]) && pair[1].is_ascii_alphabetic();
    let is_label = at == sign + 1 && bytes[sign] == b':' && before.windows(2).any(opens);
    if is_label { n_marks } else { 0 }
}

/// The longest password that is told from code.
const PASSWORD: usize = 200;

/// A value behind a sign, without its quotes; one without quotes ends at the latest behind [`PASSWORD`] bytes.
struct Value {
    span: Range<usize>,
    is_quoted: bool,
}

fn value(bytes: &[u8], at: usize) -> Value {
    let skip = |at: usize, most: usize, set: &[u8]| {
        at + bytes[at..].iter().take(most).take_while(|byte| set.contains(byte)).count()
    };
    let signs = skip(at, 3, b"=:>?|");
    let label = signs + n_marks(bytes, at, signs);
    let start = skip(label, 8, b" \t");
    let start = start + n_marks(bytes, at, start);
    let escaped = if bytes[start..].starts_with(b"\\") { start + 1 } else { start };
    if let Some(quote @ (b'"' | b'\'' | b'`')) = bytes.get(escaped) {
        let from = escaped + 1;
        let rest = &bytes[from..];
        let is_end = |byte: &u8| byte == quote || *byte == b'\n';
        let n_value = rest.iter().position(is_end).unwrap_or(rest.len());
        let n_value = if rest[..n_value].ends_with(b"\\") { n_value - 1 } else { n_value };
        return Value { span: from..from + n_value, is_quoted: rest.get(n_value) != Some(&b'\n') };
    }
    let rest = &bytes[start..];
    let is_end = |byte: u8| byte.is_ascii_whitespace() || b",;)}]>\"'|<`".contains(&byte);
    let ends = |idx: &usize| is_end(rest[*idx]) || (rest[*idx] == b'&' && parts(&rest[idx + 1..]));
    // Past the longest that any rule takes nothing is looked at: another sign may stand at each of its bytes.
    let n_rest = rest.len().min(PASSWORD + 1);
    let n_value = (0..n_rest).find(ends).unwrap_or(n_rest);
    looked_at(n_value);
    let is_marked = start != 0 && bytes[start - 1] == b'*';
    let n_value = if is_marked {
        rest[..n_value].iter().rposition(|it| *it != b'*').map_or(0, |at| at + 1)
    } else {
        n_value
    };
    Value { span: start..start + n_value, is_quoted: false }
}

/// Whether the `&` before `rest` parts words of a shell or fields of an address, and is no sign of a value.
fn parts(rest: &[u8]) -> bool {
    let n_name = rest.iter().take(40).take_while(|byte| KEBAB.has(**byte)).count();
    let is_field = 0 < n_name && rest.get(n_name) == Some(&b'=');
    is_field || rest.first().is_none_or(|byte| *byte == b'&' || byte.is_ascii_whitespace())
}

fn assigned(bytes: &[u8], at: usize, sort: Sort) -> Option<Named> {
    let Value { span, is_quoted } = value(bytes, at);
    let text = &bytes[span.clone()];
    match sort {
        Sort::Password if PASSWORD < span.len() => None,
        Sort::Password => is_password(text, is_quoted).then_some(("password", span)),
        Sort::SecretKey => vendor_key(bytes, span.start),
        Sort::Header => header(bytes, span.start),
        Sort::Attribute | Sort::Manifest | Sort::Cookie => None,
    }
}

/// A key of Freemius: any sign may stand in it, quotes too.
fn vendor_key(bytes: &[u8], start: usize) -> Option<Named> {
    let rest = &bytes[start..bytes.len().min(start + 32)];
    let n_key = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let is_key = begins(rest, "sk_") && 16 < n_key && 30 <= entropy(&rest[..n_key]);
    is_key.then_some(("vendor-secret-key", start..start + n_key))
}

/// What an `Authorization` header shows, behind the word of its scheme.
fn header(bytes: &[u8], start: usize) -> Option<Named> {
    let schemes = ["bearer ", "basic ", "token ", "api-token ", "apikey ", "digest "];
    let scheme = schemes.iter().find(|word| begins(&bytes[start..], word));
    let from = start + scheme.map_or(0, |word| word.len());
    let from = from + bytes[from..].iter().take(4).take_while(|byte| **byte == b' ').count();
    // Behind the blank of a scheme no other value's run goes on.
    let most = if scheme.is_some() { usize::MAX } else { TOKEN + 1 };
    let end = from + HEADER.run_to(bytes, from, most);
    let text = &bytes[from..end];
    let has_digit = text.iter().any(u8::is_ascii_digit) || 16 <= text.len();
    let is_shown = 8 <= text.len() && has_digit && (scheme.is_some() || is_token(text));
    (is_shown && !is_stand_in(text)).then_some(("authorization-header", from..end))
}

/// The password of an address such as `https://user:password@host`.
fn address(bytes: &[u8], start: usize) -> Option<Named> {
    // A host with its user is short; what has no `@` by then is another text.
    let rest = &bytes[start..bytes.len().min(start + 300)];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"/?#\"'`<>\\,".contains(byte);
    let authority = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
    let end = authority.iter().rposition(|byte| *byte == b'@')?;
    let colon = authority.iter().position(|byte| *byte == b':').filter(|colon| *colon < end)?;
    let (user, password) = (&authority[..colon], &authority[colon + 1..end]);
    let is_plain = password == user || [&b"password"[..], b"pass", b"secret"].contains(&password);
    let is_secret = 3 <= password.len() && !is_plain && !is_stand_in(password);
    is_secret.then_some(("password-in-address", start + colon + 1..start + end))
}

/// An address that lets whoever knows it write to a channel.
fn webhook(bytes: &[u8], start: usize) -> Option<Named> {
    let rest = &bytes[start..];
    // Teams writes five UUIDs one after the other.
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>\\),".contains(byte);
    let n_address = rest.iter().take(400).position(is_end).unwrap_or(rest.len().min(400));
    let address = &rest[..n_address];
    let discord = ["discord.com/", "discordapp.com/", "ptb.discord.com/", "canary.discord.com/"];
    let is_discord = discord.into_iter().find(|host| begins(address, host));
    let is_hook = begins(address, "hooks.slack.com/")
        || is_discord.is_some_and(|host| begins(&address[host.len()..], "api/webhooks/"))
        || memchr::memmem::find(address, b".webhook.office.com/").is_some();
    // Shorter ones are the documents' own, without the secret at their end.
    (is_hook && 60 <= n_address).then_some(("webhook-address", start..start + n_address))
}

/// The signature of an address of Azure, which lets whoever has it read what the address names.
fn signature(bytes: &[u8], at: usize) -> Option<Named> {
    let name = bytes.get(at.checked_sub(4)?..=at)?;
    if !(name[1..].eq_ignore_ascii_case(b"sig=") && b"?&;".contains(&name[0])) {
        return None;
    }
    let start = at + 1;
    let end = start + SIGNATURE.run(bytes, start);
    let text = &bytes[start..end];
    (40 <= text.len() && 35 <= entropy(text)).then_some(("azure-signature", start..end))
}

/// The values of a `Cookie` header that were made at random, its attributes among them.
fn cookies(bytes: &[u8], at: usize, seen: &mut Seen, found: &mut impl FnMut(Named)) {
    let line = &bytes[at..bytes.len().min(at + 4_096)];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    looked_at(line.len() / 16); // Many at once.
    let from = seen.cookies.clamp(at, at + line.len());
    seen.cookies = at + line.len();
    for sign in memchr::memchr_iter(b'=', &line[from - at..]) {
        let start = from + sign + 1;
        let n_value = COOKIE.run_to(bytes, start, TOKEN + 1);
        // A longer one is an id, or nothing.
        let n_value = if n_value <= TOKEN { n_value } else { HEX.run(bytes, start) };
        let end = start + n_value;
        let is_whole = bytes.get(end).is_none_or(|byte| !COOKIE.has(*byte));
        let text = &bytes[start..end];
        let is_id = 24 <= text.len() && is_hash(text) && 30 <= entropy(text);
        if is_whole && (is_id || is_token(text)) {
            found(("cookie", start..end));
        }
    }
}

/// The two halves of a key for the gems of Sidekiq, whose colon stands at `at`.
fn pair(bytes: &[u8], at: usize) -> Option<Named> {
    let is_half = |half: Option<&[u8]>| half.is_some_and(|it| it.iter().all(|byte| HEX.has(*byte)));
    let (start, end) = (at.checked_sub(8)?, at + 9);
    if !is_half(bytes.get(start..at)) || !is_half(bytes.get(at + 1..end)) {
        return None;
    }
    let before = &bytes[start.saturating_sub(80)..start];
    let is_named = before.windows(15).any(|it| it.eq_ignore_ascii_case(b"contribsys__com"));
    is_named.then_some(("sidekiq-secret", start..end))
}

/// The ports at which databases and their pools listen; `*` stands for any.
const PORTS: [&[u8]; 5] = [b"*", b"5432", b"5433", b"6432", b"6543"];

/// The password of a line `host:port:database:user:password` of a `.pgpass`, whose first colon stands at `at`.
fn passfile(bytes: &[u8], at: usize) -> Option<Named> {
    const FIELD: Alphabet = KEBAB.and(Alphabet::of(".*"));
    let n_port = bytes.get(at + 1..)?.iter().take(5).take_while(|it| it.is_ascii_digit()).count();
    let n_port = n_port.max(usize::from(bytes.get(at + 1) == Some(&b'*')));
    let port = &bytes[at + 1..at + 1 + n_port];
    if n_port != 1 && n_port < 4 || n_port == 1 && port != b"*" {
        return None;
    }
    let host = &bytes[at - FIELD.run_back(bytes, at, 80)..at];
    let mut end = at + 1 + n_port;
    for _ in ["database", "user"] {
        let n_field = FIELD.run_to(bytes, end + 1, 64);
        if bytes.get(end) != Some(&b':') || n_field == 0 {
            return None;
        }
        end += 1 + n_field;
    }
    // Parts of an address of version 6 are no hosts.
    let is_name = |text: &[u8]| text.iter().any(|byte| *byte != b':' && !HEX.has(*byte));
    let is_host = 4 < host.len() || is_name(host) || is_name(&bytes[at + 1 + n_port..end]);
    if host.is_empty() || !is_host || bytes.get(end) != Some(&b':') {
        return None;
    }
    let rest = &bytes[end + 1..bytes.len().min(end + 1 + PASSWORD)];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"'\"`".contains(byte);
    let text = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
    let is_known = PORTS.contains(&port) && 4 <= text.len() && !is_stand_in(text);
    let is_secret = !text.contains(&b':') && (is_known || is_password(text, true));
    is_secret.then(|| ("password", end + 1..end + 1 + text.len()))
}

/// The value of `curl -u user:password`, whose colon stands at `at`.
fn user_option(bytes: &[u8], at: usize) -> Option<Named> {
    let is_apart =
        |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b':');
    if at == 0 || is_apart(bytes.get(at + 1)) || is_apart(bytes.get(at - 1)) {
        return None;
    }
    // Most colons stand in no argument of an option: that is seen in the few bytes before them.
    let from = at.saturating_sub(64);
    let before = &bytes[from..at];
    let option = [&b"-u"[..], b"--user"].into_iter().find_map(|option| {
        let begins = |place: &usize| before[*place..].starts_with(option);
        let place = memchr::memrchr_iter(b'-', before).find(begins)?;
        (place == 0 || before[place - 1].is_ascii_whitespace()).then_some(place + option.len())
    })?;
    let arg = from
        + option
        + bytes[from + option..at].iter().take_while(|it| b" =\t".contains(it)).count();
    let line = &bytes[at.saturating_sub(400)..arg];
    if !line.windows(4).any(|word| word.eq_ignore_ascii_case(b"curl")) {
        return None;
    }
    let end = end_of_argument(bytes, arg);
    let first = arg + usize::from(bytes.get(arg).is_some_and(|it| b"'\"".contains(it)));
    let is_mark = |at: usize| bytes.get(at).is_some_and(|byte| b"$<{[".contains(byte));
    let is_reference = is_mark(first) || is_mark(at + 1);
    let has_gap = bytes.get(arg).is_some_and(|it| !b"'\"".contains(it)) && end <= at;
    (!is_reference && !has_gap && at + 3 <= end).then_some(("curl-user", arg..end))
}

fn end_of_argument(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..];
    let is_end = |byte: &u8| byte.is_ascii_whitespace();
    let n_argument = match rest.first() {
        Some(quote @ (b'"' | b'\'')) => {
            rest[1..].iter().position(|byte| byte == quote).map(|place| place + 2)
        }
        Some(_) | None => None,
    };
    start + n_argument.or_else(|| rest.iter().position(is_end)).unwrap_or(rest.len())
}

/// The value of a setting of NuGet whose key ends in `Password`.
fn attribute(bytes: &[u8], at: usize) -> Option<Named> {
    let before = &bytes[at.saturating_sub(40)..at];
    let is_password = before
        .windows(9)
        .any(|word| word[..8].eq_ignore_ascii_case(b"password") && matches!(word[8], b'"' | b'\\'));
    let Value { span, is_quoted } = value(bytes, at);
    let is_reference = bytes.get(span.start).is_some_and(|byte| b"%$<{[".contains(byte));
    let is_secret = is_password && is_quoted && 8 <= span.len() && !is_reference;
    is_secret.then_some(("nuget-password", span))
}

/// How far the parts of a Kubernetes secret lie apart.
const MANIFEST: usize = 1_200;

/// The values below `data:` of a manifest whose kind is a secret; its `kind:` has its colon at `at`.
fn manifest(bytes: &[u8], at: usize, found: &mut impl FnMut(Named)) {
    let kind = value(bytes, at).span.start;
    let kind = if bytes.get(kind) == Some(&b'"') { kind + 1 } else { kind };
    if !begins(&bytes[kind..], "secret") {
        return;
    }
    let (from, to) = (at.saturating_sub(MANIFEST), bytes.len().min(at + MANIFEST));
    let around = &bytes[from..to];
    let Some(data) = around.windows(5).position(|word| word.eq_ignore_ascii_case(b"data:")) else {
        return;
    };
    let mut place = data + 5;
    while let Some(colon) = memchr::memchr(b':', &around[place..]) {
        let start = place + colon + 1;
        let n_gap =
            around[start..].iter().take(12).take_while(|it| b" \t'\"|\n>".contains(it)).count();
        let value = from + start + n_gap;
        let n_value = BASE64.run(bytes, value);
        if 10 <= n_value {
            found(("kubernetes-secret", value..value + n_value));
        }
        place = (start + n_gap + n_value).min(around.len());
    }
}
