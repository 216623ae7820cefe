//! Questions to the user, and what they replied.

use std::collections::BTreeMap;

use serde::Deserialize;
use vademecum_core::turn::{Action, Question, Reply};

use super::{Arguments, Maybe, Str, parse};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Wire<'a> {
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    question: Str<'a>,
    #[serde(borrow)]
    options: Vec<Maybe<Choice<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Choice<'a> {
    #[serde(borrow)]
    label: Str<'a>,
}

/// The question of a call, or all of several; none if it has none.
pub(super) fn asked(arguments: &Arguments<'_>) -> Option<Action> {
    let several = arguments.raw("questions").and_then(|json| parse(json).ok());
    let several: Vec<Maybe<Wire<'_>>> = several.unwrap_or_default();
    let several: Vec<Question> =
        several.into_iter().filter_map(|wire| wire.0?.question()).collect();
    if !several.is_empty() {
        return Some(Action::Questioned { questions: several });
    }
    let text = arguments.text(&["question", "message", "text", "prompt"])?.into_owned();
    let options = arguments.raw("choices").and_then(|json| parse(json).ok()).unwrap_or_default();
    Some(Action::Questioned { questions: vec![Question { id: String::new(), text, options }] })
}

impl Wire<'_> {
    fn question(self) -> Option<Question> {
        let options = self.options.iter().filter_map(|choice| choice.0.as_ref()?.label.said());
        let options = options.map(str::to_owned).collect();
        let text = self.question.said()?.to_owned();
        Some(Question { id: self.id.to_string(), text, options })
    }
}

/// What the user replied, as the answer `text` of the call tells it; a question without a reply is left out.
pub(super) fn replies(questions: &[Question], text: &str) -> Vec<Reply> {
    let reply = |question: &Question, answer: &str| Reply {
        question: question.text.clone(),
        answer: answer.trim().to_owned(),
    };
    if let Ok(told) = serde_json::from_str::<Told>(text) {
        let of = |question: &Question| {
            let answers = told.answers.get(&question.id)?;
            Some(reply(question, &answers.answers.join(", ")))
        };
        return questions.iter().filter_map(of).collect();
    }
    let sign = |question: &Question| format!("\"{}\"=\"", question.text);
    let quoted = |(idx, question): (usize, &Question)| {
        let (_, rest) = text.split_once(&sign(question))?;
        let next = questions.get(idx + 1).and_then(|next| rest.find(&format!(", {}", sign(next))));
        let rest = &rest[..next.or(rest.find(". You can now")).unwrap_or(rest.len())];
        Some(reply(question, &rest[..rest.rfind('"')?]))
    };
    match questions {
        [question] if !text.contains(&sign(question)) => {
            let said = ["User selected: ", "User responded: "];
            let said = said.iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
            vec![reply(question, said)]
        }
        _ => questions.iter().enumerate().filter_map(quoted).collect(),
    }
}

/// The replies by the ids of their questions, as Codex tells them.
#[derive(Deserialize)]
struct Told {
    answers: BTreeMap<String, Answers>,
}

#[derive(Deserialize)]
struct Answers {
    answers: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(arguments: &str, answer: &str, expected: &[(&str, &[&str], &str)]) {
        let Some(Action::Questioned { questions }) = asked(&Arguments::of_json(arguments)) else {
            panic!("questions")
        };
        let replies = replies(&questions, answer);
        let told = questions.iter().zip(&replies).map(|(question, reply)| {
            assert_eq!(question.text, reply.question);
            let options: Vec<&str> = question.options.iter().map(String::as_str).collect();
            (question.text.as_str(), options, reply.answer.as_str())
        });
        let expected: Vec<_> = expected
            .iter()
            .map(|(text, options, answer)| (*text, options.to_vec(), *answer))
            .collect();
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn replies_are_told_in_the_words_of_every_harness() {
        check(
            r#"{"questions":[{"question":"Which \"db\"?","options":[{"label":"A","description":"x"},{"label":"B"}]},{"question":"Why?","options":[]}]}"#,
            "User has answered your questions: \"Which \"db\"?\"=\"B\", \"Why?\"=\"it \"is\", simple\". You can now continue with the user's answers in mind.",
            &[("Which \"db\"?", &["A", "B"], "B"), ("Why?", &[], "it \"is\", simple")],
        );
        check(
            r#"{"questions":[{"id":"q1","header":"h","question":"Go on?","options":[{"label":"Yes"}]}]}"#,
            r#"{"answers":{"q1":{"answers":["Yes","user_note: but slowly"]}}}"#,
            &[("Go on?", &["Yes"], "Yes, user_note: but slowly")],
        );
        check(
            r#"{"question":"Which?","choices":["a","b"],"allow_freeform":true}"#,
            "User responded: neither",
            &[("Which?", &["a", "b"], "neither")],
        );
    }

    #[test]
    fn a_question_without_a_reply_has_none() {
        let questions = ["a?", "b?"].map(|text| Question {
            id: String::new(),
            text: text.to_owned(),
            options: Vec::new(),
        });
        let told = replies(&questions, "Your questions have been answered: \"b?\"=\"yes\"");
        assert_eq!(told, [Reply { question: "b?".to_owned(), answer: "yes".to_owned() }]);
    }
}
