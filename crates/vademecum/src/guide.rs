//! The guide's Rust code, compiled and run as tests of the documentation.

macro_rules! pages {
    ($($name:ident: $file:literal,)*) => {
        $(
            #[doc = include_str!(concat!("../../../guide/src/", $file, ".md"))]
            mod $name {}
        )*
    };
}

pages! {
    what_it_is: "what-it-is",
    first_minutes: "first-minutes",
    notepad_and_notes: "notepad-and-notes",
    context: "context",
    recap_and_handoff: "recap-and-handoff",
    plans_and_wisdom: "plans-and-wisdom",
    your_own_agent: "your-own-agent",
    children_and_tasks: "children-and-tasks",
    sandbox: "sandbox",
    trouble: "trouble",
}
