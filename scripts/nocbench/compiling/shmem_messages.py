"""Messages for OpenSHMEM programs that do not compile: names of later versions, and facilities out of scope."""

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
"""Patterns of names, by the version of OpenSHMEM after 1.3 that defines them."""

_OUT_OF_SCOPE = {
    "threads, for a core runs one program": r"""
        pthread_\w+ | (thrd|mtx|cnd|tss|sem|omp)_\w+ | call_once | (pthread|threads|omp|semaphore)\.h | j?thread
        | (recursive_|timed_|shared_)*mutex | (scoped|unique|shared)_lock | condition_variable\w*
    """,
    "files, for a core has no file system": r"""
        f(re|d)?open | fclose | tmpfile | tmpnam | f(seek|tell)o? | rewind | f[gs]etpos | remove | rename | open | read
        | creat | close | lseek | (un)?link | access | f?stat | mkdir | rmdir | (open|read|close)dir | fcntl | ioctl
        | f?truncate | f?sync | dup2? | chdir | getcwd | realpath | mkstemp | mkdtemp | fmemopen | open_memstream
        | p?select | poll | [io]?fstream | filesystem | (fcntl|dirent|ftw|poll|termios|sys/(stat|ioctl|file|select))\.h
    """,
    "input, for a core has none: a program may have arguments": r"v?f?scanf | gets",
    "memory of an operating system: there is malloc": r"mmap | munmap | mprotect | mlock | s?brk | sys/mman\.h",
    "other processes and signals": r"""
        fork | vfork | exec[lv]p?e? | wait(pid)? | kill | sigaction | sig(empty|fill|add|del)set | sigismember
        | sigprocmask | sigsuspend | sigwait | sigaltstack | pause | u?alarm | [gs]etitimer | pipe | popen | pclose
        | system | (sys/(wait|ipc|shm|sem|prctl)|spawn)\.h
    """,
    "places of processes, for PE p is core p": r"cpu_set_t | CPU_(SET|ZERO|ISSET)\w* | sched_\w+ | numa_\w+ | numa\.h",
    "libraries that are loaded while a program runs": r"dl(open|sym|close|error) | dlfcn\.h",
    "wide text": r"(v?f?w|v?sw)(printf|scanf) | wcs\w+ | isw\w+ | tow\w+ | mbr\w+ | (put|get)wc(har)? | uchar\.h",
    "instructions of other processors": r"([a-z]?mm|x86|nmm)intrin\.h | arm_neon\.h | altivec\.h | cpuid\.h",
    "services of an operating system": r"""
        syscall | backtrace\w* | getpw\w+ | (open|v)?syslog | sys(info|ctl) | regcomp | glob | fnmatch | iconv\w*
        | (pwd|grp|syslog|langinfo|iconv|glob|fnmatch|regex|wordexp|execinfo|ucontext|sys/(sysinfo|syscall|sysctl))\.h
    """,
    "networks": r"""
        socket | connect | bind | listen | accept | send | recv | gethostbyname | getaddrinfo | (hton|ntoh)[sl]
        | (sys/socket|sys/un|netdb|arpa/inet|netinet/\w+|ifaddrs)\.h
    """,
    "MPI": r"MPI_\w+ | mpi\.h",
    "accelerators": r"cuda\w* | (cuda|cuda_runtime|hip/hip_runtime|CL/cl|openacc)\.h",
    "run-time types of C++ other than typeid": r"__dynamic_cast",
    "C++ exceptions": r"__cxa_(throw|begin_catch|end_catch|allocate_exception) | _Unwind_\w+",
}
"""Patterns of names, by the facility that no program on a core can use."""

_OFF = {
    "exception handling disabled": "C++ exceptions",
    "-fno-rtti": "run-time types of C++",
}
"""C++ facilities that are switched off, by the compiler's words, which give the useless advice to switch them on."""

_NAME = re.compile(r"['`](?P<quoted>[A-Za-z_]\w*)['(]|(?P<header>\S+): No such file")
_SUGGESTION = re.compile(r"; did you mean [^?]*\?")


def program_error(what: str, messages: str, own_directory: str) -> KernelCompileError:
    """Returns an error with a program's faults, as FILE:LINE and the compiler's words, with the reason if known.

    Args:
        what: name of the program.
        messages: messages of the compiler or linker.
        own_directory: folder of nocbench's headers; an error there is reported at the program's line that led there.
    """
    complaint = first_error(messages, own_directory)
    if complaint is not None:
        place, _, words = complaint.partition(": ")
        for said, kind in _OFF.items():
            if said in words:
                return KernelCompileError(f"{place}: out of scope: {kind}", messages)
        if words.startswith("#error out of scope"):
            # Headers of nocbench report the facility; the place is the program's line that includes the header.
            return KernelCompileError(f"{place}: {words.removeprefix('#error ').rpartition(' (')[0]}", messages)
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
    """Returns the reason why a program cannot use a name; empty if unknown."""
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
    """Returns an error line per missing name, with the place of its first use."""
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
