//! Nothing unfinished lands: no skipped test, no hole in the code, no left-over print.

use proc_macro2::{TokenStream, TokenTree};

use super::finding::Finding;
use crate::tree::Tree;

const HOLES: &[&str] = &["todo", "unimplemented", "dbg"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in tree.files.iter().filter(|file| file.is("rs")) {
        let tokens: Option<TokenStream> = file.text.as_deref().and_then(|text| text.parse().ok());
        for (line, what) in tokens.map(holes).unwrap_or_default() {
            found.push(Finding::new(&file.path, line, what, "what runs whole"));
        }
    }
    found
}

/// Walks tokens rather than items, so that the insides of macros are seen too.
fn holes(tokens: TokenStream) -> Vec<(usize, String)> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (idx, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let what = match &tokens[..idx] {
            [.., sign] if is_punct(sign, '#') => ignored(group.stream()),
            [.., TokenTree::Ident(name), sign] if is_punct(sign, '!') => hole(&name.to_string()),
            _ => None,
        };
        found.extend(what.map(|what| (token.span().start().line, what)));
        found.extend(holes(group.stream()));
    }
    found
}

fn hole(macro_name: &str) -> Option<String> {
    HOLES.contains(&macro_name).then(|| format!("{macro_name}!"))
}

/// `ignore`, `ignore = "why"`, and `cfg_attr(…, ignore)`.
fn ignored(attribute: TokenStream) -> Option<String> {
    let is_ignore = |token: &TokenTree| matches!(token, TokenTree::Ident(it) if it == "ignore");
    let tokens: Vec<TokenTree> = attribute.into_iter().collect();
    let is_ignored = match tokens.as_slice() {
        [TokenTree::Ident(name), TokenTree::Group(inside)] if name == "cfg_attr" => {
            inside.stream().into_iter().any(|token| is_ignore(&token))
        }
        [first, ..] => is_ignore(first),
        [] => false,
    };
    is_ignored.then(|| "#[ignore]".to_owned())
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_holes_in_code_and_macros_but_not_in_words() {
        let text = "fn a() { todo!() }\n\
                    proptest! {\n fn b() { dbg!(1); } }\n\
                    #[ignore]\nfn c() { let s = \"todo!()\"; } // todo!()\n\
                    #[cfg_attr(miri, ignore = \"slow\")]\nfn d() { if todo != 1 {} }\n\
                    #[allow(ignore)]\nfn e() { unimplemented!(); }\n";
        expect(
            check,
            &Tree::of(&[("a.rs", text)]),
            &[
                "a.rs:1: todo!",
                "a.rs:3: dbg!",
                "a.rs:4: #[ignore]",
                "a.rs:6: #[ignore]",
                "a.rs:9: unimplemented!",
            ],
        );
    }
}
