//! A function fits on a screen: outside tests it stops at its limit.

use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, ItemImpl, ItemMod, Signature, TraitItemFn};

use super::finding::Finding;
use super::test_code;
use crate::tree::{File, Tree};

/// The most lines of one function, from `fn` to its last brace. STYLE.md aims at 10.
const MAX: usize = 40;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (file, syntax) in tree.rust().filter(|(file, _)| !file.is_test()) {
        Functions { file, found: &mut found }.visit_file(syntax);
    }
    found
}

struct Functions<'a> {
    file: &'a File,
    found: &'a mut Vec<Finding>,
}

impl Functions<'_> {
    fn measure(&mut self, signature: &Signature, body: &Block) {
        let first = signature.fn_token.span.start().line;
        let n_lines = body.brace_token.span.close().end().line + 1 - first;
        if n_lines > MAX {
            let found = format!("fn {} of {n_lines} lines", signature.ident);
            self.found.push(Finding::new(&self.file.path, first, found, format!("{MAX}")));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_mod(&mut self, node: &'ast ItemMod) {
        if !test_code::is_marked(&node.attrs) {
            visit::visit_item_mod(self, node);
        }
    }

    fn visit_item_impl(&mut self, node: &'ast ItemImpl) {
        if !test_code::is_marked(&node.attrs) {
            visit::visit_item_impl(self, node);
        }
    }

    fn visit_item_fn(&mut self, node: &'ast ItemFn) {
        if !test_code::is_marked(&node.attrs) {
            self.measure(&node.sig, &node.block);
            visit::visit_item_fn(self, node);
        }
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        if !test_code::is_marked(&node.attrs) {
            self.measure(&node.sig, &node.block);
            visit::visit_impl_item_fn(self, node);
        }
    }

    fn visit_trait_item_fn(&mut self, node: &'ast TraitItemFn) {
        if let Some(body) = &node.default {
            self.measure(&node.sig, body);
        }
        visit::visit_trait_item_fn(self, node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    fn function(name: &str, n_lines: usize) -> String {
        format!("fn {name}() {{{}}}\n", "\n".repeat(n_lines - 1))
    }

    #[test]
    fn finds_a_long_function_wherever_it_stands() {
        let text = [
            function("fits", MAX),
            function("long", MAX + 1),
            format!("impl A {{ {} }}\n", function("method", MAX + 1)),
            format!("trait B {{ {} }}\n", function("default", MAX + 2)),
        ]
        .concat();
        expect(
            check,
            &Tree::of(&[("a.rs", &text)]),
            &[
                "a.rs:41: fn long of 41 lines",
                "a.rs:82: fn method of 41 lines",
                "a.rs:124: fn default of 42 lines",
            ],
        );
    }

    #[test]
    fn leaves_tests_alone() {
        let long = function("long", MAX + 1);
        let marked = format!("#[test]\n{long}#[cfg(test)]\nmod tests {{ {long} }}\n");
        let tree = Tree::of(&[("a.rs", &marked), ("tests/it/main.rs", &long)]);
        expect(check, &tree, &[]);
        let unmarked = format!("#[cfg(not(test))]\n{long}");
        expect(check, &Tree::of(&[("a.rs", &unmarked)]), &["a.rs:2: fn long of 41 lines"]);
    }
}
