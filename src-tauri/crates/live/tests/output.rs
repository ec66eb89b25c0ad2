//! Files that are written: what was there stays until the new one is whole.

use live::output::{OutputFile, is_same_file, replace};
use std::fs;
use std::io::Write as _;
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_write_that_is_given_up_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.csv");
    fs::write(&path, "old").expect("written");
    let mut file = OutputFile::create(&path).expect("begun");
    file.write_all(&vec![b'x'; 1 << 20]).expect("more than any buffer");
    assert_eq!(fs::read(&path).expect("there"), b"old", "while it is written");
    drop(file);
    assert_eq!(fs::read(&path).expect("there"), b"old");
    assert_eq!(names(folder.path()), ["a.csv"]);
    // Neither does one that never had a file before leave anything.
    drop(OutputFile::create(&folder.path().join("b.csv")).expect("begun"));
    assert_eq!(names(folder.path()), ["a.csv"]);
}

/// A killed process runs no destructor, and neither does [`std::mem::forget`].
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_is_killed_leaves_nothing_where_the_disk_has_files_without_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = OutputFile::create(&folder.path().join("a.csv")).expect("begun");
    file.write_all(b"half").expect("written");
    let has_unnamed = {
        use rustix::fs::{Mode, OFlags, open};
        open(folder.path(), OFlags::TMPFILE | OFlags::RDWR, Mode::from_raw_mode(0o600)).is_ok()
    };
    let left = names(folder.path());
    std::mem::forget(file);
    assert_eq!(left.is_empty(), has_unnamed, "{left:?}");
}

#[test]
fn a_name_that_a_killed_process_left_is_not_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(".rtoscope-0.part"), "left").expect("written");
    replace(&folder.path().join("a"), b"new").expect("written");
    assert_eq!(fs::read(folder.path().join(".rtoscope-0.part")).expect("there"), b"left");
    assert_eq!(fs::read(folder.path().join("a")).expect("there"), b"new");
    assert_eq!(names(folder.path()), [".rtoscope-0.part", "a"]);
}

#[test]
fn a_whole_file_takes_the_place_of_the_old_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.csv");
    replace(&path, b"first").expect("written");
    replace(&path, b"second").expect("written");
    assert_eq!(fs::read(&path).expect("there"), b"second");
    assert_eq!(names(folder.path()), ["a.csv"]);
}

#[test]
fn two_writers_at_once_are_each_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a");
    let (mut one, mut two) = (OutputFile::create(&path).expect("begun"), OutputFile::create(&path).expect("begun"));
    one.write_all(b"one").expect("written");
    two.write_all(b"two").expect("written");
    one.commit().expect("renamed");
    two.commit().expect("renamed");
    assert_eq!(fs::read(&path).expect("there"), b"two");
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn a_folder_is_no_place_and_a_missing_one_neither() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(OutputFile::create(folder.path()).is_err());
    assert!(OutputFile::create(&folder.path().join("no/such/file")).is_err());
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn a_link_stays_and_what_it_points_to_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").expect("written");
        symlink("file", &link).expect("linked");
        replace(&link, b"new").expect("written");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).expect("there"), b"new");
        // One that points to nothing yet.
        let dangling = folder.path().join("dangling");
        symlink("later", &dangling).expect("linked");
        replace(&dangling, b"now").expect("written");
        assert_eq!(fs::read(folder.path().join("later")).expect("there"), b"now");
        symlink("round", folder.path().join("round")).expect("linked");
        assert!(replace(&folder.path().join("round"), b"").is_err(), "a link to itself");
    }

    #[test]
    fn permissions_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        replace(&path, b"new").expect("written");
        assert_eq!(path.metadata().expect("there").permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn one_file_is_known_by_any_of_its_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "x").expect("written");
        fs::write(at("other"), "x").expect("written");
        symlink("file", at("soft")).expect("linked");
        fs::hard_link(at("file"), at("hard")).expect("linked");
        for name in ["file", "soft", "hard", "./file"] {
            assert!(is_same_file(&at("file"), &at(name)), "{name}");
        }
        for name in ["other", "missing"] {
            assert!(!is_same_file(&at("file"), &at(name)), "{name}");
        }
        assert!(!is_same_file(&at("missing"), &at("missing")));
    }

    #[test]
    fn devices_and_pipes_are_written_to_as_they_are() {
        use std::os::unix::fs::FileTypeExt as _;
        let before = Path::new("/dev/null").metadata().expect("there").file_type();
        replace(Path::new("/dev/null"), b"gone").expect("written");
        assert!(before.is_char_device());
        assert_eq!(Path::new("/dev/null").metadata().expect("there").file_type(), before);
        // A device that is full fails, and is still one.
        if Path::new("/dev/full").exists() {
            assert!(replace(Path::new("/dev/full"), b"no room").is_err());
        }
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).expect("read")
        });
        replace(&pipe, b"through it").expect("written");
        assert_eq!(reader.join().expect("a thread"), b"through it");
        assert!(pipe.metadata().expect("there").file_type().is_fifo());
    }
}
