//! The gate: what of our own samples is found, what is left alone, and that a rule less is seen.

use proptest::prelude::*;

use super::samples::{Sample, all, harmless};
use super::*;

/// The text without its secrets, found by all rules but those of `off`.
fn clean_without(text: &str, off: Option<&str>) -> String {
    let mut clean = String::new();
    let mut end = 0;
    for Found { kind, span } in find(text).into_iter().filter(|it| Some(it.kind) != off) {
        clean.push_str(&text[end..span.start]);
        clean.push_str(&stand_in(kind));
        end = span.end;
    }
    clean + &text[end..]
}

fn clean(text: &str) -> String {
    clean_without(text, None)
}

/// A text as it comes from a person, from JSON, from code, from a shell.
fn placements(text: &str) -> [String; 6] {
    let json = serde_json::json!({ "text": text }).to_string();
    let quoted = text.replace('\'', "\"");
    [
        text.to_owned(),
        format!("please look: {text} and go on"),
        format!("the line ends with {text}"),
        json,
        format!("run `x '{quoted}'` now"),
        format!("```\n{text}\n```\n"),
    ]
}

/// The kinds of which a sample is not taken out somewhere.
fn missed(samples: &[Sample], off: Option<&str>) -> Vec<&'static str> {
    let is_missed = |sample: &&Sample| {
        placements(&sample.text).iter().any(|it| clean_without(it, off).contains(&sample.secret))
    };
    samples.iter().filter(is_missed).map(|sample| sample.kind).collect()
}

#[test]
fn every_kind_has_a_sample_and_every_sample_is_found() {
    for seed in 0..8 {
        let samples = all(seed);
        let mut kinds_of: Vec<_> = samples.iter().map(|sample| sample.kind).collect();
        kinds_of.sort_unstable();
        kinds_of.dedup();
        assert_eq!(kinds_of, kinds());
        assert_eq!(missed(&samples, None), Vec::<&str>::new(), "seed {seed}");
    }
}

#[test]
fn a_rule_less_turns_the_gate_red() {
    let samples = all(1);
    for kind in kinds() {
        assert!(missed(&samples, Some(kind)).contains(&kind), "{kind}");
    }
}

#[test]
fn harmless_strings_are_left_alone() {
    for seed in 0..4 {
        let texts = harmless(seed, 2_000);
        let flagged: Vec<_> = texts.iter().filter(|text| !find(text).is_empty()).collect();
        // Half a percent: more, and people would switch it off.
        assert!(flagged.len() <= 10, "{flagged:?}");
    }
}

#[test]
fn what_was_replaced_is_not_replaced_again() {
    for sample in all(2) {
        for text in placements(&sample.text) {
            let once = clean(&text);
            assert_eq!(clean(&once), once);
        }
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(clean(text), expected);
}

#[test]
fn passwords_are_told_from_what_stands_for_them() {
    check("password: 'hunter-22'", "password: '[secret replaced: password]'");
    check("DB_PASSWORD=s3cr!tPw9 next", "DB_PASSWORD=[secret replaced: password] next");
    check("password=abc123def", "password=[secret replaced: password]");
    check("PWD=qwerty12345; x", "PWD=[secret replaced: password]; x");
    check("passwd: aB3$dE6&gH9", "passwd: [secret replaced: password]");
    check("password: Tr0ub4dor&3", "password: [secret replaced: password]");
    check("?password=s3cr!tPw9&next=1", "?password=[secret replaced: password]&next=1");
    check("PASSWORD=s3cr!tPw9&& make", "PASSWORD=[secret replaced: password]&& make");
    check(r#"{"passwd": "a1b2c3d4"}"#, r#"{"passwd": "[secret replaced: password]"}"#);
    check(
        "mysql://root:r00t-pw@localhost/x",
        "mysql://root:[secret replaced: password-in-address]@localhost/x",
    );
    check(
        "Next I pass API_SECRET=\"a1B2c3D4e5F6g7H8j9\" to it",
        "Next I pass API_SECRET=\"[secret replaced: generic-secret]\" to it",
    );
    for harmless in [
        "public key: a1B2c3D4e5F6g7H8j9",
        "next_token=a1B2c3D4e5F6g7H8j9",
        "password: String",
        "make: PWD=/home/dev/web3 OLDPWD=/home/dev/api2",
        "password = getpass()",
        "password = args.password2",
        "password = password2",
        "password: sha256sum",
        "password: '<your password>'",
        "password = \"$DB_PASSWORD\"",
        "PASSWORD=${PASSWORD:-x1}",
        "the password: see the vault",
        "if password == 'hunter-22' {",
        "https://user:password@example.com",
        "postgres://postgres:postgres@localhost",
        "https://$USER:$TOKEN@host/x",
        "ssh://git@github.com:22/x",
        "curl -u \"$USER:$PASSWORD\" https://x",
        "docker run -u 1000:1000 image",
        "Authorization: Bearer <token>",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    ] {
        check(harmless, harmless);
    }
}

/// A password and a key in two pieces each, so that no file of ours holds one.
fn password() -> String {
    ["Xk29fj", "!!dk3Q"].concat()
}

fn token() -> String {
    ["9aK2mQ7xL4pR8sT1v", "W5yZ3bC6dE0fGhJ2kM4"].concat()
}

#[test]
fn marks_of_markdown_and_html_hide_nothing() {
    let (password, token) = (password(), token());
    let gone = stand_in("password");
    check(&format!("**Password:** {password} x"), &format!("**Password:** {gone} x"));
    check(&format!("- **DB password**: `{password}`"), &format!("- **DB password**: `{gone}`"));
    check(&format!("__Password:__ {password}"), &format!("__Password:__ {gone}"));
    check(&format!("_password_: **{password}**"), &format!("_password_: **{gone}**"));
    check(&format!("| `password` | {password} |"), &format!("| `password` | {gone} |"));
    check(&format!("the password \"{password}\" is"), &format!("the password \"{gone}\" is"));
    let gone = stand_in("generic-secret");
    check(&format!("**API key:** `{token}`"), &format!("**API key:** `{gone}`"));
    check(&format!("a\napi_key=<b>{token}</b>\nb"), &format!("a\napi_key=<b>{gone}</b>\nb"));
    let gone = stand_in("github-token");
    check(&format!("a **ghp_**{token} b"), &format!("a **{gone} b"));
    check(&format!("a ghp_`{token}` b"), &format!("a {gone}` b"));
    check(&format!("x\n\n<i>ghp_</i>{token}\ny"), &format!("x\n\n<i>{gone}\ny"));
}

#[test]
fn control_sequences_hide_nothing() {
    let (password, token) = (password(), token());
    let (on, off) = ("\u{1b}[01;31m\u{1b}[K", "\u{1b}[m\u{1b}[K");
    let gone = stand_in("github-token");
    check(&format!(".env:TOKEN={on}ghp_{off}{token}\n"), &format!(".env:TOKEN={on}{gone}\n"));
    check(&format!("ghp_{}\0{}", &token[..9], &token[9..]), &gone);
    let text = format!("password\u{1b}[0m=\u{1b}[36m{password}\u{1b}[0m refused");
    assert!(!clean(&text).contains(&password), "{}", clean(&text));
}

#[test]
fn options_and_random_words_are_found() {
    let (password, token) = (password(), token());
    let gone = stand_in("password");
    check(&format!("mysql -uroot -p{password} x"), &format!("mysql -uroot -p{gone} x"));
    check(&format!("redis-cli -a '{password}' x"), &format!("redis-cli -a '{gone}' x"));
    check(&format!("docker login -u a -p {password}"), &format!("docker login -u a -p {gone}"));
    check(&["docker login -p hunter2", "secret x"].concat(), &format!("docker login -p {gone} x"));
    check(&format!("openssl enc -k {password} -d"), &format!("openssl enc -k {gone} -d"));
    check(&format!("The password is {password} now"), &format!("The password is {gone} now"));
    check(&format!("x --password {password}"), &format!("x --password {gone}"));
    check(&["wget --password=Rwx7", "iPqJNI x"].concat(), &format!("wget --password={gone} x"));
    check(&["password: J2TO", "XbKyadVw"].concat(), &format!("password: {gone}"));
    let gone = stand_in("generic-secret");
    check(&format!("x --token \"{token}\""), &format!("x --token \"{gone}\""));
    let letters = ["dRAALefmcMWlfebw", "NEJIEbTXevfYuaD9"].concat();
    check(&format!("api_key: {letters}"), &format!("api_key: {gone}"));
    for harmless in [
        "echo $password | sha512sum",
        "cargo install --token $CRATES_TOKEN",
        "x --password-stdin < file-2.txt",
        "tar -pxf a1.tar; mysql -p shop",
        "docker run -p 8080:80 x; ssh login@host -p 2222",
        "docker login with -p is told to all; openssl enc -k likewise",
        "the password is base64-encoded, the other password is sha256 of it",
        "| password | the user's own, 8 to 64 signs |",
        "password=*** host=db-1.example",
        "user=*** password=**** next1!abc",
        "pub PresentHistoryToken: D3DKMT_PRESENTHISTORYTOKEN_0,",
        "Cookie: session=<id>; theme=dark",
        "token: getUserAccessTokenFromRequest",
    ] {
        check(harmless, harmless);
    }
}

/// Behind these any word is a password: the rules that look at words alone let names and plain words through.
#[test]
fn commands_are_known_by_what_they_are_given() {
    let gone = stand_in("password");
    for word in ["plumtree", &["correct", "horse9"].concat(), "a/b c:d"] {
        let quoted = format!("'{word}'");
        let bare = if word.contains(' ') { &*quoted } else { word };
        for command in [
            "htpasswd -b /etc/nginx/.htpasswd bob BARE",
            "htpasswd -cbB -C 10 f bob BARE",
            "htpasswd -nb bob BARE",
            "echo 'bob:WORD' | sudo chpasswd",
            "chpasswd <<< \"bob:WORD\"",
            "echo x | docker login --password-stdin; chpasswd <<< \"bob:WORD\"",
            "cd x && echo BARE | sudo -S apt update | tail -1",
            "printf '%s\\n' BARE | sudo -S -k true",
            "sudo -S true <<< BARE",
            "echo BARE | docker login -u bob --password-stdin",
            "echo -n BARE | passwd --stdin bob",
            "zip -r -P BARE a.zip b",
            "unzip -P BARE a.zip",
            "7z a -pBARE a.7z b",
            "7z x a.7z -pBARE",
            "rar a -hpBARE a.rar b",
            "unrar x -pBARE a.rar",
            "mysqladmin -u root -pBARE ping",
            "sshpass -pBARE ssh h",
            "vault login -method=userpass username=bob password=BARE",
        ] {
            let text = command.replace("BARE", bare).replace("WORD", word);
            assert!(!clean(&text).contains(word) && clean(&text).contains(&gone), "{text}");
        }
    }
    check("db:5432:shop:app:plumtree", &format!("db:5432:shop:app:{gone}"));
    check("db.internal:5432:shop:app:plumtree", &format!("db.internal:5432:shop:app:{gone}"));
    check("a\n*:*:*:bob:plumtree\nb", &format!("a\n*:*:*:bob:{gone}\nb"));
    let token = token();
    let gone = stand_in("generic-secret");
    for command in [
        "vault login s.TOKEN",
        "vault login -no-print TOKEN",
        "aws configure set aws_secret_access_key TOKEN --profile x",
        "npm config set //registry.npmjs.org/:_authToken TOKEN",
        "npm config set _auth TOKEN",
    ] {
        let text = command.replace("TOKEN", &token);
        assert!(!clean(&text).contains(&token) && clean(&text).contains(&gone), "{text}");
    }
}

#[test]
fn commands_that_are_given_no_password_are_left_alone() {
    for harmless in [
        "htpasswd -c /etc/nginx/.htpasswd bob",
        "htpasswd -b FILE USER $PASS",
        "echo \"$USER:$PASS\" | chpasswd",
        "echo done | sudo tee -a /etc/hosts",
        "echo $PASS | sudo -S apt update",
        "cat token.txt | docker login -u bob --password-stdin",
        "aws ecr get-login-password | docker login --password-stdin 1.dkr.ecr.aws",
        "zip -P sets the password of what is compressed",
        "zip -r a.zip b; scp -P 2222 a.zip host:",
        "scp a.7z host: && mkdir -parents x",
        "tar -pxzf a.7z.tar.gz",
        "vault login to get at it",
        "vault login -method=oidc role=reader",
        "npm config set registry https://registry.npmjs.org/",
        "aws configure set region eu-central-1",
        "git config set token expiry",
        "src/main.rs:5432:12: error: mismatched types",
        "fe80:5432:1a2b:3c4d:5e6f",
        "ports: 0.0.0.0:5432:5432/tcp",
        "The passwd file; passwd bob",
    ] {
        check(harmless, harmless);
    }
}

/// How many bytes are looked at one by one in a unit that is repeated to `len` bytes.
fn looked_at(unit: &str, len: usize) -> usize {
    let text = unit.repeat(len / unit.len());
    alphabet::LOOKED_AT.set(0);
    std::hint::black_box(find(&text));
    alphabet::LOOKED_AT.get()
}

#[test]
fn twice_the_text_is_twice_the_work() {
    let samples = all(7).into_iter();
    let heads = |it: Sample| [2, 3, 4, 6, 8, 12].map(|n| it.secret.chars().take(n).collect());
    let units = samples.flat_map(|it| heads(it).into_iter().collect::<Vec<String>>());
    let names =
        ["password", "pass", "authorization", "cookie", "value", "kind", "secret_key", "token"];
    let signs =
        ["=", ":", "|", ":=", ":=a", "=(", "=a1B2c3", "=bearer ", "=\"", "='", "=&", "=*", " "];
    let signed = names.iter().flat_map(|name| signs.map(|sign| format!("{name}{sign}")));
    let others = [
        "<private>",
        "-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----",
        "://",
        "curl -u a:",
        "echo a|sudo -S",
        "htpasswd -b ",
        "vault login ",
        "a:5432:b:c:",
    ];
    let units = units.chain(signed).chain(others.map(str::to_owned));
    let units: std::collections::BTreeSet<String> = units.collect();
    for unit in units {
        let (once, twice) = (looked_at(&unit, 20_000), looked_at(&unit, 40_000));
        assert!(10 * twice <= 23 * once + 60_000, "{unit}: {once} bytes, then {twice}");
    }
}

#[test]
fn what_is_longer_than_most_goes_whole() {
    let (id, token) = ("0a1b2c3d4e5f6789".repeat(60), "aB3dE5fG7h".repeat(500));
    let cookie = stand_in("cookie");
    check(&format!("Cookie: sid={id}; theme=dark"), &format!("Cookie: sid={cookie}; theme=dark"));
    check(&format!("Cookie: sid={id}x"), &format!("Cookie: sid={id}x"));
    let header = stand_in("authorization-header");
    check(
        &format!("Authorization: Bearer {token} x"),
        &format!("Authorization: Bearer {header} x"),
    );
    let many = "Cookie: a=b; Cookie: sid=".repeat(40) + &id;
    assert!(!clean(&many).contains(&id), "{many}");
}

#[test]
fn keys_over_lines_go_whole_and_cut_ones_too() {
    let word = ["PRIVATE", "KEY"].join(" ");
    let body = "MIIEpAIBAAKCAQEAs1ovTn8d\nQxT0ab1rXk9sPq==\n";
    let (begin, end) =
        (format!("-----BEGIN RSA {word}-----\n"), format!("-----END RSA {word}-----"));
    let gone = stand_in("private-key");
    check(&format!("a\n{begin}{body}{end}\nb"), &format!("a\n{gone}\nb"));
    check(&format!("a\n{begin}{body}and words"), &format!("a\n{gone}and words"));
    check(&format!("words here\n{body}{end}\nb"), &format!("words here\n{gone}\nb"));
    let title = format!("files begin with {begin}");
    check(&title, &title);
}

#[test]
fn private_is_never_kept() {
    check("a <private>b</private> c", "a [private] c");
    check("a <PRIVATE>b\nc", "a [private]");
    check("a <private>b <private>c</private> d</private> e", "a [private] e");
    check("a <private>b <private>c</private> d", "a [private] d");
    check("a <private-x>b", "a <private-x>b");
}

#[test]
fn an_argument_that_ends_before_a_colon_is_none() {
    let text = ":curl -u \"\"\u{a1}:curl -u \"";
    assert_eq!(clean(text), text);
}

#[test]
fn no_character_is_cut_in_two() {
    for n in 0..4 {
        let text = format!("https://hooks.slack.com/{}{}", "x".repeat(n), "\u{1f511}".repeat(200));
        assert!(clean(&text).starts_with("https://[secret replaced: webhook-address]"), "{n}");
    }
}

proptest! {
    #[test]
    fn any_text_has_spans_on_its_characters(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12),
        noise in ".{0,40}",
    ) {
        let text = pieces.concat() + &noise + &pieces.concat();
        let once = clean(&text);
        let twice = clean(&once);
        prop_assert_eq!(clean(&twice), twice);
    }
}

/// What rules look for, and what they look past.
const PIECES: &[&str] = &[
    "password",
    "=",
    ":",
    "://",
    "'",
    "\"",
    "@",
    "é",
    "\u{1f511}",
    "<private>",
    "</private>",
    " ",
    "\n",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "-----END ",
    "ghp_",
    "1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f",
    "heroku",
    "curl -u ",
    "kind: Secret",
    "data:",
    "Authorization: Bearer ",
    "\\",
    "[secret replaced: password]",
    "sk_",
    "secret_key",
    ".",
    "=>",
    "Q~",
    "_mmk",
    "|",
    "A3-",
    "**",
    "<b>",
    "\u{1b}[31m",
    "| ",
    "--token ",
];

#[test]
fn a_token_without_a_digit_is_found() {
    let gone = stand_in("gitlab-token");
    let token = ["glpat-aBxdEfGhIj", "KlMnOpQrSt"].concat();
    check(&format!("GITLAB={token} x"), &format!("GITLAB={gone} x"));
    check("glpat-aaaaaaaaaaaaaaaaaaaa", "glpat-aaaaaaaaaaaaaaaaaaaa");
}
