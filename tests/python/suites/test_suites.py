"""Suites from the first file to the gate, as typed by a user."""

from __future__ import annotations

import csv
import io
import json
import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from small_suite import KERNEL, PROGRAM, SUITE, Repository

import nocbench
from nocbench.compiling.toolchain import find_toolchain
from nocbench.points.catalogue import BUILT_IN, in_use, using
from nocbench.points.selection import select_points
from nocbench.reports.html_data import report_data
from nocbench.reports.plain_results import points_of
from nocbench.results.result_files import read_rows
from nocbench.suites.beginning import begin_suite
from nocbench.suites.origin import Origin, find_origin
from nocbench.suites.suite import Suite, _opened_again
from nocbench.suites.suite_sources import tree_digest
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from conftest import CommandLine
    from small_suite import WriteSuite

COMPILER = f"compiler={find_toolchain(None).label}"
EXAMPLES = Path(__file__).parents[3] / "examples"
SLOWER_KERNEL = KERNEL.replace("    }\n", "        noc_async_write_barrier();\n    }\n", 1)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def digests(suite: Suite) -> list[str]:
    with using(suite):
        return [point.digest() for point in select_points([], tier="quick")]


def test_its_tests_are_listed_with_ids_and_parameters(write_suite: WriteSuite, run_program: CommandLine) -> None:
    listed = run_program("list", "--suite", write_suite(), "--json")
    (test,) = json.loads(listed.out)
    assert (test["test"], test["test_id"], test["primitive"]) == ("Packets", 100_000, "small")
    assert test["axes"] == {"full": {"pages": ["1", "2", "4", "8"]}, "quick": {"pages": ["1", "4"]}}
    assert [parameter["default"] for parameter in test["parameters"]] == ["4"]


def test_rows_have_the_columns_of_results(write_suite: WriteSuite, run_program: CommandLine) -> None:
    done = run_program("run", "--suite", write_suite(), "--tier", "quick", "-o", "-", "-j0")
    assert done.status == 0, done.err
    rows = rows_of(done.out)
    assert [row["params"] for row in rows] == [f"pages={pages};{COMPILER}" for pages in (1, 4)]
    assert [row["num_transactions"] for row in rows] == ["1", "4"]
    assert {row["call_size_bytes"] for row in rows} == {"64"}
    assert {row["data_ok"] for row in rows} == {"True"}
    assert all("@" in row["revision"] for row in rows)


def test_scripts_run_suites(write_suite: WriteSuite) -> None:
    directory = write_suite()
    frame = nocbench.run("Packets", suite=directory, pages=[1, 2], jobs=0)
    assert list(frame["params"]) == [f"pages={pages};{COMPILER}" for pages in (1, 2)]
    assert [test.test for test in nocbench.list_tests(suite=directory)] == ["Packets"]


def test_a_run_takes_parameters_settings_and_shards(
    write_suite: WriteSuite, run_program: CommandLine, tmp_path: Path
) -> None:
    directory = write_suite()
    chosen = ["run", "--suite", directory, "100000", "-a", "pages=2,8", "--set", "router.hop_cycles=8,9"]
    whole = tmp_path / "whole.csv"
    assert run_program(*chosen, "-o", whole).status == 0
    parts = [tmp_path / f"part{number}.csv" for number in (1, 2)]
    for number, part in enumerate(parts, start=1):
        assert run_program(*chosen, "--shard", f"{number}/2", "-o", part).status == 0
    merged = run_program("merge", "--shards", "2", *parts, "-o", tmp_path / "merged.csv")
    assert merged.status == 0, merged.err
    assert (tmp_path / "merged.csv").read_bytes() == whole.read_bytes()
    assert [row["params"] for row in rows_of(whole.read_text())] == [
        f"pages={pages};router.hop_cycles={cycles};{COMPILER}" for cycles in (8, 9) for pages in (2, 8)
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-a", "page=1"], "'Packets' on blackhole has no parameter 'page'; did you mean 'pages'?"),
        (["-a", "pages=many"], "pages=many: not a whole number"),
        (["Packet"], "no test is called 'Packet'; did you mean 'Packets'?"),
        (["One to One Packet Sizes"], "no test is called 'One to One Packet Sizes'; 'nocbench list' names them all"),
        (["Packets", "--arch", "wormhole_b0"], "'Packets' is for blackhole, not for wormhole_b0"),
    ],
)
def test_a_wrong_choice_is_refused(
    write_suite: WriteSuite, run_program: CommandLine, arguments: list[str], message: str
) -> None:
    refused = run_program("run", "--suite", write_suite(), *arguments)
    assert (refused.status, refused.out) == (2, "")
    assert message in refused.err


def test_wrong_data_is_a_negative_verdict(write_suite: WriteSuite, run_program: CommandLine) -> None:
    directory = write_suite(program=PROGRAM.replace("equals: {counting: 5}", "equals: zeros"))
    wrong = run_program("run", "--suite", directory, "--tier", "quick", "-j0")
    assert wrong.status == 1
    assert "wrong data: Packets, write, on blackhole" in wrong.err


def test_a_kernel_that_does_not_compile_is_named_with_its_line(
    write_suite: WriteSuite, run_program: CommandLine
) -> None:
    directory = write_suite(kernel=KERNEL.replace("PAGES", "PAGE"))
    refused = run_program("run", "--suite", directory, "--tier", "quick")
    assert refused.status == 2
    assert "write.cpp:6: 'PAGE' was not declared" in refused.err


def test_contents_of_all_files_that_are_reached_tell_points_apart(write_suite: WriteSuite) -> None:
    directory = write_suite()
    before = Suite(str(directory))
    assert {path.name for path in before.files} == {"nocbench.yaml", "write.yaml", "write.cpp", "count.h"}
    (directory / "notes.txt").write_text("of no account")
    assert digests(Suite(str(directory))) == digests(before)
    for name in ("kernels/count.h", "kernels/write.cpp", "write.yaml"):
        file = directory / name
        text = file.read_text()
        file.write_text(f"{text}\n")
        changed = Suite(str(directory))
        assert not set(digests(changed)) & set(digests(before)), name
        assert changed.revision() != before.revision()
        assert changed.identity() != before.identity()
        file.write_text(text)
    assert digests(Suite(str(directory))) == digests(before)


def test_of_a_header_that_a_macro_names_all_headers_count(write_suite: WriteSuite) -> None:
    directory = write_suite(kernel=KERNEL.replace('"count.h"', "COUNT_HEADER"))
    assert "count.h" in {path.name for path in Suite(str(directory)).files}


def test_headers_of_tt_metal_count(write_suite: WriteSuite, tmp_path: Path) -> None:
    headers = tmp_path / "tree" / "tt_metal" / "hw" / "inc"
    needed = ["api/dataflow/dataflow_api.h", "api/debug/kernel_profiler.hpp"]
    needed += [f"internal/tt-1xx/{folder}/dev_mem_map.h" for folder in ("wormhole", "blackhole")]
    needed.append("ckernel_structs.h")
    for name in needed:
        (headers / name).parent.mkdir(parents=True, exist_ok=True)
        (headers / name).write_text("#pragma once\n")
    directory = write_suite(program=f"tt_metal: {tmp_path / 'tree'}\n{PROGRAM}")
    before = Suite(str(directory)).revision()
    assert Suite(str(directory)).revision() == before
    (headers / needed[0]).write_text("#pragma once  // changed\n")
    tree_digest.cache_clear()  # as in a new process
    assert Suite(str(directory)).revision() != before


def test_reports_show_swept_parameters_and_write_as_sizes_only_what_is_one(
    write_suite: WriteSuite, run_program: CommandLine, tmp_path: Path
) -> None:
    results = tmp_path / "results.csv"
    for name, is_size in (("pages", False), ("num_bytes", True)):
        texts = [text.replace("pages", name) for text in (SUITE, PROGRAM)]
        directory = write_suite(*texts)
        assert run_program("run", "--suite", directory, "--tier", "quick", "-j0", "-o", results).status == 0
        assert run_program("report", results, "--suite", directory, "-o", tmp_path / "report.html").status == 0
        with using(Suite(str(directory))):
            (table,) = report_data(points_of(read_rows(results)), has_base=False)["tables"]
        assert (table["xLabel"], table["xLog"]) == (name, is_size)


def test_data_files_count(write_suite: WriteSuite) -> None:
    directory = write_suite()
    (directory / "data.bin").write_bytes(bytes(64))
    (directory / "write.yaml").write_text(
        PROGRAM.replace("{counting: 5}}\n  target", "{from_file: data.bin}}\n  target")
    )
    before = Suite(str(directory)).revision()
    (directory / "data.bin").write_bytes(bytes(63) + b"1")
    assert Suite(str(directory)).revision() != before


def test_a_worker_refuses_other_contents(write_suite: WriteSuite) -> None:
    directory = write_suite()
    carried = pickle.dumps(Suite(str(directory)))
    assert pickle.loads(carried).name == "small"
    _opened_again.cache_clear()  # as in a process that has not opened the suite yet
    (directory / "kernels" / "write.cpp").write_text(SLOWER_KERNEL)
    with pytest.raises(InputError, match="the files of the suite changed while its tests ran"):
        pickle.loads(carried)
    assert pickle.loads(pickle.dumps(BUILT_IN)) is BUILT_IN


def test_a_point_whose_files_change_while_it_runs_has_no_result(write_suite: WriteSuite) -> None:
    directory = write_suite()
    suite = Suite(str(directory))
    with using(suite):
        point = select_points([], tier="quick")[0]
    (directory / "kernels" / "count.h").write_text("// changed\n")
    with pytest.raises(InputError, match="the files of 'Packets' changed while it ran"):
        suite.run_point(point)


def test_resuming_does_not_take_over_rows_of_another_kernel(
    write_suite: WriteSuite, run_program: CommandLine, tmp_path: Path
) -> None:
    directory = write_suite()
    results = tmp_path / "results.csv"
    journal = tmp_path / "results.csv.journal"
    run = ["run", "--suite", directory, "--tier", "quick", "-j0", "-o", results]
    whole = run_program(*run)
    assert whole.status == 0, whole.err
    fast = rows_of(results.read_text())
    # Simulates a run that died before writing its results.
    _leave_journal(directory, journal)
    again = run_program(*run)
    assert f"2 of 2 points taken over from {journal}" in again.err
    assert rows_of(results.read_text()) == fast
    _leave_journal(directory, journal)
    (directory / "kernels" / "write.cpp").write_text(SLOWER_KERNEL)
    other = run_program(*run)
    assert "taken over" not in other.err
    assert "2 points in" in other.err
    slow = rows_of(results.read_text())
    assert int(slow[1]["latency_cycles"]) > int(fast[1]["latency_cycles"])


_LEAVE_JOURNAL = """
import sys
from pathlib import Path

from nocbench.points.catalogue import using
from nocbench.points.selection import select_points
from nocbench.running.execution import _measure_point, _Task
from nocbench.running.journal import Journal
from nocbench.suites.suite import Suite

with using(Suite(sys.argv[1])):
    points = select_points([], tier="quick")
    with Journal(Path(sys.argv[2]), points, whole=False) as journal:
        for point in points:
            journal.record(point, _measure_point(point, _Task((point,), False, None, is_kept=False), None))
"""


def _leave_journal(directory: Path, path: Path) -> None:
    """Runs in a separate process, since effects of earlier tests must not become part of the revision."""
    subprocess.run([sys.executable, "-c", _LEAVE_JOURNAL, str(directory), str(path)], check=True)


def test_the_catalogue_in_use_is_the_built_in_one_again_afterwards(write_suite: WriteSuite) -> None:
    suite = Suite(str(write_suite()))
    with using(suite):
        assert in_use() is suite
    assert in_use() is BUILT_IN


def test_inline_programs_and_given_ids(write_suite: WriteSuite) -> None:
    indented = "".join(f"      {line}\n" for line in PROGRAM.strip().splitlines())
    suite = SUITE.replace("program: write.yaml", f"id: 12\n    program:\n{indented.rstrip()}")
    (test,) = Suite(str(write_suite(suite))).list_tests("blackhole")
    assert (test.test_id, test.description) == (12, "Packets go to another core.")


def test_a_kernel_that_moves_nothing_has_a_row_that_is_read_again(
    write_suite: WriteSuite, run_program: CommandLine, tmp_path: Path
) -> None:
    directory = write_suite(kernel="void kernel_main() {}\n", program=PROGRAM.partition("expect:")[0])
    results = tmp_path / "results.csv"
    assert run_program("run", "--suite", directory, "--tier", "quick", "-j0", "-o", results).status == 0
    (first, _) = rows_of(results.read_text())
    assert [first[name] for name in ("num_transactions", "transaction_size_bytes", "bandwidth_bytes_per_cycle")] == [
        *"000"
    ]
    judged = run_program("check", results, "--suite", directory, "--baseline", results)
    assert judged.status == 0, judged.err
    assert run_program("plot", results, "--suite", directory).status == 0
    page = (directory / "plots" / "blackhole" / "README.md").read_text()
    assert "The kernel itself moves no data." in page


def test_a_maximum_of_the_suite_is_a_bound_on_what_the_model_may_say(
    write_suite: WriteSuite, run_program: CommandLine, tmp_path: Path
) -> None:
    directory = write_suite(f"{SUITE}    theoretical_bytes_per_cycle: 0.01\n")
    results = tmp_path / "results.csv"
    assert run_program("run", "--suite", directory, "--tier", "quick", "-j0", "-o", results).status == 0
    judged = run_program("check", results, "--suite", directory, "--baseline", results)
    assert judged.status == 1
    assert "above the theoretical maximum of 0.01" in judged.out


def test_check_and_accept_say_what_they_want(write_suite: WriteSuite, run_program: CommandLine) -> None:
    directory = write_suite()
    expected = "xpected a file of result rows, as 'nocbench run -o results.csv' writes (with --suite DIR for a suite)"
    for command in (["check"], ["accept", "--reason", "the first ones"]):
        for arguments, found in (([], "."), (["Packets"], ", found no such file"), ([directory], ", found a folder")):
            asked = run_program(*command, *arguments, "--suite", directory)
            assert asked.status == 2
            assert f"{expected}{found}" in asked.err
    asked = run_program("check", "results.csv", "--suite")
    assert asked.status == 2
    assert "--suite DIR  Take, instead of the tests of nocbench, those of the suite in DIR" in asked.err
    assert "--base REV  Branch, tag or commit" in run_program("gate", "--suite", directory).err


def test_a_sweep_of_one_tier_belongs_to_both(write_suite: WriteSuite, run_program: CommandLine) -> None:
    for tier in ("quick", "full"):
        sweep = f"sweep: {{{tier}: {{pages: [1, 4]}}}}\n"
        directory = write_suite(SUITE[: SUITE.index("sweep:")] + sweep)
        listed = run_program("list", "--suite", directory, "--json")
        (test,) = json.loads(listed.out)
        assert test["axes"] == {"full": {"pages": ["1", "4"]}, "quick": {"pages": ["1", "4"]}}


def test_baseline_check_accept_and_report(write_suite: WriteSuite, run_program: CommandLine, tmp_path: Path) -> None:
    directory = write_suite()
    results = tmp_path / "results.csv"
    quick = ["run", "--suite", directory, "--tier", "quick", "-j0", "-o", results]
    assert run_program(*quick).status == 0
    missing = run_program("check", results, "--suite", directory)
    assert missing.status == 3
    assert f"{directory / 'baseline.csv'}: there is no baseline" in missing.err
    assert run_program("accept", results, "--suite", directory, "--reason", "the first ones").status == 0
    assert run_program("check", results, "--suite", directory).status == 0
    (directory / "kernels" / "write.cpp").write_text(SLOWER_KERNEL)
    assert run_program(*quick).status == 0
    slower = run_program("check", results, "--suite", directory)
    assert slower.status == 1
    assert f"accept: nocbench accept {results} --suite {directory} --reason ..." in slower.out
    page = tmp_path / "report.html"
    reported = run_program(
        "report", results, "--suite", directory, "--baseline", directory / "baseline.csv", "-o", page
    )
    assert reported.status == 1
    assert f"nocbench run --suite {directory} Packets" in page.read_text()


def test_pages_are_written_to_the_suite_and_are_the_same_again(
    write_suite: WriteSuite, run_program: CommandLine
) -> None:
    directory = write_suite()
    assert run_program("plot", "--suite", directory).status == 0
    pages = {path: path.read_bytes() for path in sorted((directory / "plots").rglob("*")) if path.is_file()}
    names = {path.relative_to(directory / "plots").as_posix() for path in pages}
    assert names == {"README.md", "blackhole/README.md", "blackhole/packets.svg"}
    page = pages[directory / "plots" / "blackhole" / "README.md"].decode()
    assert page.startswith("# small on blackhole\n")
    assert "silicon" not in page
    assert run_program("plot", "--suite", directory).status == 0
    assert {path: path.read_bytes() for path in pages} == pages


def test_a_new_user_begins_runs_and_gates(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    begun = repository.nocbench("init", "demo")
    assert begun.returncode == 0, begun.stderr
    workflows = [".github/workflows/nocbench-comment.yml", ".github/workflows/nocbench.yml"]
    assert begun.stdout.splitlines()[:2] == workflows
    assert "demo/.gitignore" in begun.stdout.splitlines()
    assert 'suite: "demo"\n' in (tmp_path / ".github/workflows/nocbench.yml").read_text()
    repository.commit()
    quick = ["--suite", "demo", "100000", "--arch", "blackhole"]
    same = repository.nocbench("gate", *quick, "--base", "main")
    assert same.returncode == 0, same.stderr
    assert "PASS: 4 same" in same.stdout
    writer = tmp_path / "demo" / "kernels" / "writer.cpp"
    writer.write_text(writer.read_text().replace("noc_async_writes_flushed", "noc_async_write_barrier"))
    slower = repository.nocbench("gate", *quick, "--base", "main", "-o", "gate")
    assert slower.returncode == 1, slower.stderr
    assert "first differing event: " in slower.stdout
    assert "note: changed files of the suite: demo/kernels/writer.cpp" in slower.stdout
    assert "reproduce: nocbench run --suite demo 'Copy Pipeline' --arch blackhole" in slower.stdout
    assert "the base was simulated by" not in (tmp_path / "gate" / "comment.md").read_text()
    status = subprocess.run(["git", "status", "--short"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert status.stdout.splitlines() == [" M demo/kernels/writer.cpp", "?? gate/"]
    assert len(list((tmp_path / "gate" / "worst").glob("*.json.gz"))) > 0


def test_the_gate_of_a_suite_that_the_base_has_not_is_incomplete(tmp_path: Path, write_suite: WriteSuite) -> None:
    repository = Repository(tmp_path)
    (tmp_path / "README.md").write_text("a repository\n")
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "suite")
    write_suite()
    repository.commit()
    gate = repository.nocbench("gate", "--suite", "small", "--base", "main")
    assert gate.returncode == 3
    assert "expected small/nocbench.yaml in this commit, found none" in gate.stderr


def test_a_change_of_the_rules_is_named(tmp_path: Path, write_suite: WriteSuite) -> None:
    repository = Repository(tmp_path)
    directory = write_suite()
    repository.commit()
    rules = "policy:\n  version: 1\n  rules: [{metric: latency_cycles, slower: 90 %, reason: anything goes}]\n"
    (directory / "nocbench.yaml").write_text(SUITE + rules)
    gate = repository.nocbench("gate", "--suite", "small", "--base", "main", "-j0")
    assert gate.returncode == 0, gate.stderr
    assert "beware: judged by a policy that this change itself changes: small/nocbench.yaml" in gate.stdout


def test_outside_of_a_repository_there_is_no_gate(write_suite: WriteSuite, run_program: CommandLine) -> None:
    refused = run_program("gate", "--suite", write_suite(), "--base", "main")
    assert refused.status == 2
    assert "expected a folder in a git repository" in refused.err


def test_nothing_is_written_over(tmp_path: Path, run_program: CommandLine) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "policy.yaml").write_text("mine\n")
    refused = run_program("init", tmp_path / "demo")
    assert refused.status == 2
    assert f"expected none of the files of a new suite, found {tmp_path / 'demo' / 'policy.yaml'}" in refused.err
    assert [path.name for path in (tmp_path / "demo").iterdir()] == ["policy.yaml"]


@pytest.mark.parametrize("name", ["demo", "a: b", "true", "1"])
def test_any_name_of_a_folder_will_do(tmp_path: Path, name: str) -> None:
    begin_suite(tmp_path / name)
    assert Suite(str(tmp_path / name)).name == name


def test_workflows_use_the_nocbench_that_is_named(tmp_path: Path, run_program: CommandLine) -> None:
    begun = run_program("init", tmp_path / "demo", "--origin", "somebody/bench@v1.2")
    assert begun.status == 0, begun.err
    workflows = tmp_path / "demo" / ".github" / "workflows"
    assert "uses: somebody/bench/.github/actions/gate@v1.2\n" in (workflows / "nocbench.yml").read_text()
    comment = yaml.safe_load((workflows / "nocbench-comment.yml").read_text())
    assert comment["jobs"]["comment"]["uses"] == "somebody/bench/.github/workflows/comment.yml@v1.2"
    assert comment[True]["workflow_run"]["workflows"] == [
        yaml.safe_load((workflows / "nocbench.yml").read_text())["name"]
    ]
    assert comment["permissions"] == {}
    wrong = run_program("init", tmp_path / "other", "--origin", "bench")
    assert wrong.status == 2
    assert "--origin: expected OWNER/NAME@REVISION, found 'bench'" in wrong.err
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("url", ["https://github.com/o/n.git", "git@github.com:o/n", "ssh://git@github.com/o/n.git"])
def test_the_origin_is_that_of_the_checkout(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path)
    (tmp_path / "file").write_text("")
    repository.commit()
    monkeypatch.setattr("nocbench.suites.origin.checkout", lambda: tmp_path)
    assert find_origin() is None
    repository.git("remote", "add", "origin", url)
    origin = find_origin()
    assert origin is not None
    assert (origin.repository, len(origin.revision)) == ("o/n", 40)


def test_the_origin_is_that_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    source = {"url": "https://github.com/o/n", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}}
    monkeypatch.setattr("nocbench.suites.origin.checkout", lambda: None)
    distribution = SimpleNamespace(read_text=lambda _: json.dumps(source))
    monkeypatch.setattr("importlib.metadata.distribution", lambda _: distribution)
    assert find_origin() == Origin("o/n", "c0ffee")
    source["url"] = "https://somewhere.else/o/n"
    assert find_origin() is None


@pytest.mark.parametrize("example", ["copy_pipeline", "producer_consumers", "host"])
def test_examples_run_with_right_data(run_program: CommandLine, example: str) -> None:
    done = run_program("run", "--suite", EXAMPLES / example, "--tier", "quick", "--json", "-j0")
    assert done.status == 0, done.err
    rows: list[dict[str, Any]] = json.loads(done.out)["rows"]
    assert {row["arch"] for row in rows} == {"blackhole", "wormhole_b0"}
    assert all(row["data_ok"] for row in rows)


def test_multicast_serves_many_consumers_sooner_than_one_after_the_other(run_program: CommandLine) -> None:
    chosen = ["-a", "columns=6", "-a", "block_bytes=4096", "--arch", "wormhole_b0", "--json"]
    done = run_program("run", "--suite", EXAMPLES / "producer_consumers", *chosen)
    cycles = {(row["test"], row["kernel"]): row["latency_cycles"] for row in json.loads(done.out)["rows"]}
    assert cycles["Multicast Blocks", "consumer"] < cycles["Unicast Blocks", "consumer"]
