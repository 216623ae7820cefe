//! Words by which sentences are known: what they rule, state or announce, in some languages.

mod moment;

use std::sync::{LazyLock, OnceLock};

pub(crate) use moment::{Moment, moment};

use crate::digest::{QuickSet, low};

/// Words or openings by which a sentence is known, parted by `|`.
pub(crate) struct Cues {
    listed: &'static str,
    parted: OnceLock<Vec<Cue>>,
}

/// One of them, with the places of its first two bytes, of the second and the third, and of the last two.
struct Cue {
    text: &'static str,
    places: [Place; 3],
}

impl Cue {
    fn of(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let places = [bytes, &bytes[1..], &bytes[bytes.len() - 2..]];
        // One of two bytes has no third.
        let places =
            places.map(|bytes| Place::of(if bytes.len() < 2 { text.as_bytes() } else { bytes }));
        Self { text, places }
    }
}

impl Cues {
    pub(crate) const fn new(listed: &'static str) -> Self {
        Self { listed, parted: OnceLock::new() }
    }

    fn all(&self) -> &[Cue] {
        self.parted.get_or_init(|| self.listed.split('|').map(Cue::of).collect())
    }

    /// The one that a text begins with, and the text behind it.
    pub(crate) fn opening<'a>(&self, text: &'a str) -> Option<(&'static str, &'a str)> {
        let at = Place::of(text.as_bytes().get(..2)?);
        let mut near = self.all().iter().filter(|cue| cue.places[0] == at);
        near.find_map(|cue| Some((cue.text, text.strip_prefix(cue.text)?)))
    }
}

/// A text in small letters in which cues are looked for.
pub(crate) struct Seen<'a> {
    text: &'a str,
    /// Which two bytes follow each other: most cues are told not to stand there by three pairs of theirs.
    pairs: [u64; 16],
}

impl<'a> Seen<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut pairs = [0; 16];
        for pair in text.as_bytes().windows(2) {
            let (at, bit) = Place::of(pair).bit();
            pairs[at] |= bit;
        }
        Self { text, pairs }
    }

    /// Whether one of `cues` stands there: as whole words, or anywhere where it is of a script
    /// without blanks.
    pub(crate) fn has(&self, cues: &Cues) -> bool {
        let is_here = |cue: &str| {
            let is_dense = !cue.is_ascii() && cue.starts_with(is_of_dense_script);
            if is_dense { self.text.contains(cue) } else { has_words(self.text, cue) }
        };
        let has = |place: &Place| {
            let (at, bit) = place.bit();
            self.pairs[at] & bit != 0
        };
        let mut near = cues.all().iter().filter(|cue| cue.places.iter().all(has));
        near.any(|cue| is_here(cue.text))
    }
}

/// Where the bit of two bytes that follow each other stands; letters differ in their lower five bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place(u16);

impl Place {
    /// Of the first two of at least so many.
    fn of(bytes: &[u8]) -> Self {
        Self(u16::from(bytes[0] & 31) << 5 | u16::from(bytes[1] & 31))
    }

    fn bit(self) -> (usize, u64) {
        (usize::from(self.0 >> 6), 1 << (self.0 & 63))
    }
}

/// Whether one of `cues` stands in `text`, which is in small letters.
pub(crate) fn has_any(text: &str, cues: &Cues) -> bool {
    Seen::of(text).has(cues)
}

/// Whether words of the script stand without blanks between them.
pub(crate) fn is_of_dense_script(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// How many words a text has; two letters are one where there are no blanks.
pub(crate) fn count(text: &str) -> usize {
    if text.is_ascii() {
        return text.split_ascii_whitespace().count();
    }
    let dense = |word: &str| word.chars().filter(|c| is_of_dense_script(*c)).count();
    text.split_whitespace().map(|word| 1 + dense(word) / 2).sum()
}

/// Whether a sentence, in small letters, reports what was done: not what may be, or is not, or what code does.
pub(crate) fn is_result(low: &Seen<'_>) -> bool {
    let is_told =
        || low.has(&RESULT) || (low.has(&PASSED) && low.has(&CHECKS)) || is_report(low.text);
    is_told() && !low.has(&UNSURE)
}

/// Whether a sentence tells that a check went well.
pub(crate) fn tells_of_passing(text: &str) -> bool {
    let low = low(text);
    let low = Seen::of(&low);
    low.has(&PASSED) && low.has(&CHECKS) && !low.has(&UNSURE)
}

/// Whether a verb that reports stands first, or right behind who did it: elsewhere it tells of something else.
fn is_report(low: &str) -> bool {
    let is_part = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '_');
    let words = || low.split(is_part).filter(|word| !word.is_empty());
    let is_verb = |word: &str| DONE.contains(&word);
    words().next().is_some_and(is_verb)
        || words().zip(words().skip(1)).any(|(who, word)| is_verb(word) && DOERS.contains(&who))
}

/// Verbs with which agents report what they did, and what stands right before one within a sentence.
const DONE: &[&str] = &[
    "fixed",
    "committed",
    "pushed",
    "merged",
    "created",
    "added",
    "updated",
    "removed",
    "implemented",
    "renamed",
    "replaced",
    "deleted",
    "closed",
    "published",
    "replied",
    "addressed",
    "resolved",
    "pruned",
    "reverted",
    "rebased",
    "deployed",
    "installed",
    "dispatched",
    "opened",
    "moved",
    "switched",
    "patched",
];
const DOERS: &[&str] = &["i", "i've", "we", "we've", "also", "been", "now", "already"];

/// By what a sentence is known to tell that a check went well, and what checks are.
static PASSED: Cues =
    Cues::new("passed|tests pass|all pass|suite passes|checks pass|build passes|green");
static CHECKS: Cues = Cues::new("test|tests|suite|build|lint|check|checks|typecheck|ci");

/// By what a sentence is known to tell only what may be, or what is not.
static UNSURE: Cues = Cues::new(
    "if|never|whether|no|not|isn't|wasn't|hasn't|should|would|could|until|once|wenn|falls|nicht|si|pas|如果|没有",
);

/// Whether `words` stand in `text` as whole words.
pub(crate) fn has_words(text: &str, words: &str) -> bool {
    // Hardly any cue stands there, and to look for one is cheaper than to look for all of its places.
    text.contains(words)
        && text.match_indices(words).any(|(at, _)| {
            let is_letter = |c: char| c.is_alphanumeric() || c == '_';
            let before = text[..at].chars().next_back().is_some_and(is_letter);
            let after = text[at + words.len()..].chars().next().is_some_and(is_letter);
            !before && !after
        })
}

/// Whether a sentence of the user rules what the agent does beyond the task at hand.
pub(crate) fn is_rule(sentence: &str) -> bool {
    let low = low(sentence);
    let is_asked = ASKING.opening(&low).is_some();
    if is_asked || sentence.ends_with(['?', '？']) {
        return false;
    }
    let is_short = count(&low) < 4 && !low.starts_with("no ");
    let forbids = low.starts_with("no ") || has_any(&low, &FORBIDDING);
    has_any(&low, &RULING) || forbids && !is_short && !has_any(&low, &PASSING)
}

/// By what a sentence is known to rule for good.
static RULING: Cues = Cues::new(
    "never|always|must|make sure|prefer|should not|shouldn't|avoid|not allowed|required|from now on|\
    nie|niemals|immer|muss|müssen|grundsätzlich|ab jetzt|stets|verboten|\
    jamais|toujours|doit|doivent|obligatoire|désormais|interdit|\
    必须|永远|务必|一律|严禁|禁止|总是|必ず|絶対|常に|してはいけ|しないこと",
);

/// By what one is known to hold the agent back, now or for good.
static FORBIDDING: Cues = Cues::new(
    "don't|dont|do not|only|instead|without|keep|no need|rather than|leave|stop|\
    nur|ohne|kein|keine|keinen|nicht|statt|lass|sans|seulement|uniquement|pas de|ne|aucun|aucune|\
    不要|别|只|不能|不得|ないで|だけ|なしで",
);

/// By what one is known to rule something out, whether for good or for once.
pub(crate) static FORBIDDEN: Cues = Cues::new(
    "don't|dont|do not|never|stop|must not|mustn't|not allowed|no need to|nicht|kein|keine|nie|niemals|\
    ne|pas|jamais|不要|别|不能|严禁|禁止|しないで|しないこと",
);

/// How clauses begin that name what is not wanted, or is not wanted any more: `no LRU`.
pub(crate) static REFUSING: Cues = Cues::new(
    "no |not a |not an |not the |not with |without |never |don't use |don't add |don't |dont |do not use |do not add |do not |\
    instead of |rather than |drop |kein |keine |keinen |ohne |statt |pas de |sans |plutôt que |不要|别",
);

/// By what one is known to hold for now only.
static PASSING: Cues = Cues::new(
    "yet|for now|right now|now|this time|at the moment|so far|first|today|just|\
    noch nicht|erst|jetzt|vorerst|diesmal|pour l'instant|maintenant|d'abord|cette fois|\
    先|暂时|现在|这次|まだ|今は|とりあえず|今回",
);

/// How sentences begin that ask or wonder, whatever words of rules are in them.
static ASKING: Cues = Cues::new(
    "can |could |should |would |why |i don't think|i don't know|i don't understand|i'm not sure|\
    kann|warum|ich weiß nicht|ich glaube nicht|pourquoi|je ne sais pas|je ne pense pas",
);

/// By what a sentence is known to take something back.
pub(crate) static UNDOING: Cues = Cues::new(
    "never mind|nevermind|forget that|forget what|forget about|ignore that|ignore what|ignore my|\
    scratch that|you can now|no longer|it's ok to|it is ok to|it's fine to|now you may|you may now|changed my mind|\
    vergiss|doch erlaubt|jetzt darfst du|oublie|finalement tu peux|算了|忘掉|现在可以|忘れて|取り消",
);

/// Whether a text tells first what to do: `Remove the cache`, `Now remove it`.
pub(crate) fn is_imperative(text: &str) -> bool {
    let mut words = text.split([' ', ',', ':']).filter(|word| !word.is_empty());
    let is_order = |word: &str| {
        matches!(word.as_bytes()[0] | 0x20, b'n' | b'f' | b't' | b'a')
            && ORDER.iter().any(|lead| word.eq_ignore_ascii_case(lead))
    };
    let word = words.find(|word| !is_order(word)).unwrap_or_default();
    if LONGEST_VERB < word.len() {
        return false;
    }
    let word = word.to_ascii_lowercase();
    let tells = |next: &str| TELLING.contains(&next) || word == "commit" && MADE.contains(&next);
    VERBS.contains(&*word) && !words.next().is_some_and(tells)
}

/// Behind a word that is the name of a thing as well, what tells of that: `Test verifies`, and of a commit `Commit created`.
const TELLING: &[&str] = &[
    "is",
    "was",
    "are",
    "has",
    "had",
    "passes",
    "fails",
    "exists",
    "verifies",
    "covers",
    "mentions",
    "landed",
    "succeeded",
    "looks",
];
const MADE: &[&str] = &["created", "made", "pushed", "message"];

/// What stands before a step and tells only when it is taken.
const ORDER: [&str; 6] = ["now", "first", "next", "then", "finally", "also"];

/// Whether a message asks something, and orders nothing.
pub(crate) fn is_question(text: &str) -> bool {
    let low = low(text);
    low.trim_end().ends_with(['?', '？']) || QUESTIONS.opening(&low).is_some()
}

/// How a message begins that only agrees or declines.
pub(crate) static ASSENT: Cues = Cues::new(
    "yes|yeah|yep|ok|okay|sure|no|nope|do it|go ahead|please do|sounds good|ja|nein|oui|non|好|好的|可以|是|はい|お願い",
);

/// How one begins that agrees with more than a word.
pub(crate) static AGREEING: Cues = Cues::new(
    "yes,|yes that|yes please|yeah,|yep,|ok,|okay,|sure,|sounds good|go ahead|agreed|ja,|oui,|好的，|可以，|はい、",
);

/// Whether a text asks for an answer alone, and not that something be done: an answer was given by the next request.
pub(crate) fn is_asking(text: &str) -> bool {
    let is_order = || is_imperative(text) || ORDERING.opening(&low(text)).is_some();
    text.trim_end().ends_with(['?', '？']) && !is_order()
}

/// How questions begin that are orders.
static ORDERING: Cues = Cues::new(
    "can you |could you |would you |will you |can we |could we |please |let's |shall we |should we |then |okay |ok |also |and |kannst du |könntest du |peux-tu |pourrais-tu ",
);

/// How messages begin that ask.
static QUESTIONS: Cues = Cues::new(
    "how |what |why |where |when |which |who |is |are |does |do |did |warum |wie |was |pourquoi |comment ",
);

/// How long the longest of [`VERBS`] is.
const LONGEST_VERB: usize = 9;

/// Verbs that tell what to do where they stand first.
static VERBS: LazyLock<QuickSet<&str>> = LazyLock::new(|| {
    "\
    add|address|adjust|apply|avoid|bump|change|check|clean|close|commit|compute|configure|\
    consider|continue|convert|create|delete|disable|document|drop|enable|ensure|expose|extend|\
    extract|fix|handle|implement|include|inject|install|introduce|keep|log|make|merge|modify|\
    monitor|move|parse|pass|patch|publish|pull|push|rebase|refactor|register|remove|rename|\
    render|replace|respond|restore|return|revert|run|save|send|set|show|simplify|skip|spawn|\
    split|stage|start|store|switch|test|track|undo|update|use|validate|verify|wire|wrap|write"
        .split('|')
        .collect()
});

/// Whether the user says that they put back what the agent changed.
pub(crate) fn tells_of_putting_back(text: &str) -> bool {
    static PUT_BACK: Cues = Cues::new(
        "i've reverted your|i reverted your|i have reverted your|i've reverted all|i reverted all|i've reverted everything|i reverted everything|\
        i undid your|i've undone your|i rolled back your|i've rolled back your|i discarded your|i've discarded your",
    );
    has_any(&low(text), &PUT_BACK)
}

/// How sentences begin by which the agent goes over to something.
const TURNING: [&str; 7] = [
    "starting with ",
    "moving on to ",
    "moving to ",
    "focusing on ",
    "focusing only on ",
    "proceeding with ",
    "continuing with ",
];

/// Whether the agent only goes over to something: `Moving on to the tests`, `Now the runner.`
pub(crate) fn is_turning(text: &str) -> bool {
    let text = text.trim_start_matches('*');
    // Most sentences begin with another letter.
    let first = text.as_bytes().first().map_or(0, |byte| byte | 0x20);
    if !matches!(first, b'n' | b's' | b'm' | b'o' | b'f' | b'p' | b'c') {
        return false;
    }
    let begins = |lead: &str| {
        let start = text.as_bytes().get(..lead.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(lead.as_bytes()))
    };
    let is_without_verb = || count(text) <= WITHOUT_VERB && !has_any(&low(text), &STATE);
    let is_numbered = || begins("step ") && text[5..].starts_with(|c: char| c.is_ascii_digit());
    let is_now = || begins("now ") && is_without_verb();
    TURNING.iter().any(|lead| begins(lead)) || is_numbered() || is_now()
}

/// So many words a sentence has at most whose lack of a verb of [`STATE`] tells anything: a longer one has another.
const WITHOUT_VERB: usize = 12;

/// By what a sentence is known to tell how something is.
static STATE: Cues = Cues::new(
    "is|are|was|were|has|have|had|works|work|pass|passes|passed|fails|fail|failed|compiles|builds|can|does|needs|shows|uses|returns|\
    it's|that's|there's|left|remain|remaining|still|only|ok|green|clean|done|fixed|gets|runs|makes|i see|i understand|i know",
);

/// By what a sentence is known to tell what is wrong.
pub(crate) static DEFECT: Cues = Cues::new(
    "a bug|the bug is|is broken|are broken|is wrong|are wrong|is missing|are missing|incorrectly|crashes|silently|swallows|leaks|the problem is|the issue is|\
    root cause|falsch|kaputt|fehlt|faux|cassé|manque|错误|缺少|原因|間違|欠け",
);

/// By what a sentence is known to tell that something is not as it should be.
pub(crate) static LACKING: Cues = Cues::new(
    "still|never|isn't|aren't|doesn't|don't|not|no longer|missing|unused|stale|outdated|wrong|noch|nicht|fehlt|pas|encore|没有|仍",
);

/// By what the agent is known to say what it is about to do.
pub(crate) static INTENT: Cues = Cues::new(
    "let me|i'll|i will|i need to|i also need to|i should|i could|i'm going to|we need to|\
    need to|i have to|should i|want me to|would you like|let's",
);

/// By what the agent is known to say what it does right then.
pub(crate) static GOING: Cues = Cues::new(
    "i'll|i will|i'm going to|let me|i'm checking|i'm looking|i'm reading|i'm running|i'm using|i'm narrowing|i'm making|i'm adding|i'm updating",
);

/// By what a sentence is known to say only what may be.
pub(crate) static GUESS: Cues = Cues::new(
    "maybe|perhaps|probably|presumably|possibly|might|i think|i suspect|hypothesis|seems like|it seems|\
    could be|wait|vielleicht|vermutlich|peut-être|可能|也许|かもしれ",
);

/// By what a sentence is known to state a cause or a decision.
pub(crate) static DECISION: Cues = Cues::new(
    "because|since|due to|root cause|so that|caused|the reason|turns out|therefore|this means|\
    which means|the issue is|the problem is|the bug is|the issue was|the problem was|the bug was|\
    decided|decision|instead of|chose|chosen|will use|went with|rather than|agreed|approach|prefer|\
    not worth|recommend|recommended|weil|wegen|ursache|deshalb|entschieden|entscheidung|stattdessen|statt|\
    parce que|car|cause|donc|décidé|décision|plutôt que|au lieu de|choisi|\
    因为|由于|原因|所以|决定|改用|选择|而不是|ため|原因|ので|決め|採用|代わりに|方針",
);

/// By what a sentence is known to tell what was done.
static RESULT: Cues = Cues::new(
    "done|completed|bestanden|behoben|erledigt|fertig|grün|hinzugefügt|umgesetzt|\
    réussi|réussis|terminé|corrigé|ajouté|fait|passent|通过|完成|修复了|已修复|已提交|已添加|完了|成功|修正しま|追加しま|通り",
);

/// By what a sentence is known to say what comes next.
pub(crate) static COMING: Cues = Cues::new(
    "next|todo|remaining|still to|need to|needs to|follow-up|pending|\
    als nächstes|danach|noch offen|bleibt|noch zu|fehlt noch|ensuite|reste|prochaine|prochain|puis|\
    接下来|下一步|还需|待办|剩下|次に|残り|これから|残って",
);

/// Whether a sentence says first that it tells what comes next: `Next: the cache`.
pub(crate) fn is_heralding(text: &str) -> bool {
    let low = low(&text[..text.floor_char_boundary(HERALD)]);
    let behind = HERALDING.opening(&low).map(|(_, behind)| behind);
    behind.is_some_and(|it| it.starts_with([':', ',', '：', '，']) || low.starts_with("next i"))
}

/// How much of a sentence tells that.
const HERALD: usize = 40;

/// How sentences begin that say what comes next.
static HERALDING: Cues = Cues::new(
    "next up|next steps|next step|next|todo|remaining|still to do|still open|then|\
    als nächstes|nächster schritt|danach|noch offen|ensuite|prochaine étape|接下来|下一步|次に|残り",
);

/// By what a sentence is known to tell that something failed.
pub(crate) static FAILURE: Cues = Cues::new(
    "fails|failed|failing|didn't work|doesn't work|reverted|abandoned|fehlgeschlagen|schlägt fehl|schlug fehl|scheitert|scheiterte|geht nicht|\
    échoue|échoué|échec|ne fonctionne pas|ne marche pas|失败|报错|无法|不行|失敗|エラー|できません|動かな",
);

/// By what a sentence is known to say what its speaker does next.
pub(crate) static ANNOUNCING: Cues = Cues::new(
    "next|i'll|i will|let me|now i|remaining|still|then i|want me to|\
    als nächstes|ich werde|ensuite|je vais|接下来|下一步|次に|これから",
);

/// By what a sentence is known to say what holds its speaker up.
pub(crate) static WAITING: Cues = Cues::new(
    "blocked|waiting for|waiting on|can't proceed|cannot proceed|can't continue|cannot continue|\
    need you to|needs you to|need your|needs your",
);

/// By what a sentence is known to tell that something was tried and given up.
pub(crate) static GIVEN_UP: Cues = Cues::new(
    "gave up|given up|giving up|abandoned|reverted|rolled back|backed out|dead end|didn't work|\
    did not work|doesn't work|does not work|won't work|not possible|ruled out",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_for_good_is_a_rule() {
        for rule in [
            "Never push to main.",
            "Don't touch the ledger crate.",
            "No mocks in the integration tests.",
            "Keep the public API as it is.",
            "Die Schnittstelle darf nicht geändert werden.",
            "Ne modifie jamais les migrations.",
            "不要修改公开接口。",
            "テストは必ず実行してください。",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
        for passing in [
            "Only check it.",
            "Don't start yet.",
            "Stop here.",
            "Don't fix anything, just validate that it works.",
            "Should we always do that?",
            "Leave the second one for now, please.",
            "Fang noch nicht an.",
            "先不要开始。",
            "まだ始めないでください。",
        ] {
            assert!(!is_rule(passing), "{passing}");
        }
    }

    #[test]
    fn who_asks_orders_nothing() {
        assert!(is_asking("How many are there?") && !is_asking("Rename it everywhere, ok?"));
    }

    #[test]
    fn what_the_agent_goes_over_to_is_known() {
        for text in [
            "Now the runner (~line 7).",
            "Now do the same for `b`.",
            "Step 5: Run the tests",
            "Moving on to the tests.",
            "**Step 2: Update `root.go`.**",
        ] {
            assert!(is_turning(text), "{text}");
        }
        for text in
            ["Now the tests pass.", "Now that it is read, go on.", "Nowhere is it read.", ""]
        {
            assert!(!is_turning(text), "{text}");
        }
        assert!(is_imperative("Now create the tests.") && is_imperative("First, add a key"));
        assert!(!is_imperative("Now the tests pass") && !is_imperative("Now"));
    }

    #[test]
    fn a_verb_that_stands_first_tells_what_to_do() {
        for tells in ["Commit created cleanly.", "Commit message names it", "Test verifies the key"]
        {
            assert!(!is_imperative(tells), "{tells}");
        }
        for orders in [
            "Commit the key",
            "Test failed payments",
            "Log messages of refunds",
            "Show created orders",
        ] {
            assert!(is_imperative(orders), "{orders}");
        }
        assert!(VERBS.iter().all(|verb| is_imperative(&format!("{}: it", verb.to_uppercase()))));
        assert!(
            !is_imperative("It is to remove") && !is_imperative("") && !is_imperative("Removed")
        );
    }

    #[test]
    fn a_cue_is_found_where_its_words_stand() {
        let cues = Cues::new("fail|passed|通过");
        assert!(has_any("it passed, then", &cues));
        assert!(!has_any("it surpassed é", &cues));
        assert!(has_any("测试通过了", &cues));
        assert_eq!(cues.opening("passed it"), Some(("passed", " it")));
        assert_eq!(cues.opening("p"), None);
        assert_eq!((count("a few words"), count("修复了测试")), (3, 3));
    }
}
