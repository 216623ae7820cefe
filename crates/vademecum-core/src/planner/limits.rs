//! Where the warning and the compaction lie in a window, checked when the configuration is read.

/// The table `[precompact]` of the configuration, checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    enabled: bool,
    reserve: u64,
    soft: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { enabled: true, reserve: 20_000, soft: 4_000 }
    }
}

/// Values with which the warning could not come before the compaction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The line of the warning would not lie below the compaction.
    #[error(
        "precompact.soft takes 1 or more tokens, {given} given: the warning must come before the compaction"
    )]
    Soft {
        /// The value as given.
        given: i64,
    },
    /// Less than nothing would be kept free.
    #[error("precompact.reserve takes 0 or more tokens, {given} given")]
    Reserve {
        /// The value as given.
        given: i64,
    },
}

impl SettingsError {
    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> crate::error::Kind {
        crate::error::Kind::Usage
    }
}

impl Settings {
    /// Checks the values of the configuration.
    pub fn new(enabled: bool, reserve: i64, soft: i64) -> Result<Self, SettingsError> {
        let reserve = u64::try_from(reserve).map_err(|_| SettingsError::Reserve { given: reserve });
        let Ok(soft @ 1..) = u64::try_from(soft) else {
            return Err(SettingsError::Soft { given: soft });
        };
        Ok(Self { enabled, reserve: reserve?, soft })
    }

    /// The reserve and the soft margin in tokens that fit a window of this size.
    #[must_use]
    pub fn fitted(&self, window: u64) -> (u64, u64) {
        let reserve = self.reserve.min((window / 2).max(window.saturating_sub(8_000)));
        (reserve, self.soft.min(window / 4))
    }
}

/// Where the warning and the compaction lie, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limits {
    /// There is no warning.
    Off,
    /// The size of the window is not known.
    UnknownWindow,
    /// The point where the harness compacts is not known.
    UnknownThreshold,
    /// Both lines are known, in tokens; below nothing where the window has no room for them.
    Known {
        /// The size of the window.
        window: u64,
        /// Where the conversation is compacted.
        compact_at: i64,
        /// Where the warning comes, below `compact_at`.
        flush_at: i64,
    },
}

impl Limits {
    /// The limits where the harness compacts by itself, at a point that its adapter knows.
    #[must_use]
    pub fn of_harness(window: Option<u64>, compact_at: Option<u64>, settings: &Settings) -> Self {
        match (settings.enabled, window, compact_at) {
            (false, _, _) => Self::Off,
            (true, None, _) => Self::UnknownWindow,
            (true, Some(_), None) => Self::UnknownThreshold,
            (true, Some(window), Some(compact_at)) => {
                let (_, soft) = settings.fitted(window);
                Self::known(window, signed(compact_at), soft.max(window.div_ceil(20)))
            }
        }
    }

    /// The limits where the host compacts, with reserve and margin fitted to the window.
    #[must_use]
    pub fn of_host(window: Option<u64>, settings: &Settings) -> Self {
        let compact_at = |window| window - settings.fitted(window).0;
        Self::of_harness(window, window.map(compact_at), settings)
    }

    /// The limits with reserve and margin just as the settings give them.
    #[must_use]
    pub fn exact(window: u64, settings: &Settings) -> Self {
        let compact_at = signed(window).saturating_sub(signed(settings.reserve));
        Self::known(window, compact_at, settings.soft)
    }

    fn known(window: u64, compact_at: i64, margin: u64) -> Self {
        Self::Known { window, compact_at, flush_at: compact_at.saturating_sub(signed(margin)) }
    }
}

fn signed(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}
