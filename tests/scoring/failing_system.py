"""A system whose reads and writes fail: a library put before the C library's own functions.

``fail`` arms it inside the process that it was loaded into.
"""

import ctypes
import errno
import os
import shutil
import subprocess
import sys

import pytest

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char suffix[256];
static int code, from, until, count, writes;

void fail(const char *end, int error, int first, int last, int of_writes) {
    snprintf(suffix, sizeof suffix, "%s", end);
    code = error, from = first, until = last, count = 0, writes = of_writes;
}

static int fails(int descriptor, int writing) {
    char link[64], path[4096];
    if (!*suffix || writing != writes) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (!strstr(path, suffix)) return 0;
    count++;
    if (count < from || count > until) return 0;
    errno = code;
    return 1;
}

#define REAL(name) static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t pread64(int fd, void *data, size_t size, off64_t at) {
    REAL(pread64);
    if (fails(fd, 0)) return code ? -1 : 0;
    return real(fd, data, size, at);
}
ssize_t pread(int fd, void *data, size_t size, off_t at) { return pread64(fd, data, size, at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    REAL(pwrite64);
    return fails(fd, 1) ? -1 : real(fd, data, size, at);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    return pwrite64(fd, data, size, at);
}
ssize_t write(int fd, const void *data, size_t size) {
    REAL(write);
    return fails(fd, 1) ? -1 : real(fd, data, size);
}
"""

ALWAYS = 2**30


def fail_reads(part, code=errno.EIO, first=1, last=None):
    """Let these reads of a file whose path holds ``part`` fail, counted from now; 0 cuts them."""
    _arm(part, code, first, last, writing=0)


def fail_writes(part, code=errno.ENOSPC, first=1, last=ALWAYS):
    _arm(part, code, first, last, writing=1)


def mend():
    _arm("", 0, 0, 0, writing=0)


def _arm(part, code, first, last, *, writing):
    last = first if last is None else last
    ctypes.CDLL(None).fail(str(part).encode(), code, first, last, writing)


def library(folder):
    """The path of the library, compiled into this folder; skips where that cannot be done."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not sys.platform.startswith("linux") or compiler is None:
        pytest.skip("no C compiler for Linux")
    source, made = folder / "failing.c", folder / "failing.so"
    source.write_text(SOURCE)
    command = [compiler, "-shared", "-fPIC", "-w", "-o", made, source, "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the C compiler fails: {done.stderr[-200:]}")
    return made


def environment(made):
    return {**os.environ, "LD_PRELOAD": str(made)}
