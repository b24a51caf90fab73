from __future__ import annotations

from dataclasses import replace

import pandas
import pytest
from published import make_results
from sample import make_frame, make_reference

from nocbench.pages.comparisons import compare
from nocbench.pages.observations import observe
from nocbench.pages.sections import Section, sections_of
from nocbench.pages.tables.delivery_times import delivery_times

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
        "A transaction consists of 3 calls, one call to each receiver.",
        (
            "The bandwidth of a single transaction is therefore higher than in One to One, where it reaches at most "
            "27.9 B/cycle."
        ),
        (
            "Multicasts look slower and are faster: 256 multicasts of 64 KiB to the same 3 receivers have a bandwidth "
            "of 31.2 B/cycle instead of 32.0 B/cycle, but take 536,876 cycles instead of 1,573,932, because they send "
            "the data only once."
        ),
        "Multicasts take less time at every point, so they are the better choice.",
    ]


def test_multicasts_are_no_better_choice_where_they_take_longer() -> None:
    results = make_results()
    results.loc[results["test"].str.contains("Multicast 2x2"), "latency_cycles"] *= 10
    texts = sentences("One to All Unicast 2x2 Packet Sizes without Loopback", results)
    assert not any("Multicast" in text for text in texts)


def test_fewer_transactions_saturate_many_receivers() -> None:
    results = make_results()
    one_to_one = results["test"] == "One to One Packet Sizes"
    is_slow = one_to_one & (results["call_size_bytes"] == 1024) & (results["num_transactions"] < 256)
    results.loc[is_slow, "bandwidth_bytes_per_cycle"] = 20
    texts = sentences("One to All Unicast 10x10 Packet Sizes without Loopback", results)
    assert texts[2] == (
        "Fewer transactions saturate: with calls of 1 KiB, 16 transactions reach 90 % of the highest bandwidth "
        "here, and 256 transactions in One to One."
    )


@pytest.mark.parametrize(("limiter", "num_sentences"), [("acks", 4), ("link", 1)])
def test_multicasts_to_more_receivers(limiter: str, num_sentences: int) -> None:
    results = make_results()
    whole = results["test"] == "One to All Multicast Linked 11x10 Packet Sizes without Loopback"
    results.loc[whole, "limiter"] = limiter
    results.loc[whole, "bandwidth_bytes_per_cycle"] /= 2
    texts = sentences("One to All Multicast Linked 11x10 Packet Sizes without Loopback", results)[3:]
    assert texts[0].startswith("To a 2x2 grid, the bandwidth reaches 32.0 B/cycle, and 256 transactions of 32 B take ")
    assert len(texts) == num_sentences
    assert [text for text in texts if "Posted" in text] == (
        ["Posted multicasts have no acknowledgements, so they would not have this limit."] if limiter == "acks" else []
    )


def test_unicast_that_gets_no_further_than_one_to_one() -> None:
    results = make_results()
    results.loc[results["test"].str.contains("Unicast"), "bandwidth_bytes_per_cycle"] /= 2
    assert sentences("One to All Unicast 2x2 Packet Sizes without Loopback", results) == []


def test_multicast_against_unicast() -> None:
    assert sentences("One to All Multicast 5x5 Packet Sizes without Loopback") == [
        (
            "With unicasts to the same 24 receivers, 256 transactions of 64 KiB take 20 times as long: 12,589,356 "
            "cycles instead of 622,892 cycles."
        ),
        (
            "Nevertheless, the bandwidth of the unicasts is higher, because it counts the data of every receiver: "
            "unicasts 32.0 B/cycle, multicasts 26.9 B/cycle."
        ),
        "With unicasts, 256 transactions of 32 B take 1.4 times as long.",
        "Unicasts are not faster at any point.",
        (
            "To a 2x2 grid, the bandwidth reaches 31.2 B/cycle, and 256 transactions of 32 B take 87 % less time: "
            "12,844 cycles instead of 98,860 cycles."
        ),
    ]


def test_multicast_that_is_slower() -> None:
    results = make_results()
    results.loc[results["test"].str.contains("Multicast 2x2"), "latency_cycles"] *= 10
    texts = sentences("One to All Multicast 2x2 Packet Sizes without Loopback", results)
    assert texts[0] == (
        "With unicasts to the same 3 receivers, 256 transactions of 64 KiB take 70.7 % less time: 1,573,932 cycles "
        "instead of 5,368,760 cycles."
    )
    assert "Nevertheless" not in texts[1]
    assert texts[-1] == "Unicasts are faster at 9 of 9 points."


def test_linked_against_unlinked_and_unicast() -> None:
    assert sentences("One to All Multicast Linked 5x5 Packet Sizes without Loopback") == [
        ("Without linking, 256 transactions of 32 B take 15 times as long: 98,860 cycles instead of 6,444 cycles."),
        (
            "Without linking, 256 transactions of 64 KiB take 1.2 times as long: 622,892 cycles instead of 524,844 "
            "cycles."
        ),
        (
            "With unicasts to the same 24 receivers, 256 transactions of 64 KiB take 24 times as long: 12,589,356 "
            "cycles instead of 524,844 cycles."
        ),
    ]


def test_linking_that_was_switched_off_is_not_spoken_of() -> None:
    results = make_results(params="linked=false")
    assert all(
        "link" not in text.lower()
        for text in sentences("One to All Multicast Linked 5x5 Packet Sizes without Loopback", results)
    )


@pytest.mark.parametrize(
    ("cast", "difference", "worst"),
    [
        ("Multicast 2x2", "0.8 to 24.2 %", "0.484 B/cycle with loopback, 0.638 B/cycle without loopback"),
        ("Multicast Linked 5x5", "up to 50.8 %", "0.625 B/cycle with loopback, 1.27 B/cycle without loopback"),
    ],
)
def test_loopback_that_makes_a_difference(cast: str, difference: str, worst: str) -> None:
    assert sentences(f"One to All {cast} Packet Sizes with Loopback") == [
        f"With loopback, the bandwidth of 256 transactions is {difference} lower than without loopback.",
        f"The difference is largest at 32 B: {worst}.",
    ]


def test_loopback_that_makes_none() -> None:
    page = page_of(make_results())
    ((_, texts),) = observe(find(page, "One to All Unicast 10x10 Packet Sizes with Loopback"), page)
    assert texts == [
        "With 256 transactions, the bandwidth reaches at most 32.0 B/cycle (100 % of the theoretical maximum).",
        "At every size, the bandwidth differs by at most 1 % from the bandwidth without loopback.",
        "The causes that limit the bandwidth are the same as without loopback.",
    ]


def test_loopback_with_limits_of_its_own() -> None:
    results = make_results()
    results.loc[results["test"].str.endswith("with Loopback"), "limiter"] = "ejection"
    page = page_of(results)
    ((_, texts),) = observe(find(page, "One to All Unicast 10x10 Packet Sizes with Loopback"), page)
    assert texts[2:] == [
        "The limit is the ejection port at every size.",
        "With a single transaction, the bandwidth reaches at most 31.9 B/cycle, at 64 KiB per call.",
        "The causes that limit the bandwidth are the same as with 256 transactions.",
        "At every size, the bandwidth of 256 transactions differs by at most 1 % from the bandwidth without loopback.",
    ]


def test_a_core_that_writes_to_itself() -> None:
    results = make_results()
    results.loc[results["test"] == "Loopback Packet Sizes", "latency_cycles"] -= 200
    is_about_itself = [
        "At every size, the bandwidth of 256 transactions differs by at most 1 % from the bandwidth in One to One.",
        "A single transaction of 32 B takes 122 cycles here, and 322 cycles in One to One.",
    ]
    *first, ports, slower = sentences("Loopback Packet Sizes", results)
    assert first == is_about_itself
    assert ports.startswith("A loopback occupies two ports of its tile")
    assert slower.startswith("It makes multicasts slower by up to 103 % (One to All Multicast Linked 5x5 Packet Sizes ")
    without_multicasts = results[~results["test"].str.contains("Multicast")]
    assert sentences("Loopback Packet Sizes", without_multicasts) == is_about_itself


def test_reads_from_many() -> None:
    assert sentences("One from All Packet Sizes") == [
        "With reads from a single core, the bandwidth reaches at most 32.0 B/cycle (256 transactions of 64 KiB)."
    ]


def test_all_at_once() -> None:
    assert sentences("All to All Packet Sizes") == [
        (
            "A core takes 1.0 to 9.0 times as long as a single core that writes to the same cores (One to All Unicast "
            "10x10 Packet Sizes with Loopback)."
        ),
        (
            "The ratio is highest for 256 transactions of 64 KiB per call: 302,137,644 cycles with all cores, "
            "33,571,116 cycles with a single core."
        ),
        "All figures are medians over 64 cores.",
        "With 256 transactions of 64 KiB per call, 64 times the median bandwidth is 227 B/cycle.",
    ]
    assert len(sentences("All from All Packet Sizes")) == 2


def test_rows_of_all_cores_together() -> None:
    page = page_of(make_results())
    section = find(page, "All from All Packet Sizes")
    together = replace(
        section, theoretical_of_kernels=dict.fromkeys(section.kernels, 12 * section.link_bytes_per_cycle)
    )
    assert compare(together, "Receiver", page) == [
        "Each duration ends when the last of the 64 cores has finished.",
        "Each bandwidth is the sum over these cores.",
    ]


def test_another_start() -> None:
    together = make_results(params="start=together")
    together["latency_cycles"] *= 1.5
    results = pandas.concat([make_results(), together[together["test"] == "All to All Packet Sizes"]])
    assert sentences("All to All Packet Sizes (n150, start=together)", results)[-2:] == [
        (
            "With `start=together`, a core takes 1.50 times as long as with the default start, in which the cores "
            "start 4,600 cycles apart."
        ),
        (
            "The ratio is highest for 1 transaction of 32 B per call: 2,562 cycles with `start=together`, 1,708 cycles "
            "with the default start."
        ),
    ]


@pytest.mark.parametrize(("column", "value"), [("board", "n300"), ("params", "noc=1")])
def test_only_the_same_board_and_parameters_are_compared(column: str, value: str) -> None:
    results = make_results()
    changed = results["test"].str.startswith("One to All Multicast 5x5")
    results.loc[changed, column] = value
    assert sentences("One to All Multicast 5x5 Packet Sizes without Loopback", results) == []


def test_what_is_not_on_the_page_is_not_compared() -> None:
    for _, of_test in make_results().groupby("test"):
        (section,) = page_of(of_test)
        texts = compare(section, section.kernels[0], [section])
        assert not texts or (texts[0] == "All figures are medians over 64 cores." and len(texts) == 2)
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
