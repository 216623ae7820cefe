//! Weights that were learned without the sessions of one repository, to measure on those; kept in `target/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, ensure};
use vademecum_recap::rank::Weights;

use super::learn;

/// The weights that the transcripts in `folder` teach but those of `repo`.
///
/// Which repository a transcript is of says `index.csv` beside them, by what its name begins with.
pub(super) fn weights(folder: &Path, repo: &str) -> Result<&'static Weights> {
    let kept = place(folder, repo)?;
    let known = fs::read_to_string(&kept).ok().and_then(|text| parse(&text));
    let weights = if let Some(weights) = known {
        weights
    } else {
        let weights = learn::weights(&others(folder, repo)?)?;
        fs::create_dir_all(kept.parent().context("a folder")?)?;
        fs::write(&kept, text(&weights))?;
        weights
    };
    Ok(Box::leak(Box::new(weights)))
}

/// The file for what this program learns: another one may count otherwise.
fn place(folder: &Path, repo: &str) -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let built = program.metadata()?.modified()?.duration_since(UNIX_EPOCH)?.as_millis();
    let of = folder.canonicalize().with_context(|| folder.display().to_string())?;
    let name = format!("{}-{repo}-{built}", of.display()).replace(['/', '.'], "_");
    let target = program.parent().and_then(Path::parent).context("the target folder")?;
    Ok(target.join("recap-weights").join(name))
}

fn others(folder: &Path, repo: &str) -> Result<Vec<PathBuf>> {
    let index = folder.join("index.csv");
    let index = fs::read_to_string(&index).with_context(|| index.display().to_string())?;
    let mut rows = index.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = rows.next().context("an empty index")?;
    let column =
        |name| head.iter().position(|it| *it == name).with_context(|| format!("no {name}"));
    let (id, of) = (column("id")?, column("repo")?);
    let left_out: Vec<&str> = rows
        .filter(|row| row.get(of) == Some(&repo))
        .filter_map(|row| row.get(id).copied())
        .collect();
    ensure!(!left_out.is_empty(), "no session of {repo} in the index");
    let mut files = learn::files(folder)?;
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.retain(|file| !left_out.iter().any(|id| name(file).starts_with(id)));
    Ok(files)
}

fn text(weights: &Weights) -> String {
    weights.statement.iter().map(f32::to_string).collect::<Vec<_>>().join("\n")
}

fn parse(text: &str) -> Option<Weights> {
    let all: Vec<f32> = text.lines().map(str::parse).collect::<Result<_, _>>().ok()?;
    Some(Weights { statement: all.try_into().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_back_as_they_were_kept() {
        assert_eq!(parse(&text(&Weights::LEARNED)), Some(Weights::LEARNED));
        assert_eq!(parse("0.1\n0.2"), None);
    }

    #[test]
    fn the_sessions_of_the_repository_are_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a_1.full.jsonl", "a_2.full.jsonl", "b_1.full.jsonl", "notes.txt"] {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        let index = "id,file,repo\na_1,x,shop/pay\na_2,x,shop/pay\nb_1,x,shop/web\n";
        fs::write(folder.path().join("index.csv"), index).expect("a file");
        let left = others(folder.path(), "shop/pay").expect("files");
        assert_eq!(left, [folder.path().join("b_1.full.jsonl")]);
        assert!(others(folder.path(), "shop/none").is_err());
    }
}
