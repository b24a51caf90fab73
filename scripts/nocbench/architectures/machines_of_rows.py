"""Limits of the machine of a result row, from its columns `arch`, `board` and `params`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.architectures.description import describe_architecture
from nocbench.extension import input_errors, kept
from nocbench.support.columns import changed_values
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nocbench.architectures.description import Architecture


def machine_of_row(arch: str, board: str, params: str) -> Architecture:
    """Describes the machine. Boards and settings that this revision does not know count as the architecture's."""
    return _described(arch, board, _settings_of(params))


def known_theoretical_bytes_per_cycle(arch: str, test: str, board: str, params: str) -> float | None:
    """Returns the highest bandwidth of a result row of a test, over all links that its data can be on at once.

    None for an architecture, test, board or setting that this revision does not know.
    """
    return _theoretical_bytes_per_cycle(arch, board, _settings_of(params)).get(test)


def _settings_of(params: str) -> tuple[tuple[str, str], ...]:
    return tuple(item for item in changed_values(params).items() if "." in item[0])


@kept
def _described(arch: str, board: str, settings: tuple[tuple[str, str], ...]) -> Architecture:
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
