//! Nothing is sent anywhere: the program does not even have the calls that open a connection.
#![cfg(all(target_os = "linux", not(feature = "postgres")))]

use object::{Object as _, ObjectSymbol};

use crate::home::VADE;

#[test]
fn none_can_be_opened() {
    let bytes = std::fs::read(VADE).expect("the program");
    let program = object::File::parse(&*bytes).expect("a program of this system");
    let taken: Vec<&str> = program
        .dynamic_symbols()
        .filter(ObjectSymbol::is_undefined)
        .map(|symbol| symbol.name().expect("the name of a function"))
        .collect();
    assert!(
        taken.contains(&"socketpair"),
        "the pair of a process with itself, which leads nowhere"
    );
    for function in ["socket", "connect", "getaddrinfo", "sendto", "listen", "accept4"] {
        assert!(!taken.contains(&function), "{function}");
    }
}
