"""Limits of the machine of a result row, from its columns `arch`, `board` and `params`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.architectures.description import describe_architecture
from nocbench.extension import input_errors, kept
from nocbench.support.columns import changed_values
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


def link_bytes_per_cycle(arch: str, board: str, params: str) -> float:
    """Returns the bandwidth of one link. Boards and settings that this revision does not know count as the default."""
    return float(_described_with(arch, board, _settings_of(params))["link_bytes_per_cycle"])


def launch_skew_cycles(arch: str, board: str, params: str) -> int:
    """Returns the delay between starts of successive cores, where a host starts them one by one.

    Unknown boards and settings are treated as in :func:`link_bytes_per_cycle`.
    """
    return int(_described_with(arch, board, _settings_of(params))["launch_skew_cycles"])


def known_theoretical_bytes_per_cycle(arch: str, test: str, board: str, params: str) -> float | None:
    """Returns the highest bandwidth of a result row of a test, over all links that its data can be on at once.

    None for an architecture, test, board or setting that this revision does not know.
    """
    return _theoretical_bytes_per_cycle(arch, board, _settings_of(params)).get(test)


def _settings_of(params: str) -> tuple[tuple[str, str], ...]:
    return tuple(item for item in changed_values(params).items() if "." in item[0])


@kept
def _described_with(arch: str, board: str, settings: tuple[tuple[str, str], ...]) -> Mapping[str, Any]:
    try:
        return describe_architecture(arch, board, settings)
    except InputError:
        return describe_architecture(arch)


@kept
def _theoretical_bytes_per_cycle(arch: str, board: str, settings: tuple[tuple[str, str], ...]) -> Mapping[str, float]:
    try:
        with input_errors() as core:
            return dict(core.theoretical_bytes_per_cycle(arch, board, list(settings)))
    except InputError:
        return {}
