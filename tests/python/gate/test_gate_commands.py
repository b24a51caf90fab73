from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sample import make_sweep
from sample_gate import make_point, make_report

from nocbench.gating.run import CheckoutSubject, accept_options
from nocbench.gating.verdicts import Verdict
from nocbench.results.result_files import read_results, write_results

if TYPE_CHECKING:
    from conftest import CommandLine

    from nocbench.support.columns import Row


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "base.csv"
    write_results(make_sweep(), path)
    return path


def write(tmp_path: Path, rows: list[Row], name: str = "head.csv") -> Path:
    write_results(rows, tmp_path / name)
    return tmp_path / name


def slowed(rows: list[Row], number: int, factor: float = 1.1) -> list[Row]:
    changed = rows[number] | {"latency_cycles": rows[number]["latency_cycles"] * factor}
    return [*rows[:number], changed, *rows[number + 1 :]]


def test_check_passes(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    completed = run_here("check", write(tmp_path, make_sweep()), "--baseline", base)
    assert completed.status == 0
    assert completed.out.splitlines()[0] == "PASS: 25 same; 25 of 25 points gated"


def test_check_fails(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    head = write(tmp_path, slowed(make_sweep(), 24))
    completed = run_here("check", head, "--baseline", base)
    assert completed.status == 1
    assert completed.out.splitlines()[0] == "FAIL: 1 slower, 24 same; 25 of 25 points gated"
    assert "+10.00 %" in completed.out
    assert "reproduce: nocbench run 'One to One Packet Sizes' --arch wormhole_b0" in completed.out
    assert f"accept: nocbench accept {head} --baseline {base} --reason ..." in completed.out
    document = json.loads(run_here("check", head, "--baseline", base, "--json").out)
    assert (document["outcome"], document["exit_status"]) == ("FAIL", 1)


@pytest.mark.parametrize("as_json", [False, True])
def test_annotations_stay_out_of_json(
    run_here: CommandLine, tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch, *, as_json: bool
) -> None:
    head = write(tmp_path, slowed(make_sweep(), 24))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    check = ["check", head, "--baseline", base, "-o", tmp_path / "report"]
    completed = run_here(*check, *(["--json"] if as_json else []))
    assert completed.status == 1
    annotated, other = (completed.err, completed.out) if as_json else (completed.out, completed.err)
    assert annotated.count("::error ") == 1
    assert "::error " not in other
    if as_json:
        assert json.loads(completed.out)["outcome"] == "FAIL"


def test_a_missing_baseline_is_not_green(run_here: CommandLine, tmp_path: Path) -> None:
    head = write(tmp_path, make_sweep())
    completed = run_here("check", head, "--baseline", tmp_path / "none.csv")
    assert completed.status == 3
    assert "there is no baseline; 'nocbench accept" in completed.err


def test_a_choice_of_tests(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    other = make_sweep(test="Loopback Packet Sizes", primitive="loopback", test_id=16)
    head = write(tmp_path, slowed(make_sweep(), 24) + other)
    assert run_here("check", head, "--baseline", base, "--test", "Loop*").status == 4
    completed = run_here("check", head, "--baseline", base, "--test", "Nothing*")
    assert completed.status == 3
    assert "the results hold no test 'Nothing*'" in completed.err
    completed = run_here("check", head, "--baseline", base, "--test", "One to*")
    assert completed.status == 1
    assert f"accept: nocbench accept {head} --baseline {base} --reason ... --test 'One to*'\n" in completed.out


def test_a_fall_of_coverage_is_not_green(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "version: 1\nrules:\n  - metric: latency_cycles\n    match: {num_transactions: 1}\n    slower: 0 %\n"
        "coverage: {gated_points: 25}\n"
    )
    completed = run_here("check", base, "--baseline", base, "--policy", policy)
    assert completed.status == 3
    assert "coverage: 5 points are gated, the policy wants at least 25" in completed.out


@pytest.mark.parametrize("cell", ["nan", "inf", "-5", "fast"])
def test_numbers_that_are_none(run_here: CommandLine, tmp_path: Path, base: Path, cell: str) -> None:
    lines = base.read_text().splitlines()
    record = next(csv.reader([lines[3]]))
    record[5] = cell
    lines[3] = ",".join(record)
    head = tmp_path / "head.csv"
    head.write_text("\n".join(lines) + "\n")
    completed = run_here("check", head, "--baseline", base)
    assert completed.status == 2
    assert f"{head}:4: latency_cycles: '{cell}'" in completed.err


def test_results_of_another_schema(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    head = tmp_path / "head.csv"
    head.write_text(base.read_text().replace("latency_cycles", "latency_ns", 1))
    completed = run_here("check", head, "--baseline", base)
    assert completed.status == 2
    assert f"{head}:1: there is no column 'latency_cycles'" in completed.err


def test_published_tables_pass_the_same_gate(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    lines = [
        "# Data movement\n## Wormhole_B0\n### One to One Packet Sizes\n#### Sender kernel\n",
        "| Number of Transactions | Transaction Size (bytes) | Latency (cycles) | Bandwidth (bytes/cycle) |",
        "|---|--:|:-:|---|",
        *(
            f"| {row['num_transactions']} | {row['transaction_size_bytes']:,} | {row['latency_cycles'] * 1.02:.1f} "
            f"| {row['bandwidth_bytes_per_cycle']:.4f} |"
            for row in make_sweep()
        ),
    ]
    silicon = tmp_path / "silicon.md"
    silicon.write_text("\n".join(lines) + "\n")
    completed = run_here("check", silicon, "--baseline", base)
    assert completed.status == 1
    assert f"head: {silicon}, measured on hardware" in completed.out
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "version: 1\nrules:\n  - {metric: latency_cycles, slower: 0 %}\n"
        "noise:\n  - {metric: latency_cycles, percent: 3 %}\n"
    )
    completed = run_here("check", silicon, "--baseline", base, "--policy", policy)
    assert completed.status == 0
    assert "25 changed within their rules" in completed.out


def test_a_file_of_the_tt_metal_suite_is_either_side(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    silicon = tmp_path / "wormhole_b0" / "One to One Packet Sizes.csv"
    silicon.parent.mkdir()
    heading = (
        "RISC,NoC,Number of Transactions,Transaction Size (bytes),Mechanism,Latency (cycles),Bandwidth (bytes/cycle)"
    )
    lines = [
        f"riscv_0,NOC_0,{row['num_transactions']},{row['transaction_size_bytes']},unicast,{row['latency_cycles']},"
        f"{row['bandwidth_bytes_per_cycle']}"
        for row in make_sweep()
    ]
    silicon.write_text("\n".join([heading, *lines]) + "\n")
    for arguments in (("check", silicon, "--baseline", base), ("check", base, "--baseline", silicon)):
        completed = run_here(*arguments)
        assert (completed.status, completed.out.splitlines()[0]) == (0, "PASS: 25 same; 25 of 25 points gated")
    assert run_here("compare", silicon, silicon).out.startswith("PASS: 25 same")
    silicon.write_text(silicon.read_text().replace("riscv_0,NOC_0,16", "riscv_0,NOC_1,16"))
    completed = run_here("compare", base, silicon)
    assert completed.status == 0
    assert completed.out.startswith("INCOMPLETE: 5 gone, 5 new, 20 same")
    silicon.write_text(silicon.read_text().replace("NOC_0,1,32,unicast,", "NOC_0,1,32,unicast,about "))
    completed = run_here("compare", base, silicon)
    assert completed.status == 2
    assert completed.err == f"error: {silicon}:2: Latency (cycles): 'about 322.0' is not a number\n"


def test_compare_judges_nothing(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    head = write(tmp_path, slowed(make_sweep()[:-1], 3))
    completed = run_here("compare", base, head)
    assert completed.status == 0
    assert [line.split()[0] for line in completed.out.splitlines() if line.startswith(("slower", "gone"))][:2] == [
        "gone",
        "slower",
    ]
    only = run_here("compare", base, head, "--only", "slower").out
    assert "\nslower" in only
    assert "\ngone  " not in only
    completed = run_here("compare", base, head, "--only", "slowest")
    assert completed.status == 2
    assert "no verdict is called 'slowest'; did you mean 'slower'?" in completed.err


def test_accept_lists_what_it_changes_and_keeps_the_reason(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    head = write(tmp_path, [row | {"revision": "new"} for row in slowed(make_sweep(), 2)])
    completed = run_here("accept", head, "--baseline", base, "--reason", "a slower NIU")
    assert completed.status == 0
    assert completed.out == (
        "slower: One to One Packet Sizes, Sender, 1 x 512 B on wormhole_b0 (n150): "
        "latency_cycles 322 -> 354.2 (+10.00 %)\n"
    )
    assert "a slower NIU (revision" in (tmp_path / "base.reasons.md").read_text()
    assert sorted(read_results(base)["revision"].value_counts().items()) == [("0123456789ab", 24), ("new", 1)]
    assert run_here("check", head, "--baseline", base).status == 0


def test_accept_takes_over_what_limits_a_point(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    rows = make_sweep()
    head = write(tmp_path, [rows[0] | {"limiter": "contention"}, *rows[1:]])
    completed = run_here("accept", head, "--baseline", base, "--reason", "a longer queue")
    assert completed.status == 0
    assert completed.out.endswith(f": limited by {rows[0]['limiter']} -> contention\n")
    assert list(read_results(base)["limiter"]).count("contention") == 1


def test_accept_some_only(run_here: CommandLine, tmp_path: Path) -> None:
    other = make_sweep(test="Loopback Packet Sizes", primitive="loopback", test_id=16)
    base = write(tmp_path, make_sweep() + other, "base.csv")
    head = write(tmp_path, slowed(make_sweep(), 2) + slowed(other, 2))
    assert run_here("accept", head, "--baseline", base, "--reason", "x", "--test", "Loop*").status == 0
    completed = run_here("check", head, "--baseline", base)
    assert completed.out.splitlines()[0] == "FAIL: 1 slower, 49 same; 50 of 50 points gated"


def test_accept_keeps_what_was_not_run(run_here: CommandLine, tmp_path: Path) -> None:
    other = make_sweep(test="Loopback Packet Sizes", primitive="loopback", test_id=16)
    base = write(tmp_path, make_sweep() + other, "base.csv")
    head = write(tmp_path, slowed(make_sweep(), 2)[:-1])
    completed = run_here("accept", head, "--baseline", base, "--reason", "a slower NIU")
    assert completed.status == 0
    assert [line.split(":")[0] for line in completed.out.splitlines()] == ["slower", "kept"]
    assert completed.out.endswith(
        "kept: 26 rows of the baseline that the results do not have; --drop-missing drops them\n"
    )
    assert len(read_results(base)) == 50
    completed = run_here("check", write(tmp_path, slowed(make_sweep(), 2) + other), "--baseline", base)
    assert completed.out.splitlines()[0] == "PASS: 50 same; 50 of 50 points gated"


def test_accept_drops_points_that_are_gone_if_told_to(run_here: CommandLine, tmp_path: Path) -> None:
    other = make_sweep(test="Loopback Packet Sizes", primitive="loopback", test_id=16)
    base = write(tmp_path, make_sweep() + other, "base.csv")
    head = write(tmp_path, make_sweep()[:-1])
    one_test = ["--test", "One to One*"]
    completed = run_here("accept", head, "--baseline", base, "--reason", "x", "--drop-missing", *one_test)
    assert completed.status == 0
    assert [line.split(":")[0] for line in completed.out.splitlines()] == [
        "gone",
        "the baseline shrinks from 50 to 49 rows",
    ]
    completed = run_here("accept", head, "--baseline", base, "--reason", "y", "--drop-missing")
    assert completed.out.splitlines()[-1] == "the baseline shrinks from 49 to 24 rows"
    assert "25 gone, shrunk from 49 to 24 rows)" in (tmp_path / "base.reasons.md").read_text()


def test_the_command_that_drops_what_is_gone_drops_nothing_else(tmp_path: Path) -> None:
    gone = make_point(Verdict.GONE, head=False)
    whole, part = tmp_path / "whole.csv", tmp_path / "part.csv"
    write_results(make_sweep(), whole)
    write_results([*make_sweep(), *make_sweep(test="Loopback Packet Sizes", arch="blackhole")], part)
    assert accept_options(make_report([make_point()]), part) == ""
    assert accept_options(make_report([gone]), whole) == " --drop-missing"
    assert accept_options(make_report([gone]), part) == (
        " --drop-missing --test 'One to One Packet Sizes' --arch wormhole_b0"
    )


def test_the_baseline_stays_that_of_the_quick_tier() -> None:
    subject = CheckoutSubject(Path(__file__).parent, None)
    run, accept = subject.accept_commands(["One*", "--tier", "full", "--arch", "blackhole"])
    assert run == "nocbench run 'One*' --tier quick --arch blackhole -o build/quick.csv"
    assert accept.startswith("nocbench accept build/quick.csv --baseline tests/gate/quick.csv ")


def test_check_names_a_baseline_that_shrank(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=e@localhost"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "x"]):
        subprocess.run([*git, *words], check=True)
    head = write(tmp_path, make_sweep())
    assert "beware" not in run_here("check", head, "--baseline", base).out
    write_results(make_sweep()[:5], base)
    completed = run_here("check", head, "--baseline", base)
    assert completed.out.splitlines()[0] == "PASS: 20 new, 5 same; 25 of 25 points gated"
    assert f"beware: the baseline {base} has lost 20 of the 25 rows that it has in git's HEAD\n" in completed.out
    assert "note: 20 points not in the baseline: nothing judges them before it has them\n" in completed.out
    document = json.loads(run_here("check", head, "--baseline", base, "--json").out)
    assert len(document["changed_rules"]) == 1


def test_rows_faster_than_links_are_never_fine(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    impossible = make_sweep()[0] | {"bandwidth_bytes_per_cycle": 3578.76}  # as an earlier revision could have written
    head = write(tmp_path, [impossible, *make_sweep()[1:]])
    completed = run_here("check", head, "--baseline", base)
    assert completed.status == 1
    assert completed.out.splitlines()[0] == "FAIL: 1 wrong data, 24 same; 25 of 25 points gated"
    assert "3578.76 B/cycle, above the theoretical maximum of 32" in completed.out
    before = base.read_text()
    completed = run_here("accept", head, "--baseline", base, "--reason", "x")
    assert completed.status == 2
    assert "3578.76 B/cycle, above the theoretical maximum of 32 cannot become a baseline" in completed.err
    assert base.read_text() == before
    completed = run_here("report", head, "-o", tmp_path / "report.html")
    assert completed.status == 1
    assert "1 of 25 results are above the theoretical maximum, such as One to One Packet Sizes" in completed.err
    assert "25 points, 1 above the theoretical maximum" in (tmp_path / "report.html").read_text()


def test_other_links_than_those_of_this_revision_are_not_known(
    run_here: CommandLine, tmp_path: Path, base: Path
) -> None:
    rows = [make_sweep()[0] | {"bandwidth_bytes_per_cycle": 100, "test": "Many Links"}, *make_sweep()[1:]]
    completed = run_here("check", write(tmp_path, rows), "--baseline", base, "--only", "new")
    assert "FAIL" not in completed.out
    assert "\nnew " in completed.out


def test_accept_makes_a_baseline_but_not_of_wrong_data(run_here: CommandLine, tmp_path: Path, base: Path) -> None:
    new = tmp_path / "new.csv"
    assert run_here("accept", base, "--baseline", new, "--reason", "the first one").status == 0
    assert new.read_text() == base.read_text()
    wrong = write(tmp_path, [make_sweep()[0] | {"data_ok": False}, *make_sweep()[1:]])
    before = base.read_text()
    completed = run_here("accept", wrong, "--baseline", base, "--reason", "x")
    assert completed.status == 2
    assert "wrong data cannot become a baseline" in completed.err
    assert base.read_text() == before
