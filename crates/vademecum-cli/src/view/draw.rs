//! Draws a state: text and attributes alone, so that it reads the same without colour.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::pane::{List, Page, Pane};
use super::state::{FRAME, Layer, Place, Question, State, Tab};
use super::text::{fitted, width, wrapped};

/// Between two columns.
const GAP: usize = 2;

/// The widest that a column but the last one is drawn.
const COLUMN: usize = 28;

/// From this width on two texts stand beside each other, else below.
const WIDE: u16 = 90;

/// So many lines what is said takes at most.
const TALK: usize = 4;

/// Draws all of a screen.
pub(super) fn draw(state: &mut State, frame: &mut Frame<'_>) {
    let area = frame.area();
    let (wide, height) = (usize::from(area.width), usize::from(area.height));
    state.height = height.saturating_sub(FRAME);
    let rows = state.height;
    let body = Rect { y: 2, height: u16::try_from(rows + 1).unwrap_or(u16::MAX), ..area };
    let body = body.intersection(area);
    match &mut state.top_mut().pane {
        Pane::List(list) => draw_list(frame, body, list),
        Pane::Page(page, top) => draw_page(frame, body, page, *top),
        Pane::Beside(both, top) => draw_both(frame, body, both, *top),
    }
    // Behind the body, which breaks the lines that the title counts.
    let lines = [title(state, wide), second(state.top(), wide)];
    for (y, (line, style)) in (0..).zip(lines) {
        put(frame, y, &line, style);
    }
    let bottom = area.height.saturating_sub(2);
    let (talk, style) = talk(state);
    draw_talk(frame, bottom, &talk, style);
    put(frame, bottom + 1, &fitted(keys(state), wide), Style::new().add_modifier(Modifier::DIM));
}

/// Draws what is said, its last line at `bottom`: what is long takes lines of the body until the next key.
fn draw_talk(frame: &mut Frame<'_>, bottom: u16, talk: &str, style: Style) {
    let wide = usize::from(frame.area().width);
    let mut lines = wrapped(talk, wide);
    if TALK < lines.len() {
        let rest = lines.split_off(TALK - 1).join(" ");
        lines.push(rest);
    }
    let n_lines = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    for (y, line) in ((bottom + 1).saturating_sub(n_lines)..).zip(&lines) {
        put(frame, y, &fitted(line, wide), style);
    }
}

fn put(frame: &mut Frame<'_>, y: u16, text: &str, style: Style) {
    let area = frame.area();
    if y < area.height {
        frame.render_widget(Line::styled(text, style), Rect { y, height: 1, ..area });
    }
}

/// Where the person is, and how many there are.
fn title(state: &State, wide: usize) -> (String, Style) {
    let what = match &state.top().place {
        Place::Sessions => "sessions".to_owned(),
        Place::Session { handle, .. } => format!("session {handle}"),
        Place::Plan(name) => format!("plan {name}"),
        Place::Search => "search".to_owned(),
        Place::Reading(title) => title.clone(),
    };
    let of = if state.is_all { "all projects" } else { state.project.as_str() };
    let left = format!("vade  {of}  {what}");
    let right = counted(&state.top().pane);
    let room = wide.saturating_sub(width(&right));
    (format!("{}{right}", fitted(&left, room)), Style::new().add_modifier(Modifier::REVERSED))
}

/// Which row of how many is chosen.
fn counted(shown: &Pane) -> String {
    match shown {
        Pane::List(list) if list.rows.is_empty() => String::new(),
        Pane::List(list) => {
            let loaded = list.rows.len();
            let all = match list.total {
                Some(total) => total.to_string(),
                None if list.has_more => format!("{loaded} or more"),
                None => loaded.to_string(),
            };
            format!(" {} of {all} ", list.cursor + 1)
        }
        Pane::Page(page, top) => format!(" line {} of {} ", top + 1, page.lines.len().max(1)),
        Pane::Beside(_, top) => format!(" line {} ", top + 1),
    }
}

/// The tabs of a session; elsewhere nothing.
fn second(layer: &Layer, wide: usize) -> (String, Style) {
    let Place::Session { tab, .. } = &layer.place else { return (String::new(), Style::new()) };
    let tabs = (1..).zip(Tab::ALL).map(|(number, it)| {
        if it == *tab {
            format!("[{number} {}]", it.word())
        } else {
            format!(" {number} {} ", it.word())
        }
    });
    (fitted(&tabs.collect::<String>(), wide), Style::new())
}

fn draw_list(frame: &mut Frame<'_>, area: Rect, list: &mut List) {
    let high = usize::from(area.height).saturating_sub(1);
    list.show(high);
    let seen = list.rows.iter().enumerate().skip(list.top).take(high);
    let seen: Vec<(usize, &Vec<String>)> = seen.map(|(idx, row)| (idx, &row.cells)).collect();
    if seen.is_empty() {
        put(frame, area.y + 1, &format!("  {}", list.nothing), Style::new());
        return;
    }
    let cells = seen.iter().map(|(_, cells)| *cells);
    let widths = widths(&list.heads, cells, usize::from(area.width).saturating_sub(GAP));
    let heads = Style::new().add_modifier(Modifier::BOLD);
    put(frame, area.y, &format!("  {}", laid_out(&list.heads, &widths)), heads);
    for (y, (idx, cells)) in (area.y + 1..).zip(&seen) {
        let is_chosen = *idx == list.cursor;
        let mark = if is_chosen { "> " } else { "  " };
        let style =
            if is_chosen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        put(frame, y, &format!("{mark}{}", laid_out(cells, &widths)), style);
    }
}

/// How wide each column is: none that is empty in all rows, and the last one what is left.
fn widths<'a>(
    heads: &[String],
    rows: impl Iterator<Item = &'a Vec<String>>,
    room: usize,
) -> Vec<usize> {
    let mut widths = vec![0; heads.len()];
    for row in rows {
        for (wide, cell) in widths.iter_mut().zip(row) {
            *wide = (*wide).max(width(cell)).min(COLUMN);
        }
    }
    for (wide, head) in widths.iter_mut().zip(heads).filter(|(wide, _)| 0 < **wide) {
        *wide = (*wide).max(width(head));
    }
    if let Some((last, others)) = widths.split_last_mut() {
        let used: usize = others.iter().filter(|wide| 0 < **wide).map(|wide| wide + GAP).sum();
        *last = room.saturating_sub(used);
    }
    widths
}

/// A row in columns; one that is empty in all rows is left out.
fn laid_out(cells: &[String], widths: &[usize]) -> String {
    let cells = cells.iter().zip(widths).filter(|(_, wide)| 0 < **wide);
    cells.map(|(cell, wide)| fitted(cell, *wide)).collect::<Vec<_>>().join("  ")
}

fn draw_page(frame: &mut Frame<'_>, area: Rect, page: &mut Page, top: usize) {
    page.wrap(usize::from(area.width));
    draw_lines(frame, area, page, top);
}

fn draw_lines(frame: &mut Frame<'_>, area: Rect, page: &Page, top: usize) {
    let lines = page.lines.iter().skip(top).take(usize::from(area.height));
    for (y, line) in (area.y..).zip(lines) {
        let row = Rect { y, height: 1, ..area }.intersection(frame.area());
        frame.render_widget(Line::raw(line.as_str()), row);
    }
}

/// Two texts: beside each other where there is room, else one below the other.
fn draw_both(frame: &mut Frame<'_>, area: Rect, both: &mut [(String, Page); 2], top: usize) {
    let halves = if WIDE <= area.width {
        let wide = area.width / 2;
        let left = Rect { width: wide.saturating_sub(2), ..area };
        [left, Rect { x: area.x + wide, width: area.width - wide, ..area }]
    } else {
        let high = area.height / 2;
        let upper = Rect { height: high, ..area };
        [upper, Rect { y: area.y + high, height: area.height - high, ..area }]
    };
    for ((title, page), half) in both.iter_mut().zip(halves) {
        page.wrap(usize::from(half.width));
        let head = Rect { height: 1, ..half }.intersection(frame.area());
        let style = Style::new().add_modifier(Modifier::BOLD);
        frame.render_widget(Line::styled(fitted(title, usize::from(half.width)), style), head);
        let rest = Rect { y: half.y + 1, height: half.height.saturating_sub(1), ..half };
        draw_lines(frame, rest, page, top);
    }
}

/// What is asked or typed, else what the last deed came to.
fn talk(state: &State) -> (String, Style) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let text = match &state.question {
        Some(Question::Tags { .. }) => {
            format!("tags: {}_  (enter keeps them, esc does not)", state.answered)
        }
        Some(Question::Forget { label, is_second: false, .. }) => {
            format!("forget {label}? y: yes, any other key: no")
        }
        Some(Question::Forget { label, is_second: true, .. }) => {
            format!("Sure? Nothing brings it back. y: forget {label}")
        }
        None if state.top().place == Place::Search => {
            let end = if state.is_typing { "_" } else { "" };
            format!("search: {}{end}", state.typed)
        }
        None => match &state.said {
            Some((text, true)) => format!("failed: {text}"),
            Some((text, false)) => text.clone(),
            None => String::new(),
        },
    };
    let is_said = state.said.as_ref().filter(|_| state.question.is_none());
    let text = match is_said {
        Some((said, is_bad)) if state.top().place == Place::Search => {
            let failed = if *is_bad { "failed: " } else { "" };
            format!("{text}  ({failed}{said})")
        }
        _ => text,
    };
    (text, bold)
}

/// The keys that matter here.
fn keys(state: &State) -> &'static str {
    if state.is_typing {
        return "type to search  enter or down: the list  esc: the screen before";
    }
    match &state.top().place {
        Place::Sessions => {
            "enter open  / search  a all  e edit  d dismiss  x forget  ? keys  q quit"
        }
        Place::Session { tab, .. } => match tab {
            Tab::Notepad => "1-5 tab  e edit  u undo  / search  esc leave  ? keys  q quit",
            Tab::Notes => {
                "s scratch  t tags  p promote  e edit  u undo  x forget  esc leave  ? keys  q quit"
            }
            Tab::Plans | Tab::Timeline | Tab::Lost => {
                "1-5 tab  enter open  / search  esc leave  ? keys  q quit"
            }
        },
        Place::Plan(_) | Place::Reading(_) => "j k move  / search  esc leave  ? keys  q quit",
        Place::Search => "enter open  / type  a all projects  esc leave  ? keys  q quit",
    }
}
