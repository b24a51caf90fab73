"""Messages for OpenSHMEM programs that do not compile: names of later versions, and what is out of scope."""

from __future__ import annotations

import re

from nocbench.compiling.messages import KernelCompileError, first_error, undefined_names, words_of_failure

_LATER = {
    "1.4": r"""
        shmem_(ctx_\w+ | \w+_ctx_\w+ | init_thread | query_thread | \w*atomic_(fetch_)?(and|or|xor)\w*)
        | SHMEM_(THREAD|CTX)_\w+
    """,
    "1.6": r"shmem_(\w*session\w* | \w*ib(put|get)\w* | \w*(in|ex)scan\w* | signal_(add|set))",
    "1.5": r"""
        shmem_(team\w* | \w*put_signal\w* | signal\w* | malloc_with_hints | pcontrol
            | \w*_(until|test)_(all|any|some)\w* | \w+_(sum|prod|min|max|and|or|xor)_reduce
            | \w+_(broadcast|collect|fcollect|alltoalls?) | (broadcast|collect|fcollect|alltoalls?)mem)
        | SHMEM_(TEAM|MALLOC|SIGNAL)_\w+
    """,
}
"""Versions of OpenSHMEM after 1.3, by names that came with them."""

_OUT_OF_SCOPE = {
    "threads, for a core runs one program": r"""
        pthread_\w+ | (thrd|mtx|cnd)_\w+ | omp_\w+ | (pthread|threads|omp)\.h | thread | mutex
    """,
    "files, for a core has no file system": r"""
        f(re|d)?open | fclose | tmpfile | tmpnam | fseek | ftell | rewind | f[gs]etpos | remove | rename | open | read
        | close | lseek | unlink | access | f?stat | mkdir | (open|read|close)dir | mmap | munmap | fcntl | ioctl
        | v?f?scanf | fstream | filesystem | (fcntl|dirent|sys/(mman|stat|ioctl|file))\.h
    """,
    "other processes and signals": r"""
        fork | exec[lv]p?e? | wait(pid)? | kill | signal | raise | sigaction | alarm | pipe | popen | system
        | (sys/wait|sys/resource|sys/ipc|sys/shm)\.h
    """,
    "networks": r"""
        socket | connect | bind | listen | accept | send | recv | gethostbyname | (sys/socket|netdb|arpa/inet)\.h
    """,
    "MPI": r"MPI_\w+ | mpi\.h",
    "C++ exceptions": r"__cxa_(throw|begin_catch|end_catch|allocate_exception) | _Unwind_\w+",
}
"""Facilities that no program on a core can have, by names that it would use."""

_NAME = re.compile(r"['`](?P<quoted>[A-Za-z_]\w*)['(]|(?P<header>\S+): No such file")
_SUGGESTION = re.compile(r"; did you mean [^?]*\?")


def program_error(what: str, messages: str, own_directory: str) -> KernelCompileError:
    """The faults of a program, as FILE:LINE and the compiler's words, with the reason where it is known.

    Args:
        what: was compiled.
        messages: of the compiler or linker.
        own_directory: with our headers, which are not to blame.
    """
    complaint = first_error(messages, own_directory)
    if complaint is not None:
        place, _, words = complaint.partition(": ")
        names = (found["quoted"] or found["header"] for found in _NAME.finditer(words))
        reason = next(filter(None, map(reason_of, names)), "")
        if reason:
            words = f"{_SUGGESTION.sub('', words)}: {reason}"
        return KernelCompileError(f"{place}: {words}", messages)
    missing = undefined_names(messages)
    if missing:
        return KernelCompileError("\n".join(_of_missing(what, missing)), messages)
    return KernelCompileError(f"{what}: the compiler failed: {words_of_failure(messages)}", messages)


def reason_of(name: str) -> str:
    """Why a program cannot have a name; empty if nothing is known of it."""
    for version, pattern in _LATER.items():
        if re.fullmatch(pattern, name, re.VERBOSE):
            return f"it is of OpenSHMEM {version}, and this is 1.3"
    for kind, pattern in _OUT_OF_SCOPE.items():
        if re.fullmatch(pattern, name, re.VERBOSE):
            return f"out of scope: {kind}"
    if re.match(r"p?shmemx?_", name, re.IGNORECASE):
        return "OpenSHMEM 1.3 has no such name"
    return ""


def _of_missing(what: str, missing: list[tuple[str, str]]) -> list[str]:
    """A line for each name, with the place that uses it first."""
    places: dict[str, str] = {}
    for place, name in missing:
        places.setdefault(name, place.removeprefix("./"))
    lines = []
    for name, place in places.items():
        if name == "main":
            lines.append(f"{what}: expected `int main(...)`, found none")
        else:
            line = f"{place.removeprefix('./') or what}: '{name}' is used, but defined nowhere"
            reason = reason_of(name)
            lines.append(f"{line}: {reason}" if reason else line)
    return lines
