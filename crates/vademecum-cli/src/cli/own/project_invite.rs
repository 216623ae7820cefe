//! The commands `vade project invite` and `uninvite`: who shares a project in a store on a server. They are a person's alone.

use clap::{Arg, ArgMatches, Command};
use serde_json::json;
use vademecum::Sharing;
use vademecum::core::project::{Project, shown};
use vademecum::ops::{Call, OpError, Reply};
use vademecum::port::{Invited, Members};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::text::Text;
use crate::cli::whose::Whose;

const ROLE: &str = "role";

/// Shares the project with a person, or says with whom it is.
pub(super) const INVITE: Own = Own {
    words: &["project", "invite"],
    title: "Share this project with a person of the same server",
    about: "ROLE is the login role by which the person comes to the server; without it, it is said who shares the \
            project. They see its plans and entries, and join it in a folder of theirs with vade project join. Pages, \
            notes, handoffs and recaps stay their person's: nobody else is shown them.",
    of: None,
    arguments: |command: Command| command.arg(role()),
    run: |setup, globals, matches| run(setup, globals, matches, Sharing::invite),
};

/// Shares the project with a person no longer.
pub(super) const UNINVITE: Own = Own {
    words: &["project", "uninvite"],
    title: "Share this project with a person no longer",
    about: "For who made the project, and for who was invited. What they wrote in the project stays there, and what is \
            theirs alone stays theirs.",
    of: None,
    arguments: |command: Command| command.arg(role().required(true)),
    run: |setup, globals, matches| run(setup, globals, matches, Sharing::uninvite),
};

fn role() -> Arg {
    let help = "The login role of the person";
    Arg::new(ROLE).value_name("ROLE").value_parser(Text::default()).help(help)
}

type Act = fn(&Sharing, &Project, &str) -> Result<Invited, OpError>;

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches, act: Act) -> Result<Reply, Failure> {
    let config = setup.config()?;
    if matches.get_one::<String>(ROLE).is_some() {
        setup.world.check_can_write("project invite")?;
    }
    let sharing = Sharing::of(&setup.store_address(config, globals)?)?;
    setup.with_call(config, globals.session.clone(), Whose::Desk, globals, |call| {
        let project = project(call)?;
        let Some(role) = matches.get_one::<String>(ROLE) else {
            return Ok(told(&project, &sharing.members(&project)?));
        };
        let is_new = match act(&sharing, &project, role)? {
            Invited::Nobody => {
                let message = format!("the server has no role \"{role}\"");
                return Err(OpError::missing(message)
                    .hint("a person is a login role of the database; who runs it makes one")
                    .into());
            }
            Invited::Before => false,
            Invited::Done => true,
        };
        let members = sharing.members(&project)?;
        let Reply { text, object } = told(&project, &members);
        let text = match (is_new, members.invited.contains(role)) {
            (true, true) => {
                format!(
                    "{text}hint: there, in a folder of it: vade project join {}\n",
                    shown(&project.name)
                )
            }
            (true, false) => text,
            (false, _) => format!("nothing to do: {text}"),
        };
        Ok(Reply { text, object })
    })
}

/// The project of this folder.
fn project(call: &Call<'_>) -> Result<Project, OpError> {
    call.read(|view| call.project(view))?.ok_or_else(|| {
        OpError::missing("this folder has no project yet")
            .hint("the first note or entry makes one; vade project list shows others, --project names one")
    })
}

/// Who shares a project, as far as they are seen.
fn told(project: &Project, members: &Members) -> Reply {
    let (owner, invited) = (&members.owner, &members.invited);
    let shared = if invited.is_empty() {
        "nobody is invited".to_owned()
    } else {
        format!("invited: {}", invited.join(", "))
    };
    Reply {
        text: format!("{} is {owner}'s; {shared}\n", shown(&project.name)),
        object: json!({ "project": project.name, "owner": owner, "invited": invited }),
    }
}
