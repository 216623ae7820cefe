//! Which commands print secrets: of those an output is not quoted.

/// Commands with one of these print what nobody should read twice: a password alone looks like any word.
///
/// What is taken for one and is none only goes without its output.
const SECRET: &[&str] = &[
    "secret",
    "token",
    "passw",
    "passphrase",
    "credential",
    "api_key",
    "apikey",
    "api-key",
    "private_key",
    "netrc",
    ".pgpass",
    ".env",
    "printenv",
    "pw.txt",
    "pwd.txt",
    "pass.txt",
    "pwgen",
    "pass show",
    "op read",
    "vault ",
    "openssl rand",
    "terraform output",
    "tofu output",
    "configure get",
    "gpg -d",
    "gpg --decrypt",
    "sops ",
];

/// Whether what a line of the shell prints may be a secret.
pub(crate) fn prints_secrets(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    SECRET.iter().any(|word| line.contains(word))
}
