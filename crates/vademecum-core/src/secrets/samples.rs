//! Samples of every kind, made from the table by a seeded generator: none stands anywhere as text.
//!
//! With them anyone can measure what is found, and what harmless strings of coding work are left alone.

use super::alphabet::{ALNUM, Alphabet, BASE64, DIGIT, HEX};
use super::tokens::{Part, TOKENS, Token};
use super::vendors::{VENDORS, Vendor};

/// One made-up secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The kind that it is one of.
    pub kind: &'static str,
    /// The text around it, which some kinds need to be known by.
    pub text: String,
    /// The secret itself.
    pub secret: String,
}

/// One sample for each row of the table, the same for the same `seed`.
#[must_use]
pub fn all(seed: u64) -> Vec<Sample> {
    let mut chance = Chance(seed);
    let mut samples: Vec<Sample> =
        TOKENS.iter().map(|token| of_token(token, &mut chance)).collect();
    samples.extend(VENDORS.iter().map(|vendor| of_vendor(vendor, &mut chance)));
    samples.extend(others(&mut chance));
    samples
}

/// Numbers that look random and are the same for the same seed.
#[derive(Debug)]
struct Chance(u64);

impl Chance {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        // SplitMix64: short, and good enough to make strings.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % end.max(1) as u64).unwrap_or_default()
    }

    fn run(&mut self, set: Alphabet, len: usize) -> String {
        // Other signs part and end what is random, and are rare in it.
        let is_inside = |it: &char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
        let letters: Vec<char> = set.letters().into_iter().filter(is_inside).collect();
        // Signs at both ends belong to the text around as often as to the secret.
        let inner: Vec<char> =
            letters.iter().copied().filter(char::is_ascii_alphanumeric).collect();
        let digits: Vec<char> = letters.iter().copied().filter(char::is_ascii_digit).collect();
        let is_edge = |idx: usize| idx == 0 || idx + 1 == len || len < 24;
        let mut run: Vec<char> = (0..len)
            .map(|idx| {
                let from = if is_edge(idx) { &inner } else { &letters };
                from[self.below(from.len())]
            })
            .collect();
        // Every fourth a digit at the least: so are real ones, and names are not.
        for idx in (1..len).step_by(4) {
            run[idx] = digits[self.below(digits.len())];
        }
        run.into_iter().collect()
    }
}

fn of_token(token: &Token, chance: &mut Chance) -> Sample {
    let before = token.before.map(|(set, len)| match token.prefix {
        "_mmk" => format!("{}_{}", chance.run(ALNUM, 6), chance.run(ALNUM, 29)),
        _ => chance.run(set, len).replace(['.', '~', '-', '_'], "x"),
    });
    let mut secret = before.unwrap_or_default() + token.prefix;
    for part in token.rest {
        match part {
            Part::Run(set, least, most) => {
                secret += &chance.run(*set, (least + 2).min(*most));
            }
            Part::Text(text) => secret += text,
        }
    }
    let secret = match token.kind {
        "slack-token" => format!("{}p-{}", token.prefix, chance.run(DIGIT, 24)),
        "flutterwave-key" => format!("{}{}", token.prefix, chance.run(HEX, 12)),
        _ => secret,
    };
    Sample { kind: token.kind, text: format!("use {secret} for it"), secret }
}

fn of_vendor(vendor: &Vendor, chance: &mut Chance) -> Sample {
    let (least, _) = vendor.len;
    let is_uuid = least == 36;
    let rest = if is_uuid { uuid(chance) } else { chance.run(vendor.set, least) };
    let secret = format!("{}{rest}", vendor.prefix);
    let sign = ["=", ": ", " => ", ":=", "='"][chance.below(5)];
    Sample { kind: vendor.kind, text: format!("{}_key{sign}{secret}\n", vendor.word), secret }
}

fn uuid(chance: &mut Chance) -> String {
    [8, 4, 4, 4, 12].map(|len| chance.run(HEX, len).to_lowercase()).join("-")
}

fn others(chance: &mut Chance) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut add = |kind, secret: String, text: String| samples.push(Sample { kind, text, secret });
    let password = format!("{}!{}", chance.run(ALNUM, 7), chance.run(ALNUM, 5));
    add("password", password.clone(), format!("db_password = \"{password}\""));
    let password = chance.run(ALNUM, 14);
    add(
        "password-in-address",
        password.clone(),
        format!("postgres://shop:{password}@db.internal/shop"),
    );
    add("curl-user", password.clone(), format!("curl -u shop:{password} https://api.test/x"));
    let value = chance.run(BASE64, 40);
    add(
        "authorization-header",
        value.clone(),
        format!("curl -H \"Authorization: Bearer {value}\" x"),
    );
    add(
        "nuget-password",
        password.clone(),
        format!("<add key=\"ClearTextPassword\" value=\"{password}\" />"),
    );
    add("password", password.clone(), format!("sshpass -p {password} ssh shop"));
    let login = format!("docker login -u me -p {password} registry.test");
    add("password", password.clone(), login);
    let cipher = format!("openssl enc -aes-256-cbc -k {password} -in a");
    add("password", password.clone(), cipher);
    let value = chance.run(ALNUM, 32);
    add("cookie", value.clone(), format!("Cookie: theme=dark; sid={value}; a=b"));
    add("generic-secret", value.clone(), format!("deploy --api-key {value} --now"));
    let value = chance.run(ALNUM, 43);
    let address = format!("https://shop.blob.core.windows.net/a?sv=2020&sig={value}%3D");
    add("azure-signature", value, address);
    let value = chance.run(ALNUM, 24);
    let manifest = format!("kind: Secret\nmetadata:\n  name: shop\ndata:\n  pass: {value}\n");
    add("kubernetes-secret", value, manifest);
    samples.extend(of_vendors(chance));
    samples
}

/// Of makers whose credentials are in no table.
fn of_vendors(chance: &mut Chance) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut add = |kind, secret: String, text: String| samples.push(Sample { kind, text, secret });
    let (left, right) = (chance.run(HEX, 8), chance.run(HEX, 8));
    let pair = format!("{left}:{right}");
    add("sidekiq-secret", pair.clone(), format!("BUNDLE_GEMS__CONTRIBSYS__COM={pair}"));
    let value = format!("sk_{}", chance.run(ALNUM, 29));
    add("vendor-secret-key", value.clone(), format!("'secret_key' => '{value}'"));
    let path = [chance.run(ALNUM, 9), chance.run(ALNUM, 11), chance.run(ALNUM, 24)].join("/");
    add("webhook-address", path.clone(), format!("https://hooks.slack.com/services/{path}"));
    let value = chance.run(ALNUM, 68);
    let address = format!("https://discord.com/api/webhooks/123456789012345678/{value}");
    add("webhook-address", value, address);
    let value = chance.run(ALNUM, 32);
    add("generic-secret", value.clone(), format!("export API_SECRET={value}"));
    let value = format!("{}:A{}", chance.run(DIGIT, 9), chance.run(ALNUM, 34));
    add("telegram-token", value.clone(), format!("bot {value}"));
    let value = format!("{}|{}", chance.run(DIGIT, 15), chance.run(ALNUM, 27));
    add("facebook-access-token", value.clone(), format!("app {value}"));
    let (word, body) = (["PRIVATE", "KEY"].join(" "), chance.run(ALNUM, 64));
    let key = format!("-----BEGIN {word}-----\n{body}\n{body}\n-----END {word}-----");
    add("private-key", body, key);
    let value = chance.run(ALNUM, 20);
    add(super::PRIVATE, value.clone(), format!("<private>{value}</private>"));
    samples
}

/// `n` strings of coding work that are no secrets, the same for the same `seed`.
#[must_use]
pub fn harmless(seed: u64, n: usize) -> Vec<String> {
    let mut chance = Chance(seed);
    (0..n).map(|idx| harmless_one(idx % 20, &mut chance)).collect()
}

fn harmless_one(sort: usize, chance: &mut Chance) -> String {
    let hex = |len, chance: &mut Chance| chance.run(HEX, len).to_lowercase();
    let number = chance.below(90_000) + 1_000;
    match sort {
        0 => format!("commit {}", hex(40, chance)),
        1 => format!("Merge {} into {}", hex(7, chance), hex(12, chance)),
        2 => format!("request_id={}", uuid(chance)),
        3 => format!("checksum = \"{}\"", hex(64, chance)),
        4 => format!("\"integrity\": \"sha512-{}==\"", chance.run(BASE64, 86)),
        5 => format!("image@sha256:{}", hex(64, chance)),
        6 => format!("src=\"data:image/png;base64,{}\"", chance.run(BASE64, 400)),
        7 => format!("cache-key: Linux-cargo-{}", hex(64, chance)),
        8 => format!("api_key = os.environ[\"SHOP_API_KEY_{number}\"]"),
        9 => format!("const token = process.env.TOKEN_{number};"),
        10 => format!("password: ${{DB_PASSWORD_{number}}}"),
        11 => format!("crates/pay/src/v{number}/refund_key_{number}.rs:{number}:13"),
        12 => format!("let access_token_{number} = parse_token(&header_{number})?;"),
        13 => format!("fn secret_key(&self) -> Option<&Key{number}> {{"),
        14 => format!("\"password\": \"must have at least 8 characters ({number})\""),
        15 => format!("https://example.com/docs/v{number}/api-keys?page={number}#auth"),
        16 => format!("key: \"primary_key_{number}\", token: TokenKind::Ident, secret: bool"),
        17 => format!("h1:{}=", chance.run(BASE64, 43)),
        18 => format!("Authorization: Bearer $TOKEN_{number}"),
        _ => format!("id {} of note_{number}0{number} in session {}", uuid(chance), hex(8, chance)),
    }
}
