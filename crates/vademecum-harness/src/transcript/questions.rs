//! Questions to the user, and what they replied.

use serde_json::Value;
use vademecum_core::turn::{Action, Question, Reply};

use super::Arguments;

/// The question of a call, or all of several; none if it has none.
pub(super) fn asked(arguments: &Arguments<'_>) -> Option<Action> {
    let value = |name: &str| arguments.raw(name).and_then(|json| serde_json::from_str(json).ok());
    let several: Value = value("questions").unwrap_or_default();
    let questions: Vec<Question> = list(&several)
        .filter_map(|it| question(it["id"].as_str(), it["question"].as_str()?, &it["options"]))
        .collect();
    if !questions.is_empty() {
        return Some(Action::Questioned { questions });
    }
    let text = arguments.text(&["question", "message", "text", "prompt"])?;
    let one = question(None, &text, &value("choices").unwrap_or_default())?;
    Some(Action::Questioned { questions: vec![one] })
}

fn question(id: Option<&str>, text: &str, options: &Value) -> Option<Question> {
    let options = list(options).filter_map(|it| it["label"].as_str().or(it.as_str()));
    let options = options.map(str::to_owned).collect();
    let id = id.unwrap_or_default().to_owned();
    (!text.is_empty()).then(|| Question { id, text: text.to_owned(), options })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// What the user replied, as the answer `text` of the call tells it; a question without a reply is left out.
pub(super) fn replies(questions: &[Question], text: &str) -> Vec<Reply> {
    let reply = |question: &Question, answer: &str| Reply {
        question: question.text.clone(),
        answer: answer.trim().to_owned(),
    };
    if text.starts_with('{') {
        let told: Value = serde_json::from_str(text).unwrap_or_default();
        let of = |question: &Question| {
            let answers = list(&told["answers"][&question.id]["answers"]);
            let answers: Vec<&str> = answers.filter_map(Value::as_str).collect();
            (!answers.is_empty()).then(|| reply(question, &answers.join(", ")))
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
