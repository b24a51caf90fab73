"""Numbers out of range are refused, and the message quotes them as given."""

from __future__ import annotations

from pathlib import Path

import pytest

from nocbench.command_line import main

CHECKOUT = Path(__file__).resolve().parents[3]
HUGE = "99999999999999999999"
FLOWS = str(CHECKOUT / "examples" / "flows" / "reshard.csv")
RING = str(CHECKOUT / "examples" / "shmem" / "ring.c")
COPY = str(CHECKOUT / "examples" / "copy.yaml")
TRACE = str(CHECKOUT / "examples" / "traces" / "noc_trace_dev0_AllToAll_ID7.json")


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "4", "--arch", "blackhole", "-j", HUGE],
        ["run", "4", "--arch", "blackhole", "-a", "num_transactions=1", "-j", HUGE],
        ["run", "4", "--arch", "blackhole", "-a", f"num_transactions={HUGE}", "-j", "0"],
        ["run", "4", "--arch", "blackhole", "-a", f"call_size={HUGE}", "-j", "0"],
        ["run", "4", "--arch", "blackhole", "-a", f"destination={HUGE},1", "-j", "0"],
        ["run", "4", "--arch", "blackhole", "--set", f"router.hop_cycles={HUGE}"],
        ["run", "4", "--arch", "blackhole", "--set", f"board.harvested_rows={HUGE}"],
        ["shmem", RING, "-n", HUGE],
        ["shmem", RING, "--heap-start", HUGE],
        ["shmem", RING, "--heap-start", "4294967288"],
        ["shmem", RING, "--origin", HUGE],
        ["shmem", RING, "--cycles-max", HUGE],
        ["shmem", RING, "--get-by-interrupt-above", HUGE],
        ["flows", FLOWS, "--arch", "blackhole", "--max-cycles", HUGE],
        ["kernel", COPY, "--arch", "blackhole", "--max-cycles", HUGE],
        ["kernel", COPY, "--arch", "blackhole", "--max-cycles", "9223372036854775807"],
        ["replay", TRACE, "--max-cycles", HUGE],
        ["etherbone", "serve", "--udp", HUGE],
    ],
)
def test_the_message_has_the_number(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as status:
        main(arguments)
    captured = capsys.readouterr()
    assert status.value.code == 2
    numbers = [HUGE, "4294967288", "9223372036854775807"]
    number = next(number for number in numbers if any(number in argument for argument in arguments))
    assert number in captured.err
    assert captured.out == ""
