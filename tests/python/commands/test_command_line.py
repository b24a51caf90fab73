"""Command line with a fake simulator: output, files and exit statuses."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
import pty
import re
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

import fake_core
import pytest
from conftest import FAKE_INSTALLATION, environment
from sample import HOW_TO_LEARN_MORE, make_frame, make_reference, make_row, make_sweep

from nocbench.points import simulation
from nocbench.results.result_files import read_results, write_results
from nocbench.running import estimates

if TYPE_CHECKING:
    from conftest import CommandLine
    from small_suite import WriteSuite


def on_a_terminal(arguments: list[str], num_columns: int) -> str:
    """Returns the output of a command on a terminal of this width."""
    primary, secondary = pty.openpty()
    fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 24, num_columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "nocbench", *arguments],
        stdout=secondary,
        env={name: value for name, value in environment(*FAKE_INSTALLATION).items() if name != "COLUMNS"}
        | {"TERM": "xterm"},
    )
    os.close(secondary)
    out = b""
    with contextlib.suppress(OSError):  # raised at the end of the output
        while part := os.read(primary, 65536):
            out += part
    os.close(primary)
    assert process.wait() == 0
    lines = re.sub("\x1b\\[[0-9;]*m", "", out.decode()).splitlines()
    return "\n".join([*(line.rstrip() for line in lines), ""])


ONE_POINT = ["run", "4", "--arch", "blackhole", "-a", "num_transactions=1", "-a", "call_size=64"]


class TestGeneral:
    @pytest.mark.parametrize(
        "command", [[], ["list"], ["run"], ["merge"], ["plot"], ["accuracy"], ["heatmap"], ["trace"]]
    )
    def test_help_holds_an_example(self, run_here: CommandLine, command: list[str]) -> None:
        completed = run_here(*command, "--help")
        assert completed.status == 0
        assert re.search(r"^  Examples?:\n    nocbench ", completed.out, re.MULTILINE)
        assert completed.err == ""

    def test_version(self, run_here: CommandLine) -> None:
        assert re.fullmatch(r"nocbench \S+ \(revision \S+\)\n", run_here("--version").out)

    def test_unknown_commands_and_options(self, run_here: CommandLine) -> None:
        completed = run_here("rnu")
        assert completed.status == 2
        assert completed.err.endswith("Error: no command is called 'rnu'; did you mean 'run'?\n")
        completed = run_here("run", "--tierr", "full")
        assert completed.status == 2
        assert re.search(r"Did you mean .*'--tier'", completed.err)
        assert run_here("run", "--tier", "medium").status == 2
        assert run_here().status == 2

    @pytest.mark.parametrize("arguments", [["--help"], ["list"], ["run", "-j0", "-o", "-"]])
    def test_nothing_heavy_is_imported(self, arguments: list[str]) -> None:
        here = Path(__file__).parents[1]
        program = (
            "import sys\n"
            "from nocbench.command_line import main\n"
            f"try: main({arguments!r})\n"
            "except SystemExit as end: assert not end.code, end.code\n"
            "heavy = {'pandas', 'numpy', 'pyarrow', 'matplotlib', 'seaborn', 'jinja2', 'dask', 'distributed'}\n"
            "heavy &= sys.modules.keys()\n"
            "assert not heavy, heavy\n"
        )
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            stdout=subprocess.DEVNULL,
            env={
                "NOCBENCH_NO_CACHE": "1",
                "PYTHONPATH": os.pathsep.join([str(here / "fake_installation"), str(here), *filter(None, sys.path)]),
            },
        )

    def test_our_own_mistakes_are_no_verdict(self, run_here: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fake_core, "list_tests", lambda arch: [{"arch": arch}])
        completed = run_here("list")
        assert completed.status == 3
        assert "KeyError: 'kernels'" in completed.err
        assert completed.err.endswith("error: this is a mistake in nocbench, not in its input\n")

    def test_a_reader_that_goes_away(self) -> None:
        here = Path(__file__).parents[1]
        process = subprocess.Popen(
            [sys.executable, "-m", "nocbench", "run", "-j0", "-o", "-"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={
                "NOCBENCH_NO_CACHE": "1",
                "PYTHONPATH": os.pathsep.join([str(here / "fake_installation"), str(here), *filter(None, sys.path)]),
            },
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        messages = process.stderr.read().decode()
        assert process.wait() == 141
        assert "Traceback" not in messages
        process.stderr.close()

    @pytest.mark.parametrize("command", ["list", "--help", "run 4 --tier quick -j0 -o -"])
    @pytest.mark.parametrize(
        ("where", "reason"), [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")]
    )
    def test_standard_output_that_is_full_or_closed(self, command: str, where: str, reason: str) -> None:
        completed = subprocess.run(
            ["/bin/sh", "-c", f"{shlex.quote(sys.executable)} -m nocbench {command} {where}"],
            capture_output=True,
            text=True,
            check=False,
            env=environment(*FAKE_INSTALLATION),
        )
        assert completed.returncode == 2
        assert completed.stderr.endswith(f"error: standard output cannot be written: {reason}\n")
        assert "Traceback" not in completed.stderr
        assert "Exception ignored" not in completed.stderr

    @pytest.mark.parametrize(
        "command",
        [
            *("list", "run", "merge", "plot", "accuracy", "heatmap", "trace", "explain"),
            *("compare", "check", "gate", "accept", "report", "optimise"),
        ],
    )
    def test_help_fits_80_columns(self, run_here: CommandLine, command: str) -> None:
        assert [line for line in run_here(command, "--help").out.splitlines() if len(line) > 80] == []


class TestList:
    def test_takes_the_words_of_run(self, run_here: CommandLine) -> None:
        lines = run_here("list", "one_*", "16", "--arch", "blackhole").out.splitlines()
        assert [line.split()[1] for line in lines[1:]] == ["4", "5", "16"]
        assert [test["test_id"] for test in json.loads(run_here("list", "One to*", "--json").out)] == [4, 4]
        completed = run_here("list", "One to Onee*")
        assert completed.status == 3
        assert "did you mean" in completed.err

    @pytest.mark.parametrize("words", [[], ["--arch", "blackhole"], ["one_*"]])
    def test_fits_a_terminal_of_80_columns(self, words: list[str]) -> None:
        out = on_a_terminal(["list", *words], num_columns=80)
        assert max(map(len, out.splitlines())) <= 80
        assert "One to One Packet Sizes" in out
        assert "one_to_one" in out
        assert ("logical core" in out) == (words == ["one_*"])

    def test_upstream(self, run_here: CommandLine) -> None:
        lines = run_here("list", "--upstream", "150", "151", "One to One Packet Sizes").out.splitlines()
        cells = [re.split(" {2,}", line.strip()) for line in lines]
        assert cells[0] == ["upstream id", "upstream name", "archs", "id", "test", "parameters", "state"]
        chips = "wormhole_b0, blackhole"
        name, channels = "One to One Packet Sizes", "One to One Virtual Channels"
        assert cells[1:] == [
            ["4", name, chips, "4", name, "here"],
            ["150", channels, chips, channels, "not here yet"],
            ["151", "One to One Custom", chips, "One to One Custom", "vcs=4", "not here yet"],
        ]
        (test,) = json.loads(run_here("list", "--upstream", "102", "--json").out)
        assert (test["upstream_id"], test["test"], test["test_id"]) == (102, "Multicast Single Scheme", None)
        assert run_here("list", "--upstream", "Unheard*").status == 3
        assert run_here("list", "--upstream", "Unheard of").status == 2

    def test_upstream_is_not_about_suites(self, run_program: CommandLine, write_suite: WriteSuite) -> None:
        completed = run_program("list", "--upstream", "--suite", write_suite())
        assert completed.status == 2
        assert completed.err == "error: --upstream: expected the tests of nocbench, found --suite\n"

    def test_is_one_table_on_a_wide_terminal(self, run_here: CommandLine) -> None:
        assert on_a_terminal(["list"], num_columns=200) == run_here("list").out

    def test_table(self, run_here: CommandLine) -> None:
        completed = run_here("list", "--arch", "blackhole")
        assert completed.status == 0
        lines = completed.out.splitlines()
        assert lines[0] == (
            "arch       id  test                           primitive     kernels           full tier  quick tier  "
            "parameters"
        )
        assert lines[2] == (
            "blackhole   4  One to One Packet Sizes        one_to_one    Sender                   12           2  "
            "destination=1,1, fault=none"
        )
        assert len(lines) == 5

    def test_json(self, run_here: CommandLine) -> None:
        tests = json.loads(run_here("list", "--json").out)
        assert len(tests) == 8
        assert tests[1] == {
            "arch": "blackhole",
            "test_id": 4,
            "test": "One to One Packet Sizes",
            "primitive": "one_to_one",
            "description": "A test of one_to_one.",
            "kernels": ["Sender"],
            "axes": {
                "full": {"num_transactions": [1, 4, 16], "call_size": [64, 128, 256, 512]},
                "quick": {"num_transactions": [1], "call_size": [64, 128]},
            },
            "parameters": [
                {
                    "name": "destination",
                    "default": "1,1",
                    "meaning": "logical core",
                    "holds_commas": True,
                    "is_number": False,
                },
                {
                    "name": "fault",
                    "default": "none",
                    "meaning": "none, abort, impossible, kill, raise, refuse, slow, talk, unsteady or wrong_data",
                    "holds_commas": False,
                    "is_number": False,
                },
            ],
            "theoretical_bytes_per_cycle": 64.0,
            "headings": ["One to One Packet Sizes"],
            "board": "",
            "picture": "transaction_sizes",
            "kind": "tensix_torus",
            "plotted": [],
            "left_out": {},
            "compiler": "",
        }

    def test_an_unknown_architecture(self, run_here: CommandLine) -> None:
        completed = run_here("list", "--arch", "wormhole")
        assert completed.status == 2
        assert completed.err == "error: no architecture is called 'wormhole'; did you mean 'wormhole_b0'?\n"


class TestRun:
    def test_a_few_points_are_shown_singly(self, run_here: CommandLine) -> None:
        completed = run_here(*ONE_POINT, "-j0")
        assert completed.status == 0
        assert completed.out == (
            "arch       test                     kernel  transactions  size  cycles  B/cycle  of maximum  limiter\n"
            "blackhole  One to One Packet Sizes  Sender             1  64 B   300.5     0.21         0 %  round_trip\n"
        )
        lines = completed.err.splitlines()
        assert lines[0] == "running 1 point of 1 test on blackhole in this process"
        assert re.fullmatch(r"1 of 1 points in \d+\.\d s", lines[1])

    def test_the_maximum_follows_the_flit_width(self, run_here: CommandLine) -> None:
        out = run_here(*ONE_POINT, "-j0", "--set", "router.flit_bytes=1").out
        assert out.splitlines()[1].split() == [
            *("blackhole", "One", "to", "One", "Packet", "Sizes", "Sender", "router.flit_bytes=1"),
            *("1", "64", "B", "300.5", "0.21", "21", "%", "round_trip"),
        ]

    def test_tests_can_be_left_out(self, run_here: CommandLine) -> None:
        completed = run_here("run", "-j0", "--tier", "quick", "--exclude", "dram_unary", "--exclude", "4")
        assert completed.status == 0
        assert "One from One" in completed.out
        assert "DRAM" not in completed.out
        assert "One to One" not in completed.out
        completed = run_here("run", "-j0", "--exclude", "one_to_two")
        assert completed.status == 2
        assert "no test is called 'one_to_two'; did you mean 'one_to_one'" in completed.err

    def test_many_points_are_summed_up(self, run_here: CommandLine) -> None:
        completed = run_here("run", "-j0")
        assert completed.status == 0
        lines = completed.out.splitlines()
        assert len(lines) == 1 + 2 * 5
        assert lines[3].split("  ")[0] == "blackhole"
        assert "16 x 512 B" in lines[3]

    def test_files(self, run_here: CommandLine, tmp_path: Path) -> None:
        completed = run_here("run", "-j0", "-o", tmp_path / "results.csv")
        assert completed.status == 0
        assert f"wrote 120 result rows to {tmp_path / 'results.csv'}\n" in completed.err
        assert run_here("run", "-j0", "--output", tmp_path / "results.parquet").status == 0
        assert read_results(tmp_path / "results.csv").equals(read_results(tmp_path / "results.parquet"))
        completed = run_here("run", "-j0", "-o", "-")
        assert completed.out == (tmp_path / "results.csv").read_text()

    def test_costs_go_to_standard_error(self, run_here: CommandLine) -> None:
        plain = run_here("run", "-j0", "-o", "-")
        completed = run_here("run", "-j0", "-o", "-", "--costs")
        assert completed.out == plain.out
        assert "flit-hops" not in plain.err
        table = completed.err[completed.err.index("arch ") :].splitlines()
        assert len(table) == 1 + 8 + 1
        assert table[-1].split()[:4] == ["all", "all", "96", "0"]

    def test_rows_of_shortened_points_are_summed_up_with_the_others(
        self, run_here: CommandLine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plain = run_here("run", "-j0").out
        monkeypatch.setattr(simulation, "SHORTEN_FROM_FLIT_HOPS", 0)
        assert run_here("run", "-j0").out == plain
        assert "simulated_transactions=" in run_here(*ONE_POINT, "-j0").out
        assert "simulated_transactions=" not in run_here(*ONE_POINT, "-j0", "--whole").out

    def test_predictions_that_may_be_far_off_are_announced(
        self, run_here: CommandLine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(simulation, "SHORTEN_FROM_FLIT_HOPS", 0)
        assert "note:" not in run_here(*ONE_POINT, "-j0").err
        unsteady = run_here(*ONE_POINT, "-j0", "-a", "fault=unsteady")
        assert "note: latencies of 1 row with steady=0 are predicted" in unsteady.err
        assert "note:" not in run_here(*ONE_POINT, "-j0", "-a", "fault=unsteady", "--whole").err

    def test_json(self, run_here: CommandLine) -> None:
        document = json.loads(run_here(*ONE_POINT, "-j0", "--json", "-a", "fault=none,raise").out)
        (row,) = document["rows"]
        assert row["latency_cycles"] == 300.5
        assert document["crashes"] == [
            {
                "arch": "blackhole",
                "board": "",
                "test": "One to One Packet Sizes",
                "parameters": {"fault": "raise", "num_transactions": "1", "call_size": "64"},
                "settings": [],
                "reason": "RuntimeError: the model lost a packet",
            }
        ]

    def test_parameters_and_settings_reach_the_simulator(self, run_here: CommandLine, tmp_path: Path) -> None:
        path = tmp_path / "results.csv"
        completed = run_here(
            *ONE_POINT,
            "-j0",
            "--board",
            "p150",
            "-a",
            "destination=(1,1),(2,2)",
            "--set",
            "router.hop_cycles=10",
            "-o",
            path,
        )
        assert completed.status == 0
        frame = read_results(path)
        assert completed.out.splitlines()[0].split()[:4] == ["arch", "test", "kernel", "params"]
        assert frame["board"].tolist() == ["p150", "p150"]
        assert frame["params"].tolist() == ["router.hop_cycles=10", "destination=2,2;router.hop_cycles=10"]

    @pytest.mark.parametrize(
        ("arguments", "status", "message"),
        [
            (
                ["run", "One to Oen"],
                2,
                "error: no test is called 'One to Oen'; did you mean 'one_to_one'?",
            ),
            (["run", "x*"], 3, "error: no test matches 'x*'; 'nocbench list' names them all"),
            (
                ["run", "-a", "call_size=4K"],
                2,
                "error: '4K': unknown unit 'K'; the units are B, KiB (1024 B), MiB and GiB",
            ),
            (["run", "--set", "x"], 2, "error: 'x' does not read name=value"),
            (
                ["run", "4", "--arch", "blackhole", "-j", "1000", "-a", "num_transactions=1:1000:+1"],
                2,
                "error: 1000 jobs: expected at most 256 worker processes, found 1000",
            ),
            (["run", "-o", "/proc"], 2, "error: /proc: the name of a results file ends in .csv or .parquet"),
            (["run", "-o", "/proc/x.csv"], 2, "error: /proc/x.csv: cannot be written: No such file or directory"),
            (["run", "-o", "/no/such/results.csv"], 2, "error: /no/such/results.csv: there is no directory /no/such"),
            (
                ["run", "-o", "results.txt"],
                2,
                "error: results.txt: the name of a results file ends in .csv or .parquet",
            ),
        ],
    )
    def test_bad_input(self, run_here: CommandLine, arguments: list[str], status: int, message: str) -> None:
        completed = run_here(*arguments)
        assert completed.status == status
        assert completed.out == ""
        assert completed.err == f"{message}\n"

    def test_a_full_disk_is_named(self, run_here: CommandLine) -> None:
        completed = run_here(*ONE_POINT, "-j0", "-o", "/dev/full")
        assert completed.status == 2
        assert completed.err.endswith("error: /dev/full: cannot be written: No space left on device\n")
        assert "Traceback" not in completed.err

    def test_a_directory_is_no_results_file(self, run_here: CommandLine, tmp_path: Path) -> None:
        (tmp_path / "results.csv").mkdir()
        completed = run_here("run", "-o", tmp_path / "results.csv")
        assert completed.status == 2
        assert completed.err == f"error: {tmp_path / 'results.csv'}: cannot be written: Is a directory\n"

    def test_all_refused_parameters_are_told_at_once(self, run_here: CommandLine) -> None:
        completed = run_here(*ONE_POINT, "-j0", "-a", "fault=noone,none,nothing", "-a", "destination=middle")
        assert completed.status == 2
        lines = completed.err.splitlines()[-3:]
        assert lines[0].startswith("error: One to One Packet Sizes on blackhole, fault=noone, destination=middle, ")
        assert lines[0].endswith(": parameter destination: expected a core x,y, found 'middle'")
        assert [line.split(":")[0] + line[line.index(", found") :] for line in lines[1:]] == [
            "parameter fault, found 'noone'",
            "parameter fault, found 'nothing'",
        ]

    def test_points_that_take_hours_are_announced(self, run_here: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(estimates, "LONG_SECONDS", 0.0)
        sweep = ["run", "4", "-j0", "--arch", "blackhole", "-a", "num_transactions=1,100000", "-a", "call_size=64,256"]
        assert "note:" not in run_here(*sweep).err  # the sweep is shortened
        completed = run_here(*sweep, "--whole")
        assert completed.status == 0
        assert completed.err.startswith(
            "note: One to One Packet Sizes on blackhole, num_transactions=100000, call_size=256 takes about 5e+06 "
            "flit-hops: about 0 s of one processor\n"
        )
        assert completed.err.count("note:") == 1

    def test_a_dry_run_runs_nothing(
        self, run_here: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object, **__: object) -> None:
            raise AssertionError("a point runs")

        monkeypatch.setattr("nocbench.running.execution.run_points", fail)
        axes = ("-a", "num_transactions=1,4", "-a", "call_size=64")
        chosen = ("run", "One to One Packet Sizes", "--arch", "blackhole", *axes, "--dry-run")
        result = run_here(*chosen, "-o", str(tmp_path / "results.csv"))
        assert result.status == 0
        assert [line.split() for line in result.out.splitlines()[1:]] == [
            ["blackhole", "One", "to", "One", "Packet", "Sizes", "2", "0"],
            ["all", "2", "0"],
        ]
        assert not list(tmp_path.iterdir())
        points = json.loads(run_here(*chosen, "--json").out)["points"]
        assert [point["parameters"] for point in points] == [
            {"num_transactions": count, "call_size": "64"} for count in ("1", "4")
        ]
        assert not any(point["is_kept"] for point in points)

    def test_json_and_csv_both_want_standard_output(self, run_here: CommandLine) -> None:
        completed = run_here("run", "--json", "-o", "-")
        assert completed.status == 2
        assert completed.err.endswith("Error: --json and -o - both write to standard output\n")

    @pytest.mark.parametrize("jobs", ["-j0", "-j2"])
    def test_a_refused_point_writes_nothing(self, run_faked: CommandLine, tmp_path: Path, jobs: str) -> None:
        completed = run_faked(
            *["run", "4", jobs, "--arch", "blackhole", "-a", "fault=none,refuse", "-o", tmp_path / "results.csv"],
            *["--detail", tmp_path / "details"],
        )
        assert completed.status == 2
        assert completed.out == ""
        assert completed.err.splitlines()[-1] == (
            "error: One to One Packet Sizes on blackhole, fault=refuse, num_transactions=16, call_size=512: "
            "a barrier that can never be met"
        )
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == []

    @pytest.mark.parametrize(
        ("fault", "reason"),
        [
            ("kill", "worker process killed by SIGKILL"),
            (
                "abort",
                (
                    "worker process killed by SIGABRT; it said: terminate called after throwing an instance of "
                    "'std::logic_error'"
                ),
            ),
            ("raise", "RuntimeError: the model lost a packet"),
        ],
    )
    def test_a_crash_costs_its_point_only(
        self, run_faked: CommandLine, tmp_path: Path, fault: str, reason: str
    ) -> None:
        path = tmp_path / "results.csv"
        sweep = ["run", "4", "-j2", "--arch", "blackhole", "-a", "call_size=64,128"]
        completed = run_faked(*sweep, "-a", f"fault=none,{fault}", "-a", "num_transactions=1", "-o", path)
        assert completed.status == 3
        assert read_results(path)["call_size_bytes"].tolist() == [64, 128]
        assert completed.err.splitlines()[-4:] == [
            line
            for size in (64, 128)
            for line in (
                (
                    f"crashed: One to One Packet Sizes on blackhole, fault={fault}, num_transactions=1, "
                    f"call_size={size}: {reason}"
                ),
                (
                    f"  reproduce: nocbench run 'One to One Packet Sizes' --arch blackhole -a fault={fault} "
                    f"-a num_transactions=1 -a call_size={size}"
                ),
            )
        ]

    def test_wrong_data_is_a_negative_verdict(self, run_here: CommandLine, tmp_path: Path) -> None:
        path = tmp_path / "results.csv"
        completed = run_here(*ONE_POINT, "-j0", "-a", "fault=none,wrong_data,raise", "-o", path)
        assert completed.status == 1
        assert (
            "wrong data: One to One Packet Sizes, Sender, on blackhole (p100), num_transactions=1, call_size=64, "
            f"fault=wrong_data: {fake_core.WRONG_BYTE}\n"
        ) in completed.err
        assert read_results(path)["data_ok"].tolist() == [True, False]

    def test_rows_above_their_maximum_are_a_negative_verdict(self, run_here: CommandLine) -> None:
        completed = run_here(*ONE_POINT, "-j0", "-a", "fault=impossible")
        assert completed.status == 1
        assert (
            "wrong data: One to One Packet Sizes, Sender, on blackhole (p100), num_transactions=1, call_size=64, "
            "fault=impossible: 1000000.213 B/cycle, above the theoretical maximum of 64\n"
        ) in completed.err

    def test_json_has_what_was_wrong(self, run_here: CommandLine) -> None:
        document = json.loads(run_here(*ONE_POINT, "-j0", "--json", "-a", "fault=none,wrong_data").out)
        assert document["data_faults"] == ["", fake_core.WRONG_BYTE]

    def test_the_number_of_workers_makes_no_difference(self, run_faked: CommandLine, tmp_path: Path) -> None:
        for jobs in (0, 1, 2, 5):
            completed = run_faked(
                "run", f"-j{jobs}", "-o", tmp_path / f"{jobs}.csv", "--detail", tmp_path / f"details_{jobs}"
            )
            assert completed.status == 0
        contents = [(tmp_path / f"{jobs}.csv").read_bytes() for jobs in (0, 1, 2, 5)]
        assert len(set(contents)) == 1
        assert contents[0].count(b"\n") == 121
        details = [
            {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*.json")}
            for directory in (tmp_path / f"details_{jobs}" for jobs in (0, 1, 2, 5))
        ]
        assert len(details[0]) == 96
        assert all(others == details[0] for others in details)

    def test_words_of_kernels_stay_off_standard_output(self, run_faked: CommandLine) -> None:
        completed = run_faked(*ONE_POINT, "-j1", "--json", "-a", "fault=talk")
        assert json.loads(completed.out)["crashes"] == []
        assert "a word from a kernel\n" in completed.err

    def test_interrupt(self, tmp_path: Path) -> None:
        here = Path(__file__).parents[1]
        (tmp_path / "slow").mkdir()
        (tmp_path / "slow" / "sitecustomize.py").write_text(
            "import sys, time, fake_core\n"
            "sys.modules['nocbench._core'] = fake_core\n"
            "quick = fake_core.run_point\n"
            "def slow(*arguments):\n"
            "    time.sleep(300)\n"
            "    return quick(*arguments)\n"
            "fake_core.run_point = slow\n"
        )
        process = subprocess.Popen(
            [sys.executable, "-m", "nocbench", "run", "-j2", "-o", str(tmp_path / "results.csv")],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # Background jobs of a shell ignore SIGINT, and their children inherit this.
            preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
            env={
                "NOCBENCH_NO_CACHE": "1",
                "PYTHONPATH": os.pathsep.join([str(tmp_path / "slow"), str(here), *filter(None, sys.path)]),
            },
        )
        assert process.stderr is not None
        assert process.stderr.readline().startswith("running 96 points")
        time.sleep(1)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does on Ctrl-C
        assert process.wait(timeout=100) == 130
        assert process.stderr.read() == "interrupted\n"
        process.stderr.close()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["slow"]
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)

    @pytest.mark.parametrize("module", ["nocbench.command_line", "click", "nocbench.support.exit_status"])
    def test_interrupt_while_modules_are_loaded(self, module: str, tmp_path: Path) -> None:
        (tmp_path / "sitecustomize.py").write_text(
            "import os, signal, sys\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "class Finder:\n"
            "    def find_spec(self, name, *arguments):\n"
            f"        if name == {module!r}:\n"
            "            sys.meta_path.remove(self)\n"
            "            os.kill(os.getpid(), signal.SIGINT)\n"
            "sys.meta_path.insert(0, Finder())\n"
        )
        completed = subprocess.run(
            [sys.executable, "-m", "nocbench", "list"],
            capture_output=True,
            text=True,
            check=False,
            env={"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])},
        )
        assert (completed.returncode, completed.stdout, completed.stderr) == (130, "", "interrupted\n")


class TestPlot:
    def test_from_a_file(self, run_here: CommandLine, tmp_path: Path) -> None:
        write_results(make_sweep(), tmp_path / "results.csv")
        completed = run_here("plot", tmp_path / "results.csv", "-o", tmp_path / "plots")
        assert completed.status == 0
        assert completed.out.split() == [
            str(tmp_path / "plots" / name) for name in ("wormhole_b0/README.md", "README.md")
        ]
        assert (tmp_path / "plots" / "wormhole_b0" / "one_to_one_packet_sizes.svg").is_file()

    def test_wrong_data(self, run_here: CommandLine, tmp_path: Path) -> None:
        write_results(make_sweep(data_ok=False), tmp_path / "results.csv")
        completed = run_here("plot", tmp_path / "results.csv", "-o", tmp_path / "plots")
        assert completed.status == 1
        assert completed.err.endswith(f"wrong data arrived in 25 of 25 results\n{HOW_TO_LEARN_MORE}")
        page = (tmp_path / "plots" / "wormhole_b0" / "README.md").read_text()
        assert "Wrong data arrived at 25 of these 25 points." in page
        write_results(make_sweep(bandwidth_bytes_per_cycle=33.0), tmp_path / "results.csv")
        assert run_here("plot", tmp_path / "results.csv", "-o", tmp_path / "plots").status == 1
        page = (tmp_path / "plots" / "wormhole_b0" / "README.md").read_text()
        impossible = "The bandwidth of 25 of these 25 points is above the theoretical maximum, so the model is wrong."
        assert impossible in page

    def test_several_files_make_one_page(self, run_here: CommandLine, tmp_path: Path) -> None:
        for test in ("4", "5"):
            run_here("run", test, "--arch", "blackhole", "-j0", "--tier", "quick", "-o", tmp_path / f"{test}.csv")
        completed = run_here("plot", tmp_path / "4.csv", tmp_path / "5.csv", "-j0", "-o", tmp_path / "plots")
        assert completed.status == 0
        folder = tmp_path / "plots" / "blackhole"
        assert "## One to One Packet Sizes" in (folder / "one_to_one.md").read_text()
        assert "## One from One Packet Sizes" in (folder / "one_from_one.md").read_text()

    def test_without_results_everything_runs(self, run_here: CommandLine, tmp_path: Path) -> None:
        completed = run_here("plot", "-j0", "-o", tmp_path)
        assert completed.status == 0
        assert "no results given: running 96 points in this process\n" in completed.err
        assert len(list(tmp_path.rglob("*.svg"))) == 9  # with that of all errors

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["missing.csv"], "error: missing.csv: cannot be read: No such file or directory\n"),
            (
                ["--reference", "missing.csv"],
                "error: missing.csv: cannot be read: No such file or directory\n",
            ),
        ],
    )
    def test_bad_input(self, run_here: CommandLine, tmp_path: Path, arguments: list[str], message: str) -> None:
        completed = run_here("plot", *arguments, "-o", tmp_path / "plots")
        assert completed.status == 2
        assert completed.err == message
        assert not (tmp_path / "plots").exists()


class TestAccuracy:
    @pytest.fixture
    def files(self, tmp_path: Path) -> list[str]:
        write_results([*make_sweep(), *make_sweep(test="Loopback Packet Sizes")], tmp_path / "results.csv")
        make_reference(make_frame(), 1.02).to_csv(tmp_path / "reference.csv", index=False)
        return [str(tmp_path / "results.csv"), "--reference", str(tmp_path / "reference.csv")]

    def test_table(self, run_here: CommandLine, files: list[str]) -> None:
        completed = run_here("accuracy", *files)
        assert completed.status == 0
        lines = completed.out.splitlines()
        assert len(lines) == 17
        assert lines[0] == "|latency - reference| / reference"
        assert lines[1].split("  ")[0] == "arch"
        assert re.split(" {2,}", lines[1])[8:12] == ["fitted to", "median %", "never seen", "median %"]
        fields = re.split(" {2,}", lines[2])
        assert fields[:8] == ["wormhole_b0", "One to One Packet Sizes", "Sender", "25", "0", "1.96", "1.96", "1.96"]
        assert fields[8:11] == ["25", "1.96", "0"]
        assert lines[3:5] == ["", "all tables of an architecture"]
        assert re.split(" {2,}", lines[6]) == ["wormhole_b0", "25", "0", "1.96", "25", "1.96", "0"]
        for first, word, name in ((7, "group", "uncontended"), (12, "family", "one_to_one")):
            assert lines[first : first + 2] == ["", f"all published latencies of silicon, by {word}"]
            assert lines[first + 3].split() == [name, "25", "0", "1.96", "1.96", "1.96", "0", "%"]
            assert lines[first + 4].split() == ["all", *lines[first + 3].split()[1:]]
        assert completed.err == "nothing was published about: Loopback Packet Sizes (wormhole_b0)\n"

    def test_bounds(self, run_here: CommandLine, files: list[str]) -> None:
        completed = run_here("accuracy", *files, "--bounds", "median=2,p90=3,max=8")
        assert completed.status == 0
        assert completed.out.splitlines()[2].endswith("  within")
        completed = run_here("accuracy", *files, "--bounds", "median=0.8,max=1.9")
        assert completed.status == 1
        assert completed.out.splitlines()[2].endswith("  median 1.9608 > 0.8; max 1.9608 > 1.9")
        assert completed.err.endswith("1 of 1 tables miss a bound\n")

    def test_missing_points(self, run_here: CommandLine, files: list[str]) -> None:
        write_results(make_sweep()[:-2], Path(files[0]))
        completed = run_here("accuracy", *files)
        assert completed.status == 3
        assert completed.err == "2 published points have no result\n"
        assert run_here("accuracy", *files, "--bounds", "max=1").status == 1

    def test_nothing_in_common(self, run_here: CommandLine, files: list[str]) -> None:
        completed = run_here("accuracy", *files, "--test", "Loopback*")
        assert completed.status == 3
        assert completed.err == "error: nothing was published about any test of these results\n"

    def test_selection_of_nothing(self, run_here: CommandLine, files: list[str]) -> None:
        assert run_here("accuracy", *files, "--arch", "blackhole").status == 3
        assert run_here("accuracy", *files, "--test", "x*").status == 3

    def test_wrong_data(self, run_here: CommandLine, files: list[str]) -> None:
        write_results(
            [make_row(**row | {"data_ok": index > 0}) for index, row in enumerate(make_sweep())], Path(files[0])
        )
        completed = run_here("accuracy", *files)
        assert completed.status == 1
        assert completed.err == f"wrong data arrived in 1 of 25 results\n{HOW_TO_LEARN_MORE}"

    def test_rows_above_their_maximum(self, run_here: CommandLine, files: list[str]) -> None:
        rows = [row | ({} if index else {"bandwidth_bytes_per_cycle": 33.0}) for index, row in enumerate(make_sweep())]
        write_results(rows, Path(files[0]))
        completed = run_here("accuracy", *files)
        assert completed.status == 1
        assert completed.err == (
            "1 of 25 results are above the theoretical maximum, such as One to One Packet Sizes, Sender, 1 x 32 B on "
            "wormhole_b0: 33 B/cycle, above the theoretical maximum of 32\n"
        )

    def test_json(self, run_here: CommandLine, files: list[str]) -> None:
        document = json.loads(run_here("accuracy", *files, "--json", "--bounds", "max=1").out)
        assert document["percentiles"] == "linear interpolation between points"
        assert document["bounds_percent"] == {"max": 1.0}
        (table,) = document["tables"]
        assert table["points"] == 25
        assert (table["fitted_points"], table["never_seen_points"], table["never_seen_median_percent"]) == (25, 0, None)
        assert document["totals"] == [
            {"arch": "wormhole_b0", "points": 25, "missing": 0, "median_percent": table["median_percent"]}
            | {name: value for name, value in table.items() if name.startswith(("fitted", "never_seen"))}
        ]
        assert table["max_percent"] == pytest.approx(100 * 0.02 / 1.02)
        assert table["missed_bounds"] == ["max 1.9608 > 1"]

    def test_boards_are_named_when_there_are_several(self, run_here: CommandLine, files: list[str]) -> None:
        write_results([*make_sweep(), *make_sweep(board="n300", params="noc=1")], Path(files[0]))
        completed = run_here("accuracy", *files)
        assert completed.status == 0
        assert re.split(" {2,}", completed.out.splitlines()[3])[:5] == [
            "wormhole_b0",
            "One to One Packet Sizes",
            "Sender",
            "n300",
            "noc=1",
        ]

    def test_tests_that_are_not_here_are_one_line(self, run_here: CommandLine, files: list[str]) -> None:
        completed = run_here("accuracy", files[0], "--test", "One*", "--arch", "wormhole_b0")
        assert completed.status == 3  # 60 points were published
        assert completed.err == (
            "not here yet, so not compared: 12 published tests, such as One from All Packet Sizes (wormhole_b0); "
            "'nocbench list --upstream' names them\n"
            "35 published points have no result\n"
        )
        document = json.loads(run_here("accuracy", files[0], "--test", "One*", "--json").out)
        assert len(document["not_here_yet"]) == 24
        assert {"arch": "blackhole", "test": "One Packet Read Sizes 2.0"} in document["not_here_yet"]

    def test_a_file_of_the_suite(self, run_here: CommandLine, files: list[str], tmp_path: Path) -> None:
        path = tmp_path / "wormhole_b0" / "One to One Packet Sizes.csv"
        path.parent.mkdir()
        lines = ["RISC,Transaction Size (bytes),Number of Transactions,Latency (cycles),Bandwidth (bytes/cycle),Cores"]
        rows = make_sweep()
        lines += [f"BRISC,{row['transaction_size_bytes']},{row['num_transactions']},400,1.5,2" for row in rows]
        path.write_text("\n".join(lines))
        completed = run_here("accuracy", files[0], "--reference", path)
        assert completed.status == 3
        assert completed.err == (
            "One to One Packet Sizes, Sender, on wormhole_b0: expected num_cores 2 as published, found 1\n"
            "nothing was published about: Loopback Packet Sizes (wormhole_b0)\n"
            "25 published points have no result\n"
        )
        path.write_text(path.read_text().replace(",2\n", ",1\n").removesuffix("2") + "1")
        assert run_here("accuracy", files[0], "--reference", path).err == (
            "nothing was published about: Loopback Packet Sizes (wormhole_b0)\n"
        )
        path.write_text("\n".join(lines).replace("Latency (cycles)", "Latency (us)"))
        completed = run_here("accuracy", files[0], "--reference", path)
        assert completed.status == 2
        hint = "did you mean 'Latency (us)'?"
        assert completed.err == f"error: {path}:1: there is no column 'latency_cycles'; {hint}\n"

    def test_without_results_what_was_published_runs(self, run_here: CommandLine) -> None:
        completed = run_here("accuracy", "-j0")
        assert completed.status == 3  # the fake simulator's sweeps are shorter than the published ones
        assert "no results given: running 72 points in this process\n" in completed.err

    def test_without_results_nothing_else_runs(self, run_here: CommandLine, files: list[str]) -> None:
        completed = run_here("accuracy", *files[1:], "-j0")  # one test on one architecture
        assert completed.status == 3
        assert "no results given: running 12 points in this process\n" in completed.err
        assert "nothing was published about:" not in completed.err

    def test_without_results_and_nothing_published(self, run_here: CommandLine, tmp_path: Path) -> None:
        make_reference(make_frame(test="Another Test")).to_csv(tmp_path / "reference.csv", index=False)
        completed = run_here("accuracy", "--reference", tmp_path / "reference.csv")
        assert completed.status == 3
        assert completed.err == "error: no results given, and nothing was published about any test that would run\n"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["missing.csv"], "error: missing.csv: cannot be read: No such file or directory\n"),
            (
                ["--bounds", "mean=3"],
                "error: 'mean=3' in the bounds is none of median=PERCENT, p90=PERCENT, max=PERCENT",
            ),
        ],
    )
    def test_bad_input(self, run_here: CommandLine, arguments: list[str], message: str) -> None:
        completed = run_here("accuracy", *arguments)
        assert completed.status == 2
        assert completed.out == ""
        assert completed.err.startswith(message)
