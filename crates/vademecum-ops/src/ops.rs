//! One file per operation; a new one is its file and one line here.

use crate::operation::Op;

/// Declares the module of each operation and the list of them all, so that one line does both.
macro_rules! operations {
    ($($module:ident :: $operation:ident,)*) => {
        $(pub mod $module;)*

        /// All operations, in the order in which they are shown.
        pub static ALL: &[Op] = &[$(Op::of::<$module::$operation>(),)*];
    };
}

operations! {
    read_notepad::ReadNotepad,
    write_notepad::WriteNotepad,
    update_notepad::UpdateNotepad,
    add_note::AddNote,
    search_notes::SearchNotes,
    search::Search,
    list_notes::ListNotes,
    update_note::UpdateNote,
    scratch_note::ScratchNote,
    delete_note::DeleteNote,
    list_tags::ListTags,
    get_context::GetContext,
    recap::Recap,
    why::Why,
    write_handoff::WriteHandoff,
    read_handoff::ReadHandoff,
    dismiss_handoff::DismissHandoff,
    list_instances::ListInstances,
    add_learning::AddLearning,
    add_decision::AddDecision,
    add_issue::AddIssue,
    promote_note::PromoteNote,
    get_wisdom::GetWisdom,
    format_directive::FormatDirective,
    init_plan::InitPlan,
    list_plans::ListPlans,
    show_plan::ShowPlan,
    use_plan::UsePlan,
    complete_plan::CompletePlan,
    archive_plan::ArchivePlan,
    merge_plan::MergePlan,
    check_plan::CheckPlan,
    run_sandbox_code::RunSandboxCode,
    session_scratchpad::SessionScratchpad,
    notepad_history::NotepadHistory,
    diff_notepad::DiffNotepad,
    restore_notepad::RestoreNotepad,
    note_history::NoteHistory,
    restore_note::RestoreNote,
    list_sessions::ListSessions,
    show_session::ShowSession,
    session_timeline::SessionTimeline,
    new_session::NewSession,
    archive_session::ArchiveSession,
    list_projects::ListProjects,
    rename_project::RenameProject,
    join_project::JoinProject,
    switch_off::SwitchOff,
    switch_on::SwitchOn,
    forget::Forget,
    prune::Prune,
    export::Export,
    import::Import,
    adopt::Adopt,
    status::Status,
    show_config::ShowConfig,
}

/// Whether a count is left out of an answer.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}
