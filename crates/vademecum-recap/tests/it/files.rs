//! The files that a session changed, as far as there is room for them.

use crate::turns::{answered, asked, digest, edited, ran, said};

/// A list that has no room says how much of it is left out.
#[test]
fn of_many_files_it_is_told_how_many_more_there_are() {
    let files: Vec<String> = (10..30).map(|n| format!("src/part_{n}/key.rs")).collect();
    let mut turns = vec![asked("Go on with the key.")];
    turns.extend(files.iter().flat_map(|file| [edited("1", file, ""), answered("1", true, "")]));
    turns.push(said("All of the parts have keys now."));
    let text = digest(&turns).recap(1_000).text.replace('\n', " ");
    assert!(text.contains("in src/ part_29/key.rs,") && text.ends_with("; 10 more"), "{text}");
    turns.extend([ran("2", "git commit -qam 'key'"), answered("2", true, "")]);
    turns.extend(
        files[..12].iter().flat_map(|file| [edited("3", file, ""), answered("3", true, "")]),
    );
    turns.push(said("Twelve of them have keys again."));
    let text = digest(&turns).recap(1_000).text.replace('\n', " ");
    assert!(text.contains("; 2 more Committed: 8 more"), "{text}");
}
