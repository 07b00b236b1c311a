/* SPDX-License-Identifier: MIT */
/* output.c: see output.h. */
#define _XOPEN_SOURCE 700

#include "output.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)1 << 18)

static int output_fd = -1;
static const char *output_name; /* for messages */
static char *output_path;       /* the file to replace; NULL: written directly */
static char output_temp[PATH_MAX];
static volatile sig_atomic_t temp_exists;
static char *buffer;
static size_t buffered;

static void on_signal(int number) {
    output_discard();
    signal(number, SIG_DFL);
    raise(number);
}

void output_discard(void) {
    if (temp_exists)
        (void)unlink(output_temp);
    temp_exists = 0;
}

/* The folder that holds path, allocated. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = allocate(length + 1, 1, "a path");
    memcpy(folder, slash == NULL ? "." : path, length);
    folder[length] = '\0';
    return folder;
}

/* The path, allocated, that a link names: by itself, or from the folder that holds the link. */
static char *read_link(const char *link) {
    char named[PATH_MAX];
    ssize_t length = readlink(link, named, sizeof named);
    if (length <= 0)
        return NULL;
    char *folder = named[0] == '/' ? NULL : folder_of(link);
    size_t capacity = (size_t)length + (folder == NULL ? 0 : strlen(folder)) + 2;
    char *path = allocate(capacity, 1, "a path");
    snprintf(path, capacity, "%s%s%.*s", folder == NULL ? "" : folder, folder == NULL ? "" : "/",
             (int)length, named);
    free(folder);
    return path;
}

/* The file that stands, or is to be made, behind all symbolic links, allocated: they stay, and what
   they name is replaced. exists: whether there is such a file. */
static char *resolve(const char *target, bool exists) {
    char *path = exists ? realpath(target, NULL) : strdup(target);
    if (path == NULL)
        fail("cannot write %s: %s", target, strerror(errno));
    /* realpath does not follow a link whose end is missing. The kernel knows no chain longer than
       40, and has refused a circle before. */
    char *next = NULL;
    for (int i = 0; !exists && i < 40 && (next = read_link(path)) != NULL; i++) {
        free(path);
        path = next;
    }
    return path;
}

/* As stat; false if there is nothing at target, but could be. */
static bool find_target(const char *target, struct stat *status) {
    if (stat(target, status) == 0)
        return true;
    if (errno != ENOENT)
        fail("cannot write %s: %s", target, strerror(errno));
    return false;
}

void output_check(const char *target) {
    if (target == NULL)
        return;
    struct stat status;
    bool exists = find_target(target, &status);
    if (exists && S_ISDIR(status.st_mode))
        fail("cannot write %s: %s", target, strerror(EISDIR));
    if (exists && !S_ISREG(status.st_mode))
        return;
    char *path = resolve(target, exists);
    char *folder = folder_of(path);
    if (access(folder, W_OK | X_OK) != 0)
        fail("cannot write %s: %s", target, strerror(errno));
    free(folder);
    free(path);
}

bool output_same(const char *a, const char *b) {
    struct stat of_a, of_b;
    const bool has_a = find_target(a, &of_a), has_b = find_target(b, &of_b);
    if (has_a || has_b)
        return has_a && has_b && S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev &&
               of_a.st_ino == of_b.st_ino;
    /* Files that are still to be made are one if their folder is, and their name in it. */
    char *const paths[2] = {resolve(a, false), resolve(b, false)};
    char *const folders[2] = {folder_of(paths[0]), folder_of(paths[1])};
    const char *names[2];
    for (int i = 0; i < 2; i++) {
        const char *slash = strrchr(paths[i], '/');
        names[i] = slash == NULL ? paths[i] : slash + 1;
    }
    const bool same = strcmp(names[0], names[1]) == 0 && stat(folders[0], &of_a) == 0 &&
                      stat(folders[1], &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
                      of_a.st_ino == of_b.st_ino;
    for (int i = 0; i < 2; i++) {
        free(paths[i]);
        free(folders[i]);
    }
    return same;
}

/* Opens the temporary file beside output_path, with the mode that the result shall have. */
static void open_temp(bool exists, mode_t mode) {
    if (snprintf(output_temp, sizeof output_temp, "%s.XXXXXX", output_path) >=
        (int)sizeof output_temp)
        fail("cannot write %s: %s", output_name, strerror(ENAMETOOLONG));
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    /* No signal may come between the file's birth and the note of it. */
    sigprocmask(SIG_BLOCK, &all, &before);
    output_fd = mkstemp(output_temp);
    int error = errno;
    temp_exists = output_fd >= 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (output_fd < 0)
        fail("cannot write %s: %s", output_name, strerror(error));
    if (!exists) {
        mode_t mask = umask(0);
        (void)umask(mask);
        mode = 0666 & ~mask;
    }
    if (fchmod(output_fd, mode & 07777) != 0)
        fail("cannot write %s: %s", output_name, strerror(errno));
}

static void handle(int number) {
    struct sigaction action;
    /* A signal that the parent made us ignore stays ignored, as under nohup. */
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        signal(number, on_signal);
}

void output_open(const char *target) {
    buffer = allocate(BUFFER_BYTES, 1, "output");
    output_name = target == NULL ? "standard output" : target;
    if (target == NULL) {
        output_fd = STDOUT_FILENO;
        return;
    }
    struct stat status;
    bool exists = find_target(target, &status);
    if (exists && !S_ISREG(status.st_mode)) {
        output_fd = open(target, O_WRONLY);
        if (output_fd < 0)
            fail("cannot write %s: %s", target, strerror(errno));
        return;
    }
    output_path = resolve(target, exists);
    handle(SIGINT);
    handle(SIGTERM);
    handle(SIGHUP);
    open_temp(exists, exists ? status.st_mode : 0);
}

static void write_whole(const char *data, size_t bytes) {
    while (bytes > 0) {
        ssize_t written = write(output_fd, data, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail_write(output_name);
        data += written;
        bytes -= (size_t)written;
    }
}

void output_write(const void *data, uint64_t bytes) {
    if (bytes > BUFFER_BYTES - buffered) {
        write_whole(buffer, buffered);
        buffered = 0;
    }
    if (bytes >= BUFFER_BYTES) {
        write_whole(data, (size_t)bytes);
        return;
    }
    memcpy(buffer + buffered, data, (size_t)bytes);
    buffered += (size_t)bytes;
}

void output_print(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        fail("cannot write %s: a piece of text passes %zu bytes", output_name, sizeof text - 1);
    output_write(text, (uint64_t)length);
}

void output_finish(void) {
    write_whole(buffer, buffered);
    buffered = 0;
    free(buffer);
    buffer = NULL;
    if (close(output_fd) != 0)
        fail_write(output_name);
    if (output_path != NULL && rename(output_temp, output_path) != 0)
        fail("cannot write %s: %s", output_name, strerror(errno));
    temp_exists = 0;
    free(output_path);
    output_path = NULL;
}
