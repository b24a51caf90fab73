"""Architectures in files of the user's own, on the command line and in Python."""

from __future__ import annotations

import itertools
import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

import nocbench
from nocbench.architectures.files import digest_of_added, name_of
from nocbench.command_line import cli
from nocbench.commands.options import TAKING_ARCHITECTURE_FILES
from nocbench.points.constants import read_constants
from nocbench.points.selection import select_points
from nocbench.results.result_files import read_rows
from nocbench.running.execution import _Task, measure
from nocbench.running.inputs import Keys
from nocbench.support.errors import PointRejectedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import CommandLine

    WriteArchitecture = Callable[..., Path]

ONE_POINT: dict[str, Any] = {"num_transactions": 16, "call_size": "8KiB"}
ARGUMENTS = ("One to One Packet Sizes", "-a", "num_transactions=16", "-a", "call_size=8KiB")
EXAMPLES = Path(__file__).parents[3] / "examples"
FLITS = "{{value: {}, unit: bytes, status: estimated, source: what if}}"

_numbers = itertools.count()


@pytest.fixture
def write_architecture(tmp_path: Path) -> WriteArchitecture:
    """Writes a file with a base and router constants, under a unique name."""

    def write(base: str | Path = "wormhole_b0", **router: str) -> Path:
        path = tmp_path / f"wide_{next(_numbers)}.yaml"
        lines = [f"architecture: {path.stem}", f"based_on: {base}"]
        lines += ["router:", *(f"  {name}: {constant}" for name, constant in router.items())] if router else []
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


def test_rows_of_a_file(run_program: CommandLine, write_architecture: WriteArchitecture, tmp_path: Path) -> None:
    same, wide = write_architecture(), write_architecture(flit_bytes=FLITS.format(64))
    output = tmp_path / "results.csv"
    completed = run_program(
        "run", *ARGUMENTS, "-j2", "-o", output, "--arch", "wormhole_b0", "--arch", same, "--arch", wide
    )
    assert completed.status == 0, completed.err
    rows = nocbench.read_results(output).set_index("arch").drop(columns="revision")
    assert list(rows.index) == ["wormhole_b0", same.stem, wide.stem]
    assert (rows.loc["wormhole_b0"] == rows.loc[same.stem]).all()
    bandwidths = dict(rows["bandwidth_bytes_per_cycle"])
    assert bandwidths[wide.stem] > 1.8 * bandwidths[same.stem]
    in_python = nocbench.run("One to One Packet Sizes", arch=["wormhole_b0", str(same), wide], jobs=0, **ONE_POINT)
    assert in_python.drop(columns="revision").equals(rows.reset_index()[in_python.columns.drop("revision")])


@pytest.mark.parametrize("command", ["list", "heatmap", "explain", "trace"])
def test_commands_that_take_a_file(
    command: str, run_in_process: CommandLine, write_architecture: WriteArchitecture, tmp_path: Path
) -> None:
    path = write_architecture()
    arguments = ARGUMENTS[:1] if command == "list" else ARGUMENTS
    endings = {"heatmap": "png", "trace": "json"}
    output = ("-o", tmp_path / f"output.{endings[command]}") if command in endings else ()
    completed = run_in_process(command, *arguments, *output, "--arch", path)
    assert completed.status == 0, completed.err
    assert path.stem in (completed.out + completed.err)


def test_kernels_are_compiled_for_what_it_is_based_on(write_architecture: WriteArchitecture) -> None:
    path = write_architecture(base=write_architecture(base="blackhole"))
    tests = [test for test in nocbench.list_tests(path) if test.primitive == "conv_halo"]
    assert tests
    assert {test.arch for test in tests} == {path.stem}
    for arch in ("blackhole", path):
        frame = nocbench.run(tests[0].test, arch=arch, tier="quick", jobs=0, num_transactions=1)
        assert frame["data_ok"].all()


@pytest.mark.parametrize(
    "arguments",
    [("kernel", EXAMPLES / "copy.yaml"), ("flows", EXAMPLES / "flows" / "reshard.csv")],
    ids=lambda arguments: arguments[0],
)
def test_programs_run_on_a_file(
    arguments: tuple[str, Path], run_in_process: CommandLine, write_architecture: WriteArchitecture
) -> None:
    path = write_architecture()
    completed = run_in_process(*arguments, "--arch", path)
    assert completed.status == 0, completed.err
    assert path.stem in completed.out
    completed = run_in_process(*arguments, "--arch", write_architecture(base="epiphany_iii"))
    assert completed.status == 2
    assert "architecture: expected one that kernels are compiled for, wormhole_b0 or blackhole" in completed.err


@pytest.mark.parametrize(
    ("text", "place", "complaint"),
    [
        (
            "architecture: {stem}\nbased_on: {stem}.yaml\n",
            "2:11",
            "based_on: expected a file that is not based on this one, found the circle {stem}.yaml -> {stem}.yaml",
        ),
        (
            "architecture: {stem}\nbased_on: ../nowhere.yaml\n",
            "2:11",
            "based_on: expected an architecture file, found no file",
        ),
        ("architecture: {stem}\nbased_on: blackhol\n", "2:11", "based_on: expected one of blackhole, epiphany_iii"),
        (
            "architecture: {stem}\nbased_on: blackhole\nrouter: {{hop_cycles: 4}}\n",
            "3:22",
            "router.hop_cycles: expected a mapping with the keys value, unit, status, source, found 4",
        ),
        ("architecture: {stem}\n", "1:1", "kind: expected one of tensix_torus, epiphany_mesh"),
    ],
)
def test_mistakes_name_file_and_line(
    text: str,
    place: str,
    complaint: str,
    run_in_process: CommandLine,
    write_architecture: WriteArchitecture,
) -> None:
    path = write_architecture()
    path.write_text(text.format(stem=path.stem))
    completed = run_in_process("run", *ARGUMENTS, "--arch", path)
    assert completed.status == 2
    assert completed.err.startswith(f"error: 1 mistake in {path}\n{path}:{place}: {complaint.format(stem=path.stem)}")
    with pytest.raises(nocbench.InputError, match="1 mistake in"):
        nocbench.run(arch=path)


def test_a_file_that_is_not_there(run_in_process: CommandLine, tmp_path: Path) -> None:
    completed = run_in_process("list", "--arch", tmp_path / "none.yaml")
    assert completed.status == 2
    assert completed.err == f"error: {tmp_path / 'none.yaml'}: expected an architecture file, found no file\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "none.csv", "--baseline", "none.csv"),
        ("accept", "none.csv", "--baseline", "none.csv", "--reason", "none"),
        ("compare", "none.csv", "none.csv"),
        ("accuracy",),
        ("gate", "--base", "none"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_that_take_names_only(
    arguments: tuple[str, ...], run_in_process: CommandLine, write_architecture: WriteArchitecture
) -> None:
    path = write_architecture()
    completed = run_in_process(*arguments, "--arch", path)
    assert completed.status == 2
    assert completed.err.startswith(f"error: --arch {path}: expected the name of an architecture, found a file; these ")


def test_accuracy_refuses_an_unknown_name_before_it_runs_anything(run_in_process: CommandLine) -> None:
    completed = run_in_process("accuracy", "--arch", "wormhole")
    assert completed.status == 2
    assert completed.err == "error: no architecture is called 'wormhole'; did you mean 'wormhole_b0'?\n"


def test_all_commands_that_take_a_file_are_told() -> None:
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    helps = {name: command.get_help(click.Context(command)) for name, command in commands.items() if command}
    assert {name for name, text in helps.items() if "path of an architecture file" in " ".join(text.split())} == set(
        TAKING_ARCHITECTURE_FILES.split(", ")
    )


def test_the_name_of_another_architecture(run_in_process: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "blackhole.yaml"
    path.write_text("architecture: blackhole\nbased_on: wormhole_b0\n")
    completed = run_in_process("run", *ARGUMENTS, "--arch", path)
    assert completed.status == 2
    assert f"{path}:1:15: architecture: expected a name that no other architecture has" in completed.err


def test_it_is_not_written_over(run_in_process: CommandLine, write_architecture: WriteArchitecture) -> None:
    path = write_architecture()
    content = path.read_text()
    completed = run_in_process("heatmap", ARGUMENTS[0], "--arch", path, "-o", path)
    assert completed.status == 2
    assert path.read_text() == content


def test_what_is_kept_belongs_to_the_content_of_all_files(
    write_architecture: WriteArchitecture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NOCBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NOCBENCH_NO_CACHE")
    base = write_architecture()
    path = write_architecture(base=base.name)
    bandwidths = []
    keys = []
    digests = []
    for flit_bytes in (32, 64, 32):
        base.write_text(
            f"architecture: {base.stem}\nbased_on: wormhole_b0\nrouter: {{flit_bytes: {FLITS.format(flit_bytes)}}}\n"
        )
        frame = nocbench.run("One to One Packet Sizes", arch=path, jobs=0, **ONE_POINT)
        bandwidths.append(round(frame["bandwidth_bytes_per_cycle"].iloc[0]))
        point = select_points(["4"], architectures=[name_of(path)], tier="quick")[0]
        keys.append(Keys(shorten_from_flit_hops=None, with_details=False).of(point))
        digests.append(point.digest())
    assert bandwidths[0] == bandwidths[2]
    assert bandwidths[1] > 1.8 * bandwidths[0]
    assert keys[0] == keys[2] != keys[1]
    assert digests[0] == digests[2] != digests[1]


def test_processes_that_get_its_name_know_the_file(write_architecture: WriteArchitecture) -> None:
    path = write_architecture()
    point = select_points(["4"], architectures=[name_of(str(path))], tier="quick")[0]
    assert pickle.loads(pickle.dumps(point)) == point
    assert pickle.loads(pickle.dumps(point.arch)).path == path
    assert f"--arch {path}" in point.command()


def test_constants_of_a_file(write_architecture: WriteArchitecture) -> None:
    path = write_architecture(base=write_architecture(flit_bytes=FLITS.format(64)))
    assert [constant.path for constant in read_constants(name_of(path))] == [
        constant.path for constant in read_constants("wormhole_b0")
    ]
    constants = {constant.path: constant for constant in read_constants(name_of(path))}
    assert constants["router.flit_bytes"].value == "64"
    assert constants["router.flit_bytes"].source == "what if"
    assert constants["router.hop_cycles"].value == "9"


def test_an_edit_that_keeps_the_time_of_the_file_counts(write_architecture: WriteArchitecture) -> None:
    path = write_architecture(flit_bytes=FLITS.format(32))
    bandwidths = []
    time = path.stat().st_mtime_ns
    for flit_bytes in (32, 64):
        path.write_text(path.read_text().replace("value: 32", f"value: {flit_bytes}"))
        os.utime(path, ns=(time, time))
        frame = nocbench.run("One to One Packet Sizes", arch=path, jobs=0, **ONE_POINT)
        bandwidths.append(frame["bandwidth_bytes_per_cycle"].iloc[0])
    assert bandwidths[1] > 1.8 * bandwidths[0]


def test_points_of_a_file_that_changed_while_they_ran_are_refused(write_architecture: WriteArchitecture) -> None:
    path = write_architecture(flit_bytes=FLITS.format(32))
    point = select_points(["4"], architectures=[name_of(path)], tier="quick")[0]
    read = digest_of_added(point.arch)
    task = _Task((point,), with_details=False, shorten_from_flit_hops=None, is_kept=False, architecture=read)
    assert measure(task)
    path.write_text(path.read_text().replace("value: 32", "value: 64"))
    with pytest.raises(PointRejectedError, match=f"^{path} or its base changed while it ran; run it again$"):
        measure(task)


def test_a_suite_runs_on_a_file(
    run_in_process: CommandLine, write_architecture: WriteArchitecture, tmp_path: Path
) -> None:
    path = write_architecture()
    suite = ("--suite", EXAMPLES / "copy_pipeline", "--tier", "quick", "-j", "0", "--exclude", "*low*")
    completed = run_in_process("run", *suite, "--arch", path, "-o", tmp_path / "rows.csv")
    assert completed.status == 0, completed.err
    assert {row["arch"] for row in read_rows(tmp_path / "rows.csv")} == {path.stem}


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("...yaml", "architecture: expected letters, digits, _, - and dots, the first one no dot, found .."),
        ("a;b.yaml", "architecture: expected letters, digits, _, - and dots, the first one no dot, found a;b"),
        ("wide.yml", "architecture: expected a name or the path of a file *.yaml, found"),
    ],
)
def test_names_that_are_refused(file: str, expected: str, run_in_process: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / file
    path.write_text(f'architecture: "{path.stem}"\nbased_on: wormhole_b0\n')
    completed = run_in_process("list", "--arch", path)
    assert completed.status == 2
    assert expected in completed.err
