//! Credentials that show by themselves what they are: a prefix of their maker, then random characters.
//!
//! Each row is a public fact of one maker's format: what it begins with, of which characters the rest is
//! and how long that is at least. A longer run is taken whole, so that no end of a secret is left behind.

use super::alphabet::{
    ALNUM, ALNUM_DASH, ANY64, Alphabet, BASE64, DIGIT, DOTTED, HEX, HEX_DASH, HEX_H, JWT, KEBAB,
    KEBAB_EQ, TILDE, UPPER, UPPER_DASH,
};
use super::index::{Index, begins, words};
use super::value::entropy;

/// One format.
pub(super) struct Token {
    /// The kind, as stand-ins and replies name it.
    pub(super) kind: &'static str,
    /// What it begins with.
    pub(super) prefix: &'static str,
    /// What stands right before the prefix and belongs to it: of these characters, exactly so many.
    pub(super) before: Option<(Alphabet, usize)>,
    /// What follows, in turn.
    pub(super) rest: &'static [Part],
    /// What may stand around it.
    pub(super) edge: Edge,
    /// The least entropy of the whole, in tenths of a bit a character: texts of one letter are placeholders.
    pub(super) floor: u8,
}

/// A part of a token.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// At least so many of these characters, and at most.
    Run(Alphabet, usize, usize),
    /// This text.
    Text(&'static str),
}

/// What may stand around a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// Anything: the prefix is no part of a word.
    Free,
    /// No letter or digit before it.
    Word,
    /// The same, and its capitals and small letters are as the maker writes them.
    Exact,
}

use Edge::{Exact, Free, Word};
use Part::{Run, Text};

/// More than any credential has.
const MANY: usize = 4_096;

const fn row(kind: &'static str, prefix: &'static str, edge: Edge, rest: &'static [Part]) -> Token {
    // Two bits a character: less has no random text, and placeholders like `xxxx` have.
    Token { kind, prefix, before: None, rest, edge, floor: 20 }
}

const fn behind(
    kind: &'static str,
    (before, n_before): (Alphabet, usize),
    prefix: &'static str,
    rest: &'static [Part],
) -> Token {
    Token { kind, prefix, before: Some((before, n_before)), rest, edge: Free, floor: 30 }
}

pub(super) const TOKENS: &[Token] = &TABLE;

#[rustfmt::skip]
const TABLE: [Token; 132] = [
    row("onepassword-secret-key", "A3-", Exact, &[Run(UPPER_DASH, 30, 40)]),
    row("onepassword-service-token", "ops_eyJ", Free, &[Run(BASE64, 250, MANY)]),
    row("adobe-client-secret", "p8e-", Word, &[Run(ALNUM, 32, 32)]),
    row("age-secret-key", "AGE-SECRET-KEY-1", Free, &[Run(ALNUM, 58, MANY)]),
    row("airtable-token", "pat", Word, &[Run(ALNUM, 14, 14), Text("."), Run(HEX, 64, 64)]),
    row("alibaba-access-key", "LTAI", Word, &[Run(ALNUM, 12, 26)]),
    row("anthropic-key", "sk-ant-", Word, &[Run(KEBAB, 80, MANY)]),
    row("artifactory-key", "AKCp", Word, &[Run(ALNUM, 60, 80)]),
    row("artifactory-reference-token", "cmVmd", Word, &[Run(ALNUM, 59, 59)]),
    row("atlassian-token", "ATATT3", Word, &[Run(KEBAB_EQ, 100, MANY)]),
    behind("authress-key", (TILDE, 12), ".acc-", &[Run(ALNUM_DASH, 10, 32), Text("."), Run(ANY64, 30, MANY)]),
    behind("authress-key", (TILDE, 12), ".acc_", &[Run(ALNUM_DASH, 10, 32), Text("."), Run(ANY64, 30, MANY)]),
    row("aws-access-key", "A3T", Exact, &[Run(UPPER, 17, 17)]),
    row("aws-access-key", "AKIA", Exact, &[Run(UPPER, 16, 16)]),
    row("aws-access-key", "ASIA", Exact, &[Run(UPPER, 16, 16)]),
    row("aws-access-key", "ABIA", Exact, &[Run(UPPER, 16, 16)]),
    row("aws-access-key", "ACCA", Exact, &[Run(UPPER, 16, 16)]),
    row("aws-bedrock-key", "ABSK", Word, &[Run(BASE64, 100, MANY)]),
    row("aws-bedrock-short-key", "bedrock-api-key-", Free, &[Run(BASE64, 28, MANY)]),
    behind("azure-client-secret", (TILDE, 4), "Q~", &[Run(TILDE, 31, 40)]),
    row("clickhouse-key", "4b1d", Word, &[Run(ALNUM, 38, 38)]),
    row("clojars-token", "CLOJARS_", Free, &[Run(ALNUM, 60, MANY)]),
    row("cloudflare-origin-key", "v1.0-", Word, &[Run(HEX, 24, 24), Text("-"), Run(HEX, 146, 146)]),
    row("databricks-token", "dapi", Word, &[Run(HEX_DASH, 32, 36)]),
    row("defined-networking-token", "dnkey-", Word, &[Run(KEBAB_EQ, 60, MANY)]),
    row("digitalocean-token", "doo_v1_", Free, &[Run(HEX, 64, MANY)]),
    row("digitalocean-token", "dop_v1_", Free, &[Run(HEX, 64, MANY)]),
    row("digitalocean-token", "dor_v1_", Free, &[Run(HEX, 64, MANY)]),
    row("docker-token", "dckr_pat_", Free, &[Run(KEBAB, 27, MANY)]),
    row("docker-token", "dckr_oat_", Free, &[Run(KEBAB, 27, MANY)]),
    row("doppler-token", "dp.", Word, &[Run(ALNUM, 2, 6), Text("."), Run(TILDE, 40, MANY)]),
    row("duffel-token", "duffel_test_", Free, &[Run(KEBAB_EQ, 43, MANY)]),
    row("duffel-token", "duffel_live_", Free, &[Run(KEBAB_EQ, 43, MANY)]),
    row("dynatrace-token", "dt0c01.", Free, &[Run(ALNUM, 24, 24), Text("."), Run(ALNUM, 64, MANY)]),
    row("easypost-token", "EZAK", Word, &[Run(ALNUM, 54, 54)]),
    row("easypost-test-token", "EZTK", Word, &[Run(ALNUM, 54, 54)]),
    row("facebook-page-token", "EAAM", Word, &[Run(ALNUM, 100, MANY)]),
    row("facebook-page-token", "EAAC", Word, &[Run(ALNUM, 100, MANY)]),
    row("flutterwave-key", "FLWSECK_TEST-", Free, &[Run(HEX_H, 12, 40), Text("")]),
    row("flutterwave-public-key", "FLWPUBK_TEST-", Free, &[Run(HEX_H, 32, 32), Text("-X")]),
    row("flyio-token", "fo1_", Word, &[Run(KEBAB, 43, MANY)]),
    row("flyio-token", "fm1a_", Word, &[Run(BASE64, 100, MANY)]),
    row("flyio-token", "fm1r_", Word, &[Run(BASE64, 100, MANY)]),
    row("flyio-token", "fm2_", Word, &[Run(BASE64, 100, MANY)]),
    row("frameio-token", "fio-u-", Free, &[Run(KEBAB_EQ, 64, MANY)]),
    row("gcp-key", "AIza", Word, &[Run(KEBAB, 35, 39)]),
    row("github-token", "ghp_", Free, &[Run(ALNUM, 36, MANY)]),
    row("github-oauth-token", "gho_", Free, &[Run(ALNUM, 36, MANY)]),
    row("github-app-token", "ghu_", Free, &[Run(ALNUM, 36, MANY)]),
    row("github-app-token", "ghs_", Free, &[Run(ALNUM, 36, MANY)]),
    row("github-refresh-token", "ghr_", Free, &[Run(ALNUM, 36, MANY)]),
    row("github-fine-grained-token", "github_pat_", Free, &[Run(super::alphabet::WORD, 60, MANY)]),
    row("gitlab-job-token", "glcbt-", Free, &[Run(KEBAB, 22, MANY)]),
    row("gitlab-deploy-token", "gldt-", Free, &[Run(KEBAB, 20, MANY)]),
    row("gitlab-feature-flag-token", "glffct-", Free, &[Run(KEBAB, 20, MANY)]),
    row("gitlab-feed-token", "glft-", Free, &[Run(KEBAB, 20, MANY)]),
    row("gitlab-mail-token", "glimt-", Free, &[Run(KEBAB, 25, MANY)]),
    row("gitlab-agent-token", "glagent-", Free, &[Run(KEBAB, 50, MANY)]),
    row("gitlab-oauth-secret", "gloas-", Free, &[Run(KEBAB, 64, MANY)]),
    row("gitlab-token", "glpat-", Free, &[Run(TILDE, 20, MANY)]),
    row("gitlab-trigger-token", "glptt-", Free, &[Run(HEX, 40, MANY)]),
    row("gitlab-registration-token", "GR1348941", Free, &[Run(KEBAB, 20, MANY)]),
    row("gitlab-runner-token", "glrt-", Free, &[Run(TILDE, 20, MANY)]),
    row("gitlab-scim-token", "glsoat-", Free, &[Run(KEBAB, 20, MANY)]),
    row("gitlab-session", "_gitlab_session=", Free, &[Run(ALNUM, 32, MANY)]),
    row("grafana-key", "eyJrIjoi", Word, &[Run(BASE64, 70, MANY)]),
    row("grafana-cloud-token", "glc_", Word, &[Run(BASE64, 32, MANY)]),
    row("grafana-service-token", "glsa_", Word, &[Run(ALNUM, 32, 32), Text("_"), Run(HEX, 8, MANY)]),
    row("harness-key", "pat.", Free, &[Run(KEBAB, 22, 22), Text("."), Run(ALNUM, 24, 24), Text("."), Run(ALNUM, 20, MANY)]),
    row("harness-key", "sat.", Free, &[Run(KEBAB, 22, 22), Text("."), Run(ALNUM, 24, 24), Text("."), Run(ALNUM, 20, MANY)]),
    behind("hashicorp-token", (ALNUM, 14), ".atlasv1.", &[Run(KEBAB_EQ, 60, MANY)]),
    row("heroku-key", "HRKU-AA", Word, &[Run(KEBAB, 58, MANY)]),
    row("huggingface-token", "hf_", Word, &[Run(ALNUM, 34, 40)]),
    row("huggingface-organization-token", "api_org_", Word, &[Run(ALNUM, 34, 40)]),
    row("infracost-token", "ico-", Word, &[Run(ALNUM, 32, 32)]),
    row("intra-client-secret", "s-s4t2ud-", Word, &[Run(HEX, 64, 64)]),
    row("intra-client-secret", "s-s4t2af-", Word, &[Run(HEX, 64, 64)]),
    row("jwt", "ey", Word, &[Run(ALNUM, 17, MANY), Text(".ey"), Run(JWT, 18, MANY)]),
    row("jwt-in-base64", "ZXlK", Exact, &[Run(ANY64, 40, MANY)]),
    row("linear-key", "lin_api_", Free, &[Run(ALNUM, 40, MANY)]),
    row("lob-key", "live_", Word, &[Run(HEX, 35, 35)]),
    row("lob-key", "test_", Word, &[Run(HEX, 35, 35)]),
    row("lob-public-key", "live_pub_", Word, &[Run(HEX, 31, 31)]),
    row("lob-public-key", "test_pub_", Word, &[Run(HEX, 31, 31)]),
    behind("maxmind-key", (super::alphabet::WORD, 36), "_mmk", &[]),
    row("new-relic-key", "NRJS-", Word, &[Run(HEX, 19, 19)]),
    row("new-relic-key", "NRII-", Word, &[Run(ALNUM_DASH, 32, 32)]),
    row("new-relic-key", "NRAK-", Word, &[Run(ALNUM, 27, 27)]),
    row("notion-token", "ntn_", Word, &[Run(ALNUM, 46, 46)]),
    row("npm-token", "npm_", Word, &[Run(ALNUM, 36, 36)]),
    row("octopus-key", "API-", Exact, &[Run(UPPER, 25, 26)]),
    row("openai-key", "sk-proj-", Word, &[Run(KEBAB, 40, MANY)]),
    row("openai-key", "sk-svcacct-", Word, &[Run(KEBAB, 40, MANY)]),
    row("openai-key", "sk-admin-", Word, &[Run(KEBAB, 40, MANY)]),
    row("openai-key", "sk-", Word, &[Run(ALNUM, 40, 64)]),
    row("openshift-token", "sha256~", Word, &[Run(KEBAB, 43, 43)]),
    row("perplexity-key", "pplx-", Word, &[Run(ALNUM, 48, MANY)]),
    row("planetscale-token", "pscale_tkn_", Word, &[Run(DOTTED, 32, MANY)]),
    row("planetscale-oauth-token", "pscale_oauth_", Word, &[Run(DOTTED, 32, MANY)]),
    row("planetscale-password", "pscale_pw_", Word, &[Run(DOTTED, 32, MANY)]),
    row("postman-token", "PMAK-", Word, &[Run(HEX_DASH, 59, 59)]),
    row("prefect-token", "pnu_", Word, &[Run(ALNUM, 36, 36)]),
    row("pulumi-token", "pul-", Word, &[Run(HEX, 40, 40)]),
    row("pypi-token", "pypi-AgEI", Free, &[Run(KEBAB, 50, MANY)]),
    row("readme-token", "rdme_", Word, &[Run(ALNUM, 70, 70)]),
    row("rubygems-token", "rubygems_", Word, &[Run(HEX, 48, 48)]),
    row("scalingo-token", "tk-us-", Word, &[Run(KEBAB, 48, 48)]),
    row("sendgrid-token", "SG.", Word, &[Run(DOTTED, 66, 66)]),
    row("sendinblue-token", "xkeysib-", Word, &[Run(HEX, 64, 64), Text("-"), Run(ALNUM, 16, MANY)]),
    row("sentry-organization-token", "sntrys_", Word, &[Run(JWT, 80, MANY)]),
    row("sentry-user-token", "sntryu_", Word, &[Run(HEX, 64, 64)]),
    row("settlemint-token", "sm_aat_", Word, &[Run(ALNUM, 16, 16)]),
    row("settlemint-token", "sm_pat_", Word, &[Run(ALNUM, 16, 16)]),
    row("settlemint-token", "sm_sat_", Word, &[Run(ALNUM, 16, 16)]),
    row("shippo-token", "shippo_live_", Word, &[Run(HEX, 40, 40)]),
    row("shippo-token", "shippo_test_", Word, &[Run(HEX, 40, 40)]),
    row("shopify-token", "shpat_", Free, &[Run(HEX, 32, MANY)]),
    row("shopify-token", "shpca_", Free, &[Run(HEX, 32, MANY)]),
    row("shopify-token", "shppa_", Free, &[Run(HEX, 32, MANY)]),
    row("shopify-secret", "shpss_", Free, &[Run(HEX, 32, MANY)]),
    row("slack-app-token", "xapp-", Free, &[Run(ALNUM_DASH, 14, MANY)]),
    row("slack-config-token", "xoxe.xox", Free, &[Run(ALNUM_DASH, 100, MANY)]),
    row("slack-token", "xox", Free, &[Run(ALNUM, 1, 1), Text("-"), Run(ALNUM_DASH, 10, MANY)]),
    row("sourcegraph-token", "sgp_", Word, &[Run(super::alphabet::WORD, 40, 60)]),
    row("square-token", "EAAA", Word, &[Run(KEBAB, 50, 64)]),
    row("square-token", "sq0atp-", Word, &[Run(KEBAB, 22, 64)]),
    row("stripe-key", "sk_", Word, &[Run(ALNUM, 4, 4), Text("_"), Run(ALNUM, 10, 200)]),
    row("stripe-key", "rk_", Word, &[Run(ALNUM, 4, 4), Text("_"), Run(ALNUM, 10, 200)]),
    row("twilio-key", "SK", Exact, &[Run(HEX, 32, 32)]),
    row("typeform-token", "tfp_", Word, &[Run(DOTTED, 59, MANY)]),
    row("vault-batch-token", "hvb.", Word, &[Run(KEBAB, 100, MANY)]),
    row("vault-service-token", "hvs.", Word, &[Run(KEBAB, 24, MANY)]),
];

static INDEX: Index = Index::of(&words!(TABLE, prefix));

/// The first token that begins at `at`, with its end; the start may lie before.
#[inline]
pub(super) fn at(bytes: &[u8], at: usize) -> Option<(&'static str, usize, usize)> {
    if INDEX.begins_one(bytes, at) { first_at(bytes, at) } else { None }
}

fn first_at(bytes: &[u8], at: usize) -> Option<(&'static str, usize, usize)> {
    INDEX.candidates(&bytes[at..]).find_map(|number| {
        let token = &TABLE[number];
        let (start, end) = token.span(bytes, at)?;
        Some((token.kind, start, end))
    })
}

/// The kinds whose tokens begin with a number.
pub(super) const NUMBERED: [&str; 2] = ["facebook-access-token", "telegram-token"];

/// The token whose number or random part is the word from `start` to `end`.
///
/// The number of an app and its secret are parted by `|`, that of a bot and its secret by `:`.
pub(super) fn numbered(
    bytes: &[u8],
    start: usize,
    end: usize,
) -> Option<(&'static str, usize, usize)> {
    let [facebook, telegram] = NUMBERED;
    if matches!(end - start, 15..=16) && bytes.get(end) == Some(&b'|') {
        let n_secret = KEBAB.run(bytes, end + 1);
        let is_app = bytes[start..end].iter().all(|byte| DIGIT.has(*byte));
        return (is_app && (27..=40).contains(&n_secret)).then_some((
            facebook,
            start,
            end + 1 + n_secret,
        ));
    }
    let is_secret = end - start == 35 && begins(&bytes[start..], "A");
    if !is_secret || start == 0 || bytes[start - 1] != b':' {
        return None;
    }
    let n_bot = DIGIT.run_back(bytes, start - 1, 16);
    (5 <= n_bot).then_some((telegram, start - 1 - n_bot, end))
}

impl Token {
    fn span(&self, bytes: &[u8], at: usize) -> Option<(usize, usize)> {
        let begins = match self.edge {
            Exact => bytes[at..].starts_with(self.prefix.as_bytes()),
            Free | Word => begins(&bytes[at..], self.prefix),
        };
        let is_inside = |at: usize| at.checked_sub(1).is_some_and(|it| ALNUM.has(bytes[it]));
        if !begins || (self.edge != Free && is_inside(at)) {
            return None;
        }
        let start = match self.before {
            None => at,
            Some((set, n_before)) => at
                .checked_sub(n_before)
                .filter(|_| set.run_back(bytes, at, n_before) == n_before)?,
        };
        let end = self.end(bytes, at + self.prefix.len())?;
        // The examples of a maker's own documents.
        let text = &bytes[start..end];
        let is_example = 7 < text.len() && text.ends_with(b"EXAMPLE");
        (!is_example && self.floor <= entropy(text)).then_some((start, end))
    }

    /// Where its parts end; none if one is not there.
    fn end(&self, bytes: &[u8], mut at: usize) -> Option<usize> {
        for (idx, part) in self.rest.iter().enumerate() {
            match part {
                Text(text) => {
                    if !begins(&bytes[at..], text) {
                        return None;
                    }
                    at += text.len();
                }
                Run(set, least, most) => {
                    // Between other parts a run is as long as it says, and what follows is the next one's.
                    let is_last = idx + 1 == self.rest.len();
                    let n_run = set.run_to(bytes, at, most + usize::from(is_last));
                    if !(*least..=*most).contains(&n_run) {
                        return None;
                    }
                    at += n_run;
                }
            }
        }
        Some(at)
    }
}
