from __future__ import annotations

import pandas
import pytest
from published import HEADINGS, TESTS, make_results
from sample import make_frame, make_reference

from nocbench.pages.outline import Heading, outline
from nocbench.pages.sections import sections_of


def outline_of(results: pandas.DataFrame) -> list[Heading]:
    return outline(sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"])


@pytest.mark.usefixtures("published_tests")
def test_published_tests() -> None:
    headings = [below for heading in outline_of(make_results()) for below in heading.walk()]
    assert [(heading.level, heading.text, heading.anchor, len(heading.sections)) for heading in headings] == [
        (2, "DRAM Interleaved Packet Sizes", "dram-interleaved-packet-sizes", 1),
        (2, "One to One Packet Sizes", "one-to-one-packet-sizes", 1),
        (2, "One from One Packet Sizes", "one-from-one-packet-sizes", 1),
        (2, "One to All Packet Sizes", "one-to-all-packet-sizes", 0),
        (3, "Unicast", "unicast", 0),
        (4, "2x2", "2x2", 2),
        (4, "4x4", "4x4", 2),
        (4, "10x10", "10x10", 2),
        (3, "Multicast Unlinked", "multicast-unlinked", 0),
        (4, "2x2", "2x2-1", 2),
        (4, "5x5", "5x5", 2),
        (4, "11x10", "11x10", 2),
        (3, "Multicast Linked", "multicast-linked", 0),
        (4, "2x2", "2x2-2", 2),
        (4, "5x5", "5x5-1", 2),
        (4, "11x10", "11x10-1", 2),
        (2, "One from All Packet Sizes", "one-from-all-packet-sizes", 1),
        (2, "Loopback Packet Sizes", "loopback-packet-sizes", 1),
        (2, "All to All Packet Sizes", "all-to-all-packet-sizes", 1),
        (2, "All from All Packet Sizes", "all-from-all-packet-sizes", 1),
    ]
    assert sum(len(heading.sections) for heading in headings) == len(TESTS) == 25
    pairs = [heading for heading in headings if len(heading.sections) == 2]
    assert len(pairs) == len(HEADINGS) / 2
    for pair in pairs:
        assert [pair.label(section) for section in pair.sections] == ["without Loopback", "with Loopback"]


@pytest.mark.usefixtures("fake_simulator")
def test_variants_stand_under_one_heading() -> None:
    (heading,) = outline_of(pandas.concat([make_frame(), make_frame(params="noc=1"), make_frame(board="n300")]))
    assert heading.text == "One to One Packet Sizes"
    assert [heading.label(section) for section in heading.sections] == [
        "default board and parameters",
        "n150, noc=1",
        "n300",
    ]


@pytest.mark.usefixtures("published_tests")
def test_variants_of_a_pair() -> None:
    results = pandas.concat([make_results(), make_results(params="stateful=1")])
    results = results[results["test"].str.contains("Linked 2x2")]
    ((heading,),) = ([below for below in top.walk() if below.sections] for top in outline_of(results))
    assert [heading.label(section) for section in heading.sections] == [
        "without Loopback",
        "without Loopback (n150, stateful=1)",
        "with Loopback",
        "with Loopback (n150, stateful=1)",
    ]
