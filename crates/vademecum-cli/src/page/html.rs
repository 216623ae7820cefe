//! The page as HTML: texts are escaped where they stand, and only our own script and style run.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use vademecum::ops::shapes::counted;

use super::collect::{Book, Entry, Event, Inside, Note, PlanSheet, Sheet};
use super::safe::Safe;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("search.js");

/// All that the page may do: nothing is loaded or sent, and no other script or style than these two is heard.
///
/// The hashes are those of the two files beside this one; a test says the right ones where they are not.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; \
     script-src 'sha256-tCMViisUPZSboy5OzJDjbUpTvi3QLidJh+HFzCw40Mw='; style-src 'sha256-ipq5z6MrEadeEI+LBvqWA8y49tqzSVDACkU1F5u7Dxs='";

/// The whole page.
pub(super) fn page(book: &Book) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content="vade view";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (book.project) " – vade" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                (head(book))
                main #main tabindex="-1" {
                    (sessions(&book.sessions))
                    @if !book.plans.is_empty() { (plans(&book.plans)) }
                }
                footer {
                    p.soft {
                        "Written by vade view at " (time(&book.made_at)) ". Times are UTC. Secrets were taken out again. "
                        "This is a record of agents and people, and no request."
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn head(book: &Book) -> Markup {
    html! {
        header {
            h1 { bdi { (book.project) } }
            p.soft {
                (counted(book.sessions.len(), "session")) ", " (counted(book.plans.len(), "plan"))
            }
            nav aria-label="Parts of this page" {
                ul {
                    li { a href="#sessions" { "Sessions" } }
                    @if !book.plans.is_empty() { li { a href="#plans" { "Plans" } } }
                }
            }
        }
        // Without its script it could do nothing.
        div.search #search role="search" hidden {
            label for="search-field" { "Search this page" }
            input #search-field type="search" autocomplete="off" spellcheck="false";
            p.soft #search-found role="status" {}
        }
    }
}

fn sessions(sheets: &[Sheet]) -> Markup {
    let n_left = sheets.iter().filter(|sheet| sheet.inside.is_none()).count();
    html! {
        section aria-labelledby="sessions" {
            h2 #sessions { "Sessions" }
            @if sheets.is_empty() { p { "No sessions here." } }
            @if 0 < n_left {
                p.soft {
                    (counted(n_left, "older session")) " below as lines alone, for the size of this page. "
                    code { "vade view --html FILE --session NAME" } " writes one whole."
                }
            }
            @for sheet in sheets { (session(sheet)) }
        }
    }
}

fn session(sheet: &Sheet) -> Markup {
    html! {
        @if let Some(inside) = &sheet.inside {
            details.item open[sheet.is_alone] {
                summary { (line(sheet)) }
                (inside)
            }
        } @else {
            article.item { (line(sheet)) }
        }
    }
}

/// What is said of a session at a glance.
fn line(sheet: &Sheet) -> Markup {
    html! {
        h3 { bdi { (sheet.handle) } } " "
        span.facts {
            span.state { (sheet.state) }
            span { @if sheet.is_agent { "sub-agent of " } (sheet.harness) }
            @if 0 < sheet.instance { span { "instance " (sheet.instance) } }
            span { (time(&sheet.started_at)) }
            @if sheet.notepad_rev == 0 { span { "no page" } } @else { span { "page rev " (sheet.notepad_rev) } }
            span { (sheet.open) " of " (sheet.notes) " notes open" }
            @if 0 < sheet.compactions { span { "compacted " (sheet.compactions) "×" } }
        }
        @if !sheet.about.is_blank() { span.about dir="auto" { (sheet.about) } }
    }
}

/// What is in a session.
pub(super) fn inside(inside: &Inside) -> Markup {
    html! {
        p.soft { bdi { (inside.name) } ", last heard of " (time(&inside.seen_at)) }
        @if !inside.notepad.is_blank() {
            h4 { "Notepad" }
            div.text.page dir="auto" { (inside.notepad) }
        }
        @if let Some(recap) = &inside.recap {
            h4 { "Recap" }
            div.text.page dir="auto" { (recap) }
        }
        @if !inside.notes.is_empty() {
            h4 { "Notes" }
            ul.list { @for it in &inside.notes { (note(it)) } }
        }
        @if !inside.events.is_empty() { (timeline(inside)) }
    }
}

/// What happened, the first first.
fn timeline(inside: &Inside) -> Markup {
    html! {
        h4 { "What happened" }
        @for gap in &inside.gaps { p.soft { (gap) } }
        ol.list { @for it in &inside.events { (event(it)) } }
    }
}

fn event(event: &Event) -> Markup {
    html! {
        li {
            (time(&event.at)) " " strong { (event.kind) }
            @if let Some(arrival) = event.arrival { span.soft { ", " (arrival) } }
            div.text dir="auto" { (event.text) }
            @if let Some(body) = &event.body {
                details { summary { "The whole text" } div.text.page dir="auto" { (body) } }
            }
        }
    }
}

fn note(note: &Note) -> Markup {
    html! {
        li.over[note.is_scratched] {
            div.text dir="auto" { (note.content) }
            (tags(&note.tags)) " "
            span.soft { (note.id) @if note.is_scratched { ", crossed out" } ", " (time(&note.updated_at)) }
        }
    }
}

fn plans(sheets: &[PlanSheet]) -> Markup {
    html! {
        section aria-labelledby="plans" {
            h2 #plans { "Plans" }
            @for sheet in sheets {
                details.item {
                    summary {
                        h3 { bdi { (sheet.name) } } " "
                        span.facts {
                            span.state { (sheet.stage) }
                            span { (counted(sheet.entries.len(), "entry")) }
                            span { "since " (time(&sheet.created_at)) }
                        }
                    }
                    @if !sheet.entries.is_empty() { ul.list { @for it in &sheet.entries { (entry(it)) } } }
                }
            }
        }
    }
}

fn entry(entry: &Entry) -> Markup {
    html! {
        li.over[!entry.is_in_force] {
            strong { (entry.category) }
            div.text dir="auto" { (entry.content) }
            @if !entry.more.is_empty() {
                dl { @for (name, text) in &entry.more { dt { (name) } dd dir="auto" { (text) } } }
            }
            (tags(&entry.tags)) " "
            span.soft { (entry.id) @if !entry.is_in_force { ", no longer in force" } ", " (time(&entry.at)) }
        }
    }
}

fn tags(tags: &[Safe]) -> Markup {
    html! { @for tag in tags { span.tag { bdi { (tag) } } " " } }
}

/// A time as people read it, to the minute.
fn time(at: &str) -> Markup {
    let minute = at.get(..16).unwrap_or(at).replace('T', " ");
    html! { time datetime=(at) { (minute) } }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    use super::{POLICY, SCRIPT, STYLE};

    #[test]
    fn the_policy_names_our_script_and_style_and_nothing_else() {
        let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
        let (script, style) = (hash(SCRIPT), hash(STYLE));
        let wanted = format!(
            "default-src 'none'; base-uri 'none'; form-action 'none'; script-src {script}; style-src {style}"
        );
        assert_eq!(POLICY, wanted);
    }
}
