//! Times as milliseconds since 1970, written as RFC 3339 in UTC.

use jiff::civil::DateTime;
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};

/// A moment, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub i64);

impl Time {
    /// Writes the moment as RFC 3339 with milliseconds and `Z`.
    ///
    /// A moment outside the years -9999 to 9999 is written as the nearest one inside.
    #[must_use]
    pub fn to_rfc3339(self) -> String {
        let (first, last) = (jiff::Timestamp::MIN, jiff::Timestamp::MAX);
        let ms = self.0.clamp(first.as_second() * 1000, last.as_second() * 1000);
        let at = jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        format!("{at:.3}")
    }

    /// Writes the day in UTC as people say it: `8 May 2026`.
    #[must_use]
    pub fn day_in_words(self) -> String {
        let at = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::MIN);
        Offset::UTC.to_datetime(at).strftime("%-d %B %Y").to_string()
    }

    /// Writes the day, as [`Time::to_rfc3339`] begins.
    #[must_use]
    pub fn day(self) -> String {
        let at = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::MIN);
        let day = Offset::UTC.to_datetime(at).date();
        match day.year() {
            year @ 0..9999 => format!("{year:04}-{:02}-{:02}", day.month(), day.day()),
            _ => self.to_rfc3339()[..10].to_owned(),
        }
    }

    /// Writes the day in a few letters, `22 Nov`, so many seconds east of UTC.
    #[must_use]
    pub fn short_day(self, east: i32) -> String {
        const MONTHS: [&str; 12] =
            ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let day = self.plus(i64::from(east) * 1000).day();
        let [.., month, day] = day.split('-').collect::<Vec<_>>()[..] else { return day };
        let month = month.parse().ok().and_then(|month: usize| MONTHS.get(month.checked_sub(1)?));
        format!("{} {}", day.trim_start_matches('0'), month.copied().unwrap_or_default())
    }

    /// Reads RFC 3339; anything else is nothing.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let at = usual(text).or_else(|| text.parse().ok())?;
        Some(Self(at.as_millisecond()))
    }

    /// The latest moment that is believed from outside, by a clock that shows this one.
    ///
    /// No clock is ten years ahead; what lies behind would stand before all else for ever.
    #[must_use]
    pub fn latest(self) -> Self {
        self.plus(Self::AHEAD_MS)
    }

    /// Ten years.
    const AHEAD_MS: i64 = 10 * 36_525 * 864_000;

    /// The moment `ms` milliseconds later.
    #[must_use]
    pub fn plus(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this moment, negative if it lies after.
    #[must_use]
    pub fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Reads what nearly all write, `2026-11-22T08:00:00.000Z`: to read any form takes ten times as long.
fn usual(text: &str) -> Option<jiff::Timestamp> {
    const FORM: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
    let bytes: &[u8; 24] = text.as_bytes().try_into().ok()?;
    let fits = |(byte, form): (&u8, &u8)| byte == form || (*form == b'0' && byte.is_ascii_digit());
    if !bytes.iter().zip(FORM).all(fits) {
        return None;
    }
    let digit = |at: usize| i16::from(bytes[at] - b'0');
    let two = |at: usize| i8::try_from(digit(at) * 10 + digit(at + 1)).ok();
    let year = i16::from(two(0)?) * 100 + i16::from(two(2)?);
    let nanoseconds = (i32::from(two(20)?) * 10 + i32::from(digit(22))) * 1_000_000;
    let at =
        DateTime::new(year, two(5)?, two(8)?, two(11)?, two(14)?, two(17)?, nanoseconds).ok()?;
    Offset::UTC.to_timestamp(at).ok()
}

/// Reads an age, `12h`, `7d` or `8w`, as milliseconds; anything else is nothing.
#[must_use]
pub fn parse_age(text: &str) -> Option<i64> {
    let unit = text.chars().last()?;
    let hours = match unit {
        'h' => 1,
        'd' => 24,
        'w' => 168,
        _ => return None,
    };
    let n: i64 = text[..text.len() - unit.len_utf8()].parse().ok()?;
    n.checked_mul(hours * 3_600_000).filter(|ms| 0 <= *ms)
}

/// Says how long `ms` milliseconds are, in the one unit that a person would use.
#[must_use]
pub fn age(ms: i64) -> String {
    const UNITS: [(i64, &str); 6] = [
        (365 * 86_400, "year"),
        (30 * 86_400, "month"),
        (7 * 86_400, "week"),
        (86_400, "day"),
        (3_600, "hour"),
        (60, "minute"),
    ];
    let seconds = ms.max(0) / 1_000;
    // Of two units the smaller one is said until there are two of the larger: 90 minutes, not 1 hour.
    let unit = UNITS.iter().find(|(size, _)| 2 * size <= seconds);
    match unit {
        Some((size, name)) => format!("{} {name}s", seconds / size),
        None if seconds < 60 => "a moment".to_owned(),
        None => "1 minute".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Time, age};

    #[test]
    fn an_age_has_one_unit() {
        const HOUR: i64 = 3_600_000;
        for (ms, text) in [
            (-5, "a moment"),
            (59_999, "a moment"),
            (60_000, "1 minute"),
            (90 * 60_000, "90 minutes"),
            (2 * HOUR, "2 hours"),
            (47 * HOUR, "47 hours"),
            (48 * HOUR, "2 days"),
            (200 * 24 * HOUR, "6 months"),
            (i64::MAX, "292471208 years"),
        ] {
            assert_eq!(age(ms), text);
        }
    }

    #[test]
    fn reads_what_it_writes() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_734_604_200_123, "2024-12-19T10:30:00.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Time(ms).to_rfc3339(), text);
            assert_eq!(Time::parse(text), Some(Time(ms)));
        }
        assert_eq!(Time::parse("yesterday"), None);
    }

    #[test]
    fn the_usual_form_is_read_as_any_other() {
        for text in [
            "2024-02-29T23:59:59.007Z",
            "2016-12-31T23:59:60.000Z",
            "0000-01-01T00:00:00.999Z",
            "2026-02-29T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "2026-11-22T24:00:00.000Z",
            "2026-11-22T08:00:00,000Z",
        ] {
            let other = text.parse().ok().map(|at: jiff::Timestamp| Time(at.as_millisecond()));
            assert_eq!(Time::parse(text), other, "{text}");
        }
    }

    #[test]
    fn a_day_is_how_the_moment_begins() {
        let year = 365 * 86_400_000;
        let far = [i64::MIN, -3000 * year, -1, 0, 8028 * year, 9000 * year, i64::MAX];
        let days = (0..200_000).step_by(97).map(|day| day * 86_400_000 - 1);
        for at in days.chain(far).map(Time) {
            assert_eq!(at.day(), at.to_rfc3339()[..10], "{at:?}");
        }
    }

    #[test]
    fn a_short_day_is_that_of_the_place() {
        for (text, east, expected) in [
            ("2026-11-22T23:30:00Z", 0, "22 Nov"),
            ("2026-11-22T23:30:00Z", 3600, "23 Nov"),
            ("2026-03-01T00:30:00Z", -3600, "28 Feb"),
            ("2027-01-01T00:00:00Z", -1, "31 Dec"),
        ] {
            let at = Time::parse(text).expect("a time");
            assert_eq!(at.short_day(east), expected, "{text}");
        }
    }

    #[test]
    fn far_times_are_written_as_the_nearest_known() {
        for (ms, year) in [(i64::MAX, "9999-12-30T"), (i64::MIN, "-009999-01-02T")] {
            assert_eq!(&Time(ms).to_rfc3339()[..year.len()], year);
        }
    }
}
