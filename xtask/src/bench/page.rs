//! The figures as a table for people and as JSON, and what is over.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::json;

use super::baselines::Baselines;
use super::figure::{Bound, Figure, Unit};

/// One line for each figure.
pub(super) fn table(figures: &[Figure]) -> String {
    let mut table = line(["figure", "measured", "floor", "", "ratio", "bound", ""]);
    for figure in figures {
        let floor = figure.floor.map_or_else(String::new, |floor| amount(figure.unit, floor.value));
        table += &line([
            figure.name,
            &amount(figure.unit, figure.value),
            &floor,
            figure.floor.map_or("", |floor| floor.name),
            &figure.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            &figure.bound.map_or_else(String::new, |bound| allowed(figure.unit, bound)),
            verdict(figure),
        ]);
    }
    table
}

/// The same for programs.
pub(super) fn json(figures: &[Figure]) -> Result<String> {
    let list: Vec<_> = figures
        .iter()
        .map(|figure| json!({"figure": figure, "verdict": verdict(figure)}))
        .collect();
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

/// What fails the run: counts over their bounds, and over their baselines unless these are new.
pub(super) fn over(figures: &[Figure], baselines: &Baselines, are_new: bool) -> Vec<String> {
    let held = || figures.iter().filter(|figure| figure.is_held());
    let bounds = held().filter(|figure| figure.is_over()).map(|figure| {
        let ratio = figure.ratio.unwrap_or_default();
        let bound = figure.bound.map_or_else(String::new, |bound| allowed(figure.unit, bound));
        format!("{}: {ratio:.2} times its floor, the bound is {bound}", figure.name)
    });
    let regressions = held().filter(|_| !are_new).filter_map(|figure| baselines.fault(figure));
    bounds.chain(regressions).collect()
}

fn verdict(figure: &Figure) -> &'static str {
    match (figure.bound, figure.is_over()) {
        (None, _) => "",
        (Some(_), false) => "ok",
        (Some(_), true) => "over",
    }
}

fn allowed(unit: Unit, bound: Bound) -> String {
    match bound {
        Bound::Ratio(most) => format!("{most}x"),
        Bound::Most(most) => amount(unit, most),
    }
}

#[expect(clippy::cast_precision_loss, reason = "an amount is shown with few digits")]
fn amount(unit: Unit, value: u64) -> String {
    match unit {
        Unit::Instructions => format!("{:.3} M", value as f64 / 1e6),
        Unit::Nanoseconds => format!("{:.3} ms", value as f64 / 1e6),
        Unit::Kibibytes => format!("{:.1} MiB", value as f64 / 1024.0),
    }
}

fn line(cells: [&str; 7]) -> String {
    let [figure, measured, floor, of, ratio, bound, verdict] = cells;
    let mut line = String::new();
    write!(
        line,
        "{figure:<30} {measured:>11} {floor:>11} {of:<15} {ratio:>6} {bound:>9} {verdict}"
    )
    .expect("writing to a String cannot fail");
    line.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_says_all_of_a_figure() {
        let figures = [
            Figure::new("hook", Unit::Instructions, 3_000_000)
                .against("floor-hook", 750_000)
                .within(Bound::Ratio(3.0)),
            Figure::new("memory", Unit::Kibibytes, 6144).within(Bound::Most(10_240)),
        ];
        let wanted = "\
figure                            measured       floor                  ratio     bound
hook                               3.000 M     0.750 M floor-hook        4.00        3x over
memory                             6.0 MiB                                     10.0 MiB ok
";
        assert_eq!(table(&figures), wanted);
        let over = over(&figures, &Baselines::default(), false);
        assert_eq!(over, ["hook: 4.00 times its floor, the bound is 3x"]);
    }
}
