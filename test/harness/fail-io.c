/*
 * Makes reads, writes and syncs of chosen files fail with EIO, as on a broken disk. Load it with LD_PRELOAD.
 *
 * The environment variable FAIL_IO_RULES names a file with the rules, one on each line: an operation (read, write or
 * sync) and the end of a path, such as "sync wireroom.db". The file is read at each call, so the rules can change while
 * the process runs. A missing file means that nothing fails.
 *
 * Each failure appends its rule to the file FAIL_IO_RULES with the suffix ".hits".
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int ends_with(const char *text, const char *end) {
  size_t text_length = strlen(text), end_length = strlen(end);
  return text_length >= end_length && strcmp(text + text_length - end_length, end) == 0;
}

/* Uses system calls directly, because the functions of libc are replaced below. */
static ssize_t load(const char *path, char *buffer, size_t size) {
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return -1;
  ssize_t length = syscall(SYS_read, file, buffer, size - 1);
  syscall(SYS_close, file);
  if (length >= 0) buffer[length] = 0;
  return length;
}

static void count(const char *rules, const char *rule) {
  char path[4200], line[4200];
  snprintf(path, sizeof path, "%s.hits", rules);
  int length = snprintf(line, sizeof line, "%s\n", rule);
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, line, length);
  syscall(SYS_close, file);
}

static int must_fail(const char *operation, int fd) {
  const char *rules = getenv("FAIL_IO_RULES");
  char text[4096], link[64], path[4096];
  if (!rules || load(rules, text, sizeof text) <= 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  char *next = text, *rule;
  while ((rule = strsep(&next, "\n"))) {
    char *space = strchr(rule, ' ');
    if (!space) continue;
    if (strncmp(rule, operation, (size_t)(space - rule)) != 0 || !ends_with(path, space + 1)) continue;
    count(rules, rule);
    errno = EIO;
    return 1;
  }
  return 0;
}

#define REPLACE(type, name, parameters, arguments, operation, fd)                    \
  type name parameters {                                                             \
    static type(*real) parameters;                                                   \
    if (!real) real = (type(*) parameters)dlsym(RTLD_NEXT, #name);                   \
    return must_fail(operation, fd) ? -1 : real arguments;                           \
  }

REPLACE(int, fsync, (int fd), (fd), "sync", fd)
REPLACE(int, fdatasync, (int fd), (fd), "sync", fd)
REPLACE(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size), "write", fd)
REPLACE(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at), "write", fd)
REPLACE(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at), "write", fd)
REPLACE(int, ftruncate, (int fd, off_t size), (fd, size), "write", fd)
REPLACE(int, ftruncate64, (int fd, off64_t size), (fd, size), "write", fd)
REPLACE(ssize_t, read, (int fd, void *data, size_t size), (fd, data, size), "read", fd)
REPLACE(ssize_t, pread, (int fd, void *data, size_t size, off_t at), (fd, data, size, at), "read", fd)
REPLACE(ssize_t, pread64, (int fd, void *data, size_t size, off64_t at), (fd, data, size, at), "read", fd)
