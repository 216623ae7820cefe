//! The address of a store: which server, database and schema, and how the password is found. It shows no password.

use std::ffi::OsString;
use std::fmt;
use std::io::Read;
use std::net::IpAddr;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use vademecum_files::open_named;

use crate::service;

/// The schema that holds a store if the address names none.
const SCHEMA: &str = "vademecum";

/// So long the system waits for a sign that what was sent has arrived.
pub(crate) const SILENCE: Duration = Duration::from_secs(10);

/// The setting that names a service.
const SERVICE: &str = "service=";

/// A file of passwords is no larger.
const MOST: u64 = 1 << 20;

/// Where the server listens if the address does not say.
const PORT: u16 = 5432;

/// A text that is no address of a store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not the form of an address.
    #[error("a store in PostgreSQL is named as postgres://USER@HOST[:PORT]/DATABASE")]
    Form,
    /// A user or a password with a sign that parts them from the host.
    #[error("the store address has more than one \"@\": in a user or a password it is written %40")]
    Sign,
    /// A setting that the address has in a wrong way, or that nobody knows.
    #[error("the store address has \"{name}\" in a way that is not known")]
    Setting {
        /// Its name.
        name: String,
    },
    /// A way to encrypt that proves nothing.
    #[error("sslmode takes verify-full or disable")]
    Mode,
    /// The name of a schema that is none.
    #[error(
        "a schema is 1 to {} letters, digits or \"_\" and begins with a letter",
        Address::SCHEMA_MAX
    )]
    Schema,
    /// A service that the person's file of services does not have.
    #[error("there is no service \"{name}\" in PGSERVICEFILE or ~/.pg_service.conf")]
    Service {
        /// Its name.
        name: String,
    },
}

/// The address of a store in a PostgreSQL database.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    config: Config,
    schema: String,
    /// Whether the connection is encrypted, and the server's certificate and name are checked.
    is_encrypted: bool,
    /// The certificates that are trusted; none for those that the system trusts.
    pub(crate) roots: Option<PathBuf>,
    passwords: Option<PathBuf>,
}

impl Address {
    /// The most characters of a schema's name.
    pub const SCHEMA_MAX: usize = 63;

    /// Whether a text is meant to be such an address.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Reads `postgres://USER@HOST:PORT/DATABASE`, with `schema`, `sslmode`, `sslrootcert`, `service` or settings of the
    /// driver behind.
    ///
    /// `env` is asked for `PGPASSWORD`, `PGPASSFILE`, `PGSERVICEFILE` and `HOME`. Nothing is opened but the file of services,
    /// if one is named.
    pub fn parse(text: &str, env: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, AddressError> {
        if !Self::is_one(text) {
            return Err(AddressError::Form);
        }
        let (base, settings) = text.split_once('?').unwrap_or((text, ""));
        // The driver would take the rest of such a password for a host, and ask for it by name.
        if base.matches('@').count() > 1 {
            return Err(AddressError::Sign);
        }
        let settings = with_service(base, settings, env)?;
        let (mut own, mut others) = (Own::default(), Vec::new());
        for setting in &settings {
            if !own.take(setting)? {
                others.push(setting.as_str());
            }
        }
        let rest = format!("{base}?{}", others.join("&"));
        let mut config = Config::from_str(&rest).map_err(|error| unknown(&error, &others))?;
        if config.get_hosts().is_empty() {
            return Err(AddressError::Form);
        }
        let is_encrypted = own.is_encrypted.unwrap_or_else(|| !is_local(&config));
        config.ssl_mode(if is_encrypted { SslMode::Require } else { SslMode::Disable });
        if config.get_application_name().is_none() {
            config.application_name("vade");
        }
        let variable = |name| env(name).filter(|value| !value.is_empty());
        if config.get_password().is_none()
            && let Some(password) = variable("PGPASSWORD")
        {
            config.password(password.as_encoded_bytes());
        }
        let home = || Some(PathBuf::from(variable("HOME")?).join(".pgpass"));
        let passwords = variable("PGPASSFILE").map(PathBuf::from).or_else(home);
        let schema = own.schema.unwrap_or_else(|| SCHEMA.to_owned());
        Ok(Self { config, schema, is_encrypted, roots: own.roots, passwords })
    }

    /// The schema that holds the store.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.schema
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// What the driver connects by, with the password where there is one.
    pub(crate) fn config(&self, wait: Duration) -> Config {
        let mut config = self.config.clone();
        // A server that is gone without a word is found out, and leaves time for the one that took its place.
        let n_hosts = u32::try_from(config.get_hosts().len()).unwrap_or(u32::MAX).max(1);
        config.connect_timeout(wait / n_hosts).keepalives_idle(SILENCE).tcp_user_timeout(SILENCE);
        if config.get_password().is_none()
            && let Some(password) = self.kept_password()
        {
            config.password(password);
        }
        config
    }

    /// The server and the database, for a message.
    pub(crate) fn place(&self) -> String {
        format!("{}/{}", self.server(), self.database())
    }

    /// What hooks call the store: who connects is of it, for what waits is one person's.
    #[must_use]
    pub fn name(&self) -> String {
        let user = self.user().map(|user| format!("{user}@")).unwrap_or_default();
        format!("postgres://{user}{}?schema={}", self.place(), self.schema)
    }

    /// The login role that connects; none where the address leaves it to the driver.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        self.config.get_user()
    }

    fn server(&self) -> String {
        let named = |(host, port): (String, u16)| match port {
            PORT => host,
            port => format!("{host}:{port}"),
        };
        self.targets().map(named).collect::<Vec<_>>().join(",")
    }

    /// Each host with its port: a server, and the standbys that may take its place.
    fn targets(&self) -> impl Iterator<Item = (String, u16)> {
        let ports = self.config.get_ports();
        self.config.get_hosts().iter().enumerate().map(|(at, host)| {
            let host = match host {
                Host::Tcp(host) => host.clone(),
                Host::Unix(folder) => folder.to_string_lossy().into_owned(),
            };
            // One port is that of all hosts.
            (host, ports.get(at).or(ports.first()).copied().unwrap_or(PORT))
        })
    }

    /// A database is called as its user if the address names none.
    fn database(&self) -> &str {
        let user = self.config.get_user();
        self.config.get_dbname().or(user).unwrap_or_default()
    }

    /// Why there is no password, where the file of passwords is the reason.
    pub(crate) fn unread_password(&self) -> Option<String> {
        let path = self.passwords.as_deref()?;
        let file = open_named(path).ok()?;
        is_open(file.metadata().ok()?.mode())
            .then(|| format!("others can read {}, so it is not used: chmod 600 it", path.display()))
    }

    /// The password of the file of passwords; none from one that others can read, as other programs have it.
    fn kept_password(&self) -> Option<String> {
        let path = self.passwords.as_deref()?;
        let file = open_named(path).ok()?;
        if is_open(file.metadata().ok()?.mode()) {
            return None;
        }
        let mut text = String::new();
        file.take(MOST).read_to_string(&mut text).ok()?;
        let user = self.config.get_user().unwrap_or_default();
        self.targets().find_map(|(host, port)| {
            let asked = [&host, &port.to_string(), self.database(), user];
            text.lines().find_map(|line| password_in(line, &asked, host.starts_with('/')))
        })
    }
}

/// Whether others can read a file of this mode, or write it.
fn is_open(mode: u32) -> bool {
    mode & 0o077 != 0
}

/// The settings of an address, with those of the service that it names.
fn with_service(
    base: &str,
    settings: &str,
    env: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Vec<String>, AddressError> {
    let mut settings: Vec<String> =
        settings.split('&').filter(|setting| !setting.is_empty()).map(str::to_owned).collect();
    let Some(at) = settings.iter().position(|setting| setting.starts_with(SERVICE)) else {
        return Ok(settings);
    };
    let name = settings.remove(at).split_off(SERVICE.len());
    let base = Config::from_str(base).map_err(|_| AddressError::Form)?;
    // What the address says itself comes last, and holds.
    let kept = service::settings(&plain(&name), &base, env)?;
    Ok(kept.into_iter().chain(settings).collect())
}

/// The address without its password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = self.user().map(|user| format!("{user}@")).unwrap_or_default();
        write!(f, "postgres://{user}{}", self.place())?;
        if self.schema == SCHEMA { Ok(()) } else { write!(f, "?schema={}", self.schema) }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

/// Settings of an address that the driver does not know.
#[derive(Default)]
struct Own {
    schema: Option<String>,
    is_encrypted: Option<bool>,
    roots: Option<PathBuf>,
}

impl Own {
    /// Takes a setting if it is one of these.
    ///
    /// What encrypts without a proof of who answers is taken for what does prove it.
    fn take(&mut self, setting: &str) -> Result<bool, AddressError> {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        match (name, value) {
            ("schema", name) if is_schema(name) => self.schema = Some(name.to_owned()),
            ("schema", _) => return Err(AddressError::Schema),
            ("sslmode", "disable") => self.is_encrypted = Some(false),
            ("sslmode", "require" | "verify-ca" | "verify-full") => self.is_encrypted = Some(true),
            ("sslmode", _) => return Err(AddressError::Mode),
            ("sslrootcert", path) => self.roots = Some(PathBuf::from(plain(path))),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// A name that needs no quotes, and holds nothing of a command.
fn is_schema(name: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.len() <= Address::SCHEMA_MAX
        && name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
        && name.bytes().all(is_inner)
        && !name.starts_with("pg_")
}

/// A value without the signs that an address writes as `%XX`.
fn plain(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Which setting is wrong, by its name alone: a value may be a password.
fn unknown(error: &tokio_postgres::Error, settings: &[&str]) -> AddressError {
    let told = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    let name = |setting: &&&str| setting.split('=').next().unwrap_or_default().to_owned();
    match settings.iter().find(|setting| told.contains(&name(setting))) {
        Some(setting) => AddressError::Setting { name: name(&setting) },
        None => AddressError::Form,
    }
}

/// Whether no wire lies between: a socket of this machine, or its loopback.
fn is_local(config: &Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    })
}

/// The password of a line `host:port:database:user:password`, if the line is of what is asked.
fn password_in(line: &str, asked: &[&str; 4], is_socket: bool) -> Option<String> {
    let mut fields = vec![String::new()];
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match sign {
            ':' if fields.len() < 5 => fields.push(String::new()),
            '\\' => fields.last_mut()?.extend(signs.next()),
            sign => fields.last_mut()?.push(sign),
        }
    }
    let [known @ .., password] = fields.as_slice() else { return None };
    let is_of = |(at, (known, asked)): (usize, (&String, &&str))| {
        known == "*" || known == asked || (at == 0 && is_socket && known == "localhost")
    };
    let is_all = known.len() == 4 && known.iter().zip(asked).enumerate().all(is_of);
    is_all.then(|| password.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Address, AddressError> {
        Address::parse(text, &|_| None)
    }

    #[track_caller]
    fn check(text: &str, shown: &str, is_encrypted: bool) {
        let address = parse(text).expect("an address");
        assert_eq!((address.to_string().as_str(), address.is_encrypted()), (shown, is_encrypted));
        assert!(!format!("{address:?}").contains("secret"));
    }

    #[test]
    fn shows_no_password_and_encrypts_where_a_wire_lies_between() {
        check("postgres://u:secret@db.example/x", "postgres://u@db.example/x", true);
        check("postgres://u@db.example:6432/x", "postgres://u@db.example:6432/x", true);
        check("postgres://u@one,two/x", "postgres://u@one,two/x", true);
        check("postgres://u@[::1]:1,[::1]:2/x", "postgres://u@::1:1,::1:2/x", false);
        check("postgresql://u@127.0.0.1/x?password=secret", "postgres://u@127.0.0.1/x", false);
        check("postgres://u@[::1]/x?sslmode=require", "postgres://u@::1/x", true);
        check("postgres://u@db.example/x?sslmode=disable", "postgres://u@db.example/x", false);
        check(
            "postgres://u@/x?host=/run/pg&schema=team",
            "postgres://u@/run/pg/x?schema=team",
            false,
        );
    }

    #[test]
    fn says_what_is_wrong_without_the_value() {
        let setting = |name: &str| AddressError::Setting { name: name.to_owned() };
        for (text, expected) in [
            ("postgres:///x", AddressError::Form),
            ("postgres://me:S3cr@tPass@h/x", AddressError::Sign),
            ("sqlite:x", AddressError::Form),
            ("postgres://u@h/x?sslmode=prefer", AddressError::Mode),
            ("postgres://u@h/x?schema=Team", AddressError::Schema),
            ("postgres://u@h/x?schema=a;b", AddressError::Schema),
            ("postgres://u@h/x?colour=secret", setting("colour")),
        ] {
            assert_eq!(parse(text).expect_err(text), expected);
        }
    }

    #[test]
    fn a_line_of_passwords_is_of_what_it_names() {
        let asked = ["db.example", "5432", "x", "u"];
        for (line, is_socket, expected) in [
            ("db.example:5432:x:u:secret", false, Some("secret")),
            ("*:*:*:u:se\\:cr\\\\et:t", false, Some("se:cr\\et:t")),
            ("db.example:5433:x:u:secret", false, None),
            ("localhost:*:*:*:secret", true, Some("secret")),
            ("# db.example:5432:x:u", false, None),
            ("", false, None),
        ] {
            assert_eq!(password_in(line, &asked, is_socket).as_deref(), expected, "{line}");
        }
    }
}
