//! The mark by which a file is known as this program, and its version, without running it.

use memchr::memmem;

/// Stands in every binary of ours; what is searched for is its part before the version.
const MARK: &str = concat!("dev.vademecum/binary ", env!("CARGO_PKG_VERSION"), ";");

/// The longest version that is read.
const VERSION_MAX: usize = 32;

/// The version of this program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of ours that `bytes` are; none if they are no binary of ours.
pub(crate) fn version(bytes: &[u8]) -> Option<String> {
    // The optimiser must not see that only the beginning is used, else the end would be gone.
    let mark = std::hint::black_box(MARK);
    let word = &mark.as_bytes()[..=mark.find(' ')?];
    memmem::find_iter(bytes, word).find_map(|at| read_version(&bytes[at + word.len()..]))
}

fn read_version(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().take(VERSION_MAX).position(|&byte| byte == b';')?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+".contains(byte);
    let version = &bytes[..end];
    let is_version = !version.is_empty() && version.iter().all(is_part);
    is_version.then(|| String::from_utf8_lossy(version).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_its_own() {
        let ours = format!("\x7fELF dev.vademecum/binary {MARK} more");
        assert_eq!(version(ours.as_bytes()).as_deref(), Some(VERSION));
        for other in ["", "vade", "dev.vademecum/binary ", "dev.vademecum/binary 1 0;"] {
            assert_eq!(version(other.as_bytes()), None, "{other}");
        }
    }
}
