//! Files that are written whole or not at all: each beside its place first, then renamed into it, so that a write that
//! fails or is stopped leaves the file that was there.
//!
//! ```text
//! create ──► a file without a name ──► write … ──► fsync ──► .rtoscope-N.part ──► rename ──► fsync of the folder
//!                                          └─ dropped, or the process killed: gone, nothing else happened
//! ```
//!
//! Where the system or the disk knows no files without names (`O_TMPFILE`, open(2)), it is `.rtoscope-N.part` from the
//! start, and a killed process leaves it.
//!
//! A link is followed: its target is replaced, and the link stays. A device or a pipe, which a rename would replace by
//! a file, is written to as it is. A file that may not be written stays, though its folder would permit the rename.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Number of temporary names that are tried in one folder. Chosen here: each is one that a killed process has left.
const NAMES: u32 = 10_000;
/// Number of links that are followed from one name, as many as Linux follows (path_resolution(7)).
const LINKS: u32 = 40;

/// A file on its way to its place: nothing changes there until [`OutputFile::commit`].
#[derive(Debug)]
pub struct OutputFile {
    sink: BufWriter<File>,
    /// Temporary file; `None` where a device or a pipe is written to.
    beside: Option<Beside>,
}

/// A temporary file, and the path that it is for; removed when dropped.
#[derive(Debug)]
struct Beside {
    place: PathBuf,
    /// Temporary name; `None` before it has one, and once renamed: a file under that name is then another writer's.
    temporary: Option<PathBuf>,
}

impl Beside {
    /// Makes `file`, which is on the disk, the file at the place.
    fn put(&mut self, file: &File) -> io::Result<()> {
        if self.temporary.is_none() {
            self.temporary = Some(named(file, folder_of(&self.place))?);
        }
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.place)?;
        }
        self.temporary = None;
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // One that cannot be removed harms nobody.
            let _ = fs::remove_file(temporary);
        }
    }
}

impl OutputFile {
    /// Begins the file that will be at `path`, with the permissions of the file that is there.
    ///
    /// # Errors
    /// `path` is a folder, is in none, or may not be written; or its folder has 10000 temporary files.
    pub fn create(path: &Path) -> io::Result<Self> {
        let existing = match path.metadata() {
            Ok(about) if about.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder"));
            }
            // Opened by its own name: /dev/stdout leads over links that name no file.
            Ok(about) if !about.is_file() => {
                let sink = BufWriter::new(OpenOptions::new().write(true).open(path)?);
                return Ok(Self { sink, beside: None });
            }
            Ok(about) => Some(about),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let place = followed(path)?;
        if existing.is_some() {
            // Nothing is truncated: this only asks whether it may be written.
            OpenOptions::new().write(true).open(&place)?;
        }
        let folder = folder_of(&place);
        let (temporary, file) = match unnamed(folder) {
            Some(file) => (None, file),
            None => under_free_name(folder, |path| File::create_new(path)).map(|(path, file)| (Some(path), file))?,
        };
        let beside = Beside { place, temporary };
        if let Some(existing) = existing {
            file.set_permissions(existing.permissions())?;
        }
        Ok(Self { sink: BufWriter::new(file), beside: Some(beside) })
    }

    /// Puts the file in its place, whole and on the disk.
    ///
    /// # Errors
    /// The disk fails; the file that was at the place stays.
    pub fn commit(self) -> io::Result<()> {
        self.keep_open().map(drop)
    }

    /// Puts the file in its place as [`OutputFile::commit`] does, and returns it, to be written further.
    ///
    /// # Errors
    /// The disk fails; the file that was at the place stays.
    pub fn keep_open(self) -> io::Result<File> {
        let Self { sink, beside } = self;
        let file = sink.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(mut beside) = beside {
            file.sync_all()?;
            beside.put(&file)?;
            // The name is on the disk when the folder is. Where a folder cannot be opened, the system does it in its
            // own time.
            if let Ok(folder) = File::open(folder_of(&beside.place)) {
                let _ = folder.sync_all();
            }
        }
        Ok(file)
    }
}

impl Write for OutputFile {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.sink.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Makes `octets` the content of the file at `path`, whole or not at all.
///
/// # Errors
/// Errors of [`OutputFile::create`] and [`OutputFile::commit`].
pub fn replace(path: &Path, octets: &[u8]) -> io::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(octets)?;
    file.commit()
}

/// Returns whether two paths name one file, through links of either kind too. False where one does not exist. Where the
/// system has no numbers of files (Windows), hard links are not seen.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let number = |path: &Path| path.metadata().ok().map(|about| (about.dev(), about.ino()));
        number(one).is_some_and(|number_of_one| Some(number_of_one) == number(other))
    }
    #[cfg(not(unix))]
    {
        one.canonicalize().is_ok_and(|place| other.canonicalize().is_ok_and(|other| place == other))
    }
}

/// Follows links from `path` to a file, or to the name of one that is not there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&place) {
            // A relative link counts from its own folder.
            Ok(to) => place = place.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("the links from here have no end"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Creates a file without a name on the disk of `folder`, which is gone when it is closed; `None` where that, or to
/// name it later, is not possible.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    // Permissions as `File::create` gives them: the umask takes away what it does.
    let mode = Mode::from_raw_mode(0o666);
    let file = File::from(open(folder, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, mode).ok()?);
    descriptor(&file).exists().then_some(file)
}

/// Creates no file: other systems have none without a name.
#[cfg(not(target_os = "linux"))]
fn unnamed(_folder: &Path) -> Option<File> {
    None
}

/// Returns the path under which proc(5) has an open file.
#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd as _;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Names a file that has no name, on the disk of `folder`, and returns its path there.
#[cfg(target_os = "linux")]
fn named(file: &File, folder: &Path) -> io::Result<PathBuf> {
    use rustix::fs::{AtFlags, CWD, linkat};
    // A link cannot replace a file, so that the name is a temporary one.
    let link = |path: &Path| Ok(linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?);
    under_free_name(folder, link).map(|(path, ())| path)
}

/// Refuses: [`unnamed`] creates no file here.
#[cfg(not(target_os = "linux"))]
fn named(_file: &File, _folder: &Path) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Calls `create` with temporary names in `folder` until one is free, and returns that and the result.
fn under_free_name<T>(folder: &Path, create: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    for number in 0..NAMES {
        let path = folder.join(format!(".rtoscope-{number}.part"));
        match create(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|created| (path, created)),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "the folder is full of files .rtoscope-N.part"))
}
