"""All 25 published tests with invented results, for tests of whole pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sample import make_row

from nocbench.results.result_files import to_frame

if TYPE_CHECKING:
    import pandas

    from nocbench.support.columns import Row

_ONE_TO_ALL = "One to All Packet Sizes"
_GRIDS = {"2x2": 4, "4x4": 25, "5x5": 25, "10x10": 64, "11x10": 64}
_NUM_CORES = 64
COUNTS = (1, 16, 256)
CALL_SIZES_BYTES = (32, 1024, 65536)


def _one_to_all_tests() -> dict[str, tuple[int, str, list[str]]]:
    ways = {"Unicast": ("2x2", "4x4", "10x10"), "Multicast": ("2x2", "5x5", "11x10")}
    ways["Multicast Linked"] = ways["Multicast"]
    names = [f"One to All {way} {grid} Packet Sizes" for way, grids in ways.items() for grid in grids]
    return {
        f"{name} {loopback} Loopback": (test_id + (100 if loopback == "with" else 0), "one_to_all", ["Sender"])
        for test_id, name in enumerate(names, start=6)
        for loopback in ("with", "without")
    }


TESTS: dict[str, tuple[int, str, list[str]]] = {
    "DRAM Interleaved Packet Sizes": (0, "dram_unary", ["Receiver", "Sender"]),
    "One to One Packet Sizes": (4, "one_to_one", ["Sender"]),
    "One from One Packet Sizes": (5, "one_from_one", ["Receiver"]),
    **_one_to_all_tests(),
    "One from All Packet Sizes": (15, "one_from_all", ["Receiver"]),
    "Loopback Packet Sizes": (16, "loopback", ["Sender"]),
    "All to All Packet Sizes": (60, "all_to_all", ["Sender"]),
    "All from All Packet Sizes": (70, "all_from_all", ["Receiver"]),
}


def _headings(test: str) -> list[str]:
    words = test.removeprefix("One to All ").split(" Packet Sizes ")[0].split()
    if words[0] == "Multicast" and len(words) == 2:
        words.insert(1, "Unlinked")
    return [_ONE_TO_ALL, " ".join(words[:-1]), words[-1]]


HEADINGS = {test: _headings(test) for test, (_, primitive, _) in TESTS.items() if primitive == "one_to_all"}


def make_results(arch: str = "wormhole_b0", **changes: object) -> pandas.DataFrame:
    """Returns rows of all tests. Latencies follow formulas: a fixed part, and a time for each call."""
    return to_frame(
        [
            _row(test, kernel, count, size, arch=arch, **changes)
            for test, (_, _, kernels) in TESTS.items()
            for kernel in kernels
            for count in COUNTS
            for size in CALL_SIZES_BYTES
        ]
    )


def _row(test: str, kernel: str, count: int, call_size_bytes: int, **changes: object) -> Row:
    test_id, primitive, _ = TESTS[test]
    num_calls, num_cores = 1, 1
    cycles_per_call = max(22.0, 1 + call_size_bytes / 32)
    limiter = "issue" if cycles_per_call == 22 else "link"
    if primitive == "one_to_all":
        way, grid = HEADINGS[test][1:]
        num_receivers = _GRIDS[grid] - ("without" in test)
        if way == "Unicast":
            num_calls = num_receivers
        elif way == "Multicast Unlinked":
            cycles_per_call, limiter = 16 * num_receivers + call_size_bytes / 32, "reservation"
        else:
            cycles_per_call = max(cycles_per_call, num_receivers * (2 if "without" not in test else 1))
            limiter = "acks" if cycles_per_call < call_size_bytes / 32 else limiter
    elif primitive == "one_from_all":
        num_calls = 16
    elif primitive in ("all_to_all", "all_from_all"):
        num_calls = num_cores = _NUM_CORES
        if count > 1:
            cycles_per_call, limiter = 9 * cycles_per_call, "contention"
    latency_cycles = 300 + count * num_calls * cycles_per_call
    return make_row(
        test=test,
        test_id=test_id,
        primitive=primitive,
        kernel=kernel,
        num_transactions=count,
        transaction_size_bytes=num_calls * call_size_bytes,
        call_size_bytes=call_size_bytes,
        latency_cycles=latency_cycles,
        bandwidth_bytes_per_cycle=count * num_calls * call_size_bytes / latency_cycles,
        num_cores=num_cores,
        limiter="round_trip" if latency_cycles < 600 else limiter,
        **changes,
    )
