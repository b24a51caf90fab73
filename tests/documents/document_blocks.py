"""Commands of documents: extraction, their shown output, and instructions for running them.

A fenced block of `sh` has a command in each line. In `console`, `text` and blocks without a language, commands follow
"$ ", and the next lines are their output. A block of `python` is a program. An HTML comment before a block contains its
instructions, in one or several lines:

<!-- not run: REASON -->                    none of its commands is run
<!-- run: INSTRUCTION -->                   applies to all its commands
<!-- run:                                   applies to commands with this beginning; the longest
nocbench run --costs: INSTRUCTION           matching one counts, and "*" matches all others
nocbench gate: not run, REASON
-->
<!-- output of: COMMAND -->                 the block is the output of a command
<!-- file: NAME -->                         the block is a file that later commands use

Instructions: see :class:`Instruction`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\s*$")
_COMMENT = re.compile(r"<!--\s*(?P<what>not run|run|output of|file):(?P<text>.*?)-->", re.DOTALL)
_SHELL = ("sh", "bash")
_WITH_OUTPUT = ("console", "text", "")
_PROMPT = "$ "
_ALL = "*"
_NEXT_INSTRUCTION = re.compile(r";\s*(?=in small|in the background|status |as |not run,)")
_PROGRAM = re.compile(r"^(?:\.venv/bin/)?(?=nocbench\b)")


class DocumentError(ValueError):
    """Error for an invalid marker in a document."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """Instruction for running a command.

    Attributes:
    not_run: reason for not running it; empty to run it.
    in_small: true to run only the smallest point of `nocbench run`, and only list the tests of a test program.
    status: expected exit status.
    in_background: true to keep it running during the following commands.
    instead: replacement command, for example with stand-in arguments.
    """

    not_run: str = ""
    in_small: bool = False
    status: int = 0
    in_background: bool = False
    instead: str = ""

    @classmethod
    def parse(cls, text: str) -> Instruction:
        """Reads "in small", "status 3", "in the background", "as COMMAND" or "not run, REASON", or several with ";"."""
        values: dict[str, object] = {}
        for part in _NEXT_INSTRUCTION.split(text.strip()):
            if part == "in small":
                values["in_small"] = True
            elif part == "in the background":
                values["in_background"] = True
            elif match := re.fullmatch(r"status (\d)", part):
                values["status"] = int(match[1])
            elif match := re.fullmatch(r"as (\S.*)", part, re.DOTALL):
                values["instead"] = " ".join(match[1].split())
            elif match := re.fullmatch(r"not run, (\S.*)", part, re.DOTALL):
                values["not_run"] = " ".join(match[1].split())
            else:
                raise DocumentError(
                    f"'{part}': expected 'in small', 'status N', 'in the background', 'as COMMAND' or 'not run, REASON'"
                )
        return cls(**values)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Command:
    """Command of a document.

    Attributes:
    document, line: position of the command.
    text: command on one line, or a program in Python.
    instruction: instruction for running it.
    output: output shown by the document; None if none is shown.
    is_python: true for a program in Python.
    """

    document: str
    line: int
    text: str
    instruction: Instruction = field(default_factory=Instruction)
    output: str | None = None
    is_python: bool = False

    @property
    def first_line(self) -> str:
        """Returns the command's identification in a report."""
        return self.text.splitlines()[0]

    @property
    def is_marked(self) -> bool:
        """Returns true if the document has an instruction for this command."""
        return self.instruction != Instruction()

    @property
    def place(self) -> str:
        """Returns file and line."""
        return f"{self.document}:{self.line}"


@dataclass(frozen=True, slots=True)
class File:
    """File shown by a document and used by its commands."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class _Markers:
    by_beginning: dict[str, Instruction]
    output_of: str = ""
    file: str = ""

    def instruction(self, command: str) -> Instruction:
        plain = _PROGRAM.sub("", command)
        matching = [beginning for beginning in self.by_beginning if plain.startswith(beginning)]
        return self.by_beginning[max(matching, key=len)] if matching else Instruction()


def read_document(name: str, text: str) -> Iterator[Command | File]:
    """Yields the commands and files of a document, from top to bottom.

    Raises:
    DocumentError: A marker is invalid, or applies to no command.
    """
    lines = text.splitlines()
    number = 0
    before = 0  # first line of the text before the next block
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence is None:
            number += 1
            continue
        indent = fence["indent"]
        end = next(
            (at for at in range(number + 1, len(lines)) if lines[at].rstrip() == f"{indent}```"),
            len(lines),
        )
        block = [line.removeprefix(indent) for line in lines[number + 1 : end]]
        markers = _markers(name, number + 1, "\n".join(lines[before:number]))
        yield from _block(name, number + 2, fence["language"], block, markers)
        number = before = end + 1


def _markers(name: str, line: int, text: str) -> _Markers:
    """Returns the comments directly before a block. Only comments and empty lines may separate them from the block."""
    by_beginning: dict[str, Instruction] = {}
    output_of = file = ""
    for comment in _COMMENT.finditer(text):
        if _COMMENT.sub("", text[comment.end() :]).strip():
            raise DocumentError(f"{name}:{line}: the marker '{comment[0]}' is not right before a block")
        content = comment["text"].strip()
        try:
            if comment["what"] == "output of":
                output_of = content
            elif comment["what"] == "file":
                file = content
            elif comment["what"] == "not run":
                by_beginning[""] = Instruction(not_run=" ".join(content.split()))
            elif "\n" in content or ": " in content:
                for item in content.splitlines():
                    beginning, _, rest = item.strip().partition(": ")
                    by_beginning["" if beginning == _ALL else beginning] = Instruction.parse(rest)
            else:
                by_beginning[""] = Instruction.parse(content)
        except DocumentError as error:
            raise DocumentError(f"{name}:{line}: {error}") from None
    return _Markers(by_beginning, output_of, file)


def _block(name: str, line: int, language: str, block: list[str], markers: _Markers) -> Iterator[Command | File]:
    found: list[Command | File] = []
    if markers.file:
        found = [File(markers.file, "\n".join(block) + "\n")]
    elif markers.output_of:
        text = markers.output_of
        found = [Command(name, line, text, markers.instruction(text), "\n".join(block))]
    elif language == "python":
        found = [Command(name, line, "\n".join(block), markers.instruction("python"), is_python=True)]
    elif language in _SHELL or language in _WITH_OUTPUT:
        found = list(_shell_commands(name, line, block, markers, has_output=language in _WITH_OUTPUT))
    used = {markers.instruction(command.text) for command in found if isinstance(command, Command)}
    for beginning, instruction in markers.by_beginning.items():
        if instruction not in used and not (language == "python" and beginning == ""):
            raise DocumentError(f"{name}:{line}: the marker '{beginning or instruction}' is for no command")
    yield from found


def _shell_commands(
    name: str, line: int, block: list[str], markers: _Markers, *, has_output: bool
) -> Iterator[Command]:
    at = 0
    while at < len(block):
        first = at
        begins = block[at].startswith(_PROMPT) if has_output else bool(block[at].strip())
        if not begins or block[at].lstrip().startswith("#"):
            at += 1
            continue
        text = block[at].removeprefix(_PROMPT)
        while text.endswith("\\") and at + 1 < len(block):
            at += 1
            text = text[:-1].rstrip() + " " + block[at].strip()
        at += 1
        output = None
        if has_output:
            end = next((number for number in range(at, len(block)) if block[number].startswith(_PROMPT)), len(block))
            shown = "\n".join(block[at:end]).strip("\n")
            output = shown or None
            at = end
        yield Command(name, line + first, text.strip(), markers.instruction(text), output)
