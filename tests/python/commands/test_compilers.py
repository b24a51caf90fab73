"""Rows of compiled kernels name their compiler; comparisons of two compilers are refused, or ignore the name."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sample import make_row

from nocbench import extension
from nocbench.compiling.toolchain import SYSTEM_COMPILER, environment, find_toolchain
from nocbench.gating.conditions import Conditions
from nocbench.gating.verdicts import PointVerdict, Verdict
from nocbench.points import simulation
from nocbench.points.catalogue import BUILT_IN
from nocbench.points.selection import select_points
from nocbench.reports.exports import point_name
from nocbench.results.kept_results import key_of_row
from nocbench.results.result_files import read_rows, write_results
from nocbench.running.execution import _Task, measure
from nocbench.support.columns import COMPILER, changed_values, point_key
from nocbench.support.errors import InputError, PointRejectedError

if TYPE_CHECKING:
    from conftest import CommandLine

CHECKOUT = Path(__file__).resolve().parents[3]
BASELINE = CHECKOUT / "tests" / "gate" / "quick.csv"
COPY = CHECKOUT / "examples" / "copy_pipeline"
COMPILED = ["run", "One to One Custom", "--arch", "blackhole", "--no-cache", "-j", "0", "-a", "num_transactions=1"]
NATIVE = ["run", "One to One Directed Ideal", "--arch", "blackhole", "--no-cache", "-j", "0", "-a", "call_size=64"]


@pytest.fixture
def run(run_in_process: CommandLine) -> CommandLine:
    """Runs a command on the real simulator."""
    return run_in_process


@pytest.fixture
def other_compiler(tmp_path: Path) -> Path:
    """Wraps the pinned compiler, claiming another version."""
    pinned = find_toolchain(None)
    libraries = environment(pinned).get("LD_LIBRARY_PATH", "")
    wrapper = tmp_path / SYSTEM_COMPILER
    wrapper.write_text(
        "#!/bin/sh\n"
        f"export LD_LIBRARY_PATH={shlex.quote(libraries)}\n"
        f'exec {shlex.quote(str(pinned.compiler))} -U__GNUC_MINOR__ -D__GNUC_MINOR__=97 "$@"\n'
    )
    wrapper.chmod(0o755)
    return wrapper


def params_in(path: Path) -> list[str]:
    return [row["params"] for row in read_rows(path)]


def test_rows_name_the_compiler_of_their_kernels(run: CommandLine, tmp_path: Path) -> None:
    label = find_toolchain(None).label
    done = run(*COMPILED, "-o", tmp_path / "compiled.csv")
    assert done.status == 0
    assert f", kernels compiled by {label}\n" in done.err
    assert all(params.endswith(f";compiler={label}") for params in params_in(tmp_path / "compiled.csv"))
    assert label not in done.out  # the table lists points
    native = run(*NATIVE, "-o", tmp_path / "native.csv")
    assert native.status == 0
    assert "compiled by" not in native.err
    assert not any(COMPILER in params for params in params_in(tmp_path / "native.csv"))


def test_another_compiler_for_a_run(run: CommandLine, tmp_path: Path, other_compiler: Path) -> None:
    label = find_toolchain(other_compiler).label
    assert label != find_toolchain(None).label
    for jobs in ("0", "2"):
        rows = tmp_path / f"rows{jobs}.csv"
        done = run(*COMPILED, "-j", jobs, "--cc", other_compiler, "-o", rows)
        assert done.status == 0, done.err
        assert f", kernels compiled by {label}\n" in done.err
        assert all(params.endswith(f";compiler={label}") for params in params_in(rows))
    assert run(*COMPILED, "-o", tmp_path / "usual.csv").status == 0
    done = run("check", rows, "--baseline", tmp_path / "usual.csv")
    assert done.status == 4
    assert f"kernels of One to One Custom on blackhole were compiled by {find_toolchain(None).label} in the base" in (
        done.out
    )
    done = run(*COMPILED, "--cc", tmp_path / "none")
    assert done.status == 2
    assert "expected a compiler for 32-bit RISC-V, found no such program" in done.err


def test_results_of_two_compilers_are_kept_apart(
    run: CommandLine, tmp_path: Path, other_compiler: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOCBENCH_NO_CACHE")
    monkeypatch.setenv("NOCBENCH_CACHE", str(tmp_path / "cache"))
    words = [word for word in COMPILED if word != "--no-cache"]
    assert "kept from earlier runs" not in run(*words, "-o", tmp_path / "first.csv").err
    assert "kept from earlier runs" in run(*words, "-o", tmp_path / "again.csv").err
    assert "kept from earlier runs" not in run(*words, "--cc", other_compiler, "-o", tmp_path / "other.csv").err


def test_programs_and_suites_name_it(run: CommandLine, tmp_path: Path, other_compiler: Path) -> None:
    words = ["kernel", COPY / "copy.yaml", "--arch", "blackhole", "-a", "pages=2"]
    for compiler in (None, other_compiler):
        rows = tmp_path / "kernel.csv"
        done = run(*words, *(() if compiler is None else ("--cc", compiler)), "-o", rows)
        assert done.status == 0, done.err
        label = find_toolchain(compiler).label
        assert {changed_values(params)[COMPILER] for params in params_in(rows)} == {label}
        assert label not in done.out
        suite = [
            "--suite",
            COPY,
            "--tier",
            "quick",
            "--arch",
            "blackhole",
            "--no-cache",
            "-j",
            "0",
            "--exclude",
            "*low*",
        ]
        done = run("run", *suite, *(() if compiler is None else ("--cc", compiler)), "-o", rows)
        assert done.status == 0, done.err
        assert f", kernels compiled by {label}\n" in done.err
        named = {(row["test"], changed_values(row["params"]).get(COMPILER)) for row in read_rows(rows)}
        assert named == {("Copy Pipeline", label), ("Copy Pipeline Buffer Depth", label)}


def test_programs_of_openshmem_name_it(run: CommandLine, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    assert run("shmem", CHECKOUT / "examples" / "shmem" / "ring.c", "-o", rows).status == 0
    assert {changed_values(params)[COMPILER] for params in params_in(rows)} == {find_toolchain(None).label}


def test_tests_say_what_compiles_their_kernels(run: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    label = find_toolchain(None).label
    done = run("list", "one_to_one", "--arch", "blackhole", "--json")
    by_name = {test["test"]: test["compiler"] for test in json.loads(done.out)}
    assert by_name["One to One Packet Sizes"] == ""
    assert by_name["One to One Packet Sizes 2.0"] == label
    assert f"kernels of 7 tests are compiled, by {label}\n" in run("list", "one_to_one", "--arch", "blackhole").err

    def no_compiler(_compiler: Path | None) -> None:
        raise InputError("no compiler for device kernels\nPlease run something")

    monkeypatch.setattr("nocbench.compiling.toolchain.find_toolchain", no_compiler)
    done = run("list", "one_to_one", "--arch", "blackhole")
    assert done.status == 0
    assert "kernels of 7 tests are compiled, and there is no compiler: no compiler for device kernels\n" in done.err
    done = run("list", "one_to_one", "--arch", "blackhole", "--json")
    assert {test["compiler"] for test in json.loads(done.out)} == {"", None}


def test_definitions_say_whether_kernels_are_compiled() -> None:
    """Baseline rows name a compiler if and only if the test's definition declares compiled kernels."""
    for row in read_rows(BASELINE):
        named = COMPILER in changed_values(row["params"])
        assert named == extension.core().has_compiled_kernels(row["test"]), row["test"]


def test_a_definition_that_does_not_say_it_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the declaration, the column and the key of kept results would lack the compiler."""
    [point] = select_points(["One to One Custom"], architectures=["blackhole"], axes={"num_transactions": "1"})
    monkeypatch.setattr(simulation, "compiler_of", lambda _test: "")
    with pytest.raises(RuntimeError, match="a test whose definition does not say so"):
        BUILT_IN.run_point(point)


def test_a_worker_with_another_compiler_refuses() -> None:
    """Its rows would be of another compiler than those of the requesting machine."""
    [point] = select_points(["One to One Custom"], architectures=["blackhole"], axes={"num_transactions": "1"})
    task = _Task((point,), False, None, is_kept=False, compiler_label="gcc-97.0.0")
    with pytest.raises(PointRejectedError, match=r"expected gcc-97\.0\.0, as on the machine that asks, .* found gcc-"):
        measure(task)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Writes results of the same points: of two compilers, and without a compiler's name."""
    paths = {}
    for name, params in (("old", ""), ("a", "compiler=gcc-12.2.0"), ("b", "compiler=gcc-14.2.0")):
        paths[name] = tmp_path / f"{name}.csv"
        native = make_row(test="One to One Custom", num_transactions=4)
        write_results([native, make_row(params=params), make_row(num_transactions=64, params=params)], paths[name])
    return paths


OTHER_CYCLES = "and do not take the same cycles"
RENEW = "run the points whose rows do not name the compiler again with this revision"
RUN_WITH = "run one of them again with the compiler of the other, which --cc names; without --cc it is the pinned one"


@pytest.mark.parametrize(
    ("base", "head", "made"),
    [
        ("a", "b", f"gcc-12.2.0 in {{0}} and by gcc-14.2.0 in {{1}}, {OTHER_CYCLES}: {RUN_WITH}"),
        (
            "old",
            "b",
            f"an unknown compiler in {{0}} and by gcc-14.2.0 in {{1}}, {OTHER_CYCLES}: {RENEW}",
        ),
    ],
)
def test_who_refuses_rows_of_two_compilers(
    run: CommandLine, files: dict[str, Path], tmp_path: Path, base: str, head: str, made: str
) -> None:
    paths = files[base], files[head]
    before = paths[0].read_bytes()
    output = tmp_path / "output.csv"
    sentence = "kernels of One to One Packet Sizes on wormhole_b0 were compiled by " + made
    for words in (
        ["check", paths[1], "--baseline", paths[0]],
        ["compare", *paths],
        ["accept", paths[1], "--baseline", paths[0], "--reason", "x"],
        ["report", paths[1], "--baseline", paths[0], "-o", tmp_path / "report.html"],
        ["merge", *paths, "-o", output, "--mixed-revisions"],
        ["accuracy", *paths],
        ["plot", *paths, "-o", output],
    ):
        done = run(*words)
        assert done.status == 4, words
        sides = ("the base", "the head") if words[0] in ("check", "compare", "accept", "report") else paths
        if words[0] != "report":
            assert sentence.format(*sides) in done.out + done.err, words
    assert paths[0].read_bytes() == before
    assert not output.exists()
    done = run("check", paths[1], "--baseline", paths[0], "-o", tmp_path / "gate")
    assert done.status == 4
    assert sentence.format("the base", "the head") in (tmp_path / "gate" / "summary.md").read_text()


def test_one_compiler_is_compared(run: CommandLine, files: dict[str, Path], tmp_path: Path) -> None:
    for name in files:
        assert run("check", files[name], "--baseline", files[name]).status == 0, name
        assert run("compare", files[name], files[name]).status == 0
    merged = tmp_path / "merged.csv"
    write_results([make_row(num_transactions=256, params="compiler=gcc-12.2.0")], tmp_path / "more.csv")
    assert run("merge", files["a"], tmp_path / "more.csv", "-o", merged).status == 0
    assert len(read_rows(merged)) == 4
    # Rows measured on silicon are comparable with rows of any compiler.
    measured = "arch,test,kernel,num_transactions,transaction_size_bytes,latency_cycles,bandwidth_bytes_per_cycle\n"
    measured += "wormhole_b0,One to One Packet Sizes,Sender,16,64,640.5,1.6\n"
    (tmp_path / "measured.csv").write_text(measured)
    silicon = tmp_path / "measured.csv"
    for words in (["check", files["a"], "--baseline", silicon], ["compare", silicon, files["b"]]):
        done = run(*words)
        assert done.status != 4, done.out + done.err
        assert "compiled by" not in done.out + done.err
    assert run("accuracy", files["b"], silicon, "--reference", silicon).status != 4
    assert run("accuracy", files["b"], "--reference", tmp_path / "measured.csv").status == 0


def test_points_are_the_same_by_any_compiler() -> None:
    plain, named = make_row(params="vc=1"), make_row(params="vc=1;compiler=gcc-12.2.0")
    assert point_key(plain) == point_key(named)
    assert key_of_row(plain) == key_of_row(named)
    assert point_name(plain) == point_name(named)
    verdicts = [PointVerdict.of_row(row, Verdict.SAME, head=row) for row in (plain, named)]
    assert verdicts[0].command() == verdicts[1].command()
    assert verdicts[0].params == verdicts[1].params
    assert Conditions((("params", "vc=1"),)).hold(named)


def test_pages_do_not_show_it(run: CommandLine, files: dict[str, Path], tmp_path: Path) -> None:
    for name in ("old", "a"):
        assert run("plot", files[name], "-o", tmp_path / name).status == 0
    assert run("accuracy", files["old"]).out == run("accuracy", files["a"]).out
    pages = {
        name: {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.md")}
        for name in ("old", "a")
    }
    assert pages["old"]
    assert {path: text.replace(b"a.csv", b"old.csv") for path, text in pages["a"].items()} == pages["old"]
