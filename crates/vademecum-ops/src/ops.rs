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
}
