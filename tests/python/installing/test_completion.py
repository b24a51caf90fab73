"""Completion in shells: names of what a command takes, in bash as one word each."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import environment


def completed(*words: str) -> list[str]:
    """Returns what bash puts in place of the last word. Words are as typed, with quotation marks."""
    asked = " ".join(map(shlex.quote, words))
    script = (
        f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; "
        'eval "$(_NOCBENCH_COMPLETE=bash_source nocbench)"; '
        f"compopt() {{ :; }}; COMP_WORDS=(nocbench {asked}); COMP_CWORD={len(words)}; "
        '_nocbench_completion nocbench; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "--norc", "-c", script], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["opt"], ["optimise"]),
        (["run", "--tier", "q"], ["quick"]),
        (["run", "Loopback\\ Packet"], ["Loopback\\ Packet\\ Sizes", "Loopback\\ Packet\\ Sizes\\ 2.0"]),
        (["run", '"Loopback Packet'], ["Loopback Packet Sizes", "Loopback Packet Sizes 2.0"]),
        (["list", "--arch", "epiphany_iii", "mesh_"], ["mesh_traffic"]),
        (["explain", "--arch", "bl"], ["blackhole"]),
        (["compare", "--arch", "bl"], ["blackhole"]),
        (["heatmap", "4", "--arch", "wormhole_b0", "--board", "n3"], ["n300"]),
        (["trace", "4", "--arch", "wormhole_b0", "--board", "x"], [""]),
        (["kernel", "x.cpp", "--set", "board.clock"], ["board.clock_hz="]),
        (["run", "4", "--set", "router.hop"], ["router.hop_cycles="]),
        (["run", "'Loopback Packet Sizes'", "--arch", "blackhole", "-a", "num"], ["num_transactions="]),
        (["run", "--suite", "no such suite", "Lo"], [""]),
    ],
)
def test_what_is_completed(words: list[str], wanted: list[str]) -> None:
    assert completed(*words) == wanted


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_names_as_they_are(shell: str) -> None:
    variables = {"_NOCBENCH_COMPLETE": f"{shell}_complete", "COMP_WORDS": "nocbench run Loopback", "COMP_CWORD": "2"}
    if shell == "fish":
        variables["COMP_CWORD"] = "Loopback"
    done = subprocess.run(
        [sys.executable, "-m", "nocbench"], check=True, capture_output=True, text=True, env=environment() | variables
    )
    assert "Loopback Packet Sizes" in done.stdout
