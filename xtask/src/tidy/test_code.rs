//! Tells test code from the rest, by the attributes that mark it.

use syn::{Attribute, Meta};

/// Whether one of `attributes` makes its item test code.
pub(crate) fn is_marked(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| is_test(attribute) || is_cfg_test(attribute))
}

/// `#[test]`, `#[tokio::test]` and their like.
fn is_test(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "test")
}

/// `#[cfg(test)]`, also with more conditions, but not `#[cfg(not(test))]`.
fn is_cfg_test(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let condition = list.tokens.to_string().replace(' ', "");
    let names_test = condition.split(['(', ')', ',']).any(|word| word == "test");
    list.path.is_ident("cfg") && names_test && !condition.contains("not(test")
}
