//! Words by which sentences are known: what they rule, state or announce, in some languages.

use std::sync::LazyLock;

use crate::digest::{QuickSet, low};

/// Whether one of `cues`, parted by `|`, stands in `text`, which is in small letters: as whole words,
/// or anywhere where it is of a script without blanks.
pub(crate) fn has_any(text: &str, cues: &str) -> bool {
    let pairs = Pairs::of(text);
    let is_here = |cue: &str| {
        let is_dense = !cue.is_ascii() && cue.starts_with(is_of_dense_script);
        if is_dense { text.contains(cue) } else { has_words(text, cue) }
    };
    parted(cues).any(|cue| pairs.begin(cue) && is_here(cue))
}

/// Which two bytes follow each other in a text: most cues are told not to stand in it by their first two.
struct Pairs([u64; 16]);

impl Pairs {
    fn of(text: &str) -> Self {
        let mut pairs = Self([0; 16]);
        for pair in text.as_bytes().windows(2) {
            let (at, bit) = Self::place(pair[0], pair[1]);
            pairs.0[at] |= bit;
        }
        pairs
    }

    /// Whether a cue may stand there, by its beginning.
    fn begin(&self, cue: &str) -> bool {
        let [first, second, ..] = cue.as_bytes() else { return true };
        let (at, bit) = Self::place(*first, *second);
        self.0[at] & bit != 0
    }

    /// Letters differ in their lower five bits.
    fn place(first: u8, second: u8) -> (usize, u64) {
        (usize::from(first & 31) >> 1, 1 << ((first & 1) << 5 | (second & 31)))
    }
}

/// What stands between the `|`: the cues are shorter than a search takes to begin.
fn parted(cues: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(cues);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.bytes().position(|byte| byte == b'|');
        rest = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
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

/// Whether a sentence, in small letters, tells that something is done: not that it may be, or is not.
pub(crate) fn is_result(low: &str) -> bool {
    has_any(low, RESULT) && !has_any(low, UNSURE)
}

/// By what a sentence is known to tell only what may be, or what is not.
const UNSURE: &str = "if|first pass|whether|no|not|isn't|wasn't|hasn't|should|would|could|until|once|wenn|falls|nicht|si|pas|如果|没有";

/// Whether `words` stand in `text` as whole words.
pub(crate) fn has_words(text: &str, words: &str) -> bool {
    // Hardly any cue stands there, and to look for one is cheaper than to look for all of its places.
    text.contains(words)
        && text.match_indices(words).any(|(at, _)| {
            let is_letter = |c: char| c.is_alphanumeric();
            let before = text[..at].chars().next_back().is_some_and(is_letter);
            let after = text[at + words.len()..].chars().next().is_some_and(is_letter);
            !before && !after
        })
}

/// Whether a sentence of the user rules what the agent does beyond the task at hand.
pub(crate) fn is_rule(sentence: &str) -> bool {
    let low = low(sentence);
    let is_asked = ASKING.split('|').any(|opening| low.starts_with(opening));
    if is_asked || sentence.ends_with(['?', '？']) {
        return false;
    }
    let is_short = count(&low) < 4 && !low.starts_with("no ");
    let forbids = low.starts_with("no ") || has_any(&low, FORBIDDING);
    has_any(&low, RULING) || forbids && !is_short && !has_any(&low, PASSING)
}

/// By what a sentence is known to rule for good.
const RULING: &str = "never|always|must|make sure|prefer|should not|shouldn't|avoid|not allowed|required|from now on|\
    nie|niemals|immer|muss|müssen|grundsätzlich|ab jetzt|stets|verboten|\
    jamais|toujours|doit|doivent|obligatoire|désormais|interdit|\
    必须|永远|务必|一律|严禁|禁止|总是|必ず|絶対|常に|してはいけ|しないこと";

/// By what one is known to hold the agent back, now or for good.
const FORBIDDING: &str = "don't|dont|do not|only|instead|without|keep|no need|rather than|leave|stop|\
    nur|ohne|kein|keine|keinen|nicht|statt|lass|sans|seulement|uniquement|pas de|ne|aucun|aucune|\
    不要|别|只|不能|不得|ないで|だけ|なしで";

/// By what one is known to hold for now only.
const PASSING: &str = "yet|for now|right now|now|this time|at the moment|so far|first|today|just|\
    noch nicht|erst|jetzt|vorerst|diesmal|pour l'instant|maintenant|d'abord|cette fois|\
    先|暂时|现在|这次|まだ|今は|とりあえず|今回";

/// How sentences begin that ask or wonder, whatever words of rules are in them.
const ASKING: &str = "can |could |should |would |why |i don't think|i don't know|i don't understand|i'm not sure|\
    kann|warum|ich weiß nicht|ich glaube nicht|pourquoi|je ne sais pas|je ne pense pas";

/// By what a sentence is known to take something back.
pub(crate) const UNDOING: &str = "never mind|nevermind|forget that|forget what|forget about|ignore that|ignore what|ignore my|\
    scratch that|you can now|no longer|it's ok to|it is ok to|it's fine to|now you may|you may now|changed my mind|\
    vergiss|doch erlaubt|jetzt darfst du|oublie|finalement tu peux|算了|忘掉|现在可以|忘れて|取り消";

/// Whether a text tells first what to do: `Remove the cache`.
pub(crate) fn is_imperative(text: &str) -> bool {
    let word = text.trim_start().split([' ', ',', ':']).next().unwrap_or_default();
    VERBS.contains(&*word.to_ascii_lowercase())
}

/// Whether one of the clauses of what the user says orders something: `if not, just make a pr`.
pub(crate) fn is_order(sentence: &str) -> bool {
    let low = low(sentence);
    low.split([',', ';', ':', '.', '?']).any(|clause| {
        let mut clause = clause.trim();
        while let Some(rest) = LEADING.split('|').find_map(|lead| clause.strip_prefix(lead)) {
            clause = rest.trim_start();
        }
        is_imperative(clause)
    })
}

/// Whether a message asks something, and orders nothing.
pub(crate) fn is_question(text: &str) -> bool {
    let low = low(text);
    low.trim_end().ends_with(['?', '？']) || QUESTIONS.split('|').any(|it| low.starts_with(it))
}

/// How a message begins that only agrees or declines.
pub(crate) const ASSENT: &str = "yes|yeah|yep|ok|okay|sure|no|nope|do it|go ahead|please do|sounds good|ja|nein|oui|non|好|好的|可以|是|はい|お願い";

/// How messages begin that ask.
const QUESTIONS: &str = "how |what |why |where |when |which |who |is |are |does |do |did |warum |wie |was |pourquoi |comment ";

/// What stands before the verb of an order.
const LEADING: &str = "please |just |then |and |also |now |but |so |can you |could you |would you |let's |i want you to |\
    i'd like to |you should |we should |we need to |you need to |ok |okay |yes |yeah |maybe |instead ";

/// Verbs that tell what to do where they stand first.
static VERBS: LazyLock<QuickSet<&str>> = LazyLock::new(|| {
    parted(
        "\
    add|address|adjust|apply|avoid|bump|change|check|clean|close|commit|compute|configure|\
    consider|continue|convert|create|delete|disable|document|drop|enable|ensure|expose|extend|\
    extract|fix|handle|implement|include|inject|install|introduce|keep|log|make|merge|modify|\
    monitor|move|parse|pass|patch|publish|pull|push|rebase|refactor|register|remove|rename|\
    render|replace|respond|restore|return|revert|run|save|send|set|show|simplify|skip|spawn|\
    split|stage|start|store|switch|test|track|undo|update|use|validate|verify|wire|wrap|write",
    )
    .collect()
});

/// By what the agent is known to say what it is about to do.
pub(crate) const INTENT: &str = "let me|i'll|i will|i need to|i also need to|i should|i could|i'm going to|we need to|\
    need to|i have to|should i|want me to|would you like|let's";

/// By what the agent is known to say only that it waits.
pub(crate) const PENDING: &str = "still running|still waiting|still building|still working|still actively|in flight|\
    no new output|no completion signal|taking longer|läuft noch|toujours en cours|还在运行|まだ実行中";

/// By what a sentence is known to say only what may be.
pub(crate) const GUESS: &str = "maybe|perhaps|probably|presumably|possibly|might|i think|i suspect|hypothesis|seems like|\
    could be|wait|vielleicht|vermutlich|peut-être|可能|也许|かもしれ";

/// By what a sentence is known to state a cause or a decision.
pub(crate) const DECISION: &str = "because|since|due to|root cause|so that|caused|the reason|turns out|therefore|this means|\
    which means|the issue is|the problem is|the bug is|the issue was|the problem was|the bug was|\
    decided|decision|instead of|chose|chosen|will use|went with|rather than|agreed|approach|option|prefer|\
    not worth|recommend|recommended|weil|wegen|ursache|deshalb|entschieden|entscheidung|stattdessen|statt|\
    parce que|car|cause|donc|décidé|décision|plutôt que|au lieu de|choisi|\
    因为|由于|原因|所以|决定|改用|选择|而不是|ため|原因|ので|決め|採用|代わりに|方針";

/// By what a sentence is known to tell what was done.
const RESULT: &str = "pass|passes|passed|fixed|committed|pushed|done|complete|completed|merged|created|added|\
    updated|removed|implemented|green|bestanden|behoben|erledigt|fertig|grün|hinzugefügt|umgesetzt|\
    réussi|réussis|terminé|corrigé|ajouté|fait|passent|通过|完成|修复了|已修复|已提交|已添加|完了|成功|修正しま|追加しま|通り";

/// By what a sentence is known to say what comes next.
pub(crate) const COMING: &str = "next|then|todo|remaining|still|need to|needs to|later|follow-up|pending|want me|should i|if you|\
    als nächstes|danach|noch offen|bleibt|noch zu|fehlt noch|ensuite|reste|prochaine|prochain|puis|\
    接下来|下一步|还需|待办|剩下|次に|残り|これから|残って";

/// By what a sentence is known to tell that something failed.
pub(crate) const FAILURE: &str = "fails|failed|failing|didn't work|doesn't work|reverted|abandoned|fehlgeschlagen|schlägt fehl|schlug fehl|scheitert|scheiterte|geht nicht|\
    échoue|échoué|échec|ne fonctionne pas|ne marche pas|失败|报错|无法|不行|失敗|エラー|できません|動かな";

/// By what a sentence is known to say what its speaker does next.
pub(crate) const ANNOUNCING: &str = "next|i'll|i will|let me|now i|remaining|still|then i|want me to|\
    als nächstes|ich werde|ensuite|je vais|接下来|下一步|次に|これから";

/// By what a sentence is known to say what holds its speaker up.
pub(crate) const WAITING: &str = "blocked|waiting for|waiting on|can't proceed|cannot proceed|can't continue|cannot continue|\
    need you to|needs you to|need your|needs your";

/// By what a sentence is known to tell that something was tried and given up.
pub(crate) const GIVEN_UP: &str = "gave up|given up|giving up|abandoned|reverted|rolled back|backed out|dead end|didn't work|\
    did not work|doesn't work|does not work|won't work|not possible|ruled out";

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
    fn a_verb_that_stands_first_tells_what_to_do() {
        assert!(VERBS.iter().all(|verb| is_imperative(&format!("{}: it", verb.to_uppercase()))));
        assert!(
            !is_imperative("It is to remove") && !is_imperative("") && !is_imperative("Removed")
        );
    }

    #[test]
    fn a_cue_is_found_where_its_words_stand() {
        assert!(has_any("it passed, then", "fail|passed"));
        assert!(!has_any("it surpassed é", "fail|passed"));
        assert!(has_any("测试通过了", "通过"));
        assert_eq!((count("a few words"), count("修复了测试")), (3, 3));
    }
}
