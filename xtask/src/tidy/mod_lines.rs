//! Every Rust file is built: it is the first of a target of cargo, or a `mod` line leads to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprLit, Ident, ItemMacro, ItemMod, Lit, Meta};

use super::finding::Finding;
use crate::tree::{self, Tree};

type Sources<'a> = BTreeMap<&'a str, &'a syn::File>;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let sources: Sources = tree.rust().map(|(file, syntax)| (file.path.as_str(), syntax)).collect();
    let built = built(tree, &sources);
    let built: BTreeSet<&str> = built.iter().map(|module| module.path.as_str()).collect();

    let rust = tree.files.iter().filter(|file| file.is("rs"));
    let lost: Vec<&str> =
        rust.map(|file| file.path.as_str()).filter(|path| !built.contains(path)).collect();

    // What a lost file names comes back together with it.
    let below = lost.iter().flat_map(|path| Module::of(*path).named(&sources));
    let below: BTreeSet<String> = below.map(|module| module.path).collect();
    lost.into_iter().filter(|path| !below.contains(*path)).map(|path| fault(tree, path)).collect()
}

fn fault(tree: &Tree, path: &str) -> Finding {
    let folder = tree::folder(path);
    let above = [format!("{folder}.rs"), format!("{folder}/lib.rs"), format!("{folder}/main.rs")];
    let above = above.iter().find(|above| tree.text(above).is_some());
    let above = above.map_or("the module above it", String::as_str);
    let name = path[folder.len()..].trim_start_matches('/').trim_end_matches(".rs");
    let allowed = format!("a line `mod {name};` in {above}, or a target of cargo, or no such file");
    Finding::new(path, 1, "no `mod` line names this file, so no build reads it", allowed)
}

/// Every module that a target of cargo is or leads to.
fn built(tree: &Tree, sources: &Sources) -> BTreeSet<Module> {
    let targets = tree.crates.iter().flat_map(|krate| &krate.targets);
    let mut left: Vec<Module> = targets.map(|target| Module::top(target.source())).collect();
    let mut built = BTreeSet::new();
    while let Some(module) = left.pop() {
        if !built.contains(&module) {
            left.extend(module.named(sources));
            built.insert(module);
        }
    }
    built
}

/// A module with a file of its own.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Module {
    path: String,
    /// Whether its modules lie beside it, as those of a target's first file do.
    is_top: bool,
}

impl Module {
    fn top(path: impl Into<String>) -> Self {
        Self { path: path.into(), is_top: true }
    }

    fn of(path: impl Into<String>) -> Self {
        Self { path: path.into(), is_top: false }
    }

    /// The modules that its `mod` lines name, whatever their conditions.
    fn named(&self, sources: &Sources) -> Vec<Module> {
        let Some(syntax) = sources.get(self.path.as_str()) else { return Vec::new() };
        let folder = tree::folder(&self.path);
        let names = if self.is_top { folder } else { self.path.trim_end_matches(".rs") };
        let mut lines = ModLines {
            names: names.to_owned(),
            paths: folder.to_owned(),
            macros: Vec::new(),
            found: Vec::new(),
        };
        lines.visit_file(syntax);
        lines.found
    }
}

/// Looks for `mod` lines; a `mod.rs` is none of their files, as the rule file-names forbids it.
struct ModLines {
    /// The folder of modules that a name alone leads to.
    names: String,
    /// The folder that a `#[path]` starts from.
    paths: String,
    /// The macros of this file that make `mod` lines of the names given to them.
    macros: Vec<Ident>,
    found: Vec<Module>,
}

impl ModLines {
    /// The module that `name` leads to without a `#[path]`.
    fn plain(&self, name: impl Display) -> Module {
        Module::of(tree::resolve(&self.names, &format!("{name}.rs")))
    }
}

impl<'ast> Visit<'ast> for ModLines {
    fn visit_item_mod(&mut self, node: &'ast ItemMod) {
        let name = node.ident.unraw();
        let path = node.attrs.iter().find_map(path).map(|path| tree::resolve(&self.paths, &path));
        if node.content.is_none() {
            self.found.push(path.map_or_else(|| self.plain(name), Module::top));
            return;
        }

        let inside = path.unwrap_or_else(|| tree::resolve(&self.names, &name.to_string()));
        let names = std::mem::replace(&mut self.names, inside.clone());
        let paths = std::mem::replace(&mut self.paths, inside);
        visit::visit_item_mod(self, node);
        (self.names, self.paths) = (names, paths);
    }

    fn visit_item_macro(&mut self, node: &'ast ItemMacro) {
        let words = words(node.mac.tokens.clone());
        if let Some(name) = &node.ident {
            self.macros.extend(makes_lines(&words).then(|| name.clone()));
        } else if self.macros.iter().any(|name| node.mac.path.is_ident(name)) {
            self.found.extend(words.iter().map(|word| self.plain(word)).collect::<Vec<_>>());
        }
    }
}

/// Whether a macro of these words has a line `mod $name;`.
fn makes_lines(words: &[String]) -> bool {
    let is_line = |line: &[String]| line[0] == "mod" && line[1] == "$" && line[3] == ";";
    words.windows(4).any(is_line)
}

/// Every name and sign in `tokens`, at any depth; a bracket is a sign when it opens.
fn words(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                found.push("(".to_owned());
                found.extend(words(group.stream()));
            }
            TokenTree::Ident(name) => found.push(name.unraw().to_string()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => found.push(token.to_string()),
        }
    }
    found
}

/// The path of `#[path = "…"]`.
fn path(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) = &pair.value else { return None };
    pair.path.is_ident("path").then(|| path.value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;
    use crate::tree::{Target, krate};

    const FOUND: &str = "no `mod` line names this file, so no build reads it";

    /// The files of one crate, of which `targets` are the first of a target.
    fn tree(targets: &[&str], files: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::of(files);
        tree.crates = vec![krate("a", &[])];
        tree.crates[0].targets =
            targets.iter().map(|&path| Target { src_path: path.to_owned() }).collect();
        tree
    }

    #[test]
    fn finds_a_file_that_no_line_names() {
        let tree = tree(
            &["a/src/lib.rs", "a/tests/it/main.rs"],
            &[
                ("a/src/lib.rs", "mod kept;\n// mod lost;\n"),
                ("a/src/kept.rs", "const TEXT: &str = \"mod lost;\";\n"),
                ("a/src/kept/lost.rs", "does not parse"),
                ("a/src/lost.rs", "mod below;\n"),
                ("a/src/lost/below.rs", "mod deep;\n"),
                ("a/src/lost/below/deep.rs", ""),
                ("a/tests/it/main.rs", "mod gone;\n"),
                ("a/tests/it/kept.rs", ""),
                ("a/tests/it/odd/one.rs", ""),
                ("a/tests/it/notes.md", ""),
            ],
        );
        let lost = |path, line| {
            let allowed = format!("a line {line}, or a target of cargo, or no such file");
            Finding::new(path, 1, FOUND, allowed)
        };
        assert_eq!(
            check(&tree),
            [
                lost("a/src/kept/lost.rs", "`mod lost;` in a/src/kept.rs"),
                lost("a/src/lost.rs", "`mod lost;` in a/src/lib.rs"),
                lost("a/tests/it/kept.rs", "`mod kept;` in a/tests/it/main.rs"),
                lost("a/tests/it/odd/one.rs", "`mod one;` in the module above it"),
            ]
        );
    }

    #[test]
    fn follows_every_kind_of_line() {
        let top = "mod a;\npub(crate) mod r#type;\n#[cfg(test)]\n#[macro_use]\nmod tests;\n\
                   mod inline { pub mod b; mod deep { mod c; } #[path = \"d.rs\"] mod e; }\n\
                   #[path = \"other\"]\nmod moved { mod f; }\n#[path = \"../g.rs\"]\nmod h;\n\
                   fn body() { #[path = \"in_body.rs\"] mod i; }\n";
        let below = "mod inline { mod b; #[path = \"p.rs\"] mod c; }\n#[path = \"q.rs\"]\nmod d;\n";
        let built = [
            ("src/main.rs", top),
            ("src/a.rs", below),
            ("src/a/inline/b.rs", ""),
            ("src/a/inline/p.rs", ""),
            ("src/q.rs", ""),
            ("src/type.rs", ""),
            ("src/tests.rs", ""),
            ("src/inline/b.rs", ""),
            ("src/inline/deep/c.rs", ""),
            ("src/inline/d.rs", ""),
            ("src/other/f.rs", ""),
            ("g.rs", "mod beside;\n"),
            ("beside.rs", ""),
            ("src/in_body.rs", ""),
            ("build.rs", ""),
        ];
        expect(check, &tree(&["src/main.rs", "build.rs"], &built), &[]);
    }

    #[test]
    fn follows_the_lines_that_a_macro_makes() {
        let top = "macro_rules! each { ($($name:ident :: $all:ident,)*) => { $(pub mod $name;)* } }\n\
                   macro_rules! empty { ($name:ident) => { mod $name {} } }\n\
                   each! { a::All, r#type::All, }\nempty!(b);\nother! { c }\n";
        let files = [
            ("lib.rs", top),
            ("a.rs", ""),
            ("type.rs", ""),
            ("b.rs", ""),
            ("c.rs", ""),
            ("d.rs", ""),
        ];
        let found = ["b.rs", "c.rs", "d.rs"].map(|path| format!("{path}:1: {FOUND}"));
        expect(check, &tree(&["lib.rs"], &files), &found.each_ref().map(String::as_str));
    }
}
