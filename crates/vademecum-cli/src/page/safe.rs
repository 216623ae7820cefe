//! A text that may stand in the page: without secrets, without a character that no eye would see.

use std::cell::RefCell;

use maud::Render;
use vademecum::core::frame;
use vademecum::core::intake::{Cleaner, Policy};

/// The only text from a store that the page takes. Markup in it is escaped where it is rendered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Safe(String);

/// What makes texts safe; a secret that was seen once is one wherever it stands.
pub(super) struct Wash(RefCell<Cleaner>);

impl Wash {
    /// One that has seen no text yet. What a person lets stay in the store is taken out here too: a page is passed on.
    pub(super) fn new() -> Self {
        Self(RefCell::new(Cleaner::new(Policy::Replace)))
    }

    pub(super) fn text(&self, text: &str) -> Safe {
        Safe(frame::visible(&self.0.borrow_mut().clean(text)).into_owned())
    }

    /// The first of it on one line.
    pub(super) fn line(&self, text: &str, most: usize) -> Safe {
        Safe(frame::line(&self.0.borrow_mut().clean(text), most))
    }

    pub(super) fn texts(&self, texts: &[String]) -> Vec<Safe> {
        texts.iter().map(|text| self.text(text)).collect()
    }

    pub(super) fn maybe(&self, text: Option<&String>) -> Option<Safe> {
        text.map(|text| self.text(text))
    }
}

impl Safe {
    pub(super) fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }
}

impl Render for Safe {
    fn render_to(&self, buffer: &mut String) {
        self.0.as_str().render_to(buffer);
    }
}
