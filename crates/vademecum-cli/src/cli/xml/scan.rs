//! Scans the little XML that a call needs: elements without attributes, text, entities, CDATA.

use vademecum::ops::OpError;

/// How deep elements may lie in each other: a call, its arguments, a list, its items, and room to say so.
const DEEPEST: usize = 8;

/// One element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    /// Its name.
    pub(super) name: String,
    /// What it holds.
    pub(super) inside: Inside,
}

/// What an element holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Inside {
    /// Text, its entities read.
    Text(String),
    /// Elements, with nothing but white space between them.
    Elements(Vec<Element>),
}

/// The one element that `text` is.
pub(super) fn element(text: &str) -> Result<Element, OpError> {
    let mut scan = Scan { text, at: 0 };
    scan.skip_white();
    if !scan.rest().starts_with('<') {
        return Err(OpError::usage("no XML: a call begins with <tool>"));
    }
    let element = scan.element(0)?;
    scan.skip_white();
    if scan.rest().is_empty() {
        return Ok(element);
    }
    Err(scan.fault(format!("nothing may follow </{}>", element.name)))
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn fault(&self, what: impl std::fmt::Display) -> OpError {
        OpError::usage(format!("byte {}: {what}", self.at))
    }

    fn skip_white(&mut self) {
        self.at = self.text.len() - self.rest().trim_ascii_start().len();
    }

    fn take(&mut self, part: &str) -> bool {
        let is_next = self.rest().starts_with(part);
        self.at += if is_next { part.len() } else { 0 };
        is_next
    }

    /// `<name>…</name>` or `<name/>`.
    fn element(&mut self, depth: usize) -> Result<Element, OpError> {
        if DEEPEST <= depth {
            return Err(self.fault("elements lie too deep in each other"));
        }
        self.at += 1;
        let name = self.name().to_owned();
        let is_spaced = self.rest().starts_with(|c: char| c.is_ascii_whitespace());
        self.skip_white();
        if !name.is_empty() && self.take("/>") {
            return Ok(Element { name, inside: Inside::Text(String::new()) });
        }
        if name.is_empty() || !self.take(">") {
            let is_attribute = is_spaced && !self.rest().is_empty();
            return Err(self.fault(if is_attribute {
                "an element takes no attributes"
            } else {
                "a name and > are wanted"
            }));
        }
        let inside = self.inside(depth)?;
        let end = self.at;
        if self.take("</") && self.take(&name) {
            self.skip_white();
            if self.take(">") {
                return Ok(Element { name, inside });
            }
        }
        self.at = end;
        Err(self.fault(format!("</{name}> is wanted")))
    }

    fn name(&mut self) -> &'a str {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let rest = self.rest();
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn inside(&mut self, depth: usize) -> Result<Inside, OpError> {
        let (mut text, mut elements) = (String::new(), Vec::new());
        loop {
            let rest = self.rest();
            let next = rest.find(['<', '&']).unwrap_or(rest.len());
            text.push_str(&rest[..next]);
            if !elements.is_empty() && !rest[..next].trim_ascii().is_empty() {
                return Err(self.fault("text between elements"));
            }
            self.at += next;
            let rest = self.rest();
            if rest.starts_with("</") || rest.is_empty() {
                let is_text = elements.is_empty();
                return Ok(if is_text { Inside::Text(text) } else { Inside::Elements(elements) });
            }
            if rest.starts_with('&') {
                text.push(self.entity()?);
            } else if self.take("<![CDATA[") {
                text.push_str(self.cdata()?);
            } else if begins_element(rest) && text.trim_ascii().is_empty() {
                elements.push(self.element(depth + 1)?);
            } else {
                return Err(self.fault("< is written &lt; in text, or the text in <![CDATA[…]]>"));
            }
        }
    }

    fn cdata(&mut self) -> Result<&'a str, OpError> {
        let rest = self.rest();
        let end = rest.find("]]>").ok_or_else(|| self.fault("]]> is wanted"))?;
        self.at += end + 3;
        Ok(&rest[..end])
    }

    fn entity(&mut self) -> Result<char, OpError> {
        let rest = self.rest();
        let name = rest[1..].split_once(';').map(|(name, _)| name);
        let found = name.and_then(|name| match name {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            number => numbered(number.strip_prefix('#')?),
        });
        match (name, found) {
            (Some(name), Some(c)) => {
                self.at += name.len() + 2;
                Ok(c)
            }
            (Some(_) | None, _) => Err(self.fault("& is written &amp; in text")),
        }
    }
}

fn begins_element(rest: &str) -> bool {
    rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn numbered(digits: &str) -> Option<char> {
    let number = match digits.strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    char::from_u32(number)
}
