"""What a compiler complains about, in one line."""

from __future__ import annotations

import re

from nocbench.support.errors import InputError

_ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<what>.*)$")
_REQUIRED = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)?\s+(?:required from|in .constexpr. expansion of)")
_INCLUDED = re.compile(r"^(?:In file included from|\s+from) (?P<file>[^:\n]+):(?P<line>\d+)")
_UNDEFINED = re.compile(
    r"^(?:\S*ld(?:\.\w+)?: )?(?:(?P<file>[^:\n(]+):(?P<line>\d+): |[^\n]*?: )?undefined reference to [`'](?P<name>.+)'"
)
_NO_MAIN = "kernel_main()"
_COMPUTE = re.compile(rb"\bMAIN\b\s*\{|\bcompute_kernel_api\b|\bnamespace\s+NAMESPACE\b")


class KernelCompileError(InputError):
    """A kernel does not compile.

    Attributes:
        compiler_messages: all that the compiler said.
    """

    def __init__(self, message: str, compiler_messages: str) -> None:
        """Takes the one line that matters, and everything."""
        super().__init__(message)
        self.compiler_messages = compiler_messages


def compile_error(kernel: str, source: bytes, messages: str, device_directory: str) -> KernelCompileError:
    """The first complaint of the compiler, as FILE:LINE and its words.

    Where it is about a header of the device, the line counts that led there.
    """
    lines = messages.splitlines()
    for number, text in enumerate(lines):
        if (found := _ERROR.match(text)) is not None:
            return KernelCompileError(_of_line(found, lines, number, device_directory), messages)
    for text in lines:
        if (found := _UNDEFINED.match(text)) is not None:
            if found["name"] == _NO_MAIN:
                return KernelCompileError(_without_main(kernel, source), messages)
            place = f"{found['file']}:{found['line']}" if found["file"] else kernel
            return KernelCompileError(f"{place}: '{found['name']}' is used, but defined nowhere", messages)
    complaints = [line.strip() for line in lines if "rror: " in line] or [
        line.strip() for line in lines if line.strip()
    ]
    words = complaints[0] if complaints else "no reason given"
    return KernelCompileError(f"{kernel}: the compiler failed: {words}", messages)


def _of_line(found: re.Match[str], lines: list[str], number: int, device_directory: str) -> str:
    what = found["what"]
    what = what.removeprefix("static assertion failed: ")
    if "no_compile_time_argument_has_this_name" in what:
        what = "the kernel asks for a named compile-time argument that the program does not give"
    place = f"{found['file']}:{found['line']}"
    if not _is_ours(found["file"], device_directory):
        return f"{place}: {what}"
    for pattern in (_REQUIRED, _INCLUDED):
        # What led there stands before the complaint, the nearest last; for constant expressions also after it.
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
