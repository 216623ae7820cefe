//! The names that a Rust file gives to things, as opposed to those it uses.

use syn::visit::{self, Visit};
use syn::{Ident, ImplItemFn, Item, ItemFn, ItemMod};

use crate::tidy::test_code;

/// Every name that `syntax` defines outside tests, with its line.
pub(crate) fn names(syntax: &syn::File, with_fields: bool) -> Vec<(String, usize)> {
    let mut names = Names { found: Vec::new(), with_fields };
    names.visit_file(syntax);
    names.found
}

struct Names {
    found: Vec<(String, usize)>,
    /// Whether fields and variants count too.
    with_fields: bool,
}

impl Names {
    fn take(&mut self, name: &Ident) {
        self.found.push((name.to_string(), name.span().start().line));
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, node: &'ast Item) {
        match node {
            Item::Const(it) => self.take(&it.ident),
            Item::Enum(it) => self.take(&it.ident),
            Item::Static(it) => self.take(&it.ident),
            Item::Struct(it) => self.take(&it.ident),
            Item::Trait(it) => self.take(&it.ident),
            Item::Type(it) => self.take(&it.ident),
            Item::Union(it) => self.take(&it.ident),
            _ => {}
        }
        visit::visit_item(self, node);
    }

    fn visit_item_mod(&mut self, node: &'ast ItemMod) {
        if !test_code::is_marked(&node.attrs) {
            self.take(&node.ident);
            visit::visit_item_mod(self, node);
        }
    }

    fn visit_item_fn(&mut self, node: &'ast ItemFn) {
        if !test_code::is_marked(&node.attrs) {
            visit::visit_item_fn(self, node);
        }
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        if !test_code::is_marked(&node.attrs) {
            visit::visit_impl_item_fn(self, node);
        }
    }

    fn visit_signature(&mut self, node: &'ast syn::Signature) {
        self.take(&node.ident);
        visit::visit_signature(self, node);
    }

    fn visit_impl_item_const(&mut self, node: &'ast syn::ImplItemConst) {
        self.take(&node.ident);
        visit::visit_impl_item_const(self, node);
    }

    fn visit_field(&mut self, node: &'ast syn::Field) {
        if let Some(name) = node.ident.as_ref().filter(|_| self.with_fields) {
            self.take(name);
        }
        visit::visit_field(self, node);
    }

    fn visit_variant(&mut self, node: &'ast syn::Variant) {
        if self.with_fields {
            self.take(&node.ident);
        }
        visit::visit_variant(self, node);
    }

    fn visit_pat_ident(&mut self, node: &'ast syn::PatIdent) {
        self.take(&node.ident);
        visit::visit_pat_ident(self, node);
    }
}
