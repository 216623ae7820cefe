//! Files that others may have made are opened through one door; who goes past it is listed with a reason.

use syn::visit::{self, Visit};
use syn::{ImplItemFn, ItemFn, ItemImpl, ItemMod, ItemUse, Path, UseTree};

use super::finding::Finding;
use super::test_code;
use crate::tree::{File, Tree};

/// Where `std::fs` may be named, and why. What lies in `xtask/` may use anything.
const PAST_IT: &[(&str, &str)] = &[
    ("crates/vademecum-files/", "the door itself"),
    ("crates/vademecum-sqlite/", "the store's own files"),
    ("crates/vademecum-ops/src/moments/spool/file.rs", "the queue beside the store"),
    ("crates/vademecum-harness/src/transcript/discover.rs", "lists transcripts and opens none"),
    ("crates/vademecum-harness/src/tail.rs", "reads in a file that the door has opened"),
    (
        "crates/vademecum-harness/src/claude_code/transcript/contexts.rs",
        "reads in a file that the door has opened",
    ),
    ("crates/vademecum/src/controller/transcript.rs", "the record of a host that names it"),
    ("crates/vademecum-cli/src/install/", "a person's act: it follows the person's links"),
    ("crates/vademecum-cli/src/doctor/", "looks at modes and programs where the person put them"),
    ("crates/vademecum-cli/src/tour/", "plays a harness in a new folder of its own"),
    ("crates/vademecum-cli/src/cli/own/", "what a person names on the command line, a pipe too"),
    ("crates/vademecum-cli/src/mcp", "standard output as a file; no path is opened"),
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (file, syntax) in tree.rust().filter(|(file, _)| is_held(file)) {
        Names { file, found: &mut found }.visit_file(syntax);
    }
    found
}

fn is_held(file: &File) -> bool {
    let is_past = PAST_IT.iter().any(|(path, _)| file.path.starts_with(path));
    file.path.starts_with("crates/") && file.path.contains("/src/") && !file.is_test() && !is_past
}

struct Names<'a> {
    file: &'a File,
    found: &'a mut Vec<Finding>,
}

impl Names<'_> {
    fn find(&mut self, line: usize) {
        let allowed = "vademecum_files, or a row with its reason in this rule";
        self.found.push(Finding::new(&self.file.path, line, "names std::fs", allowed));
    }
}

impl<'ast> Visit<'ast> for Names<'_> {
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
            visit::visit_item_fn(self, node);
        }
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        if !test_code::is_marked(&node.attrs) {
            visit::visit_impl_item_fn(self, node);
        }
    }

    fn visit_item_use(&mut self, node: &'ast ItemUse) {
        if names_fs(&node.tree, false) {
            self.find(node.use_token.span.start().line);
        }
    }

    fn visit_path(&mut self, node: &'ast Path) {
        let mut parts = node.segments.iter();
        if let (Some(first), Some(second)) = (parts.next(), parts.next())
            && first.ident == "std"
            && second.ident == "fs"
        {
            self.find(first.ident.span().start().line);
        }
        visit::visit_path(self, node);
    }
}

/// Whether a `use` takes `fs` right out of `std`; `std::os::unix::fs` opens nothing.
fn names_fs(tree: &UseTree, is_in_std: bool) -> bool {
    match tree {
        UseTree::Path(path) if is_in_std => path.ident == "fs",
        UseTree::Path(path) => path.ident == "std" && names_fs(&path.tree, true),
        UseTree::Name(name) => is_in_std && name.ident == "fs",
        UseTree::Rename(name) => is_in_std && name.ident == "fs",
        UseTree::Group(group) => group.items.iter().any(|tree| names_fs(tree, is_in_std)),
        UseTree::Glob(_) => is_in_std,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_each_way_past_the_door() {
        let text = "use std::fs;\nuse std::{io, fs::File};\nuse std::fs as files;\n\
            use std::os::unix::fs::MetadataExt;\nuse rustix::fs::open;\n\
            fn f() { std::fs::read(\"x\"); }\n#[cfg(test)]\nmod tests { use std::fs; }\n";
        let tree = Tree::of(&[
            ("crates/vademecum-ops/src/config.rs", text),
            ("crates/vademecum-files/src/root.rs", text),
            ("crates/vademecum-ops/tests/it/main.rs", text),
            ("xtask/src/tree.rs", text),
        ]);
        let at = |line| format!("crates/vademecum-ops/src/config.rs:{line}: names std::fs");
        let wanted = [at(1), at(2), at(3), at(6)];
        expect(check, &tree, &wanted.each_ref().map(String::as_str));
    }
}
