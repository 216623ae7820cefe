//! Requests, answers and rules of the three dialects.

use serde_json::{Value, json};
use vademecum::dialect::{Answer, AnswerError, Dialect, Message, Model, Tool, ToolResult, Window};

fn window(answer: Answer) -> Window {
    let results = answer.calls.iter().map(|call| ToolResult {
        call: call.id.clone(),
        text: String::new(),
        is_error: false,
    });
    let results = Message::Results { results: results.collect(), text: "and now?".to_owned() };
    Window {
        system: "Be brief.".to_owned(),
        messages: vec![Message::User("hi".to_owned()), Message::Agent(answer), results],
        tools: vec![Tool {
            name: "look".to_owned(),
            about: "Look.".to_owned(),
            input: json!({"type": "object", "properties": {}}),
        }],
    }
}

fn body(dialect: Dialect) -> Value {
    match dialect {
        Dialect::Anthropic => json!({
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s1"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"at": "漢"}},
            ],
            "usage": {"input_tokens": 1, "cache_read_input_tokens": 2, "output_tokens": 3},
        }),
        Dialect::Completions => json!({
            "choices": [{"message": {
                "role": "assistant", "content": "I look.", "refusal": null,
                "tool_calls": [{"id": "call_1", "type": "function",
                    "function": {"name": "look", "arguments": "{\"at\":\"漢\"}"}}],
            }}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 3},
        }),
        Dialect::Responses => json!({
            "output": [
                {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
                {"type": "message", "id": "msg_1", "role": "assistant",
                    "content": [{"type": "output_text", "text": "I look.", "annotations": []}]},
                {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look",
                    "arguments": "{\"at\":\"漢\"}"},
            ],
            "usage": {"input_tokens": 3, "output_tokens": 3},
        }),
    }
}

#[test]
fn an_answer_is_sent_back_in_any_dialect() {
    let model = Model { name: "m".to_owned(), max_answer: 9 };
    for from in Dialect::ALL {
        let answer = from.answer(&body(from)).expect("an answer");
        assert_eq!(answer.text, "I look.");
        assert_eq!(answer.calls[0].arguments, json!({"at": "漢"}));
        assert_eq!(answer.usage.map(|usage| (usage.input, usage.output)), Some((3, 3)));
        for to in Dialect::ALL {
            let request = to.request(&model, &window(answer.clone()));
            assert_eq!(to.check(&request), Ok(()), "{from:?} to {to:?}: {request:#}");
            let is_native =
                request.to_string().contains("s1") || request.to_string().contains("rs_1");
            assert_eq!(is_native, from == to && from != Dialect::Completions);
        }
    }
}

#[test]
fn servers_of_ones_own_are_read_too() {
    let answer = Dialect::Completions.answer(&json!({"choices": [{"message": {
        "role": "assistant", "content": null,
        "tool_calls": [{"id": "", "function": {"name": "look", "arguments": {"at": 1}}}],
    }}]}));
    let answer = answer.expect("an answer");
    assert_eq!((answer.native, &answer.calls[0].arguments), (None, &json!({"at": 1})));
    let refused =
        Dialect::Anthropic.answer(&json!({"type": "error", "error": {"message": "busy"}}));
    assert_eq!(refused, Err(AnswerError::Refused { message: "busy".to_owned() }));
    let other = Dialect::Responses.answer(&json!({"choices": []}));
    assert_eq!(other, Err(AnswerError::Form { lacking: "output" }));
}

#[test]
fn broken_pairs_and_voices_are_found() {
    let model = Model { name: "m".to_owned(), max_answer: 9 };
    for dialect in Dialect::ALL {
        let answer = dialect.answer(&body(dialect)).expect("an answer");
        let whole = window(answer);
        let fault = |change: &dyn Fn(&mut Window)| {
            let mut window = whole.clone();
            change(&mut window);
            dialect.check(&dialect.request(&model, &window)).map_err(|error| error.fault)
        };
        assert!(fault(&|window| drop(window.messages.pop())).is_err(), "an open call");
        assert!(fault(&|window| drop(window.messages.remove(0))).is_err(), "no user first");
        assert!(fault(&|window| drop(window.messages.remove(1))).is_err(), "an orphan result");
        assert!(fault(&|window| window.tools[0].name = "a.b".to_owned()).is_err(), "a name");
        let twice = |window: &mut Window| window.messages.extend_from_within(1..);
        assert!(fault(&twice).is_err(), "an id that is used twice");
        assert!(fault(&|window| window.messages.clear()).is_err(), "nothing");
    }
}
