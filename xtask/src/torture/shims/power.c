/*
 * Power: keeps beside a folder what a power cut would leave of it, and no byte more.
 *
 * A file's bytes are on disk when the file is synced, its name when its folder is synced. What was
 * only written, made, renamed or removed is not. The folder itself is left alone: the other folder
 * holds the bytes of each synced file under f/ and the names of each synced folder under d/.
 *
 * POWER_ROOT    the folder that is watched, by its real path
 * POWER_SHADOW  where what is on disk is kept
 * POWER_DEAF    syncs of paths that contain this are lost, as on a disk that lies
 * POWER_THROUGH set where each sync is to reach the real disk as well, so that a tracer sees it
 * POWER_NAMES   "own": syncing a file puts its name on disk as well, as the journals of ext4, XFS and
 *               Btrfs do; else only the sync of the folder does, which is all that POSIX promises
 *
 * Test equipment, loaded by LD_PRELOAD; no part of the product.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Used under the lock of the shadow alone, which threads and processes wait for alike. */
static char bytes[1 << 20];

static void die(const char *what) {
    dprintf(2, "power shim: %s: %s\n", what, strerror(errno));
    _exit(99);
}

/*
 * The name of a file that no other file ever has: numbers are used again, times of birth are not.
 * 0 where another process has moved or removed the file since its name was read.
 */
static int key_of(int folder, const char *name, char *key, size_t size) {
    struct statx meta;
    int flags = AT_SYMLINK_NOFOLLOW | (*name ? 0 : AT_EMPTY_PATH);
    if (statx(folder, name, flags, STATX_INO | STATX_BTIME, &meta)) {
        if (errno == ENOENT && *name) return 0;
        die("statx");
    }
    snprintf(key, size, "%llu.%lld.%u", (unsigned long long)meta.stx_ino,
             (long long)meta.stx_btime.tv_sec, meta.stx_btime.tv_nsec);
    return 1;
}

static void put(int fd, const char *from, size_t left) {
    while (left) {
        ssize_t n = write(fd, from, left);
        if (n < 0) die("write");
        from += n;
        left -= (size_t)n;
    }
}

static int draft(const char *shadow, char *path) {
    snprintf(path, PATH_MAX, "%s/draft", shadow);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) die("draft");
    return fd;
}

static void settle(int fd, const char *draft, const char *shadow, char kind, const char *key) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%c/%s", shadow, kind, key);
    close(fd);
    if (rename(draft, path)) die("rename");
}

static void keep_bytes(int fd, const char *shadow) {
    char key[96], path[PATH_MAX], self[64];
    key_of(fd, "", key, sizeof key);
    int out = draft(shadow, path), in = fd;
    /* Opening a file a second time and closing it would drop the record locks that SQLite holds. */
    if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) {
        snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
        in = open(self, O_RDONLY | O_CLOEXEC);
        if (in < 0) die("open");
    }
    off_t at = 0;
    for (ssize_t n; (n = pread(in, bytes, sizeof bytes, at)) != 0; at += n) {
        if (n < 0) die("pread");
        put(out, bytes, (size_t)n);
    }
    if (in != fd) close(in);
    settle(out, path, shadow, 'f', key);
}

static void keep_names(int fd, const char *shadow) {
    char key[96], path[PATH_MAX], line[PATH_MAX];
    key_of(fd, "", key, sizeof key);
    int out = draft(shadow, path);
    DIR *names = fdopendir(openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!names) die("fdopendir");
    for (struct dirent *entry; (entry = readdir(names));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        char own[96];
        if (!key_of(dirfd(names), entry->d_name, own, sizeof own)) {
            /* It may stand later in the folder under another name: all names are read again. */
            if (ftruncate(out, 0) || lseek(out, 0, SEEK_SET)) die("draft");
            rewinddir(names);
            continue;
        }
        int n = snprintf(line, sizeof line, "%c %s %s\n", entry->d_type == DT_DIR ? 'd' : 'f', own,
                         entry->d_name);
        put(out, line, (size_t)n);
    }
    closedir(names);
    settle(out, path, shadow, 'd', key);
}

/*
 * Puts one name into what is on disk of its folder, and the folder's own into the one above.
 * 0 where the name is no longer there.
 */
static int keep_name(const char *path, char kind, const char *root, const char *shadow) {
    char above[PATH_MAX], name[NAME_MAX + 1], key[96], own[96], old[PATH_MAX], line[PATH_MAX];
    if (strlen(path) <= strlen(root)) return 1;
    const char *slash = strrchr(path, '/');
    snprintf(above, sizeof above, "%.*s", (int)(slash - path), path);
    snprintf(name, sizeof name, "%s", slash + 1);
    if (!key_of(AT_FDCWD, above, key, sizeof key)) return 0;
    if (!key_of(AT_FDCWD, path, own, sizeof own)) return 0;
    char drafted[PATH_MAX];
    int out = draft(shadow, drafted);
    snprintf(old, sizeof old, "%s/d/%s", shadow, key);
    FILE *lines = fopen(old, "re");
    while (lines && fgets(line, sizeof line, lines)) {
        line[strcspn(line, "\n")] = 0;
        const char *known = strchr(line + 2, ' ');
        if (!known || !strcmp(known + 1, name)) continue;
        strcat(line, "\n");
        put(out, line, strlen(line));
    }
    if (lines) fclose(lines);
    int n = snprintf(line, sizeof line, "%c %s %s\n", kind, own, name);
    put(out, line, (size_t)n);
    settle(out, drafted, shadow, 'd', key);
    return keep_name(above, 'd', root, shadow);
}

static int path_of(int fd, char *path) {
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(self, path, PATH_MAX - 1);
    path[n < 0 ? 0 : n] = 0;
    return n >= 0;
}

/* Its name is read once more where another process has moved the file in between. */
static void keep_own_name(int fd, const char *root, const char *shadow) {
    char path[PATH_MAX];
    do {
        if (!path_of(fd, path) || strstr(path, " (deleted)")) return;
    } while (!keep_name(path, 'f', root, shadow));
}

static void keep(int fd) {
    char path[PATH_MAX], lock[PATH_MAX];
    const char *root = getenv("POWER_ROOT"), *shadow = getenv("POWER_SHADOW");
    const char *deaf = getenv("POWER_DEAF"), *names = getenv("POWER_NAMES");
    if (!root || !shadow) return;
    if (!path_of(fd, path)) return;
    if (strncmp(path, root, strlen(root))) return;
    snprintf(lock, sizeof lock, "%s/lock", shadow);
    int held = open(lock, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (held < 0 || flock(held, LOCK_EX)) die("lock");
    /* Each sync that is seen is one byte of the lock file, to be counted. */
    put(held, ".", 1);
    struct stat meta;
    if (!fstat(fd, &meta) && !(deaf && *deaf && strstr(path, deaf))) {
        if (S_ISDIR(meta.st_mode)) {
            keep_names(fd, shadow);
        } else {
            keep_bytes(fd, shadow);
            if (names && !strcmp(names, "own")) keep_own_name(fd, root, shadow);
        }
    }
    close(held);
}

static int synced(long call, int fd) {
    /* The disk that counts is the shadow; waiting for the real one would only take time. */
    int is_through = !getenv("POWER_ROOT") || getenv("POWER_THROUGH");
    long done = is_through ? syscall(call, fd) : 0;
    if (!done) keep(fd);
    return (int)done;
}

int fsync(int fd) {
    return synced(SYS_fsync, fd);
}

int fdatasync(int fd) {
    return synced(SYS_fdatasync, fd);
}
