/* SPDX-License-Identifier: MIT */
/*
 * report.c: everything that reaches standard error, and the ends of the program.
 *
 * While noise is captured, descriptor 2 is a file in memory and report_fd is the real standard
 * error; our own messages always go to report_fd.
 */
#define _GNU_SOURCE /* memfd_create */

#include "cli.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int report_fd = STDERR_FILENO;
static int noise_fd = -1;

/* ---- Messages ------------------------------------------------------------------------------ */

/* There is nobody to tell when writing to standard error fails. */
static void report(const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(report_fd, text, length);
        if (written <= 0)
            return;
        text += written;
        length -= (size_t)written;
    }
}

static void vcomplain(const char *format, va_list arguments) {
    char text[4096];
    char shown[4 * sizeof text + 8] = "ordo: ";
    size_t length = strlen(shown);
    progress_end();
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = '\0';
    const char *end = text + strlen(text);
    for (const char *at = text; at < end;) {
        if (*at == '\n') /* messages of WebGPU implementations have several lines */
            shown[length++] = *at++;
        else
            length += show_character(&at, end, shown + length);
    }
    shown[length++] = '\n';
    report(shown, length);
}

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vcomplain(format, arguments);
    va_end(arguments);
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vcomplain(format, arguments);
    va_end(arguments);
    output_discard();
    exit(EXIT_TROUBLE);
}

void fail_usage(const char *topic, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vcomplain(format, arguments);
    va_end(arguments);
    fail_hint(topic);
}

void fail_hint(const char *topic) {
    complain("see 'ordo %s%s--help'", topic, topic[0] == '\0' ? "" : " ");
    exit(EXIT_TROUBLE);
}

void *allocate(uint64_t count, size_t bytes, const char *purpose) {
    return reallocate(NULL, count, bytes, purpose);
}

void *reallocate(void *block, uint64_t count, size_t bytes, const char *purpose) {
    if (count == 0)
        count = 1;
    void *memory = count > SIZE_MAX / bytes ? NULL : realloc(block, (size_t)count * bytes);
    if (memory == NULL)
        fail("out of memory: no %" PRIu64 " times %zu bytes for %s", count, bytes, purpose);
    return memory;
}

void finish_stdout(void) {
    if (fflush(stdout) != 0 || ferror(stdout))
        fail_write("standard output");
}

void fail_write(const char *name) {
    if (errno == EPIPE) {
        /* The reader has what it wanted. Where the parent made us ignore the signal, it ends us
           all the same, so that the exit code does not depend on the parent. */
        output_discard();
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
        _exit(128 + SIGPIPE);
    }
    fail("cannot write %s: %s", name, strerror(errno));
}

/* ---- Noise --------------------------------------------------------------------------------- */

/* Safe in a signal handler. */
static void noise_show(void) {
    static const char head[] = "ordo: the driver or the WebGPU implementation wrote:\n";
    char piece[1024];
    ssize_t length;
    off_t at = 0;
    while (noise_fd >= 0 && (length = pread(noise_fd, piece, sizeof piece, at)) > 0) {
        if (at == 0)
            report(head, sizeof head - 1);
        report(piece, (size_t)length);
        at += length;
    }
}

/* Runs in a signal handler: only calls that are safe there. */
static void on_abort(int number) {
    static const char text[] = "ordo: the WebGPU implementation ended the program\n";
    report(text, sizeof text - 1);
    noise_show();
    output_discard();
    signal(number, SIG_DFL);
    raise(number);
}

void noise_capture(void) {
    /* The Vulkan driver's window-system code complains when this is unset. Nobody can put a socket
       for it into the root folder. */
    (void)setenv("XDG_RUNTIME_DIR", "/", 0);
    if (noise_fd >= 0)
        return;
    int memory = memfd_create("ordo-noise", MFD_CLOEXEC);
    int real = dup(STDERR_FILENO);
    if (memory < 0 || real < 0 || dup2(memory, STDERR_FILENO) < 0) {
        /* Without descriptors to spare the noise is merely seen. */
        close(memory);
        close(real);
        return;
    }
    noise_fd = memory;
    report_fd = real;
    signal(SIGABRT, on_abort);
}

void fail_on_gpu(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vcomplain(format, arguments);
    va_end(arguments);
    noise_show();
    output_discard();
    exit(EXIT_TROUBLE);
}

/* ---- Progress ------------------------------------------------------------------------------ */

/* The line is shown by progress itself where work comes back to it, and by a timer where it waits:
   for input, or for the GPU. */
static bool progress_wanted;
static volatile sig_atomic_t progress_ready; /* progress_line is whole */
static volatile sig_atomic_t progress_shown;
static char progress_line[80];
static double progress_started;
static double progress_last;

double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show_progress(void) {
    if (!progress_ready)
        return;
    progress_shown = 1;
    report(progress_line, strlen(progress_line));
}

static void on_timer(int number) {
    (void)number;
    int error = errno;
    show_progress();
    errno = error;
}

void progress_start(bool quiet) {
    progress_wanted = !quiet && isatty(report_fd);
    progress_started = now_seconds();
    if (!progress_wanted)
        return;
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    struct itimerval every_second = {.it_interval = {.tv_sec = 1}, .it_value = {.tv_sec = 1}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every_second, NULL);
}

void progress(const char *phase, uint64_t done, uint64_t total) {
    static const char *last_phase;
    double now = progress_wanted ? now_seconds() : 0;
    if (!progress_wanted || (phase == last_phase && now - progress_last < 0.1))
        return;
    progress_ready = 0;
    if (total == 0)
        snprintf(progress_line, sizeof progress_line, "\r\033[Kordo: %s", phase);
    else
        snprintf(progress_line, sizeof progress_line, "\r\033[Kordo: %s %.0f %%", phase,
                 100.0 * (double)done / (double)total);
    progress_ready = 1;
    last_phase = phase;
    progress_last = now;
    if (now - progress_started >= 1.0)
        show_progress();
}

void progress_end(void) {
    progress_ready = 0;
    if (progress_shown)
        report("\r\033[K", 4);
    progress_shown = 0;
}
