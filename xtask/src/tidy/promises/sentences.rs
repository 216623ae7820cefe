//! The sentences of a Markdown page and of the texts in a Rust file.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::row::plain;

/// A sentence, with the line on which its paragraph or text begins.
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) line: usize,
}

/// Splits a page; code blocks are passed over, cells of tables stand for themselves.
pub(super) fn of_page(page: &str) -> Vec<Sentence> {
    let mut all = Vec::new();
    let mut paragraph = Paragraph::default();
    let mut in_code = false;
    for (line, n_line) in page.lines().zip(1..) {
        let text = line.trim();
        let is_fence = text.starts_with("```");
        in_code ^= is_fence;
        let begins = text.is_empty() || is_fence || begins_a_block(text);
        if begins || in_code {
            all.append(&mut paragraph.end());
        }
        if in_code || is_fence || text.starts_with('#') {
            continue;
        }
        if text.starts_with('|') {
            all.extend(text.split('|').flat_map(|cell| split(cell, n_line)));
        } else {
            paragraph.take(text, n_line);
        }
    }
    all.append(&mut paragraph.end());
    all
}

/// Headings, points of a list, rows of a table, quotes.
fn begins_a_block(text: &str) -> bool {
    ["#", "- ", "* ", "|", ">"].iter().any(|sign| text.starts_with(sign))
}

#[derive(Default)]
struct Paragraph {
    text: String,
    line: usize,
}

impl Paragraph {
    fn take(&mut self, text: &str, line: usize) {
        if self.text.is_empty() {
            self.line = line;
        }
        self.text.push_str(text);
        self.text.push(' ');
    }

    fn end(&mut self) -> Vec<Sentence> {
        split(&std::mem::take(&mut self.text), self.line)
    }
}

/// The texts of a file outside tests, documents, attributes and `expect`.
pub(super) fn of_code(code: &str) -> Vec<Sentence> {
    let mut all = Vec::new();
    literals(code.parse().unwrap_or_default(), &mut all);
    all
}

/// Walks tokens rather than expressions, so that the insides of macros are seen too.
fn literals(tokens: TokenStream, all: &mut Vec<Sentence>) {
    let mut is_attribute = false;
    let mut is_test = false;
    let mut is_panic = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) if is_attribute => is_test |= marks_a_test(group),
            TokenTree::Group(_) if is_panic => {}
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && is_test => {
                is_test = false;
            }
            TokenTree::Group(group) => literals(group.stream(), all),
            TokenTree::Literal(it) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&it.to_string()) {
                    let line = it.span().start().line;
                    let said = of_page(&text.value()).into_iter();
                    all.extend(said.map(|said| Sentence { line, ..said }));
                }
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' => is_test = false,
            _ => {}
        }
        is_panic = matches!(&token, TokenTree::Ident(name) if name == "expect");
        is_attribute = match &token {
            TokenTree::Punct(sign) if sign.as_char() == '!' => is_attribute,
            TokenTree::Punct(sign) => sign.as_char() == '#',
            _ => false,
        };
    }
}

/// Whether an attribute's brackets make what follows test code.
fn marks_a_test(attribute: &Group) -> bool {
    let attribute = attribute.stream().to_string().replace(' ', "");
    attribute == "test"
        || (attribute.starts_with("cfg(test") || attribute.starts_with("cfg(all(test"))
}

fn split(text: &str, line: usize) -> Vec<Sentence> {
    let text = plain(text);
    let ends = [". ", "; ", ": ", "! ", "? "];
    let mut rest = text.as_str();
    let mut all = Vec::new();
    while let Some(at) = ends.iter().filter_map(|end| rest.find(end)).min() {
        all.push(Sentence { text: rest[..at].to_owned(), line });
        rest = rest[at + 1..].trim_start();
    }
    all.push(Sentence { text: rest.to_owned(), line });
    all
}
