//! Nothing is sent anywhere: the program does not even have the calls that open a connection.
#![cfg(target_os = "linux")]

use crate::home::VADE;

/// Whether the program takes `function` from a library of the system.
fn takes(program: &[u8], function: &str) -> bool {
    let name = format!("\0{function}\0");
    program.windows(name.len()).any(|window| window == name.as_bytes())
}

#[test]
fn none_can_be_opened() {
    let program = std::fs::read(VADE).expect("the program");
    assert!(
        takes(&program, "socketpair"),
        "the pair of a process with itself, which leads nowhere"
    );
    for function in ["socket", "connect", "getaddrinfo", "sendto", "listen", "accept4"] {
        assert!(!takes(&program, function), "{function}");
    }
}
