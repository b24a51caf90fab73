"""A test of a suite: its content and its sweep."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from nocbench.architectures.description import describe_architecture
from nocbench.compiling.request import ARCHITECTURES
from nocbench.flow_tables import table_files
from nocbench.host.one_program import HOST_SOURCES
from nocbench.points.axes import parse_values
from nocbench.points.selection import TIERS, axis_values
from nocbench.points.yaml_files import YamlFile, found, keys_of
from nocbench.programs import program_file
from nocbench.programs.execution import Machine
from nocbench.suites.flow_content import FlowContent
from nocbench.suites.host_content import HostContent
from nocbench.suites.program_content import ProgramContent
from nocbench.support.errors import InputError, all_names, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from nocbench.points.yaml_files import Node
    from nocbench.suites.content import Content, Runnable
    from nocbench.support.errors import Mistakes

_KEYS = (
    *("name", "id", "description", "program", "host", "flows", "architectures", "boards", "sweep", "headings", "plot"),
    "theoretical_bytes_per_cycle",
)
_PLOT = ("axis", "lines")
MOST_ID = 2**31 - 1

Sweep = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class SuiteTest:
    """A test of a suite.

    Attributes:
        name: name, which must stay stable.
        test_id: id, which must stay stable; 0 until the test gets one.
        description: description in a sentence.
        content: program or flows; None after a mistake.
        boards: boards by architecture; an empty text means the default board.
        defaults: defaults of the content's parameters, by architecture.
        kernels: values of the column `kernel` in result rows.
        num_links: maximum number of links whose bandwidth a result row adds up.
        sweep: values by tier and parameter.
        theoretical: highest possible bandwidth of a result row by architecture, if known.
        headings: headings above the results on pages, topmost first.
        plotted: parameter along the axis of the picture, then parameter of the lines.
    """

    name: str
    test_id: int
    description: str
    content: Content | None
    boards: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    kernels: tuple[str, ...] = ()
    num_links: int = 1
    sweep: Mapping[str, Sweep] = field(default_factory=dict)
    theoretical: Mapping[str, float] = field(default_factory=dict)
    headings: tuple[str, ...] = ()
    plotted: tuple[str, ...] = ()


def read_test(file: YamlFile, node: Node, usual_plot: Mapping[str, str], mistakes: Mistakes) -> SuiteTest:
    """Returns a test, with its content for each architecture.

    Args:
        file: file of the suite, which collects mistakes.
        node: node of the test.
        usual_plot: defaults for the suite's pictures.
        mistakes: collects mistakes in other files.
    """
    entries = file.mapping(node, "tests", _KEYS, required=("name",))
    content = _content(file, node, entries, mistakes)
    boards = _boards(file, entries, content, mistakes)
    contents = _read_all(content, boards, mistakes)
    defaults = {arch: read.parameters for arch, read in contents.items()}
    first = next(iter(contents.values()), None)
    sweep = _sweep(file, entries, first)
    name = file.name(entries.get("name"), "tests.name")
    return SuiteTest(
        name=name,
        test_id=file.value(entries.get("id"), "tests.id", f"a number from 1 to {MOST_ID}", _parse_id) or 0,
        description=file.text(entries.get("description"), "tests.description") or (first.about if first else ""),
        content=content,
        boards=boards,
        defaults=defaults,
        kernels=first.row_names if first else (),
        num_links=first.num_links if first else 1,
        sweep=sweep,
        theoretical=_theoretical(file, entries.get("theoretical_bytes_per_cycle"), boards),
        headings=tuple(
            file.name(item, "tests.headings") for item in file.items(entries.get("headings"), "tests.headings")
        )
        or (name,),
        plotted=_plotted(file, entries.get("plot"), usual_plot, list(sweep["full"])),
    )


def with_checks(test: SuiteTest, checks: tuple[str, ...], folder: Path) -> SuiteTest:
    """Returns a test of the suite in a folder whose program, if it is one, runs with checks."""
    content = test.content
    if not isinstance(content, (ProgramContent, HostContent)):
        return test
    return replace(test, content=replace(content, checks=checks, folder=folder))


def _content(file: YamlFile, node: Node, entries: Mapping[str, Node], mistakes: Mistakes) -> Content | None:
    """Returns the content of a test, given by exactly one of the keys; None after a mistake."""
    readers = {"program": _program, "host": _host, "flows": _flows}
    given = [key for key in readers if key in entries]
    if len(given) != 1:
        where = entries[given[-1]] if given else node
        file.complain(where, "tests", f"one of the keys {', '.join(readers)}", " and ".join(given) or "none of them")
        return None
    return readers[given[0]](file, entries[given[0]], mistakes)


def _program(file: YamlFile, node: Node, mistakes: Mistakes) -> Content | None:
    if node["kind"] == "mapping":
        return ProgramContent(file.part(node))
    expected = "a program file, or a program"
    path = _path(file, node, "tests.program", expected, program_file.ENDINGS)
    if path is None:
        return None
    if table_files.is_flow_file(path):
        file.complain(node, "tests.program", expected, f"flows, {found(node)}; did you mean the key 'flows'?")
        return None
    try:
        return ProgramContent(YamlFile(path, "a program"))
    except InputError as error:
        mistakes.note(str(error))
        return None


def _host(file: YamlFile, node: Node, _mistakes: Mistakes) -> Content | None:
    items = [node] if node["kind"] == "text" else file.items(node, "tests.host")
    paths = [_path(file, item, "tests.host", "a source of a host program", HOST_SOURCES) for item in items]
    return HostContent(tuple(path for path in paths if path is not None)) if paths and None not in paths else None


def _flows(file: YamlFile, node: Node, _mistakes: Mistakes) -> Content | None:
    path = _path(file, node, "tests.flows", table_files.KINDS_OF_FILES, table_files.ENDINGS)
    if path is not None and path.suffix.lower() not in table_files.ENDINGS:
        file.complain(node, "tests.flows", table_files.KINDS_OF_FILES, found(node))
        return None
    return None if path is None else FlowContent(path)


def _path(file: YamlFile, node: Node, key: str, expected: str, endings: Sequence[str]) -> Path | None:
    """Returns the path of a file beside the suite's file; None after a mistake."""
    name = file.text(node, key)
    if not name:
        return None
    path = file.path.parent / name
    if path.is_file():
        return path
    beside = path.parent.glob("*")
    there = sorted(other.name for other in beside if other.suffix in endings and other.name != file.path.name)
    file.complain(node, key, expected, f"no such file, {path}{did_you_mean(path.name, there)}")
    return None


def _boards(file: YamlFile, entries: Mapping[str, Node], content: Content | None, mistakes: Mistakes) -> dict[str, str]:
    """Returns the board of each architecture of a test; an empty text means the default board."""
    of_content: Sequence[str] = []
    board_of_content = ""
    if content is not None:
        with mistakes.noted():
            of_content, board_of_content = content.targets()
    named = _texts(file, entries.get("architectures"), "tests.architectures", ARCHITECTURES)
    having = {arch: describe_architecture(arch).boards for arch in ARCHITECTURES}
    all_boards = [board for boards in having.values() for board in boards]
    wanted = _texts(file, entries.get("boards"), "tests.boards", all_boards)
    if not wanted and board_of_content in all_boards:
        wanted = [board_of_content]
    chosen = named or of_content or [arch for arch in ARCHITECTURES if not wanted or set(wanted) & set(having[arch])]
    boards: dict[str, str] = {}
    for arch in chosen:
        if arch not in having:  # from the content; names in the suite's file were checked
            continue
        own = [board for board in wanted if board in having[arch]]
        if len(own) > 1:
            expected = f"one board for each architecture; another test for another board of {arch}"
            file.complain(entries["boards"], "tests.boards", expected, " and ".join(own))
        boards[arch] = own[0] if own else ""
    return boards


def _texts(file: YamlFile, node: Node | None, key: str, known: Collection[str]) -> list[str]:
    """Returns the texts in a node: a single text or a list. Records mistakes for texts not in `known`."""
    if node is None:
        return []
    items = [node] if node["kind"] == "text" else file.items(node, key)
    texts: list[str] = []
    for item in items:
        text = file.text(item, key)
        if text and text not in known:
            hint = did_you_mean(text, known) or ""
            file.complain(item, key, f"one of {', '.join(known)}", f"{found(item)}{hint}")
        elif text in texts:
            file.complain(item, key, "each once", f"'{text}' again")
        elif text:
            texts.append(text)
    return texts


def _read_all(content: Content | None, boards: Mapping[str, str], mistakes: Mistakes) -> dict[str, Runnable]:
    """Returns the content for each architecture, except those with mistakes."""
    contents = {}
    for arch, board in boards.items():
        if content is not None:
            with mistakes.noted():
                contents[arch] = content.on(Machine(arch, board), {})
    return contents


def _sweep(file: YamlFile, entries: Mapping[str, Node], content: Runnable | None) -> dict[str, Sweep]:
    """Returns the values of each tier. A sweep without tiers, or with one tier only, applies to all tiers."""
    node = entries.get("sweep")
    without = {"flows": "flows, because a table", "host": "a host program, because it"}
    for key in without.keys() & entries.keys():
        if node is not None:
            file.complain(node, "tests.sweep", f"no sweep of {without[key]} has no parameters", found(node))
            node = None
    if node is None:
        return {tier: {} for tier in TIERS}
    # After mistakes in the content, parameters are unknown.
    is_known = content is not None
    parameters = list(content.parameters) if content is not None else []
    names = keys_of(node)
    if not names & set(TIERS):
        same = _values(file, node, "tests.sweep", parameters, is_known=is_known)
        return dict.fromkeys(TIERS, same)
    of_tiers = file.mapping(node, "tests.sweep", TIERS)
    sweep = {
        tier: _values(file, of_tier, f"tests.sweep.{tier}", parameters, is_known=is_known)
        for tier, of_tier in of_tiers.items()
    }
    full = sweep.get("full", sweep.get("quick", {}))
    quick = sweep.get("quick", full)
    if "full" in of_tiers and "quick" in of_tiers and set(quick) != set(full):
        different = sorted(set(quick) ^ set(full))
        file.complain(
            of_tiers["quick"],
            "tests.sweep.quick",
            "the parameters of the full tier",
            f"a difference in {', '.join(different)}",
        )
    return {"full": full, "quick": {name: quick[name] for name in full if name in quick}}


def _values(file: YamlFile, node: Node, key: str, parameters: list[str], *, is_known: bool) -> Sweep:
    sweep: Sweep = {}
    if node["kind"] != "mapping":
        file.complain(node, key, "a mapping of parameters of the program to values", found(node))
        return sweep
    for name, value in node["value"]:
        text = str(name["value"])
        if name["kind"] != "text" or (is_known and text not in parameters):
            hint = did_you_mean(text, parameters)
            there_are = f"; there are: {', '.join(parameters)}" if parameters else "; it has none"
            file.complain(name, key, "a parameter of the program", f"{found(name)}{hint or there_are}")
            continue
        if text in sweep:
            file.complain(name, f"{key}.{text}", "each parameter once", "it again")
            continue
        values: dict[str, None] = {}
        for item in [value] if value["kind"] == "text" else file.items(value, f"{key}.{text}"):
            parsed = file.value(
                item,
                f"{key}.{text}",
                "whole numbers, sizes, or a range such as 64:4KiB:x2",
                partial(_numbers, text),
            )
            values.update(dict.fromkeys(parsed or ()))
        if not values and value["kind"] in ("list", "nothing") and not value.get("value"):
            file.complain(value, f"{key}.{text}", "at least one value", "none")
        sweep[text] = tuple(values)
    return sweep


def _numbers(name: str, text: str) -> list[str]:
    return axis_values(name, parse_values(name, text), least=0)  # an InputError is a ValueError


def _theoretical(file: YamlFile, node: Node | None, boards: Mapping[str, str]) -> dict[str, float]:
    key = "tests.theoretical_bytes_per_cycle"
    if node is None:
        return {}
    if node["kind"] == "mapping":
        of_archs = file.mapping(node, key, tuple(boards))
        values = {
            arch: file.value(one, f"{key}.{arch}", "a number above 0", _above_0) for arch, one in of_archs.items()
        }
    else:
        value = file.value(node, key, "a number above 0, or one for each architecture", _above_0)
        values = dict.fromkeys(boards, value)
    return {arch: value for arch, value in values.items() if value is not None}


def _plotted(file: YamlFile, node: Node | None, usual: Mapping[str, str], swept: list[str]) -> tuple[str, ...]:
    """Returns the parameters of the picture's axis and lines; by default, the last two swept parameters."""
    entries = file.mapping(node, "tests.plot", _PLOT) if node is not None else {}
    chosen: dict[str, str] = {}
    for key in _PLOT:
        name = file.text(entries.get(key), f"tests.plot.{key}")
        if name and name not in swept:
            hint = did_you_mean(name, swept) or all_names(swept)
            file.complain(entries[key], f"tests.plot.{key}", "a parameter of the sweep", f"'{name}'{hint}")
        elif name and name in chosen.values():
            file.complain(
                entries[key], f"tests.plot.{key}", "another parameter than that of the axis", f"'{name}' again"
            )
        elif name:
            chosen[key] = name
        elif usual[key] in swept and usual[key] not in chosen.values():
            chosen[key] = usual[key]
    rest = [name for name in swept if name not in chosen.values()]
    axis = chosen.get("axis") or (rest.pop() if rest else "")
    lines = chosen.get("lines") or (rest.pop() if rest else "")
    return tuple(name for name in (axis, lines) if name)


def _above_0(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def _parse_id(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MOST_ID:
        raise ValueError
    return int(text)
