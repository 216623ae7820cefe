//! What the child gives up once it has started: files, connections, programs, most system calls, and a life of its own.
//!
//! The limits of resources hold on every Unix, the filter of system calls on Linux. Neither can be taken back.

use serde::{Deserialize, Serialize};

use crate::limits::Limits;

/// What a child could give up on its machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locks {
    /// Memory, time, files and programs are limited by the operating system.
    pub resources: bool,
    /// Only reading from and writing to its parent is left of what a system offers.
    pub system_calls: bool,
}

/// The address space of a child beside what its program may use: its own code, and room for answers.
const ROOM: usize = 256 << 20;

/// Gives up what can be given up here, for the rest of this process.
pub(crate) fn hold(limits: &Limits) -> Locks {
    Locks { resources: resources(limits), system_calls: system_calls() }
}

/// The process that started this one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parent {
    #[cfg(unix)]
    pid: Option<rustix::process::Pid>,
}

/// Lets this process end with its parent, and gives the parent to look for where the system does not do that.
///
/// On Linux the kernel ends it, whatever it is doing; elsewhere a program that never asks for anything
/// notices at its next step.
pub(crate) fn end_with_parent() -> Parent {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        // Where it is refused, the look for the parent is left.
        set_parent_process_death_signal(Some(Signal::KILL)).ok();
    }
    Parent {
        #[cfg(unix)]
        pid: rustix::process::getppid(),
    }
}

impl Parent {
    /// Whether it still runs; one that ended leaves its children to another process.
    pub(crate) fn is_there(self) -> bool {
        #[cfg(unix)]
        return rustix::process::getppid() == self.pid;
        #[cfg(not(unix))]
        true
    }
}

#[cfg(unix)]
fn resources(limits: &Limits) -> bool {
    use rustix::process::{Resource, Rlimit, setrlimit};

    let mut holds = true;
    let seconds = limits.time.as_secs() + 2;
    let space = (limits.memory * 2 + limits.sent + ROOM) as u64;
    let all = [
        (Resource::As, space),
        (Resource::Core, 0),
        (Resource::Cpu, seconds),
        (Resource::Fsize, 0),
        (Resource::Nofile, 0),
    ];
    for (resource, most) in all {
        holds &= setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).is_ok();
    }
    holds
}

#[cfg(not(unix))]
fn resources(_: &Limits) -> bool {
    false
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn system_calls() -> bool {
    filter::apply().is_some()
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn system_calls() -> bool {
    false
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod filter {
    //! The filter of system calls: memory that cannot be executed, two pipes, the clock, and the end.

    use std::collections::BTreeMap;

    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition,
        SeccompFilter, SeccompRule,
    };

    /// What is needed whatever its arguments are.
    const FREE: &[i64] = &[
        libc::SYS_brk,
        libc::SYS_clock_gettime,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_futex,
        libc::SYS_getppid,
        libc::SYS_getrandom,
        libc::SYS_madvise,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_restart_syscall,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sched_yield,
        libc::SYS_sigaltstack,
    ];

    /// Lets no other system call through than those of this list, in this thread and its children.
    ///
    /// What is refused fails as if it were not permitted: the C library looks for a time zone, and goes on.
    pub(super) fn apply() -> Option<()> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            FREE.iter().map(|call| (*call, Vec::new())).collect();
        // The standard input is 0, the standard output 1; protection stands third.
        rules.insert(libc::SYS_read, vec![rule(0, Is::Eq, 0)?]);
        rules.insert(libc::SYS_write, vec![rule(0, Is::Eq, 1)?]);
        for call in [libc::SYS_mmap, libc::SYS_mprotect] {
            let executable = u64::try_from(libc::PROT_EXEC).ok()?;
            rules.insert(call, vec![rule(2, Is::MaskedEq(executable), 0)?]);
        }
        let refused = SeccompAction::Errno(u32::try_from(libc::EPERM).ok()?);
        let target = std::env::consts::ARCH.try_into().ok()?;
        let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, target).ok()?;
        let program: BpfProgram = filter.try_into().ok()?;
        seccompiler::apply_filter(&program).ok()
    }

    fn rule(place: u8, is: Is, value: u64) -> Option<SeccompRule> {
        let condition = SeccompCondition::new(place, Width::Dword, is, value).ok()?;
        SeccompRule::new(vec![condition]).ok()
    }

    #[cfg(test)]
    mod tests {
        use std::fs::File;
        use std::net::UdpSocket;

        use super::*;

        #[test]
        fn nothing_outside_is_reached() {
            // A filter holds for the thread that takes it.
            let held = std::thread::spawn(|| {
                apply().map(|()| {
                    let file = File::open("/").map(drop).map_err(|error| error.kind());
                    let net = UdpSocket::bind("127.0.0.1:0").map(drop);
                    (file, net.map_err(|error| error.kind()))
                })
            });
            // An old kernel has no filter.
            if let Some(reached) = held.join().expect("the thread ends") {
                let refused = Err(std::io::ErrorKind::PermissionDenied);
                assert_eq!(reached, (refused, refused));
            }
        }
    }
}
