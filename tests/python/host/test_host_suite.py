"""`nocbench upstream`: a data-movement suite in upstream's layout, that of tests/host_suite and small ones."""

from __future__ import annotations

import csv
import functools
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import nocbench

if TYPE_CHECKING:
    from conftest import CommandLine

SUITE = Path(__file__).resolve().parents[2] / "host_suite"
GTESTS_MIN = 25
# Points of the suite that native kernels have, too. The suite's kernels serve several patterns: they load the
# coordinates of each core within their zone, up to 40 cycles on Blackhole, and compute addresses for each call, which
# long calls hide.
NATIVE = ("One to One Packet Sizes", "One from One Packet Sizes", "Loopback Packet Sizes")
NUM_TRANSACTIONS, CALL_BYTES = 4, 65536
SHARE_MAX = 0.02

ALL_PASS = """
#include "multi_device_fixture.hpp"
namespace tt::tt_metal {
TEST_F(GenericMeshDeviceFixture, Passes) {}
}  // namespace tt::tt_metal
"""


@pytest.mark.parametrize("chip", ["wormhole_b0", "blackhole"])
def test_the_suite_passes_and_agrees_with_native_kernels(run_program: CommandLine, tmp_path: Path, chip: str) -> None:
    done = run_program("upstream", SUITE, "--arch", chip, "--check", "all", "-o", tmp_path, "--json")
    assert done.status == 0, done.err
    whole = json.loads(done.out)
    assert whole["findings"] == []
    assert set(whole["gtests"].values()) == {"passed"}
    assert len(whole["gtests"]) >= GTESTS_MIN
    assert "without a measurement" not in done.err
    assert {path.stem for path in (tmp_path / chip).iterdir()} == {test["name"] for test in whole["tests"]}
    assert (tmp_path / "profile_log_device.csv").read_text().startswith(f"ARCH: {chip}, CHIP_FREQ[MHz]: ")
    assert len(nocbench.read_results(tmp_path / "rows.csv")) >= sum(test["points"] for test in whole["tests"])
    for name in NATIVE:
        with (tmp_path / chip / f"{name}.csv").open() as file:
            measured = {
                (int(row["Number of Transactions"]), int(row["Transaction Size (bytes)"])): float(
                    row["Latency (cycles)"]
                )
                for row in csv.DictReader(file)
            }
        native = nocbench.run(name, arch=chip, num_transactions=[NUM_TRANSACTIONS], call_size=[CALL_BYTES])
        assert measured[NUM_TRANSACTIONS, CALL_BYTES] == pytest.approx(native["latency_cycles"][0], rel=SHARE_MAX), name


@pytest.fixture
def small_suite(tmp_path: Path) -> Path:
    (tmp_path / "dm_common.cpp").write_text("")
    (tmp_path / "test_right.cpp").write_text(ALL_PASS)
    return tmp_path


def test_needs_a_suite(run_program: CommandLine, tmp_path: Path) -> None:
    done = run_program("upstream", tmp_path, "--arch", "blackhole")
    assert done.status == 2
    assert f"error: {tmp_path}: expected a checkout of tt-metal with tests/tt_metal/" in done.err
    assert done.out == ""
    assert not (tmp_path / "upstream").exists()


def test_leaves_out_what_does_not_compile(run_program: CommandLine, small_suite: Path) -> None:
    (small_suite / "test_wrong.cpp").write_text("int wrong() { return x; }")
    done = run_program("upstream", small_suite, "--arch", "blackhole", "-o", small_suite / "out")
    assert done.status == 0
    assert f"left out: {small_suite / 'test_wrong.cpp'}:1: 'x' was not declared in this scope" in done.err
    assert "1 gtest: 1 passed, 0 failed, 0 skipped" in done.err
    assert "passed without a measurement: GenericMeshDeviceFixture.Passes" in done.err


def test_a_source_that_others_need_is_named(run_program: CommandLine, small_suite: Path) -> None:
    (small_suite / "dm_common.cpp").write_text("int common() { return x; }")
    test = next(small_suite.glob("test_*.cpp"))
    test.write_text(f"int common();\nint used = common();\n{test.read_text()}")
    done = run_program("upstream", small_suite, "--arch", "blackhole", "-o", small_suite / "out")
    assert done.status == 2
    assert f"left out: {small_suite / 'dm_common.cpp'}:1: 'x' was not declared in this scope" in done.err
    assert "'common()' is used, but defined nowhere" in done.err


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('FAIL() << "as planted";', "as planted"),
        ("std::abort();", "killed by SIGABRT"),
        ("std::exit(3);", "expected a return from main(), found exit(3)"),
        (
            """Program program;
            CreateKernel(program, "none.cpp", CoreCoord{0, 0}, DataMovementConfig{});
            detail::LaunchProgram(get_mesh_device().get(), program);""",
            "none.cpp: no such file",
        ),
    ],
)
def test_a_gtest_that_fails_leaves_the_others_alone(
    run_program: CommandLine, small_suite: Path, body: str, words: str
) -> None:
    (small_suite / "test_fails.cpp").write_text(ALL_PASS.replace("Passes) {", f"Fails) {{ {body}"))
    done = run_program("upstream", small_suite, "--arch", "blackhole", "-o", small_suite / "out", "--json", "-j", "2")
    assert done.status == 1
    assert "failed: GenericMeshDeviceFixture.Fails:\n" in done.err
    assert words in done.err
    assert json.loads(done.out)["gtests"] == {
        "GenericMeshDeviceFixture.Fails": "failed",
        "GenericMeshDeviceFixture.Passes": "passed",
    }


def test_runs_gtests_in_its_own_process(run_program: CommandLine, small_suite: Path) -> None:
    (small_suite / "test_fails.cpp").write_text(ALL_PASS.replace("Passes) {", "Fails) { FAIL();"))
    done = run_program("upstream", small_suite, "--arch", "blackhole", "-o", small_suite / "out", "-j", "0")
    assert done.status == 1
    assert done.err.endswith("failed: GenericMeshDeviceFixture.Fails\n")  # its output has been printed


def test_keeps_what_has_ended_before_an_interruption(small_suite: Path) -> None:
    begun = small_suite / "begun"
    waits = f"""Waits) {{
    std::ofstream("{begun}").close();
    std::this_thread::sleep_for(std::chrono::minutes(10));"""
    includes = "#include <chrono>\n#include <fstream>\n#include <thread>\n"
    (small_suite / "test_waits.cpp").write_text(includes + ALL_PASS.replace("Passes) {", waits))
    words = ["upstream", small_suite, "--arch", "blackhole", "-o", small_suite / "out", "-j", "1", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "nocbench", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Background jobs of a shell ignore SIGINT, and their children inherit this.
        preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        while not begun.exists() and process.poll() is None:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130, err
    assert err.endswith("interrupted: 1 gtest left out\n")
    assert json.loads(out)["gtests"] == {"GenericMeshDeviceFixture.Passes": "passed"}


def test_refuses_a_filter_that_matches_nothing(run_program: CommandLine, small_suite: Path) -> None:
    done = run_program("upstream", small_suite, "--arch", "blackhole", "-o", small_suite / "out", "--gtest_filter=X")
    assert done.status == 2
    assert "error: --gtest_filter X: expected the name of a gtest, found none that matches" in done.err
    assert not (small_suite / "out").exists()


def test_results_do_not_depend_on_the_number_of_processes(run_program: CommandLine, tmp_path: Path) -> None:
    for jobs in ("0", "2"):
        chosen = ("--gtest_filter=*DRAMChannels:*AtomicSemaphore*", "--accuracy", "fast", "-j", jobs)
        done = run_program("upstream", SUITE, "--arch", "blackhole", "-o", tmp_path / jobs, *chosen)
        assert done.status == 0, done.err
    for name in ("rows.csv", "profile_log_device.csv"):
        assert (tmp_path / "0" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    rows = nocbench.read_results(tmp_path / "0" / "rows.csv")
    assert rows["params"].str.contains("accuracy=fast").all()
    numbers = rows["test"].str.removeprefix("program_").astype(int)
    assert sorted(set(numbers)) == list(range(numbers.nunique()))
    assert numbers.nunique() > 1
