//! The folders that a project has and had on this machine: a session that began in one is the project's.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_files::resolve;

use crate::call::Call;
use crate::error::OpError;
use crate::place::Place;

/// The folders of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roots {
    /// The one of the call first.
    pub folders: Vec<PathBuf>,
    /// What the project is known by, whatever the machine is called.
    keys: Vec<ProjectKey>,
    /// Where other projects lie or lay below these folders.
    others: Vec<PathBuf>,
}

impl Roots {
    /// Those of the call's project: the work trees of its repository, and all by which the store knows it here.
    pub fn of(call: &Call<'_>) -> Result<Self, OpError> {
        let (place, machines) = (call.place(), call.world.machines());
        let is_here = |key: &ProjectKey| key.machine.is_none_or(|it| machines.contains(&it));
        let (mut keys, others) = call.read(|view| {
            let (mut own, mut others) = (Vec::new(), Vec::new());
            let this = call.project(view)?.map(|project| project.id);
            for project in view.projects(None)? {
                let keys = view.project_keys(project.id)?.into_iter().filter(is_here);
                let is_own = Some(project.id) == this;
                if is_own { own.extend(keys) } else { others.extend(keys) }
            }
            Ok((own, others))
        })?;
        for key in &mut keys {
            key.machine = None;
        }
        keys.extend(place.keys(None));
        let mut folders = place.work_trees();
        for folder in keys.iter().filter_map(folder) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        let is_below = |other: &PathBuf| {
            folders.iter().any(|root| other.starts_with(root)) && !folders.contains(other)
        };
        let others = others.iter().filter_map(folder).filter(is_below).collect();
        Ok(Self { folders, keys, others })
    }

    /// The folder of the other project that a session worked in which began in `folder`; none where it is this one's.
    ///
    /// A folder that is gone was this project's where its path says so and no other is known to have lain there, or where
    /// a person names the transcript. A path that climbs, or does not begin at the top, says nothing.
    pub(crate) fn elsewhere(&self, folder: PathBuf, is_named: bool) -> Option<PathBuf> {
        let climbs = folder.components().any(|part| part == Component::ParentDir);
        if !folder.is_absolute() || climbs {
            return (!is_named).then_some(folder);
        }
        if resolve(&folder).is_none() {
            let is_in = |roots: &[PathBuf]| roots.iter().any(|root| folder.starts_with(root));
            let was_here = is_in(&self.folders) && !is_in(&self.others);
            return (!is_named && !was_here).then_some(folder);
        }
        let there = Place::of(&folder);
        let is_ours = there.keys(None).first().is_some_and(|key| self.keys.contains(key));
        (!is_ours).then_some(there.root)
    }
}

/// The folder that a key names, or the one that a repository's own folder lies in.
fn folder(key: &ProjectKey) -> Option<PathBuf> {
    let path = || PathBuf::from(OsString::from_vec(key.value.clone()));
    match key.kind {
        KeyKind::Folder => Some(path()),
        KeyKind::Git => path().parent().filter(|_| path().ends_with(".git")).map(Path::to_owned),
        KeyKind::Remote | KeyKind::Unknown(_) => None,
    }
}
