"""Alignment of published rows with the results of the same experiment.

A result matches a published row of its test if kernel, number and size of transactions, and all parameters in the row's
column `params` are equal. The value of a result's parameter is in its own column or in `params`; otherwise, it is the
test's default. An empty grid of subordinates means the grid of the masters. The whole grid and all banks are those of
the result's board. A parameter that has one value in the whole table, and that the test does not have, describes the
table and is ignored. A number of cores with one value in the table only distinguishes one core from many.

Tables differ from results in six ways:

- Kernel: tables name kernels by RISC. If results have no such kernel, but exactly one kernel on this RISC, that kernel
  is compared.
- Transactions to several cores in sequence: results, and some tables, multiply the bytes of a transaction by the number
  of cores; other tables multiply the number of transactions. The second is assumed for rows with equal parameters if
  none has a single transaction, and if at least as many rows have a result under this assumption.
- Simultaneous transfers by many cores: some results add up the bytes of all cores; tables have the bytes of one core.
  Rows are compared by the bytes of one core if more rows have a result in this way.
- Number of receivers: tables of the suite's estimator name it in place of the grid. Results have it as calls per
  transaction, or for multicasts as the cores of the grid. For multicasts to a row or column it is not compared.
- Atomic increments: the size column holds the increment and is not compared.
- Writes of words from registers: some tables have the size of the flit that carries the word. If all results are of
  words, and the table has one size, sizes are not compared.

An aligned row has number and size of transactions from its result, and the bandwidth of these bytes in the measured
time. If results add up the bytes of many cores, the bytes are those of the number of cores in the table.

Latencies of tables with a combined bandwidth last from the start of the first core to the end of the last one. All
other tables have that of the median core. The same duration of the results is compared, even if it is not the latency.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.architectures.description import describe_architecture
from nocbench.points.catalogue import in_use
from nocbench.results.headings import plain_value, text_of
from nocbench.results.result_files import rows_of
from nocbench.support.columns import ALL_CORES, HOW_MADE, MEDIAN_CORE, changed_values, without_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas

    from nocbench.points.swept_tests import SweptTest
    from nocbench.support.columns import Row

    Values = tuple[str | None, ...]
    Key = tuple[str, int, int, Values]

_INCREMENT = "increment"
_STAND_INS = {_INCREMENT: "transaction_size_bytes"}
"""Columns of results that hold the value of a parameter that tests do not have."""

_SAME_AS = {"subordinate_grid": "master_grid", "master_grid": "grid"}
"""Parameters whose empty value, or absence from a test, means the value of another parameter."""

_SIDES = {"subordinate_grid": "side"}
"""Parameters that are a square in tables, and its side in tests."""

_SUBORDINATES, _MECHANISM, _GRID = "subordinates", "mechanism", "grid"
_UNICAST = "unicast"
_NUM_CORES, _ONE = "num_cores", "1"
_BANDWIDTH = "bandwidth_bytes_per_cycle"
_LATENCY = "latency_cycles"
_WORD_BYTES = 4
_BANKS, _ALL = "banks", "all"
_MAX_VALUES_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Alignment:
    """Published rows of a test, aligned with results.

    Attributes:
        rows: published rows, in order, converted to the way in which results name kernels and count transactions. A row
            that matches a result has kernel, number and size of transactions, and `params` from this result. Bandwidths
            are converted to the bytes that results count.
        durations: by published row, column of results with the duration that the row holds: that of all cores, that of
            the median core, or the latency of the test.
        positions: by published row, positions of the matching results, from 0.
        examples: by published row, position of a result with equal parameters, even if kernel or transactions differ;
            None without such a result.
        differences: messages, one for each parameter of which published rows and results have no value in common; none
            if any published row has the parameter values of a result.
    """

    rows: pandas.DataFrame
    durations: tuple[str, ...]
    positions: tuple[tuple[int, ...], ...]
    examples: tuple[int | None, ...]
    differences: tuple[str, ...] = ()

    @property
    def is_about(self) -> tuple[bool, ...]:
        """By published row, True if any result has its parameter values."""
        return tuple(example is not None for example in self.examples)


def duration_of(row: Mapping[Any, Any], column: str) -> float:
    """Returns the duration of a result in a column, or its latency if the result lacks this duration."""
    known = float(row.get(column) or 0)
    return known if known > 0 else float(row[_LATENCY])


def known_tests(arch: str) -> dict[str, SweptTest]:
    """Returns the catalogue's tests for an architecture, by name; none for an unknown architecture."""
    catalogue = in_use()
    return {test.test: test for test in catalogue.list_tests(arch)} if arch in catalogue.architecture_names() else {}


def align(published: pandas.DataFrame, results: pandas.DataFrame, test: SweptTest | None) -> Alignment:
    """Returns published rows aligned with the results that they match.

    Args:
        published: published rows of a test on an architecture, with the columns of a point, and `params` and `riscv` if
            known.
        results: result rows of the same test, with at least the columns of a point. Parameters may be in columns of
            their own.
        test: test of the catalogue, or None.
    """
    return _Aligner(results, test).align(published)


def variants(results: pandas.DataFrame, published: pandas.DataFrame, test: SweptTest | None) -> list[str]:
    """Returns the part of `params` that distinguishes results of a test that match the same published row, by result.

    Leaves out parameters that published rows name, those that only describe measured results, and swept parameters,
    unless points would become equal.
    """
    return _Aligner(results, test).variants(published)


def as_results(measured: pandas.DataFrame, results: pandas.DataFrame) -> pandas.DataFrame:
    """Returns measured rows, of any tests, with the kernels, sizes and `params` of results.

    Uses only results with the defaults of their tests. If `results` are measurements, uses all that agree in the
    parameters that `measured` does not name.
    """
    import pandas

    tests = {arch: known_tests(arch) for arch in measured["arch"].unique()}
    parts = []
    for (arch, name), rows in measured.groupby(["arch", "test"], sort=False):
        test = tests[str(arch)].get(str(name))
        others = results[(results["arch"] == arch) & (results["test"] == name)].reset_index(drop=True)
        if not others.empty:
            texts = variants(others, rows, test)
            is_only = "revision" not in others.columns and len(set(texts)) == 1
            usual = others[[is_only or _has_defaults(text, test) for text in texts]]
            parts.append(align(rows, usual, test).rows if not usual.empty else rows)
        else:
            parts.append(rows)
    aligned = pandas.concat(parts).sort_index()
    if "params" in aligned.columns:
        aligned["params"] = aligned["params"].fillna("")
        if "params" not in measured.columns and not aligned["params"].any():
            aligned = aligned.drop(columns="params")
    return aligned


def _has_defaults(params: str, test: SweptTest | None) -> bool:
    defaults = _defaults_of(test)
    values = changed_values(params)
    return all(name in defaults and plain_value(defaults[name]) == plain_value(values[name]) for name in values)


def _defaults_of(test: SweptTest | None) -> Mapping[str, str]:
    return {} if test is None else {parameter.name: parameter.default for parameter in test.parameters}


class _Aligner:
    """Aligner of published rows with the results of a test on an architecture."""

    def __init__(self, results: pandas.DataFrame, test: SweptTest | None) -> None:
        self._rows = rows_of(results)
        self._params = [changed_values(text_of(row.get("params"))) for row in self._rows]
        self._test = test
        self._defaults = _defaults_of(test)
        self._are_measured = "revision" not in results.columns
        self._grids: dict[str, str] | None = None

    def align(self, published: pandas.DataFrame) -> Alignment:
        conditions = self._conditions(published)
        num_rows = len(published)
        aligned: dict[str, list[Any]] = {
            name: published[name].tolist() for name in ("kernel", "num_transactions", "transaction_size_bytes")
        }
        aligned["params"] = published["params"].tolist() if "params" in published.columns else [""] * num_rows
        aligned["kernel"] = self._kernels(published)
        groups: dict[tuple[tuple[str, ...], Values], list[int]] = {}
        for place, of_row in enumerate(conditions):
            groups.setdefault((tuple(of_row), tuple(of_row.values())), []).append(place)
        sizes = {int(size) for size in aligned["transaction_size_bytes"]}
        are_words = len(sizes) == 1 and all(int(row["transaction_size_bytes"]) == _WORD_BYTES for row in self._rows)
        positions: list[tuple[int, ...]] = [()] * num_rows
        examples: list[int | None] = [None] * num_rows
        published_params, published_sizes = (list(aligned[name]) for name in ("params", "transaction_size_bytes"))
        cores_shares = [1.0] * num_rows  # by published row: its share of the cores of a result
        of_all_cores = published[ALL_CORES].tolist() if ALL_CORES in published.columns else [0.0] * num_rows
        durations = [ALL_CORES if cycles > 0 else _LATENCY for cycles in of_all_cores]
        for (names, values), places in groups.items():
            has_size = not are_words and _INCREMENT not in names
            index = _Index(self._rows, self._values(names), has_size)
            only_size = self._only_size() if not has_size else None
            keys = [
                (
                    aligned["kernel"][place],
                    int(aligned["num_transactions"][place]),
                    int(aligned["transaction_size_bytes"][place]) if has_size else 0,
                    values,
                )
                for place in places
            ]
            found, counting = index.find(keys)
            for place, of_place in zip(places, found, strict=True):
                positions[place] = of_place
                examples[place] = of_place[0] if of_place else index.example(values)
                if of_place:
                    row = self._rows[of_place[0]]
                    for name in ("kernel", "num_transactions", "transaction_size_bytes"):
                        aligned[name][place] = row[name]
                    aligned["params"][place] = without_values(text_of(row.get("params")), HOW_MADE)
                elif only_size is not None:
                    aligned["transaction_size_bytes"][place] = only_size
                elif counting.of_cores:
                    aligned["transaction_size_bytes"][place] *= counting.multiple
                elif aligned["num_transactions"][place] % counting.multiple == 0:
                    aligned["num_transactions"][place] //= counting.multiple
                    aligned["transaction_size_bytes"][place] *= counting.multiple
                if counting.of_cores and durations[place] == _LATENCY:
                    durations[place] = MEDIAN_CORE
                if counting.of_cores:
                    num_cores = aligned["transaction_size_bytes"][place] // int(published_sizes[place])
                    cores_shares[place] = _number_of_cores(published_params[place], num_cores) / num_cores
        rows = published.assign(**aligned)
        if _BANDWIDTH in rows.columns:
            bytes_of_rows, published_bytes = (
                frame["num_transactions"] * frame["transaction_size_bytes"] for frame in (rows, published)
            )
            as_counted = bytes_of_rows == published_bytes  # keeps unconverted values exact
            counted_anew = rows[_BANDWIDTH] * bytes_of_rows / published_bytes * cores_shares
            rows[_BANDWIDTH] = rows[_BANDWIDTH].where(as_counted, counted_anew)
        alignment = Alignment(rows, tuple(durations), tuple(positions), tuple(examples))
        return replace(alignment, differences=self._differences(conditions, alignment.is_about))

    def _only_size(self) -> int | None:
        """Returns the transaction size if it is equal in all results, else None."""
        sizes = {int(row["transaction_size_bytes"]) for row in self._rows}
        return sizes.pop() if len(sizes) == 1 else None

    def variants(self, published: pandas.DataFrame) -> list[str]:
        names = tuple(dict.fromkeys(name for of_row in self._conditions(published) for name in of_row))
        swept = () if self._test is None else self._test.swept_parameters
        texts = [text_of(row.get("params")) for row in self._rows]
        rest = [without_values(text, (*names, *self._descriptions(), *HOW_MADE)) for text in texts]
        without_swept = [without_values(text, swept) for text in rest]
        points = {
            (
                *(row.get(column) for column in ("board", "kernel", "num_transactions", "transaction_size_bytes")),
                *(values, text),
            )
            for row, values, text in zip(self._rows, self._values(names), without_swept, strict=True)
        }
        return without_swept if len(points) == len(self._rows) else rest

    def _descriptions(self) -> list[str]:
        """Returns the parameters that only describe measured results: unknown to the test, and equal in all rows."""
        if not self._are_measured:
            return []
        return [
            name
            for name, value in self._params[0].items()
            if name not in self._defaults and all(params.get(name) == value for params in self._params)
        ]

    def _conditions(self, published: pandas.DataFrame) -> list[dict[str, str]]:
        """Returns the parameter values that a matching result must have, by published row."""
        if "params" not in published.columns:
            return [{}] * len(published)
        of_rows = [changed_values(text_of(params)) for params in published["params"]]
        found: dict[str, set[str]] = {}
        for of_row in of_rows:
            for name, value in of_row.items():
                found.setdefault(name, set()).add(value)
        names = [
            name
            for name, values in found.items()
            if len(values) > 1 or (self._is_condition(name, values) and (None,) not in self._values((name,)))
        ]
        return [
            {
                name: plain_value(of_row[name])
                for name in names
                if name in of_row and not (name == _SUBORDINATES and self._is_to_a_line(of_row))
            }
            for of_row in of_rows
        ]

    def _is_to_a_line(self, params: Mapping[str, str]) -> bool:
        """Returns True for multicasts of a test that has only one rectangle of receivers."""
        return _GRID not in self._defaults and plain_value(params.get(_MECHANISM, _UNICAST)) != _UNICAST

    def _is_condition(self, name: str, published: set[str]) -> bool:
        if name == _NUM_CORES:
            return (_ONE in published) != ((_ONE,) in self._values((name,)))
        return name in self._defaults or name in _STAND_INS or any(name in params for params in self._params)

    def _values(self, names: Sequence[str]) -> list[Values]:
        """Returns the values of some parameters, by result; None if unknown."""
        return [
            tuple(self._value(row, params, name) for name in names)
            for row, params in zip(self._rows, self._params, strict=True)
        ]

    def _value(self, row: Row, params: Mapping[str, str], name: str) -> str | None:
        if text_of(row.get(name)):
            value = text_of(row[name])
        elif name in params:
            value = params[name]
        elif name in self._defaults:
            value = self._defaults[name]
        elif name == _SUBORDINATES:
            return self._subordinates(row, params)
        elif name in _STAND_INS:
            value = text_of(row[_STAND_INS[name]])
        elif side := self._value(row, params, _SIDES[name]) if name in _SIDES else None:
            value = f"{side}x{side}"
        elif name in _SAME_AS:
            value = ""
        else:
            return None
        if not value and name in _SAME_AS:
            return self._value(row, params, _SAME_AS[name])
        if value == _ALL and name == _BANKS:
            return self._all_banks(row)
        return self._whole_grid(row) if value == _ALL and name.endswith("grid") else plain_value(value)

    def _subordinates(self, row: Row, params: Mapping[str, str]) -> str | None:
        """Returns the number of receivers of a kernel's calls, or None if it is unknown."""
        if self._value(row, params, _MECHANISM) in (None, _UNICAST):
            call_size = text_of(row.get("call_size_bytes"))
            return str(int(row["transaction_size_bytes"]) // int(call_size)) if call_size else None
        sides = (self._value(row, params, _GRID) or "").split("x")
        return str(int(sides[0]) * int(sides[1])) if len(sides) == 2 else None

    def _all_banks(self, row: Row) -> str:
        """Returns the number of DRAM banks of a result's board; of the default board if its board is unknown."""
        arch, board = str(row["arch"]), text_of(row.get("board"))
        is_known = board in describe_architecture(arch).boards
        return str(describe_architecture(arch, board if is_known else "").num_dram_banks)

    def _whole_grid(self, row: Row) -> str:
        """Returns the compute grid of a result's board: "8x8"."""
        if self._grids is None:
            described = describe_architecture(str(row["arch"]))
            self._grids = {
                name: f"{board['compute_columns']}x{board['compute_rows']}" for name, board in described.boards.items()
            }
            self._grids[""] = self._grids[described.default_board]
        return self._grids.get(text_of(row.get("board")), self._grids[""])

    def _kernels(self, published: pandas.DataFrame) -> list[str]:
        """Returns the kernels of published rows by their names in the results."""
        kernels = [str(kernel) for kernel in published["kernel"]]
        if "riscv" not in published.columns:
            return kernels
        riscvs: dict[str, set[str]] = {}
        for row in self._rows:
            riscvs.setdefault(str(row["kernel"]), set()).add(text_of(row.get("riscv")))
        of_published = [text_of(riscv) for riscv in published["riscv"]]
        return [_kernel_on(riscv, kernel, riscvs) for kernel, riscv in zip(kernels, of_published, strict=True)]

    def _differences(self, conditions: Sequence[Mapping[str, str]], is_about: Sequence[bool]) -> tuple[str, ...]:
        apart = [of_row for of_row, about in zip(conditions, is_about, strict=True) if not about]
        if any(is_about) or not apart:
            return ()
        differences = []
        for name in dict.fromkeys(name for of_row in apart for name in of_row):
            of_published = dict.fromkeys(of_row[name] for of_row in apart if name in of_row)
            of_results = dict.fromkeys(value for (value,) in self._values((name,)))
            if not of_published.keys() & of_results.keys():
                differences.append(f"expected {name} {_listed(of_published)} as published, found {_listed(of_results)}")
        return tuple(differences)


def _kernel_on(riscv: str, kernel: str, riscvs: Mapping[str, set[str]]) -> str:
    if not riscv or riscv in riscvs.get(kernel, ()):
        return kernel
    on_it = [name for name, of_name in riscvs.items() if of_name == {riscv}]
    return on_it[0] if len(on_it) == 1 else kernel


class _Counting(NamedTuple):
    """Differences between the counting of published rows and of results.

    Attributes:
        of_cores: True if published rows have the bytes of one core and results those of all.
        multiple: number of cores if `of_cores`, else the factor in the number of transactions; 1 if unknown.
    """

    of_cores: bool = False
    multiple: int = 1


class _Index:
    """Index of results by the keys of published rows."""

    def __init__(self, rows: Sequence[Row], values: Sequence[Values], has_size: bool) -> None:
        self._by_transactions: dict[Key, list[int]] = {}
        self._by_calls: dict[Key, list[int]] = {}
        self._by_cores: dict[Key, list[int]] = {}
        self._examples: dict[Values, int] = {}
        self._destinations: dict[Values, set[int]] = {}
        for place, (row, of_row) in enumerate(zip(rows, values, strict=True)):
            self._examples.setdefault(of_row, place)
            kernel = str(row["kernel"])
            count, size = int(row["num_transactions"]), int(row["transaction_size_bytes"])
            call_size = row.get("call_size_bytes")
            self._by_transactions.setdefault((kernel, count, size if has_size else 0, of_row), []).append(place)
            if call_size is not None and size != call_size and size % int(call_size) == 0:
                destinations = size // int(call_size)
                self._destinations.setdefault(of_row, set()).add(destinations)
                self._by_calls.setdefault((kernel, count * destinations, int(call_size), of_row), []).append(place)
                if destinations == row.get("num_cores"):
                    self._by_cores.setdefault((kernel, count, int(call_size), of_row), []).append(place)

    def example(self, values: Values) -> int | None:
        """Returns the position of a result with these parameter values, or None."""
        return self._examples.get(values)

    def find(self, keys: Sequence[Key]) -> tuple[list[tuple[int, ...]], _Counting]:
        """Returns the results that match published rows with equal parameter values, and the counting of these rows."""
        counts = {count for _, count, _, _ in keys}
        num_by_transactions = sum(key in self._by_transactions for key in keys)
        num_by_calls = sum(key in self._by_calls for key in keys)
        counts_calls = 1 not in counts and num_by_calls > 0 and num_by_calls >= num_by_transactions
        num_by_cores = sum(key in self._by_cores for key in keys)
        of_cores = 1 in counts and num_by_cores > num_by_transactions
        index = self._by_calls if counts_calls else self._by_cores if of_cores else self._by_transactions
        found = [tuple(index.get(key, ())) for key in keys]
        destinations = self._destinations.get(keys[0][-1], set())
        is_known = len(destinations) == 1 and (counts_calls or of_cores)
        return found, _Counting(index is self._by_cores, min(destinations) if is_known else 1)


def _number_of_cores(params: object, otherwise: int) -> int:
    """Returns the number of cores that a published row names; `otherwise` if it names none."""
    named = plain_value(changed_values(text_of(params)).get(_NUM_CORES, ""))
    return int(named) if named.isdecimal() else otherwise


def _listed(values: Iterable[str | None]) -> str:
    words = [value or "nothing" for value in values]
    return ", ".join(words[:_MAX_VALUES_SHOWN]) + (", ..." if len(words) > _MAX_VALUES_SHOWN else "")
