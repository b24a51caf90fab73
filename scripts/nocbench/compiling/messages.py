"""Condenses a compiler's messages into one line."""

from __future__ import annotations

import re

from nocbench.support.errors import InputError

_ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<what>.*)$")
_REQUIRED = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)?\s+(?:required from|in .constexpr. expansion of)")
_EXPANDED = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? note: in expansion of macro")
_INCLUDED = re.compile(r"^(?:In file included from|\s+from) (?P<file>[^:\n]+):(?P<line>\d+)")
_UNDEFINED = re.compile(
    r"^(?:\S*ld(?:\.\w+)?: )?(?:(?P<file>[^:\n(]+):(?P<line>\d+): |[^\n]*?: )?undefined reference to [`'](?P<name>.+)'"
)
_NO_MAIN = "kernel_main()"
_UNDECLARED_MAIN = ": 'kernel_main' was not declared in this scope"
_BELOW_COMPUTE_API = re.compile(r"'_?(?:llk_|sfpi|TTI_|TT_)\w*'|\b(?:sfpi|llk_\w+)\.h: No such file")
_COMPUTE = re.compile(rb"\bMAIN\b\s*\{|\bcompute_kernel_api\b|\bnamespace\s+NAMESPACE\b")


class KernelCompileError(InputError):
    """A kernel does not compile.

    Attributes:
        compiler_messages: all messages of the compiler.
    """

    def __init__(self, message: str, compiler_messages: str) -> None:
        """Makes an error of the line to show and all messages of the compiler."""
        super().__init__(message)
        self.compiler_messages = compiler_messages


def compile_error(kernel: str, source: bytes, messages: str, device_directory: str) -> KernelCompileError:
    """Returns an error with the compiler's first complaint, as FILE:LINE and the compiler's words.

    An error in a header of the device is reported at the line of the kernel that includes or instantiates it.
    """
    complaint = first_error(messages, device_directory)
    if complaint is not None:
        if _UNDECLARED_MAIN in complaint:
            complaint = _without_main(kernel, source)
        elif _BELOW_COMPUTE_API.search(complaint):
            complaint += "; below the compute API, only a stand-in can run (docs/compute.md)"
        return KernelCompileError(complaint, messages)
    for place, name in undefined_names(messages):
        if name == _NO_MAIN:
            return KernelCompileError(_without_main(kernel, source), messages)
        return KernelCompileError(f"{place or kernel}: '{name}' is used, but defined nowhere", messages)
    return KernelCompileError(f"{kernel}: the compiler failed: {words_of_failure(messages)}", messages)


def first_error(messages: str, own_directory: str) -> str | None:
    """Returns the first error as FILE:LINE and the compiler's words.

    An error in a header below `own_directory` is reported at the line that led there.
    """
    lines = messages.splitlines()
    for number, text in enumerate(lines):
        if (found := _ERROR.match(text)) is not None:
            return _of_line(found, lines, number, own_directory)
    return None


def undefined_names(messages: str) -> list[tuple[str, str]]:
    """Returns (place, name) of each undefined name; the place is FILE:LINE or empty."""
    found = (_UNDEFINED.match(text) for text in messages.splitlines())
    return [(f"{one['file']}:{one['line']}" if one["file"] else "", one["name"]) for one in found if one is not None]


def words_of_failure(messages: str) -> str:
    """Returns the most telling line of an unrecognised failure."""
    lines = [line.strip() for line in messages.splitlines() if line.strip()]
    complaints = [line for line in lines if "rror: " in line] or lines
    return complaints[0] if complaints else "no reason given"


def _of_line(found: re.Match[str], lines: list[str], number: int, device_directory: str) -> str:
    what = found["what"]
    what = what.removeprefix("static assertion failed: ")
    if "no_compile_time_argument_has_this_name" in what:
        what = "the kernel asks for a named compile-time argument that the program does not give"
    place = f"{found['file']}:{found['line']}"
    if not _is_ours(found["file"], device_directory):
        return f"{place}: {what}"
    for pattern in (_REQUIRED, _EXPANDED, _INCLUDED):
        # The lines before the complaint give its context, the nearest last. For constant expressions, lines after it
        # do, too.
        around = [*reversed(lines[:number]), *lines[number + 1 :]]
        for text in around:
            led = pattern.match(text)
            if led is not None and not _is_ours(led["file"], device_directory):
                return f"{led['file']}:{led['line']}: {what} ({place})"
    return f"{place}: {what}"


def _is_ours(file: str, device_directory: str) -> bool:
    return file.startswith(device_directory) or file == "nocbench_program.h"


def _without_main(kernel: str, source: bytes) -> str:
    if _COMPUTE.search(source):
        return f"{kernel}: this is a compute kernel: only data-movement kernels, with `void kernel_main()`, can be run"
    return f"{kernel}: expected `void kernel_main()`, found none"
