//! Reads rows from the leaves of a file without the trees above them, as the file format lays them out.
//!
//! Only for tables whose tree is damaged: <https://www.sqlite.org/fileformat2.html>, sections 1.3 to 2.1.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::types::Value;
use vademecum_store::StoreError;

use crate::error::from_io;

/// The size of a page where the header of the file does not say it.
const PAGE: usize = 4096;

/// The longest row that is put together.
const ROW_MAX: usize = 64 << 20;

/// The first byte of a leaf of a table.
const LEAF: u8 = 0x0d;

/// Texts that are none, by the place of their column.
type BadTexts = Vec<(usize, Vec<u8>)>;

/// A row of a leaf.
#[derive(Debug)]
pub(super) struct Row {
    /// Its number.
    pub(super) id: i64,
    /// Its values, the id's own column empty; of a text that is none, what can be read.
    pub(super) values: Vec<Value>,
    /// The texts that are none, by their place.
    pub(super) bad: BadTexts,
}

/// A file as pages.
#[derive(Debug)]
pub(super) struct Pages {
    file: File,
    size: usize,
    /// Bytes of each page that hold data.
    usable: usize,
    /// The number of the last page.
    last: u32,
    /// Pages that hold what was deleted.
    free: HashSet<u32>,
    /// What the disk refused to read: nothing is known then of what stands there.
    refused: RefCell<Option<io::Error>>,
}

impl Pages {
    /// Opens the file at `path`.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let mut header = [0; 100];
        file.read_exact_at(&mut header, 0)?;
        let stated = match u16_at(&header, 16) {
            Some(1) => 65_536,
            Some(size) => usize::from(size),
            None => 0,
        };
        let is_size = stated.is_power_of_two() && (512..=65_536).contains(&stated);
        let size = if is_size && header.starts_with(b"SQLite format 3\0") { stated } else { PAGE };
        let n_pages = file.metadata()?.len() / size as u64;
        let mut pages = Self {
            file,
            size,
            usable: size,
            last: u32::try_from(n_pages).unwrap_or(u32::MAX),
            free: HashSet::new(),
            refused: RefCell::new(None),
        };
        pages.free = pages.free_pages(u32_at(&header, 32).unwrap_or(0));
        Ok(pages)
    }

    /// Hands every row of every leaf to `take`; what is no row is passed over.
    ///
    /// What the disk does not read ends it: that is no damage of the file.
    pub(super) fn rows(
        &self,
        mut take: impl FnMut(Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        for number in (1..=self.last).filter(|number| !self.free.contains(number)) {
            let Some(page) = self.page(number) else { continue };
            let start = if number == 1 { 100 } else { 0 };
            for row in self.leaf(&page, start).into_iter().flatten() {
                take(row)?;
            }
        }
        match self.refused.take() {
            Some(error) => Err(from_io(&error, "read the damaged file")),
            None => Ok(()),
        }
    }

    fn page(&self, number: u32) -> Option<Vec<u8>> {
        let at = u64::from(number.checked_sub(1)?) * self.size as u64;
        let mut page = vec![0; self.size];
        match self.file.read_exact_at(&mut page, at) {
            Ok(()) => return Some(page),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
            Err(error) => *self.refused.borrow_mut() = Some(error),
        }
        None
    }

    /// The pages of the free list, as far as it can be followed.
    fn free_pages(&self, first: u32) -> HashSet<u32> {
        let (mut free, mut trunk) = (HashSet::new(), first);
        while trunk != 0 && free.insert(trunk) {
            let Some(page) = self.page(trunk) else { break };
            let n_leaves = u32_at(&page, 4).unwrap_or(0) as usize;
            free.extend((0..n_leaves).map_while(|idx| u32_at(&page, 8 + 4 * idx)));
            trunk = u32_at(&page, 0).unwrap_or(0);
        }
        free
    }

    /// The rows of a leaf; none if the page is none.
    fn leaf(&self, page: &[u8], start: usize) -> Option<Vec<Row>> {
        if *page.get(start)? != LEAF {
            return None;
        }
        let n_cells = usize::from(u16_at(page, start + 3)?);
        let cells = (0..n_cells).map_while(|idx| u16_at(page, start + 8 + 2 * idx));
        Some(cells.filter_map(|at| self.cell(page, usize::from(at))).collect())
    }

    fn cell(&self, page: &[u8], at: usize) -> Option<Row> {
        let (length, at) = varint(page, at)?;
        let (id, at) = varint(page, at)?;
        let length = usize::try_from(length).ok().filter(|length| *length <= ROW_MAX)?;
        let (values, bad) = values(&self.payload(page, at, length)?)?;
        Some(Row { id, values, bad })
    }

    /// The bytes of a row, those on pages of their own included.
    fn payload(&self, page: &[u8], at: usize, length: usize) -> Option<Vec<u8>> {
        let most = self.usable - 35;
        if length <= most {
            return page.get(at..at + length).map(<[u8]>::to_vec);
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let fitting = least + (length - least) % (self.usable - 4);
        let local = if fitting <= most { fitting } else { least };
        let mut bytes = page.get(at..at + local)?.to_vec();
        let mut next = u32_at(page, at + local)?;
        while bytes.len() < length {
            let more = self.page(next)?;
            let n = (length - bytes.len()).min(self.usable - 4);
            bytes.extend_from_slice(more.get(4..4 + n)?);
            next = u32_at(&more, 0)?;
        }
        Some(bytes)
    }
}

/// The values of a row, and the texts that are none.
fn values(record: &[u8]) -> Option<(Vec<Value>, BadTexts)> {
    let (header, mut at) = varint(record, 0)?;
    let mut body = usize::try_from(header).ok()?;
    let (mut values, mut bad) = (Vec::new(), Vec::new());
    let end = body;
    while at < end {
        let (kind, next) = varint(record, at)?;
        let (value, length) = value(record, body, kind)?;
        let bytes = record.get(body..body.checked_add(length)?)?;
        if matches!(value, Value::Text(_)) && std::str::from_utf8(bytes).is_err() {
            bad.push((values.len(), bytes.to_vec()));
        }
        values.push(value);
        body += length;
        at = next;
    }
    (at == end && body == record.len()).then_some((values, bad))
}

/// One value, and how many bytes it takes.
fn value(record: &[u8], at: usize, kind: i64) -> Option<(Value, usize)> {
    let integer = |length: usize| -> Option<(Value, usize)> {
        let bytes = record.get(at..at + length)?;
        let sign = if bytes.first()? & 0x80 == 0 { 0 } else { -1 };
        let number = bytes.iter().fold(sign, |number: i64, byte| number << 8 | i64::from(*byte));
        Some((Value::Integer(number), length))
    };
    match kind {
        0 => Some((Value::Null, 0)),
        1..=4 => integer(usize::try_from(kind).ok()?),
        5 => integer(6),
        6 => integer(8),
        7 => {
            let bytes = record.get(at..at + 8)?.try_into().ok()?;
            Some((Value::Real(f64::from_be_bytes(bytes)), 8))
        }
        8 | 9 => Some((Value::Integer(kind - 8), 0)),
        12.. => {
            let length = usize::try_from((kind - 12) / 2).ok()?;
            let bytes = record.get(at..at.checked_add(length)?)?;
            let value = match kind % 2 {
                0 => Value::Blob(bytes.to_vec()),
                _ => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
            };
            Some((value, length))
        }
        _ => None,
    }
}

/// A number of one to nine bytes, and where it ends.
fn varint(bytes: &[u8], at: usize) -> Option<(i64, usize)> {
    let mut number: u64 = 0;
    for n in 0..8 {
        let byte = *bytes.get(at + n)?;
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number.cast_signed(), at + n + 1));
        }
    }
    let last = *bytes.get(at + 8)?;
    Some(((number << 8 | u64::from(last)).cast_signed(), at + 9))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
