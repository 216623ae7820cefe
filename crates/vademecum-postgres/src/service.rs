//! Services: settings of a connection that a person keeps under a name, in the file that PostgreSQL's own programs read
//! (PostgreSQL documentation, "The Connection Service File").

use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;

use tokio_postgres::Config;
use vademecum_files::open_named;

use crate::address::AddressError;

/// A file of services is no larger.
const MOST: u64 = 1 << 20;

/// Settings that `base` says already are the address's own.
pub(crate) fn settings(
    name: &str,
    base: &Config,
    env: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Vec<String>, AddressError> {
    let variable = |name| env(name).filter(|value| !value.is_empty());
    let home = || Some(PathBuf::from(variable("HOME")?).join(".pg_service.conf"));
    let file = variable("PGSERVICEFILE").map(PathBuf::from).or_else(home);
    let unknown = || AddressError::Service { name: name.to_owned() };
    let mut text = String::new();
    let opened = file.and_then(|path| open_named(&path).ok()).ok_or_else(unknown)?;
    opened.take(MOST).read_to_string(&mut text).map_err(|_| unknown())?;
    let found = section(name, &text).ok_or_else(unknown)?;
    let is_said = |setting: &str| match setting {
        "host" | "hostaddr" | "port" => !base.get_hosts().is_empty(),
        "user" => base.get_user().is_some(),
        "dbname" => base.get_dbname().is_some(),
        "password" => base.get_password().is_some(),
        _ => false,
    };
    let others = found.into_iter().filter(|(setting, _)| !is_said(setting));
    Ok(others.map(|(setting, value)| format!("{setting}={}", encoded(value))).collect())
}

/// The settings below `[NAME]`; none if there is no such line.
fn section<'t>(name: &str, text: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_head = |line: &str| line.starts_with('[') && line.ends_with(']');
    let mut lines = lines.skip_while(|line| *line != format!("[{name}]"));
    lines.next()?;
    let pair =
        |line: &'t str| line.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    Some(lines.take_while(|line| !is_head(line)).filter_map(pair).collect())
}

/// A value as an address writes it.
fn encoded(value: &str) -> String {
    let sign = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    value.bytes().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::address::{Address, AddressError};

    const FILE: &str = "# ours\n[other]\nhost=no.example\n\n[team]\nhost = db.example\nport=6432\nuser=me\n\
                        dbname=x\npassword=se&cr et\nsslmode=disable\n[last]\nhost=no.example\n";

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("services");
        fs::write(&path, FILE).expect("a file");
        let env = |name: &str| (name == "PGSERVICEFILE").then(|| path.clone().into_os_string());
        let shown = match Address::parse(text, &env) {
            Ok(address) => format!("{address} {}", address.is_encrypted()),
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn a_service_says_what_the_address_does_not() {
        check("postgres://?service=team", "postgres://me@db.example:6432/x false");
        check("postgres:///y?service=team", "postgres://me@db.example:6432/y false");
        check("postgres://you@one/?service=team", "postgres://you@one/x false");
        check("postgres://?service=team&sslmode=require", "postgres://me@db.example:6432/x true");
        check(
            "postgres://?service=team&schema=a",
            "postgres://me@db.example:6432/x?schema=a false",
        );
        let none = "there is no service \"nobody\" in PGSERVICEFILE or ~/.pg_service.conf";
        check("postgres://?service=nobody", none);
    }

    #[test]
    fn without_a_file_no_service_is_known() {
        let error = Address::parse("postgres://?service=team", &|_| None).expect_err("no file");
        assert_eq!(error, AddressError::Service { name: "team".to_owned() });
    }
}
