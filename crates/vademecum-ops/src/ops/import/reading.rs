//! Reads a package piece by piece, however large it is: one JSON document, or lines of JSON.

use std::fmt;
use std::io::{BufReader, Read};
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::error::OpError;
use crate::transfer::{PackedPlan, Piece, SessionHead, VERSION};

/// Takes one piece; what it refuses ends the reading.
pub(super) type Take<'a> = dyn FnMut(Piece) -> Result<(), OpError> + 'a;

/// Reads what `input` holds and gives its pieces to `take`, in the order in which they stand.
///
/// The name of the project that they come from; empty where none is told.
pub(super) fn read(input: &mut dyn Read, take: &mut Take<'_>) -> Result<String, OpError> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::new(input));
    let mut reading = Reading { take, refused: None, project: String::new() };
    let read = all(&mut json, &mut reading);
    match (reading.refused, read) {
        (Some(error), _) => Err(error),
        (None, read) => read
            .map(|()| reading.project)
            .map_err(|error| {
                OpError::usage(format!("the import is no export of vade: {error}"))
                    .hint("what is read is the JSON of: vade export --all --format json")
            }),
    }
}

fn all<R: Read>(
    json: &mut serde_json::Deserializer<serde_json::de::IoRead<R>>,
    reading: &mut Reading<'_, '_>,
) -> serde_json::Result<()> {
    let is_whole = Document(reading).deserialize(&mut *json)?;
    if is_whole {
        return json.end();
    }
    let mut n = 0;
    while json.end().is_err() {
        reading.give(Piece::deserialize(&mut *json)?)?;
        n += 1;
    }
    if n == 0 { Err(Error::missing_field("sessions")) } else { Ok(()) }
}

/// Who takes the pieces, what was refused, and where all of it comes from.
struct Reading<'r, 't> {
    take: &'r mut Take<'t>,
    refused: Option<OpError>,
    project: String,
}

impl Reading<'_, '_> {
    fn give<E: Error>(&mut self, piece: Piece) -> Result<(), E> {
        (self.take)(piece).map_err(|error| {
            let message = E::custom(&error.message);
            self.refused = Some(error);
            message
        })
    }
}

/// The first object: a whole package, or the head of one in lines. Whether it is whole.
struct Document<'a, 'r, 't>(&'a mut Reading<'r, 't>);

impl<'de> DeserializeSeed<'de> for Document<'_, '_, '_> {
    type Value = bool;

    fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<bool, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_, '_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an export of vade")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let (mut version, mut is_whole) = (None, false);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "vademecum" => version = Some(check_version(map.next_value()?, self.0)?),
                "sessions" => {
                    is_whole = true;
                    map.next_value_seed(Each::<Sessions>(self.0, PhantomData))?;
                }
                "project" => {
                    let name: Value = map.next_value()?;
                    name.as_str().unwrap_or_default().clone_into(&mut self.0.project);
                }
                "plans" => map.next_value_seed(Each::<Plans>(self.0, PhantomData))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        version.map(|()| is_whole).ok_or_else(|| A::Error::missing_field("vademecum"))
    }
}

fn check_version<E: Error>(version: u32, reading: &mut Reading<'_, '_>) -> Result<(), E> {
    if version <= VERSION {
        return Ok(());
    }
    let message =
        format!("the export has version {version}, this program reads up to {VERSION}");
    let error = E::custom(&message);
    reading.refused = Some(OpError::usage(message));
    Err(error)
}

/// One session: its head, then its notes one by one.
struct Session<'a, 'r, 't>(&'a mut Reading<'r, 't>);

impl<'de> DeserializeSeed<'de> for Session<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Session<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a session of an export")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut head, mut has_notes) = (Map::new(), false);
        while let Some(key) = map.next_key::<String>()? {
            if key == "notes" {
                // They are read one by one, and what a session is must be known by then.
                if ["name", "started_at"].iter().any(|key| !head.contains_key(*key)) {
                    return Err(A::Error::custom("notes stand before the name or the started_at of their session"));
                }
                self.0.give(Piece::Session(session(&head)?))?;
                has_notes = true;
                map.next_value_seed(Each::<Notes>(self.0, PhantomData))?;
            } else if has_notes {
                return Err(A::Error::custom(format!("{key} stands behind the notes of its session")));
            } else {
                head.insert(key, map.next_value()?);
            }
        }
        if has_notes { Ok(()) } else { Err(A::Error::missing_field("notes")) }
    }
}

fn session<E: Error>(head: &Map<String, Value>) -> Result<SessionHead, E> {
    SessionHead::deserialize(head).map_err(E::custom)
}

/// What stands in a list.
trait Element {
    /// Takes the next one; whether there was one.
    fn next<'de, A: SeqAccess<'de>>(
        reading: &mut Reading<'_, '_>,
        list: &mut A,
    ) -> Result<bool, A::Error>;
}

struct Sessions;
struct Notes;
struct Plans;

impl Element for Sessions {
    fn next<'de, A: SeqAccess<'de>>(
        reading: &mut Reading<'_, '_>,
        list: &mut A,
    ) -> Result<bool, A::Error> {
        Ok(list.next_element_seed(Session(reading))?.is_some())
    }
}

impl Element for Notes {
    fn next<'de, A: SeqAccess<'de>>(
        reading: &mut Reading<'_, '_>,
        list: &mut A,
    ) -> Result<bool, A::Error> {
        let Some(note) = list.next_element()? else { return Ok(false) };
        reading.give(Piece::Note(note)).map(|()| true)
    }
}

impl Element for Plans {
    fn next<'de, A: SeqAccess<'de>>(
        reading: &mut Reading<'_, '_>,
        list: &mut A,
    ) -> Result<bool, A::Error> {
        let Some(PackedPlan { head, entries }) = list.next_element()? else { return Ok(false) };
        reading.give(Piece::Plan(head))?;
        entries.into_iter().try_for_each(|entry| reading.give(Piece::Entry(Box::new(entry))))?;
        Ok(true)
    }
}

/// A list whose elements are taken one by one.
struct Each<'a, 'r, 't, E>(&'a mut Reading<'r, 't>, PhantomData<E>);

impl<'de, E: Element> DeserializeSeed<'de> for Each<'_, '_, '_, E> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de, E: Element> Visitor<'de> for Each<'_, '_, '_, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while E::next(self.0, &mut list)? {}
        Ok(())
    }
}
