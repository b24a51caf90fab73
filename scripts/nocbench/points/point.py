"""A point of a sweep."""

from __future__ import annotations

import hashlib
import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.architectures.files import as_given, digest_of_added
from nocbench.points.catalogue import BUILT_IN
from nocbench.support.columns import ACCURACY

if TYPE_CHECKING:
    from collections.abc import Hashable

    from nocbench.points.catalogue import Catalogue

_NUM_TRANSACTIONS = "num_transactions"


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a sweep, with all inputs of the simulator.

    Attributes:
        arch: architecture.
        board: board; empty: the default board.
        test: published name.
        parameters: values of axes and parameters of the test, as (name, value).
        settings: fields of the board or architecture that differ from its file, as (path, value).
        relative_cost: estimate of the run time, in arbitrary units.
        catalogue: catalogue of the test.
    """

    arch: str
    board: str
    test: str
    parameters: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...] = ()
    relative_cost: float = 0.0
    catalogue: Catalogue = BUILT_IN

    def describe(self) -> str:
        """Returns the point in words: "One to One Packet Sizes on blackhole, num_transactions=1, call_size=64"."""
        where = f"{self.arch} ({self.board})" if self.board else self.arch
        return ", ".join(
            [f"{self.test} on {where}"] + [f"{name}={value}" for name, value in self.parameters + self.settings]
        )

    def command(self) -> str:
        """Returns the command line that runs this point alone."""
        suite = ["--suite", self.catalogue.folder] if self.catalogue.folder else []
        words = ["nocbench", "run", *suite, self.test, "--arch", as_given(self.arch)]
        if self.board:
            words += ["--board", self.board]
        for name, value in self.parameters:
            words += ["-a", f"{name}={value}"]
        for name, value in self.settings:
            words += [f"--{name}", value] if name == ACCURACY else ["--set", f"{name}={value}"]
        return shlex.join(words)

    def num_transactions(self) -> int:
        """Returns the number of transactions; 0 for a test without this axis."""
        number = dict(self.parameters).get(_NUM_TRANSACTIONS, "")
        return int(number) if number.isdecimal() else 0

    def family(self) -> Hashable:
        """Returns a key that is equal for points that differ only in the number of transactions."""
        others = tuple(parameter for parameter in self.parameters if parameter[0] != _NUM_TRANSACTIONS)
        return self.arch, self.board, self.test, others, self.settings

    def digest(self) -> str:
        """Returns a hash of the point's configuration, equal on all machines."""
        configuration = json.dumps([self.arch, self.board, self.test, self.parameters, self.settings])
        configuration += digest_of_added(self.arch) + self.catalogue.identity_of(self.test)
        return hashlib.sha256(configuration.encode()).hexdigest()[:32]
