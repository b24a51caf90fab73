from __future__ import annotations

from dataclasses import replace

import pandas
import pytest
from published import make_results
from sample import make_frame, make_reference

from nocbench.pages.comparisons import compare
from nocbench.pages.delivery_times import delivery_times
from nocbench.pages.observations import observe
from nocbench.pages.sections import Section, sections_of

pytestmark = pytest.mark.usefixtures("published_tests")


def page_of(results: pandas.DataFrame) -> list[Section]:
    return sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"]


def find(page: list[Section], title: str) -> Section:
    (section,) = (section for section in page if section.title == title)
    return section


def sentences(title: str, results: pandas.DataFrame | None = None) -> list[str]:
    page = page_of(make_results() if results is None else results)
    section = find(page, title)
    return compare(section, section.kernels[0], page)


def test_unicast_against_one_to_one() -> None:
    assert sentences("One to All Unicast 2x2 Packet Sizes without Loopback") == [
        (
            "A transaction is 3 calls here, one to each core, so a single one gets further than in One to One "
            "(27.9 B/cycle)."
        )
    ]


def test_unicast_that_gets_no_further_than_one_to_one() -> None:
    results = make_results()
    results.loc[results["test"].str.contains("Unicast"), "bandwidth_bytes_per_cycle"] /= 2
    assert sentences("One to All Unicast 2x2 Packet Sizes without Loopback", results) == []


def test_multicast_against_unicast() -> None:
    assert sentences("One to All Multicast 5x5 Packet Sizes without Loopback") == [
        (
            "To be acknowledged by 24 receivers, 256 x 64 KiB takes 622,892 cycles. Unicast takes 12,589,356, 20 times "
            "as long, although its bandwidth is higher, 32.0 B/cycle against 26.9."
        ),
        "At 256 x 32 B, unicast takes 1.4 times as long.",
        "At no point is unicast faster.",
    ]


def test_multicast_that_is_slower() -> None:
    results = make_results()
    results.loc[results["test"].str.contains("Multicast 2x2"), "latency_cycles"] *= 10
    texts = sentences("One to All Multicast 2x2 Packet Sizes without Loopback", results)
    assert texts[0] == (
        "To be acknowledged by 3 receivers, 256 x 64 KiB takes 5,368,760 cycles. Unicast takes 1,573,932, 70.7 % less "
        "time."
    )
    assert texts[-1] == "Unicast is faster at 9 of 9 points."


def test_linked_against_unlinked_and_unicast() -> None:
    assert sentences("One to All Multicast Linked 5x5 Packet Sizes without Loopback") == [
        (
            "Unlinked, 256 x 32 B takes 15 times as long (98,860 cycles against 6,444) and 256 x 64 KiB takes 1.2 "
            "times as long (622,892 cycles against 524,844)."
        ),
        "Unicast to the same 24 receivers: 256 x 64 KiB takes 24 times as long (12,589,356 cycles against 524,844).",
    ]


def test_linking_that_was_switched_off_is_not_spoken_of() -> None:
    results = make_results(params="linked=false")
    assert all(
        "linked" not in text.lower()
        for text in sentences("One to All Multicast Linked 5x5 Packet Sizes without Loopback", results)
    )


@pytest.mark.parametrize(
    ("cast", "sentence"),
    [
        (
            "Multicast 2x2",
            (
                "The bandwidth of 256 transactions is 0.8 to 24.2 % below that without loopback, furthest at 32 B: "
                "0.484 B/cycle against 0.638."
            ),
        ),
        (
            "Multicast Linked 5x5",
            (
                "The bandwidth of 256 transactions is up to 50.8 % below that without loopback, furthest at 32 B: "
                "0.625 B/cycle against 1.27."
            ),
        ),
    ],
)
def test_loopback_that_makes_a_difference(cast: str, sentence: str) -> None:
    assert sentences(f"One to All {cast} Packet Sizes with Loopback") == [sentence]


def test_loopback_that_makes_none() -> None:
    page = page_of(make_results())
    ((_, texts),) = observe(find(page, "One to All Unicast 10x10 Packet Sizes with Loopback"), page)
    assert texts == [
        (
            "As without loopback: the limits are the same, and so is, within 1 % at every size, the bandwidth of 256 "
            "transactions, 32.0 B/cycle (100 % of the theoretical maximum) at most."
        )
    ]


def test_loopback_with_limits_of_its_own() -> None:
    results = make_results()
    results.loc[results["test"].str.endswith("with Loopback"), "limiter"] = "ejection"
    page = page_of(results)
    ((_, texts),) = observe(find(page, "One to All Unicast 10x10 Packet Sizes with Loopback"), page)
    assert texts[1:] == [
        "It is limited by the ejection port at every size.",
        "A single transaction gets no further than 31.9 B/cycle, at 64 KiB per call, limited in the same way.",
        "The bandwidth of 256 transactions is that without loopback, within 1 % at every size.",
    ]


def test_a_core_that_writes_to_itself() -> None:
    results = make_results()
    results.loc[results["test"] == "Loopback Packet Sizes", "latency_cycles"] -= 200
    assert sentences("Loopback Packet Sizes", results) == [
        "The bandwidth of 256 transactions is that of One to One, within 1 % at every size.",
        "A single transaction of 32 B takes 122 cycles, in One to One 322.",
    ]


def test_reads_from_many() -> None:
    assert sentences("One from All Packet Sizes") == ["From one core only, the best is 32.0 B/cycle, at 256 x 64 KiB."]


def test_all_at_once() -> None:
    assert sentences("All to All Packet Sizes") == [
        (
            "A core takes 1.0 to 9.0 times as long as one that writes to the same cores alone (One to All "
            "Unicast 10x10 Packet Sizes with Loopback), longest at 256 x 64 KiB per call: 302,137,644 cycles against "
            "33,571,116."
        ),
        (
            "All figures are medians over 64 cores; at 256 x 64 KiB per call, as many cores at the median bandwidth "
            "move 227 B/cycle together."
        ),
    ]
    assert len(sentences("All from All Packet Sizes")) == 1


def test_rows_of_all_cores_together() -> None:
    page = page_of(make_results())
    section = find(page, "All from All Packet Sizes")
    together = replace(section, theoretical_bytes_per_cycle=12 * section.link_bytes_per_cycle)
    assert compare(together, "Receiver", page) == [
        "Cycles and bandwidths are those of 64 cores together, until the last one is done."
    ]


def test_another_start() -> None:
    together = make_results(params="start=together")
    together["latency_cycles"] *= 1.5
    results = pandas.concat([make_results(), together[together["test"] == "All to All Packet Sizes"]])
    assert sentences("All to All Packet Sizes (n150, start=together)", results)[-1] == (
        "Started together, a core takes 1.50 times as long as when they start 4,600 cycles apart, longest at 1 x 32 B "
        "per call: 2,562 cycles against 1,708."
    )


@pytest.mark.parametrize(("column", "value"), [("board", "n300"), ("params", "noc=1")])
def test_only_the_same_board_and_parameters_are_compared(column: str, value: str) -> None:
    results = make_results()
    changed = results["test"].str.startswith("One to All Multicast 5x5")
    results.loc[changed, column] = value
    assert sentences("One to All Multicast 5x5 Packet Sizes without Loopback", results) == []


def test_what_is_not_on_the_page_is_not_compared() -> None:
    for _, of_test in make_results().groupby("test"):
        (section,) = page_of(of_test)
        assert all("over 64 cores" in text for text in compare(section, section.kernels[0], [section]))
        assert delivery_times([section]) is None


def test_measurements_from_elsewhere() -> None:
    page = page_of(make_reference(make_results()))
    for section in page:
        assert compare(section, section.kernels[0], page) == []
    assert delivery_times(page) is None


def test_delivery_times() -> None:
    times = delivery_times(page_of(make_results()))
    assert times is not None
    assert times.columns == [
        *("grid", "receivers"),
        *("256 x 32 B, unicast", "256 x 32 B, unlinked", "256 x 32 B, linked"),
        *("256 x 64 KiB, unicast", "256 x 64 KiB, unlinked", "256 x 64 KiB, linked"),
    ]
    assert times.rows[0] == ["2x2", "3", "17,196", "12,844", "5,932", "1,573,932", "536,876", "524,844"]
    assert [row[:2] for row in times.rows] == [
        ["2x2", "3"],
        ["5x5", "24"],
        ["whole grid", "63"],
        ["2x2 with loopback", "4"],
        ["5x5 with loopback", "25"],
        ["whole grid with loopback", "64"],
    ]


def test_delivery_times_of_what_was_run() -> None:
    results = make_results()
    page = page_of(results[~results["test"].str.contains("Linked 5x5")])
    times = delivery_times(page)
    assert times is not None
    assert times.rows[1][-1] == "-"


def test_delivery_times_of_other_grids_than_the_names_say() -> None:
    assert delivery_times(page_of(make_results(params="grid=3x3"))) is None
    assert delivery_times(page_of(make_results(params="router.hop_cycles=8"))) is not None


def test_a_test_of_ours_is_compared_with_nothing() -> None:
    results = pandas.concat([make_results(), make_frame(test="One to All Packet Sizes of ours")])
    assert sentences("One to All Packet Sizes of ours", results) == []
