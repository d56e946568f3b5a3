/*
 * A library for LD_PRELOAD that stands between a daemon and the files of one folder. It records every change and every
 * sync of these files in a log, from which the disk can be rebuilt as a power cut would leave it, and it can make
 * writes and syncs fail.
 *
 * FAULTS_FOLDER   the folder; only files directly in it are watched
 * FAULTS_LOG      the log; without it, nothing is recorded
 * FAULTS_CONTROL  a file of five 32-bit integers that is mapped into memory, so that faults can change at any time:
 *                 the errno of failing writes (0: none), the errno of failing syncs, how many bytes may still be
 *                 written before writes fail, which files fail (1: the database, 2: the WAL, 3: both, 7: all), failures so
 *                 far. With EROFS, files can also not be opened for writing, renamed or removed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, TRUNCATE, SYNC_START, SYNC_END, SYNC_FAILED, UNLINK, RENAME };

struct record {
  uint32_t kind, name_size, data_size, reserved;
  uint64_t time_ns, inode, position;
};

struct control {
  volatile int32_t write_errno, sync_errno, bytes_left, files, failures;
};

#define MAX_FDS 65536
enum { OTHER = 4, DATABASE = 1, WAL = 2 };
/* The kind of file behind each descriptor; 0: not watched. */
static unsigned char watched[MAX_FDS];
/* The inode of that file. Node closes files by system calls, so their descriptors may belong to something else by now. */
static uint64_t watched_inode[MAX_FDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static size_t folder_size;
static int log_fd = -1;
static struct control none, *control = &none;
static uint64_t syncs;

#define REAL(type, name, ...) \
  static type (*real_##name)(__VA_ARGS__)
REAL(ssize_t, write, int, const void *, size_t);
REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
REAL(int, ftruncate64, int, off64_t);
REAL(int, fsync, int);
REAL(int, fdatasync, int);
REAL(int, unlink, const char *);
REAL(int, rename, const char *, const char *);
REAL(int, close, int);
REAL(int, openat64, int, const char *, int, ...);

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#define LOAD(name) real_##name = (void *)dlsym(RTLD_NEXT, #name)
  LOAD(write);
  LOAD(pwrite64);
  LOAD(ftruncate64);
  LOAD(fsync);
  LOAD(fdatasync);
  LOAD(unlink);
  LOAD(rename);
  LOAD(close);
  LOAD(openat64);
  folder = getenv("FAULTS_FOLDER");
  if (folder) folder_size = strlen(folder);
  const char *path = getenv("FAULTS_LOG");
  if (path) log_fd = real_openat64(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  path = getenv("FAULTS_CONTROL");
  if (path) {
    int fd = real_openat64(AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) control = mapped;
    if (fd >= 0) real_close(fd);
  }
}

__attribute__((constructor)) static void start(void) { pthread_once(&once, load); }

static int kind_of(const char *path) {
  if (!folder || strncmp(path, folder, folder_size) != 0) return 0;
  const char *rest = path + folder_size;
  if (*rest == 0) return OTHER;
  if (*rest != '/' || strchr(rest + 1, '/')) return 0;
  size_t size = strlen(rest);
  if (size > 4 && strcmp(rest + size - 4, "-shm") == 0) return 0;
  if (size > 4 && strcmp(rest + size - 4, "-wal") == 0) return WAL;
  if (size > 3 && strcmp(rest + size - 3, ".db") == 0) return DATABASE;
  return OTHER;
}

static uint64_t inode_of(int fd) {
  struct stat64 stats;
  return fstat64(fd, &stats) == 0 ? stats.st_ino : 0;
}

static int kind_of_fd(int fd) {
  if (fd < 0 || fd >= MAX_FDS || !watched[fd]) return 0;
  int error = errno;
  int is_same = inode_of(fd) == watched_inode[fd];
  errno = error;
  return is_same ? watched[fd] : 0;
}

/* Appends a record in one system call, so that records of two processes do not mix. */
static void record(int kind, const char *name, uint64_t inode, uint64_t position, const void *data, size_t size) {
  if (log_fd < 0) return;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  struct record head = {kind, name ? strlen(name) : 0, size, 0,
                        time.tv_sec * 1000000000ull + time.tv_nsec, inode, position};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)name, head.name_size}, {(void *)data, size}};
  if (syscall(SYS_writev, log_fd, parts, 3) < 0) abort();
}

/* Returns whether the file system is read-only, and sets errno. */
static int is_read_only(void) {
  if (control->write_errno != EROFS) return 0;
  control->failures++;
  errno = EROFS;
  return 1;
}

static int opened(int fd, const char *path, int flags, int existed) {
  int kind = fd >= 0 && fd < MAX_FDS ? kind_of(path) : 0;
  if (kind) watched_inode[fd] = inode_of(fd);
  if (fd >= 0 && fd < MAX_FDS) watched[fd] = kind;
  if (kind) record(OPEN, path, inode_of(fd), (existed ? 0 : 1) | (flags & O_TRUNC ? 2 : 0), NULL, 0);
  return fd;
}

static int open_watched(int directory, const char *path, int flags, mode_t mode) {
  start();
  if (!kind_of(path)) {
    int fd = real_openat64(directory, path, flags, mode);
    if (fd >= 0 && fd < MAX_FDS) watched[fd] = 0;
    return fd;
  }
  if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) && is_read_only()) return -1;
  pthread_mutex_lock(&lock);
  int existed = access(path, F_OK) == 0;
  int fd = opened(real_openat64(directory, path, flags, mode), path, flags, existed);
  pthread_mutex_unlock(&lock);
  return fd;
}

#define MODE(flags, last)                      \
  mode_t mode = 0;                             \
  if (flags & (O_CREAT | __O_TMPFILE)) {       \
    va_list rest;                              \
    va_start(rest, last);                      \
    mode = va_arg(rest, int);                  \
    va_end(rest);                              \
  }
int open(const char *path, int flags, ...) {
  MODE(flags, flags)
  return open_watched(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(flags, flags)
  return open_watched(AT_FDCWD, path, flags, mode);
}
int openat(int directory, const char *path, int flags, ...) {
  MODE(flags, flags)
  return open_watched(directory, path, flags, mode);
}
int openat64(int directory, const char *path, int flags, ...) {
  MODE(flags, flags)
  return open_watched(directory, path, flags, mode);
}

int close(int fd) {
  start();
  if (fd >= 0 && fd < MAX_FDS) watched[fd] = 0;
  return real_close(fd);
}

/* Returns whether a write of this size must fail, and sets errno. */
static int write_fails(int kind, size_t size) {
  if (!control->write_errno || !(kind & control->files)) return 0;
  if (control->bytes_left >= (int64_t)size) {
    control->bytes_left -= size;
    return 0;
  }
  control->failures++;
  errno = control->write_errno;
  return 1;
}

static ssize_t write_watched(int fd, const void *data, size_t size, off64_t offset, int kind) {
  pthread_mutex_lock(&lock);
  ssize_t written = -1;
  if (!write_fails(kind, size)) {
    off64_t at = offset >= 0 ? offset : lseek64(fd, 0, SEEK_CUR);
    if (offset < 0 && (fcntl(fd, F_GETFL) & O_APPEND)) at = lseek64(fd, 0, SEEK_END);
    written = offset >= 0 ? real_pwrite64(fd, data, size, offset) : real_write(fd, data, size);
    int error = errno;
    if (written > 0) record(WRITE, NULL, inode_of(fd), at, data, written);
    errno = error;
  }
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t write(int fd, const void *data, size_t size) {
  start();
  int kind = kind_of_fd(fd);
  return kind ? write_watched(fd, data, size, -1, kind) : real_write(fd, data, size);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
  start();
  int kind = kind_of_fd(fd);
  return kind ? write_watched(fd, data, size, offset, kind) : real_pwrite64(fd, data, size, offset);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return pwrite64(fd, data, size, offset); }

int ftruncate64(int fd, off64_t size) {
  start();
  int kind = kind_of_fd(fd);
  if (!kind) return real_ftruncate64(fd, size);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (!write_fails(kind, 0)) {
    result = real_ftruncate64(fd, size);
    if (result == 0) record(TRUNCATE, NULL, inode_of(fd), size, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

/* Everything that was written before SYNC_START is on disk once SYNC_END is in the log. */
static int sync_watched(int fd, int kind, int (*sync)(int)) {
  uint64_t inode = inode_of(fd);
  pthread_mutex_lock(&lock);
  uint64_t token = ((uint64_t)getpid() << 32) | ++syncs;
  record(SYNC_START, NULL, inode, token, NULL, 0);
  pthread_mutex_unlock(&lock);
  int fails = control->sync_errno && (kind & control->files);
  int result = fails ? -1 : sync(fd);
  if (fails) {
    control->failures++;
    errno = control->sync_errno;
  }
  int error = errno;
  pthread_mutex_lock(&lock);
  record(result == 0 ? SYNC_END : SYNC_FAILED, NULL, inode, token, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int fsync(int fd) {
  start();
  int kind = kind_of_fd(fd);
  return kind ? sync_watched(fd, kind, real_fsync) : real_fsync(fd);
}
int fdatasync(int fd) {
  start();
  int kind = kind_of_fd(fd);
  return kind ? sync_watched(fd, kind, real_fdatasync) : real_fdatasync(fd);
}

int unlink(const char *path) {
  start();
  if (!kind_of(path)) return real_unlink(path);
  if (is_read_only()) return -1;
  pthread_mutex_lock(&lock);
  int result = real_unlink(path);
  if (result == 0) record(UNLINK, path, 0, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int rename(const char *from, const char *to) {
  start();
  if (!kind_of(from) || !kind_of(to)) return real_rename(from, to);
  if (is_read_only()) return -1;
  pthread_mutex_lock(&lock);
  int result = real_rename(from, to);
  if (result == 0) record(RENAME, from, 0, 0, to, strlen(to));
  pthread_mutex_unlock(&lock);
  return result;
}
