/* Fails or kills a process at the n-th call that touches files below a folder.
 *
 * A library for LD_PRELOAD. The functions of libc that read and write files count their
 * calls once `fault_arm` was called, also in forks. At the chosen call the process is
 * killed, or the call returns an error. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITES = 1, READS = 2, REMOVALS = 4 };

static struct {
    atomic_long calls;
    char last[4200]; /* the function and the path of the call that was struck */
} *shared; /* by this process and its forks */

static char under[256];
static int counted; /* the sum of the kinds of calls that count */
static long strike_at;
static int failure; /* an errno, or 0 to kill */
static int for_good; /* all later calls fail as well */

/* Count the calls of these kinds on files below a folder, and strike call `at`. */
void fault_arm(const char *folder, int kinds, long at, int error, int lasting) {
    if (!shared)
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    snprintf(under, sizeof under, "%s/", folder);
    strike_at = at;
    failure = error;
    for_good = lasting;
    atomic_store(&shared->calls, 0);
    shared->last[0] = 0;
    counted = kinds;
}

long fault_calls(void) { return shared ? atomic_load(&shared->calls) : 0; }

const char *fault_last(void) { return shared ? shared->last : ""; }

/* Whether this call is to fail; then errno is set. */
static int struck(int kind, const char *function, const char *path) {
    char absolute[4096];
    if (!(counted & kind) || !path)
        return 0;
    if (path[0] != '/') {
        char folder[2048];
        if (!getcwd(folder, sizeof folder))
            return 0;
        snprintf(absolute, sizeof absolute, "%s/%s", folder, path);
        path = absolute;
    }
    if (strncmp(path, under, strlen(under)))
        return 0;
    long call = atomic_fetch_add(&shared->calls, 1);
    if (call == strike_at)
        snprintf(shared->last, sizeof shared->last, "%s %s", function, path);
    if (call == strike_at && !failure)
        kill(getpid(), SIGKILL);
    if (!failure || call < strike_at || (call > strike_at && !for_good))
        return 0;
    errno = failure;
    return 1;
}

static int struck_file(int kind, const char *function, int fd) {
    char link[64], path[4096];
    if (!(counted & kind))
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0)
        return 0;
    path[size] = 0;
    return struck(kind, function, path);
}

static int struck_at(int kind, const char *function, int folder, const char *path) {
    char link[64], absolute[8192];
    if (!(counted & kind) || !path)
        return 0;
    if (path[0] == '/' || folder == AT_FDCWD)
        return struck(kind, function, path);
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t size = readlink(link, absolute, 4000);
    if (size < 0)
        return 0;
    snprintf(absolute + size, sizeof absolute - size, "/%s", path);
    return struck(kind, function, absolute);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A function whose first argument is a descriptor, or a path. */
#define ON_FILE(kind, type, name, parameters, arguments)                             \
    type name parameters {                                                           \
        return struck_file(kind, #name, fd) ? (type) - 1 : REAL(name) arguments;     \
    }
#define ON_PATH(kind, name, parameters, arguments)                                   \
    int name parameters {                                                            \
        return struck(kind, #name, path) ? -1 : REAL(name) arguments;                \
    }
#define ON_PATH_AT(kind, name, parameters, arguments)                                \
    int name parameters {                                                            \
        return struck_at(kind, #name, at, path) ? -1 : REAL(name) arguments;         \
    }

ON_FILE(READS, ssize_t, read, (int fd, void *data, size_t size), (fd, data, size))
ON_FILE(READS, ssize_t, pread, (int fd, void *data, size_t size, off_t offset),
        (fd, data, size, offset))
ON_FILE(READS, ssize_t, pread64, (int fd, void *data, size_t size, off64_t offset),
        (fd, data, size, offset))
ON_FILE(READS, ssize_t, readv, (int fd, const struct iovec *pieces, int count),
        (fd, pieces, count))
ON_FILE(WRITES, ssize_t, write, (int fd, const void *data, size_t size),
        (fd, data, size))
ON_FILE(WRITES, ssize_t, pwrite, (int fd, const void *data, size_t size, off_t offset),
        (fd, data, size, offset))
ON_FILE(WRITES, ssize_t, writev, (int fd, const struct iovec *pieces, int count),
        (fd, pieces, count))
ON_FILE(WRITES, ssize_t, sendfile, (int fd, int from, off_t *offset, size_t size),
        (fd, from, offset, size))
ON_FILE(WRITES, ssize_t, sendfile64, (int fd, int from, off64_t *offset, size_t size),
        (fd, from, offset, size))
ON_FILE(WRITES, int, fsync, (int fd), (fd))
ON_FILE(WRITES, int, fdatasync, (int fd), (fd))
ON_FILE(WRITES, int, ftruncate, (int fd, off_t size), (fd, size))
ON_FILE(WRITES, int, ftruncate64, (int fd, off64_t size), (fd, size))

ON_PATH(WRITES, mkdir, (const char *path, mode_t mode), (path, mode))
ON_PATH(REMOVALS, rmdir, (const char *path), (path))
ON_PATH(REMOVALS, unlink, (const char *path), (path))
ON_PATH_AT(REMOVALS, unlinkat, (int at, const char *path, int flags), (at, path, flags))

/* The path that comes into being decides. */
int rename(const char *from, const char *path) {
    return struck(WRITES, "rename", path) ? -1 : REAL(rename)(from, path);
}
int renameat(int from_at, const char *from, int at, const char *path) {
    return struck_at(WRITES, "renameat", at, path)
               ? -1
               : REAL(renameat)(from_at, from, at, path);
}
int link(const char *from, const char *path) {
    return struck(WRITES, "link", path) ? -1 : REAL(link)(from, path);
}
int linkat(int from_at, const char *from, int at, const char *path, int flags) {
    return struck_at(WRITES, "linkat", at, path)
               ? -1
               : REAL(linkat)(from_at, from, at, path, flags);
}
int symlink(const char *target, const char *path) {
    return struck(WRITES, "symlink", path) ? -1 : REAL(symlink)(target, path);
}

static int kind_of(int flags) {
    return flags & (O_WRONLY | O_RDWR | O_CREAT) ? WRITES : READS;
}

#define OPEN(name)                                                                   \
    int name(const char *path, int flags, ...) {                                     \
        va_list rest;                                                                \
        va_start(rest, flags);                                                       \
        mode_t mode = va_arg(rest, mode_t);                                          \
        va_end(rest);                                                                \
        return struck(kind_of(flags), "open", path) ? -1                             \
                                                    : REAL(name)(path, flags, mode); \
    }
#define OPEN_AT(name)                                                                \
    int name(int at, const char *path, int flags, ...) {                             \
        va_list rest;                                                                \
        va_start(rest, flags);                                                       \
        mode_t mode = va_arg(rest, mode_t);                                          \
        va_end(rest);                                                                \
        return struck_at(kind_of(flags), "open", at, path)                           \
                   ? -1                                                              \
                   : REAL(name)(at, path, flags, mode);                              \
    }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
