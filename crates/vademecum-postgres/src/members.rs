//! Who shares a project: the role that made it, and those who were invited.

use tokio_postgres::Row;
use vademecum_core::id::ProjectId;
use vademecum_store::{Invited, Members, StoreError};

use crate::Postgres;
use crate::statement::{Statement, Value, column, text, utf8};

impl Postgres {
    /// Shares a project, as far as who asks has it, with a role of the server.
    pub fn invite(&self, project: ProjectId, role: &str) -> Result<Invited, StoreError> {
        let roles = "SELECT 1 FROM pg_roles WHERE rolname = $1::name";
        let invite = "INSERT INTO member (project, person, owner)
                      SELECT id, $2::name, owner FROM project
                      WHERE uid = $1 AND owner <> $2::name ON CONFLICT DO NOTHING RETURNING 1";
        let role = || Value::Word(role.to_owned());
        self.change(false, &mut |view, was_sent| {
            if view.ask(Statement::new(roles, vec![role()]))?.is_empty() {
                return Ok((Invited::Nobody, false));
            }
            let added = view.ask(Statement::new(invite, vec![project.0.into(), role()]))?;
            Ok(told(!added.is_empty() || was_sent))
        })
    }

    /// Takes an invitation back; its role itself can, and the project's owner.
    pub fn uninvite(&self, project: ProjectId, role: &str) -> Result<Invited, StoreError> {
        let end = "DELETE FROM member WHERE person = $2::name
                   AND project IN (SELECT id FROM project WHERE uid = $1) RETURNING 1";
        self.change(false, &mut |view, was_sent| {
            let values = vec![project.0.into(), Value::Word(role.to_owned())];
            Ok(told(!view.ask(Statement::new(end, values))?.is_empty() || was_sent))
        })
    }

    /// Who shares a project; none who asks has not.
    pub fn members(&self, project: ProjectId) -> Result<Option<Members>, StoreError> {
        let schema = self.pool.schema();
        let row = self.one(&format!(
            "SELECT owner::text::bytea, ARRAY (SELECT person::text::bytea FROM {schema}.member
                 WHERE member.project = project.id ORDER BY person)
             FROM {schema}.project WHERE uid = decode('{project}', 'hex')"
        ))?;
        row.as_ref().map(members).transpose()
    }
}

fn members(row: &Row) -> Result<Members, StoreError> {
    let invited: Vec<Vec<u8>> = column(row, 1)?;
    Ok(Members {
        owner: text(row, 0)?,
        invited: invited.into_iter().map(utf8).collect::<Result<_, _>>()?,
    })
}

fn told(is_done: bool) -> (Invited, bool) {
    (if is_done { Invited::Done } else { Invited::Before }, is_done)
}
