"""Error messages about wrong suite files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from nocbench.suites.suite import Suite
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEST = "tests:\n  - name: Packets\n    program: write.yaml\n"
WITH_TEST = f"name: small\n{TEST}"
TIERS = "full, quick"
ARCHS = "wormhole_b0, blackhole"

MISTAKES = [
    pytest.param("tests: []\n", ["nocbench.yaml:1:1: name: expected this key, found nothing"], id="no name"),
    pytest.param("name: a\n", ["nocbench.yaml:1:1: tests: expected this key, found nothing"], id="no tests"),
    pytest.param(
        "name: a\ntests: []\n", ["nocbench.yaml:2:8: tests: expected at least one test, found none"], id="none"
    ),
    pytest.param("name: a\ntests: 3\n", ["nocbench.yaml:2:8: tests: expected a list, found '3'"], id="no list"),
    pytest.param(
        f"name: a\npolicies: x\n{TEST}",
        ["nocbench.yaml:2:1: policies: expected a known key, found an unknown key; did you mean 'policy'?"],
        id="unknown key",
    ),
    pytest.param(
        "name: a\ntests:\n  - program: write.yaml\n",
        ["nocbench.yaml:3:5: tests.name: expected this key, found nothing"],
        id="test without name",
    ),
    pytest.param(
        "name: a\ntests:\n  - name: b\n",
        ["nocbench.yaml:3:5: tests: expected one of the keys program, host, flows, found none of them"],
        id="test of nothing",
    ),
    pytest.param(
        "name: a\ntests:\n  - {name: b, program: write.yaml, flows: flows.csv}\n",
        ["nocbench.yaml:3:43: tests: expected one of the keys program, host, flows, found program and flows"],
        id="program and flows",
    ),
    pytest.param(
        "name: a\ntests:\n  - {name: b, flows: flow.csv}\n",
        [
            "nocbench.yaml:3:22: tests.flows: expected a table of flows (.csv) or a workload (.yaml, .yml, .json), ",
            "found no such file, ",
            "flow.csv; did you mean 'flows.csv'",
        ],
        id="no such table",
    ),
    pytest.param(
        "name: a\ntests:\n  - {name: b, flows: kernels/write.cpp}\n",
        ["nocbench.yaml:3:22: tests.flows: expected a table of flows (.csv) or a workload (", "'kernels/write.cpp'"],
        id="no table",
    ),
    pytest.param(
        "name: a\ntests:\n  - {name: b, flows: [flows.csv]}\n",
        ["nocbench.yaml:3:22: tests.flows: expected text, found a list"],
        id="several tables",
    ),
    pytest.param(
        "name: a\ntests:\n  - {name: b, flows: flows.csv, sweep: {num_calls: [1, 2]}}\n",
        [
            "nocbench.yaml:3:40: tests.sweep: expected no sweep of flows, because a table has no parameters, found",
        ],
        id="sweep of flows",
    ),
    pytest.param(
        "name: a\ntests:\n  - {name: b, flows: write.yaml}\n",
        ["write.yaml: expected a workload, which has the key 'phases', found none"],
        id="program as flows",
    ),
    pytest.param(
        "name: a\ntests:\n  - {name: b, program: flows.csv}\n",
        [
            "nocbench.yaml:3:24: tests.program: expected a program file, or a program, found flows, 'flows.csv'; did",
            "did you mean the key 'flows'?",
        ],
        id="flows as program",
    ),
    pytest.param(
        "name: a\ntests:\n  - {name: b, program: writes.yaml}\n",
        [
            "nocbench.yaml:3:24: tests.program: expected a program file, or a program, found no such file, ",
            "'write.yaml'?",
        ],
        id="no such program",
    ),
    pytest.param(
        f"{WITH_TEST}    sweeps: {{}}\n",
        ["nocbench.yaml:5:5: tests.sweeps: expected a known key, found an unknown key; did you mean 'sweep'?"],
        id="unknown key of a test",
    ),
    pytest.param(
        f"{WITH_TEST}    sweep: {{page: [1]}}\n",
        ["nocbench.yaml:5:13: tests.sweep: expected a parameter of the program, found 'page'; did you mean 'pages'?"],
        id="unknown parameter",
    ),
    pytest.param(
        f"{WITH_TEST}    sweep: {{pages: [1, many]}}\n",
        [
            "nocbench.yaml:5:24: tests.sweep.pages: expected whole numbers, sizes, or a range such as 64:4KiB:x2",
            ", found 'many'",
        ],
        id="no number",
    ),
    pytest.param(
        f"{WITH_TEST}    sweep: {{pages: []}}\n",
        ["nocbench.yaml:5:20: tests.sweep.pages: expected at least one value, found none"],
        id="no values",
    ),
    pytest.param(
        f"{WITH_TEST}    sweep: {{full: {{pages: 1}}, quick: {{}}}}\n",
        ["tests.sweep.quick: expected the parameters of the full tier, found a difference in pages"],
        id="tiers differ",
    ),
    pytest.param(
        f"{WITH_TEST}    sweep: 8\n",
        ["nocbench.yaml:5:12: tests.sweep: expected a mapping of parameters of the program to values, found '8'"],
        id="sweep is no mapping",
    ),
    pytest.param(
        f"{WITH_TEST}    architectures: [blackhol]\n",
        [
            f"nocbench.yaml:5:21: tests.architectures: expected one of {ARCHS}, found 'blackhol'",
            "; did you mean 'blackhole'?",
        ],
        id="unknown architecture",
    ),
    pytest.param(
        f"{WITH_TEST}    boards: n151\n",
        ["nocbench.yaml:5:13: tests.boards: expected one of ", "found 'n151'; did you mean 'n150'"],
        id="unknown board",
    ),
    pytest.param(
        f"{WITH_TEST}    boards: [n150, n300]\n",
        ["nocbench.yaml:5:13: tests.boards: expected one board for each architecture; another test for another board"],
        id="two boards",
    ),
    pytest.param(
        f"{WITH_TEST}  - {{name: packets, program: write.yaml}}\n",
        ["nocbench.yaml:5:5: tests.name: expected a name of its own, found 'packets', as in line 3"],
        id="name twice",
    ),
    pytest.param(
        "name: a\ntests:\n  - {name: One to One Packet Sizes, program: write.yaml}\n",
        ["tests.name: expected another name, found 'One to One Packet Sizes', a test of nocbench"],
        id="name of nocbench",
    ),
    pytest.param(
        f"{WITH_TEST}    id: 7\n  - {{name: b, id: 7, program: write.yaml}}\n",
        ["nocbench.yaml:6:5: tests.id: expected an id of its own, found 7 again"],
        id="id twice",
    ),
    pytest.param(
        f"{WITH_TEST}    id: first\n",
        ["nocbench.yaml:5:9: tests.id: expected a number from 1 to 2147483647, found 'first'"],
        id="no id",
    ),
    pytest.param(
        f"{WITH_TEST}    theoretical_bytes_per_cycle: -1\n",
        ["tests.theoretical_bytes_per_cycle: expected a number above 0, or one for each architecture, found '-1'"],
        id="maximum",
    ),
    pytest.param(
        f"{WITH_TEST}    sweep: {{pages: 1}}\n    plot: {{axis: size}}\n",
        ["nocbench.yaml:6:18: tests.plot.axis: expected a parameter of the sweep, found 'size'; there are: pages"],
        id="axis",
    ),
    pytest.param(
        f"{WITH_TEST}policy: rules.yaml\n",
        ["nocbench.yaml:5:9: policy: expected the file of a policy, or the policy itself, found no such file, "],
        id="no such policy",
    ),
    pytest.param(
        f"{WITH_TEST}policy:\n  version: 1\n  rules: [{{metric: latency}}]\n",
        ["nocbench.yaml:7:20: rules.metric: expected one of ", "rules.slower: expected this key"],
        id="policy inline",
    ),
    pytest.param(
        "name: a\ntests:\n  - name: b\n    program: {kernels: [{file: none.cpp, riscv: 2, cores: all}]}\n",
        ["nocbench.yaml:4:32: kernels.file: expected the source of a kernel", "nocbench.yaml:4:49: kernels.riscv: "],
        id="program inline",
    ),
    pytest.param("name: [a\n", ["nocbench.yaml:"], id="no YAML"),
]


@pytest.mark.parametrize(("suite", "messages"), MISTAKES)
def test_a_mistake_has_its_place_and_says_what_was_expected(
    write_suite: Callable[..., Path], suite: str, messages: list[str]
) -> None:
    directory = write_suite(suite)
    (directory / "flows.csv").write_text("kind,core,partner,call_size\nwrite,0 0,1 0,64\n")
    with pytest.raises(InputError) as error:
        Suite(str(directory))
    for message in messages:
        assert message in str(error.value)


def test_all_mistakes_are_told_at_once_those_of_the_program_too(write_suite: Callable[..., Path]) -> None:
    directory = write_suite(
        f"{WITH_TEST}    id: x\n    boards: y\nplots: {{axes: z}}\n", "kernels: [{file: a.cpp, riscv: 0, cores: 5}]\n"
    )
    with pytest.raises(InputError) as error:
        Suite(str(directory))
    text = str(error.value)
    assert text.startswith(f"3 mistakes in {directory / 'nocbench.yaml'}\n")
    for place in ("tests.id", "tests.boards", "plots.axes", "write.yaml:1:18: kernels.file", "kernels.cores"):
        assert place in text


def test_mistakes_of_a_table_are_told_with_those_of_the_suite(write_suite: Callable[..., Path]) -> None:
    directory = write_suite(f"{WITH_TEST}    id: x\n  - {{name: b, flows: flows.csv, sweep: 8}}\n")
    (directory / "flows.csv").write_text("kind,core,partner,call_size\nwrite,0 0,99 0,64\nwrites,0 0,1 0,64\n")
    with pytest.raises(InputError) as error:
        Suite(str(directory))
    text = str(error.value)
    assert text.startswith(f"2 mistakes in {directory / 'nocbench.yaml'}\n")
    for place in ("nocbench.yaml:5:9: tests.id", "nocbench.yaml:6:40: tests.sweep"):
        assert place in text
    for board in ("n150", "p100"):  # one of each architecture
        assert re.search(rf"flows\.csv:2: partner: expected a core from .* of {board}, found '99 0'", text)
    assert text.count("flows.csv:3: kind: expected write, posted_write or read, found 'writes'") == 1


@pytest.mark.parametrize(("name", "found"), [("nowhere", "no such folder"), (".", "a folder without it")])
def test_a_folder_without_suite(tmp_path: Path, name: str, found: str) -> None:
    with pytest.raises(InputError, match=f"expected a folder with nocbench.yaml, found {found}"):
        Suite(str(tmp_path / name))


NAMES = ["=1+1", "+1", "-1", "@SUM(A1)", "two\\nlines", "a\\tb", "bell\\a", "a\\u2028b", "turned\\u202eround"]
NAMED = {
    "name": 'name: "{}"\n' + TEST,
    "tests.name": 'name: small\ntests:\n  - name: "{}"\n    program: write.yaml\n',
    "tests.headings": WITH_TEST + '    headings: [Copies, "{}"]\n',
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("key", NAMED)
def test_names_that_are_no_names(write_suite: Callable[..., Path], key: str, name: str) -> None:
    """Names appear in tables, which spreadsheets open, and on pages."""
    text = NAMED[key].format(name)
    line = next(number for number, row in enumerate(text.splitlines(), 1) if f'"{name}"' in row)
    with pytest.raises(InputError) as error:
        Suite(str(write_suite(suite=text)))
    mistake = str(error.value).splitlines()[1]
    assert f"nocbench.yaml:{line}:" in mistake
    assert f" {key}: expected a name on one line, of printable characters, that does not begin with =" in mistake
    assert mistake.isprintable()


WRITTEN = {"plots.folder": "plots: {{folder: {}}}\n", "baseline": "baseline: {}\n"}


@pytest.mark.parametrize("path", ["../../x", "..", "/tmp/x", "kernels/../../x", "away/x"])
@pytest.mark.parametrize("key", WRITTEN)
def test_what_is_written_stays_in_the_folder_of_the_suite(
    write_suite: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory, key: str, path: str
) -> None:
    folder = write_suite(suite=WITH_TEST + WRITTEN[key].format(path))
    (folder / "away").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    with pytest.raises(InputError, match=rf"nocbench\.yaml:5:\d+: {key}: expected a path within the folder of the su"):
        Suite(str(folder))


def test_links_neither_lead_out_of_it(
    write_suite: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = write_suite(suite=WITH_TEST)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (folder / "baseline.csv").symlink_to(elsewhere / "baseline.csv")
    (folder / "plots" / "blackhole").mkdir(parents=True)
    (folder / "plots" / "README.md").symlink_to("../write.yaml")  # within the folder
    (folder / "plots" / "blackhole" / "README.md").symlink_to(elsewhere / "page.md")
    with pytest.raises(InputError) as error:
        Suite(str(folder))
    keys = [line.split(": ")[1] for line in str(error.value).splitlines() if ": expected" in line]
    assert keys == ["baseline", "plots.folder"]


def test_paths_within_the_folder(write_suite: Callable[..., Path]) -> None:
    text = WITH_TEST + "plots: {folder: pages/of/mine}\nbaseline: kernels/../kept/results.csv\n"
    description = Suite(str(write_suite(suite=text))).description
    assert description.plots.parts[-3:] == ("pages", "of", "mine")
    assert description.baseline.name == "results.csv"
