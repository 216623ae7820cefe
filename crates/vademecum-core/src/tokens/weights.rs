//! Weights of the token estimate, in 1/32 of a token, fitted to what o200k makes of real text.

/// How many units make one token.
pub(super) const UNIT: u64 = 32;

/// What the second of two letters in a word costs, by both letters, one base-36 digit each.
#[rustfmt::skip]
pub(super) const PAIRS: [&[u8; 26]; 26] = [
    b"0300zc0fhza006z9z270mmkk0s",
    b"bhej4e7zo7i0zs0xmj1a0jzmbv",
    b"35ic0dj07y20sudfg4a0rrsu84",
    b"0qgl1przqz30ca0gj80t3zwnmn",
    b"c10001flu5zb00tafb0fzkfbfz",
    b"1tm505opjomlllh7jmg0ijeiah",
    b"zi0e0si5fzg0sgzffb6pdqzepk",
    b"dtus0yiq7ck4tc4cnkm0inyhkn",
    b"d101000ls3x7j0000000z0njj0",
    b"zid7gggvzj0tjplcfmizleishf",
    b"dqd0ed2kqej8e1zklzicouhkbl",
    b"5h0104lu0vs00bnbcy2000zt0z",
    b"04h30zfz5ek07qk8ow6c6iztjf",
    b"pw858002e0h5x2gkwy002bitdu",
    b"ua01w60z3z990007i0440a0hkk",
    b"hfth0ho1cpk00z0ai1e0mifs0k",
    b"zqhkyjmkdezblgxo8kmj0jfghs",
    b"2c456i5c4ni0502li80akbaj04",
    b"yzjg5cx7nzbjpef67i0dh67zcc",
    b"dxxe0nh00nocj0d0h7ak9s0u0v",
    b"p9000krk1jo063u0o010xcof9d",
    b"okrg0yxb9mmodhczl5yevfudqk",
    b"adoolqmf9eege32ljc9ligbjkg",
    b"ahahcrqz1ikmhfz9rsv0zgv97r",
    b"qtozzurltllx9hcki00kgt5ecn",
    b"jhha0o9tzlqgq8mcmkk99gke9k",
];

// The four tables below are by ASCII mark in code order; the last place is for control characters.

/// What a mark costs as the first of a run.
#[rustfmt::skip]
pub(super) const MARK: [u8; 32] = [
    23, 24, 21, 27, 19, 24, 26, 16, 33, 22, 28, 25, 26, 21, 22, 27,
    32, 34, 22, 21, 35, 32, 34, 28, 23, 23, 21, 24, 21, 22, 19, 36,
];

/// What a mark costs behind a different one.
#[rustfmt::skip]
pub(super) const MARK_AFTER_OTHER: [u8; 32] = [
    9, 0, 12, 20, 13, 16, 6, 12, 3, 23, 34, 13, 17, 0, 0, 5,
    0, 0, 25, 6, 32, 27, 21, 11, 4, 30, 13, 15, 17, 37, 9, 29,
];

/// What a mark costs behind the same one.
#[rustfmt::skip]
pub(super) const MARK_AFTER_SAME: [u8; 32] = [
    28, 0, 2, 28, 23, 9, 21, 39, 11, 1, 22, 36, 1, 20, 1, 0,
    26, 18, 2, 18, 22, 5, 13, 36, 13, 14, 7, 14, 0, 16, 7, 17,
];

/// What the start of a word costs behind a lone mark, which it may swallow.
#[rustfmt::skip]
pub(super) const WORD_AFTER_MARK: [u8; 32] = [
    28, 28, 11, 23, 15, 22, 33, 10, 26, 28, 39, 21, 21, 14, 20, 29,
    28, 24, 20, 25, 38, 44, 23, 24, 30, 27, 18, 38, 42, 24, 27, 32,
];

/// A word behind a blank, which it swallows.
pub(super) const WORD_AFTER_BLANK: u32 = 28;

/// A word behind a digit.
pub(super) const WORD_AFTER_DIGIT: u32 = 26;

/// A word behind anything else.
pub(super) const WORD_ALONE: u32 = 35;

/// A word that starts where small letters turn to capitals.
pub(super) const WORD_AT_HUMP: u32 = 36;

/// A capital at the start of a word.
pub(super) const CAPITAL_START: u32 = 0;

/// A capital behind a capital.
pub(super) const CAPITAL_RUN: u32 = 2;

/// The first small letter behind several capitals.
pub(super) const SMALL_AFTER_CAPITALS: u32 = 26;

/// Each letter of a word from the eleventh.
pub(super) const LONG_WORD: u32 = 4;

/// A Latin letter beyond ASCII behind an ASCII one.
pub(super) const LATIN_AFTER_ASCII: u32 = 1;

/// An ASCII letter behind a letter beyond ASCII.
pub(super) const ASCII_AFTER_WIDE: u32 = 0;

/// How much of its letters a word behind a blank has free.
pub(super) const FREE_AFTER_BLANK: u32 = 20;

/// How much is free in a word that stands alone.
pub(super) const FREE_ALONE: u32 = 21;

/// How much is free in a word behind a lone mark.
pub(super) const FREE_AFTER_MARK: u32 = 20;

/// How much is free in a word at a hump.
pub(super) const FREE_AT_HUMP: u32 = 24;

/// How much is free in a word behind a digit.
pub(super) const FREE_AFTER_DIGIT: u32 = 3;

/// Up to three digits.
pub(super) const DIGITS: u32 = 36;

/// A blank that digits cannot swallow.
pub(super) const BLANK_BEFORE_DIGIT: u32 = 32;

/// A second blank in a row.
pub(super) const BLANK_RUN: u32 = 28;

/// Every eighth blank in a row.
pub(super) const BLANK_LONG_RUN: u32 = 2;

/// A blank that is no space, or another kind than the one before.
pub(super) const BLANK_ODD: u32 = 17;

/// A line break.
pub(super) const BREAK: u32 = 38;

/// A further line break, unless it is the first to repeat.
pub(super) const BREAK_MORE: u32 = 4;

/// A line break behind a mark.
pub(super) const BREAK_AFTER_MARK: u32 = 1;

/// A line break behind blanks.
pub(super) const BREAK_AFTER_BLANK: u32 = 0;

/// A mark behind a blank.
pub(super) const MARK_AFTER_BLANK: u32 = 6;

/// An apostrophe in a word.
pub(super) const APOSTROPHE: u32 = 34;

/// How the characters of a block join with their neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joins {
    /// Letters that stand in one word with ASCII letters.
    Latin,
    /// Letters of another script.
    Letter,
    /// Signs that are no letters.
    Symbol,
}

/// The weights of a stretch of Unicode beyond ASCII.
pub(super) struct Block {
    /// The last code point.
    pub(super) last: u32,
    /// How it joins with its neighbours.
    pub(super) joins: Joins,
    /// What the first character of a run costs.
    pub(super) first: u8,
    /// What each further one costs.
    pub(super) next: u8,
    /// How much of the further ones is free.
    pub(super) free: u8,
}

const fn block(last: u32, joins: Joins, first: u8, next: u8, free: u8) -> Block {
    Block { last, joins, first, next, free }
}

/// The blocks in code order; the last one ends with Unicode.
#[rustfmt::skip]
pub(super) const BLOCKS: [Block; 61] = [
    block(0xbf, Joins::Symbol, 33, 78, 4),
    block(0xff, Joins::Latin, 54, 41, 39),
    block(0x17f, Joins::Latin, 63, 38, 5),
    block(0x2af, Joins::Latin, 60, 48, 0),
    block(0x36f, Joins::Letter, 40, 32, 0),
    block(0x390, Joins::Letter, 38, 11, 17),
    block(0x3ab, Joins::Letter, 48, 72, 9),
    block(0x3ff, Joins::Letter, 38, 11, 17),
    block(0x40f, Joins::Letter, 75, 42, 0),
    block(0x42f, Joins::Letter, 70, 16, 0),
    block(0x44f, Joins::Letter, 58, 5, 37),
    block(0x45f, Joins::Letter, 75, 42, 0),
    block(0x52f, Joins::Letter, 28, 58, 30),
    block(0x58f, Joins::Letter, 55, 6, 6),
    block(0x5ff, Joins::Letter, 37, 16, 19),
    block(0x620, Joins::Letter, 17, 40, 45),
    block(0x652, Joins::Letter, 41, 21, 71),
    block(0x77f, Joins::Letter, 17, 40, 45),
    block(0x8ff, Joins::Letter, 64, 64, 0),
    block(0x97f, Joins::Letter, 24, 15, 15),
    block(0x9ff, Joins::Letter, 56, 12, 35),
    block(0xa7f, Joins::Letter, 46, 20, 19),
    block(0xaff, Joins::Letter, 29, 17, 22),
    block(0xb7f, Joins::Letter, 47, 38, 11),
    block(0xbff, Joins::Letter, 49, 9, 9),
    block(0xc7f, Joins::Letter, 45, 13, 12),
    block(0xcff, Joins::Letter, 48, 11, 11),
    block(0xd7f, Joins::Letter, 44, 10, 13),
    block(0xdff, Joins::Letter, 40, 19, 17),
    block(0xe7f, Joins::Letter, 48, 13, 11),
    block(0xeff, Joins::Letter, 48, 40, 0),
    block(0xfff, Joins::Letter, 49, 51, 9),
    block(0x109f, Joins::Letter, 44, 17, 14),
    block(0x10ff, Joins::Letter, 39, 10, 15),
    block(0x1dff, Joins::Letter, 64, 64, 0),
    block(0x1eff, Joins::Latin, 42, 6, 10),
    block(0x1fff, Joins::Letter, 64, 64, 0),
    block(0x206f, Joins::Symbol, 33, 41, 14),
    block(0x218f, Joins::Symbol, 51, 54, 10),
    block(0x23ff, Joins::Symbol, 65, 95, 0),
    block(0x24ff, Joins::Symbol, 50, 48, 10),
    block(0x2501, Joins::Symbol, 62, 4, 17),
    block(0x259f, Joins::Symbol, 62, 56, 0),
    block(0x27bf, Joins::Symbol, 53, 55, 10),
    block(0x2fff, Joins::Symbol, 50, 48, 10),
    block(0x303f, Joins::Symbol, 29, 43, 10),
    block(0x309f, Joins::Letter, 44, 19, 12),
    block(0x30ff, Joins::Letter, 40, 22, 18),
    block(0x4dbf, Joins::Letter, 80, 80, 0),
    block(0x9fff, Joins::Letter, 50, 23, 14),
    block(0xabff, Joins::Letter, 64, 64, 0),
    block(0xd7a3, Joins::Letter, 41, 17, 5),
    block(0xfaff, Joins::Letter, 80, 80, 0),
    block(0xfe0f, Joins::Symbol, 32, 32, 0),
    block(0xfeff, Joins::Letter, 64, 64, 0),
    block(0xffef, Joins::Symbol, 18, 44, 15),
    block(0x1f2ff, Joins::Symbol, 96, 96, 0),
    block(0x1faff, Joins::Symbol, 74, 72, 9),
    block(0x1ffff, Joins::Symbol, 96, 96, 0),
    block(0x3ffff, Joins::Letter, 96, 96, 0),
    block(0x0010_ffff, Joins::Symbol, 96, 96, 0),
];

/// Han characters that only traditional Chinese writes: whole radicals that were simplified.
pub(super) const TRADITIONAL: Block = block(0x9fff, Joins::Letter, 72, 78, 0);
