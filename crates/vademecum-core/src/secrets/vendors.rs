//! Credentials that only the name beside them gives away: the maker's word, a sign, then the value.

use super::alphabet::{
    ALNUM, ALNUM_DASH, ANY64, Alphabet, DIGIT, DOTTED, HEX, HEX_DASH, HEX_H_DASH, KEBAB, KEBAB_EQ,
    PERCENT,
};
use super::index::{Index, begins, words};

/// One kind of credential of one maker.
pub(super) struct Vendor {
    /// The kind, as stand-ins and replies name it.
    pub(super) kind: &'static str,
    /// The word that stands before the sign.
    pub(super) word: &'static str,
    /// What the value begins with; empty for most.
    pub(super) prefix: &'static str,
    /// Of which characters the rest of the value is.
    pub(super) set: Alphabet,
    /// How long that rest is at least, and at most.
    pub(super) len: (usize, usize),
}

const fn row(
    kind: &'static str,
    word: &'static str,
    (prefix, set): (&'static str, Alphabet),
    len: (usize, usize),
) -> Vendor {
    Vendor { kind, word, prefix, set, len }
}

pub(super) const VENDORS: &[Vendor] = &TABLE;

const UUID: (usize, usize) = (36, 36);

#[rustfmt::skip]
const TABLE: [Vendor; 106] = [
    row("adafruit-key", "adafruit", ("", KEBAB), (32, 32)),
    row("adobe-client-id", "adobe", ("", HEX), (32, 32)),
    row("airtable-key", "airtable", ("", ALNUM), (17, 17)),
    row("algolia-key", "algolia", ("", ALNUM), (32, 32)),
    row("alibaba-secret-key", "alibaba", ("", ALNUM), (30, 30)),
    row("asana-client-id", "asana", ("", DIGIT), (16, 16)),
    row("asana-client-secret", "asana", ("", ALNUM), (32, 32)),
    row("atlassian-token", "atlassian", ("", ALNUM), (24, 24)),
    row("atlassian-token", "confluence", ("", ALNUM), (24, 24)),
    row("atlassian-token", "jira", ("", ALNUM), (24, 24)),
    row("beamer-token", "beamer", ("b_", KEBAB_EQ), (44, 44)),
    row("bitbucket-client-id", "bitbucket", ("", ALNUM), (32, 32)),
    row("bitbucket-client-secret", "bitbucket", ("", KEBAB_EQ), (64, 64)),
    row("bittrex-key", "bittrex", ("", ALNUM), (32, 32)),
    row("cisco-meraki-key", "meraki", ("", HEX), (40, 40)),
    row("cloudflare-key", "cloudflare", ("", KEBAB), (40, 40)),
    row("cloudflare-global-key", "cloudflare", ("", HEX), (37, 37)),
    row("codecov-token", "codecov", ("", ALNUM), (32, 32)),
    row("cohere-token", "cohere", ("", ALNUM), (40, 40)),
    row("cohere-token", "co_api_key", ("", ALNUM), (40, 40)),
    row("coinbase-token", "coinbase", ("", KEBAB), (64, 64)),
    row("confluent-token", "confluent", ("", ALNUM), (16, 16)),
    row("confluent-secret-key", "confluent", ("", ALNUM), (64, 64)),
    row("contentful-token", "contentful", ("", KEBAB_EQ), (43, 43)),
    row("datadog-token", "datadog", ("", ALNUM), (32, 40)),
    row("discord-client-id", "discord", ("", DIGIT), (18, 18)),
    row("discord-client-secret", "discord", ("", KEBAB_EQ), (32, 32)),
    row("discord-token", "discord", ("", HEX), (64, 64)),
    row("droneci-token", "droneci", ("", ALNUM), (32, 32)),
    row("dropbox-token", "dropbox", ("", ALNUM), (15, 15)),
    row("dropbox-short-token", "dropbox", ("sl.", KEBAB_EQ), (130, 200)),
    row("dropbox-long-token", "dropbox", ("", KEBAB_EQ), (64, 64)),
    row("etsy-token", "etsy", ("", ALNUM), (24, 24)),
    row("facebook-secret", "facebook", ("", HEX), (32, 32)),
    row("fastly-token", "fastly", ("", KEBAB_EQ), (32, 32)),
    row("finicity-token", "finicity", ("", HEX), (32, 32)),
    row("finicity-client-secret", "finicity", ("", ALNUM), (20, 20)),
    row("finnhub-token", "finnhub", ("", ALNUM), (20, 20)),
    row("flickr-token", "flickr", ("", ALNUM), (32, 32)),
    row("freshbooks-token", "freshbooks", ("", ALNUM), (64, 64)),
    row("gitter-token", "gitter", ("", KEBAB), (40, 40)),
    row("gocardless-token", "gocardless", ("live_", KEBAB_EQ), (40, 40)),
    row("heroku-key", "heroku", ("", HEX_DASH), UUID),
    row("hubspot-key", "hubspot", ("", HEX_DASH), UUID),
    row("intercom-key", "intercom", ("", KEBAB_EQ), (60, 60)),
    row("jfrog-key", "jfrog", ("", ALNUM), (64, 73)),
    row("jfrog-key", "artifactory", ("", ALNUM), (64, 73)),
    row("jfrog-key", "bintray", ("", ALNUM), (64, 73)),
    row("jfrog-key", "xray", ("", ALNUM), (64, 73)),
    row("kraken-token", "kraken", ("", ANY64), (80, 90)),
    row("kucoin-token", "kucoin", ("", HEX), (24, 24)),
    row("kucoin-secret-key", "kucoin", ("", HEX_DASH), UUID),
    row("launchdarkly-token", "launchdarkly", ("", KEBAB_EQ), (40, 40)),
    row("linear-client-secret", "linear", ("", HEX), (32, 32)),
    row("linkedin-client-id", "linkedin", ("", ALNUM), (14, 14)),
    row("linkedin-client-secret", "linkedin", ("", ALNUM), (16, 16)),
    row("linkedin-client-id", "linked_in", ("", ALNUM), (14, 14)),
    row("linkedin-client-secret", "linked_in", ("", ALNUM), (16, 16)),
    row("linkedin-client-id", "linked-in", ("", ALNUM), (14, 14)),
    row("linkedin-client-secret", "linked-in", ("", ALNUM), (16, 16)),
    row("looker-client-id", "looker", ("", ALNUM), (20, 20)),
    row("looker-client-secret", "looker", ("", ALNUM), (24, 24)),
    row("mailchimp-key", "mailchimp", ("", ALNUM_DASH), (36, 38)),
    row("mailgun-key", "mailgun", ("key-", HEX), (32, 32)),
    row("mailgun-public-key", "mailgun", ("pubkey-", HEX), (32, 32)),
    row("mailgun-signing-key", "mailgun", ("", HEX_H_DASH), (50, 50)),
    row("mapbox-token", "mapbox", ("pk.", DOTTED), (60, 120)),
    row("mattermost-token", "mattermost", ("", ALNUM), (26, 26)),
    row("messagebird-token", "messagebird", ("", ALNUM), (25, 25)),
    row("messagebird-client-id", "messagebird", ("", HEX_DASH), UUID),
    row("messagebird-token", "message_bird", ("", ALNUM), (25, 25)),
    row("messagebird-client-id", "message_bird", ("", HEX_DASH), UUID),
    row("messagebird-token", "message-bird", ("", ALNUM), (25, 25)),
    row("messagebird-client-id", "message-bird", ("", HEX_DASH), UUID),
    row("netlify-token", "netlify", ("", KEBAB_EQ), (40, 46)),
    row("new-relic-user-id", "new-relic", ("", ALNUM), (64, 64)),
    row("new-relic-user-id", "newrelic", ("", ALNUM), (64, 64)),
    row("new-relic-user-id", "new_relic", ("", ALNUM), (64, 64)),
    row("nytimes-token", "nytimes", ("", KEBAB_EQ), (32, 32)),
    row("nytimes-token", "new-york-times", ("", KEBAB_EQ), (32, 32)),
    row("nytimes-token", "newyorktimes", ("", KEBAB_EQ), (32, 32)),
    row("okta-token", "okta", ("00", KEBAB_EQ), (40, 40)),
    row("plaid-token", "plaid", ("access-", ALNUM_DASH), (43, 48)),
    row("plaid-client-id", "plaid", ("", ALNUM), (24, 24)),
    row("plaid-secret-key", "plaid", ("", ALNUM), (30, 30)),
    row("privateai-token", "privateai", ("", ALNUM), (32, 32)),
    row("privateai-token", "private_ai", ("", ALNUM), (32, 32)),
    row("privateai-token", "private-ai", ("", ALNUM), (32, 32)),
    row("rapidapi-token", "rapidapi", ("", KEBAB), (50, 50)),
    row("sendbird-id", "sendbird", ("", HEX_DASH), UUID),
    row("sendbird-token", "sendbird", ("", HEX), (40, 40)),
    row("sentry-token", "sentry", ("", HEX), (64, 64)),
    row("snyk-token", "snyk", ("", HEX_DASH), UUID),
    row("sonar-token", "sonar", ("", KEBAB_EQ), (40, 44)),
    row("sourcegraph-token", "sourcegraph", ("", HEX), (40, 40)),
    row("squarespace-token", "squarespace", ("", HEX_DASH), UUID),
    row("sumologic-id", "sumo", ("su", ALNUM), (12, 12)),
    row("sumologic-token", "sumo", ("", ALNUM), (64, 64)),
    row("travis-token", "travis", ("", ALNUM), (22, 22)),
    row("twitch-token", "twitch", ("", ALNUM), (30, 30)),
    row("twitter-bearer-token", "twitter", ("AAAAAAAAAAAAAAAAAAAAAA", PERCENT), (80, 100)),
    row("twitter-key", "twitter", ("", ALNUM), (25, 25)),
    row("twitter-secret", "twitter", ("", ALNUM), (45, 50)),
    row("twitter-token", "twitter", ("", ALNUM_DASH), (36, 66)),
    row("yandex-token", "yandex", ("", DOTTED), (38, 400)),
    row("zendesk-key", "zendesk", ("", ALNUM), (40, 40)),
];

static INDEX: Index = Index::of(&words!(TABLE, word));

/// The kind and the end of the value at `at`, if a maker's word stands in `window` and its shape fits.
pub(super) fn value(window: &[u8], bytes: &[u8], at: usize) -> Option<(&'static str, usize)> {
    (0..window.len()).filter(|from| INDEX.begins_one(window, *from)).find_map(|from| {
        INDEX.candidates(&window[from..]).find_map(|number| {
            let vendor = &TABLE[number];
            let is_named = begins(&window[from..], vendor.word);
            let end = if is_named { vendor.end(bytes, at)? } else { return None };
            Some((vendor.kind, end))
        })
    })
}

impl Vendor {
    fn end(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = at + self.prefix.len();
        if !begins(&bytes[at..], self.prefix) {
            return None;
        }
        let n_run = self.set.run_to(bytes, rest, self.len.1 + 1);
        let end = rest + n_run;
        // What goes on in other letters is another thing, and not the half of this one.
        let is_whole = bytes.get(end).is_none_or(|byte| !KEBAB.has(*byte));
        (is_whole && (self.len.0..=self.len.1).contains(&n_run)).then_some(end)
    }
}
