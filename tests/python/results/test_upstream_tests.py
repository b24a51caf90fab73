"""Table of the tests of the tt-metal suite, and its listing."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from nocbench.points.swept_tests import list_tests
from nocbench.published.upstream_listing import HERE, list_upstream
from nocbench.results.upstream_tests import LOOPBACK_SUFFIXES, UpstreamTest, names_of, upstream_test, upstream_tests
from nocbench.support.columns import changed_values
from nocbench.support.errors import InputError, NothingMatchedError

SILICON_2026 = Path(__file__).parents[3] / "plots" / "reference" / "tenstorrent_silicon_2026_08.csv"
HEADER = "upstream_id,upstream_name,archs,test,params,counterpart,reason"
CHIPS = ("wormhole_b0", "blackhole")
NUM_TESTS = 154
OF_LATER_TABLES = 24  # published in 2026, without a test in the suite's inventory
OF_THE_ESTIMATOR = range(800, 818)  # later than the inventory


def names_without_loopback() -> set[tuple[int | None, str]]:
    """Returns the tests as numbered by the suite, which usually has one test for both values of loopback."""
    names = set()
    for test in upstream_tests():
        name = test.upstream_name
        if not name.startswith("Multicast Schemes"):
            for suffix in LOOPBACK_SUFFIXES.values():
                name = name.removesuffix(suffix)
        names.add((test.upstream_id, name))
    return names


def test_the_table_has_the_whole_suite() -> None:
    assert len(names_without_loopback()) == NUM_TESTS + OF_LATER_TABLES + len(OF_THE_ESTIMATOR)
    numbers = [number for number, _ in names_without_loopback() if number is not None]
    assert {number for number in numbers if numbers.count(number) > 1} == {319}  # the suite uses this number twice
    assert {arch for test in upstream_tests() for arch in test.archs} == set(CHIPS)


def test_the_table_has_all_published_tests() -> None:
    with SILICON_2026.open(newline="") as file:
        published = {(row["test"], row["arch"]) for row in csv.DictReader(file)}
    for name, arch in published:
        test = upstream_test(name)
        assert test is not None, name
        assert test.test == name
        assert arch in test.archs


def test_other_names_of_ours_are_those_of_tests() -> None:
    """Renamed tests are older than the suite's name: otherwise a misspelling would go unnoticed."""
    here = {arch: {test.test for test in list_tests(arch)} for arch in CHIPS}
    upstream_names = {test.upstream_name for test in upstream_tests()}
    for test in upstream_tests():
        if test.test not in ("", test.upstream_name):
            assert all(test.test in here[arch] for arch in test.archs) or test.test in upstream_names, test.test
            assert all(test.upstream_name not in here[arch] for arch in CHIPS)
        if test.reason:
            assert all(test.upstream_name not in here[arch] for arch in CHIPS)


@pytest.mark.parametrize("upstream_id", OF_THE_ESTIMATOR)
def test_the_tests_of_the_estimator_are_here(upstream_id: int) -> None:
    (listed,) = list_upstream([str(upstream_id)])
    assert (listed.state, listed.test_id, listed.archs) == (HERE, upstream_id + 1000, CHIPS)
    assert listed.test == listed.upstream_name


def test_parameters_of_tests_that_are_here_exist() -> None:
    for arch in CHIPS:
        parameters = {test.test: {parameter.name for parameter in test.parameters} for test in list_tests(arch)}
        for test in upstream_tests():
            if test.test in parameters:
                assert changed_values(test.params).keys() <= parameters[test.test], test.upstream_name


def test_names() -> None:
    test = upstream_test("DRAM Packet Sizes")
    assert test is not None
    assert (test.upstream_id, test.test) == (0, "DRAM Interleaved Packet Sizes")
    assert upstream_test("Synthetic Traffic") is None
    name = "One to All Multicast All Packet Sizes"
    with_loopback = upstream_test(name, "1")
    assert with_loopback is not None
    assert with_loopback.test == "One to All Multicast 11x10 Packet Sizes with Loopback"
    with pytest.raises(ValueError, match="or a column loopback"):
        upstream_test(name)


@pytest.mark.parametrize(
    ("name", "loopback", "grid", "test"),
    [
        ("Multicast Schemes (Loopback Disabled)", None, None, "Multicast Schemes without Loopback"),
        ("Multicast Schemes (Loopback Enabled)", None, None, "Multicast Schemes with Loopback"),
        (
            *("One to All Multicast Packet Sizes 2.0", "0", "5x5"),
            "One to All Multicast 5x5 Packet Sizes 2.0 without Loopback",
        ),
        (
            *("One to All Multicast Linked Packet Sizes 2.0", "1", "All"),
            "One to All Multicast Linked 11x10 Packet Sizes 2.0 with Loopback",
        ),
        (
            *("One to All Unicast Packet Sizes 2.0", "0", "2x2"),
            "One to All Unicast 2x2 Packet Sizes 2.0 without Loopback",
        ),
        (
            *("One to All Multicast Linked Semaphore Packet Sizes with Loopback", None, "All"),
            "One to All Multicast Linked Semaphore 11x10 Packet Sizes with Loopback",
        ),
        ("Multi Interleaved Read Grid Sweep Sizes", None, "2x2", "Multi Interleaved Read Grid Sweep"),
        ("All from All Packet Sizes 2.0 Grid Sweep", None, None, "All from All Grid Sweep Packet Sizes 2.0"),
        ("Number of Pages Sweep for Single Row DRAM", None, None, "Number of Pages Sweep for DRAM Single Row"),
        ("DRAM Sharded Read Tile Numbers 2.0", None, None, "DRAM Sharded Read Tile Numbers 2.0"),
        ("All to All Packet Sizes", None, "2x2", "All to All Packet Sizes"),
    ],
)
def test_names_of_2026(name: str, loopback: str | None, grid: str | None, test: str) -> None:
    found = upstream_test(name, loopback, grid)
    assert found is not None
    assert found.test == test
    assert name in {name for test in list_upstream([name]) for name in names_of(upstream_of(test.upstream_name))}


def upstream_of(name: str) -> UpstreamTest:
    """Returns the test with this full name."""
    (test,) = (test for test in upstream_tests() if test.upstream_name == name)
    return test


@pytest.mark.parametrize(
    ("name", "loopback", "grid", "complaint"),
    [
        ("One to All Unicast Packet Sizes 2.0", "0", None, "a column grid"),
        ("One to All Unicast Packet Sizes 2.0", None, None, "a column grid and loopback"),
        ("One to All Unicast Packet Sizes 2.0", "0", "3x3", "found grid=3x3 and loopback=0"),
        ("Multicast Schemes 2.0", "1", None, "'Multicast Schemes 2.0 without Loopback', found loopback=1"),
    ],
)
def test_names_that_mean_several_tests(name: str, loopback: str | None, grid: str | None, complaint: str) -> None:
    with pytest.raises(ValueError, match=f"{complaint}$"):
        upstream_test(name, loopback, grid)


@pytest.mark.parametrize(
    ("lines", "mistakes"),
    [
        (["a,b"], ["1: expected the columns " + ", ".join(HEADER.split(",")) + ", found a, b"]),
        ([HEADER, "1,A,blackhole,A,,yes"], ["2: expected 7 values"]),
        ([HEADER, "x,,,A,,yes,"], ["2: upstream_name: is empty", "2: archs: is empty",
                                   "2: upstream_id: expected a number or nothing, found 'x'"]),
        ([HEADER, "1,A,blackhole,A,,perhaps,"], ["2: counterpart: expected yes or no, found 'perhaps'"]),
        (
            [HEADER, "1,A,blackhole,,,yes,why", "2,B,blackhole,B,,no,"],
            [
                "2: test: is empty, although counterpart is yes",
                "2: reason: expected nothing, since counterpart is yes, found 'why'",
                "3: reason: is empty, although counterpart is no",
                "3: test: expected nothing, since counterpart is no, found 'B'",
            ],
        ),
        ([HEADER, "1,A,blackhole,A,,yes,", "2,A,blackhole,A,,yes,"], ["3: upstream_name: 'A' is in line 2, too"]),
    ],
)  # fmt: skip
def test_mistakes_in_the_table(tmp_path: Path, lines: list[str], mistakes: list[str]) -> None:
    path = tmp_path / "tests.csv"
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(InputError) as error:
        upstream_tests(path)
    assert str(error.value).splitlines() == [f"{path}:{mistake}" for mistake in mistakes]


def test_what_is_here_and_what_is_not(fake_simulator: object) -> None:
    del fake_simulator  # it has only four tests
    by_name = {test.upstream_name: test for test in list_upstream()}
    assert [test.test_id for test in by_name.values() if test.state == HERE] == [0, 4, 5, 16]
    dram = by_name["DRAM Packet Sizes"]
    assert (dram.upstream_id, dram.test_id, dram.test, dram.state) == (0, 0, "DRAM Interleaved Packet Sizes", HERE)
    custom = by_name["One to One Custom"]
    assert (custom.test_id, custom.test, custom.state) == (None, "One to One Custom", "not here yet")


def test_what_has_no_counterpart(fake_simulator: object, monkeypatch: pytest.MonkeyPatch) -> None:
    del fake_simulator
    theirs = UpstreamTest(9, "Tests of the Host", ("blackhole",), test="", params="", reason="it moves no data")
    monkeypatch.setattr("nocbench.published.upstream_listing.upstream_tests", lambda: (theirs,))
    (test,) = list_upstream()
    assert (test.upstream_id, test.test_id, test.test) == (9, None, "")
    assert test.state == "no counterpart: it moves no data"


def test_what_is_here_on_one_chip_only(fake_simulator: object, monkeypatch: pytest.MonkeyPatch) -> None:
    del fake_simulator
    monkeypatch.setattr(
        "nocbench.points.swept_tests.list_tests", lambda arch: list_tests(arch) if arch == "blackhole" else []
    )
    (test,) = list_upstream(["Loopback Packet Sizes"])
    assert (test.test_id, test.state) == (16, "not here yet on wormhole_b0")


def test_selection() -> None:
    assert {test.upstream_name for test in list_upstream(["319"])} == {
        *("All from All Packet Sizes 2.0", "Atomic Semaphore Adjacent Bandwidth Sweep")
    }
    assert [test.upstream_id for test in list_upstream(["reshard *"])] == [17, 18, 19, 20]
    assert [test.upstream_name for test in list_upstream(["DRAM Interleaved Packet Sizes"])] == ["DRAM Packet Sizes"]
    assert all("blackhole" in test.archs for test in list_upstream(architectures=["blackhole"]))
    with pytest.raises(NothingMatchedError, match=r"^no test of the suite of tt-metal matches 'Reshard \*'"):
        list_upstream(["Reshard *"], ["wormhole_b0"])
    with pytest.raises(InputError, match=r"^no test of the suite of tt-metal has the id 9999$"):
        list_upstream(["9999"])
    with pytest.raises(InputError, match="is called 'Loopbak Packet Sizes'; did you mean 'Loopback Packet Sizes'"):
        list_upstream(["Loopbak Packet Sizes"])
    with pytest.raises(NothingMatchedError, match=r"^the suite of tt-metal has no test for etherbone$"):
        list_upstream(architectures=["etherbone"])
    with pytest.raises(InputError, match=r"^no architecture is called 'wormhole'"):
        list_upstream(architectures=["wormhole"])
