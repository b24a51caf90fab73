"""How far results are from published measurements.

The error of a point is (latency - reference) / reference. Reported is the distribution of its absolute value per
table, in percent: median, 90th percentile and maximum, with the number of points. Percentiles are interpolated linearly
between the two nearest points, numpy's default.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from nocbench.support.columns import (
    POINT_KEY,
    SHORTENING,
    SIMULATED_TRANSACTIONS,
    STEADY,
    VARIANT_KEY,
    changed_values,
    starts_together,
    without_values,
)
from nocbench.support.errors import InputError, NothingMatchedError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import pandas

STATISTICS = ("median", "p90", "max")


@dataclass(frozen=True, slots=True)
class TableAccuracy:
    """How far the results of one published table are from it.

    Attributes:
        arch, test, kernel: the table.
        board, params: what was run for it; empty where a results file does not say.
        points: points that were compared.
        missing: points that were published and have no result.
        median_percent, p90_percent, max_percent: absolute relative latency error; None without points.
        worst_*: the point with the largest error.
        quantity: what is compared: "latency", or "speed" where cells of a table of speeds are the points.
        worst_cell: the worst point of such a table, in words.
    """

    arch: str
    test: str
    kernel: str
    board: str
    params: str
    points: int
    missing: int
    median_percent: float | None = None
    p90_percent: float | None = None
    max_percent: float | None = None
    worst_num_transactions: int | None = None
    worst_transaction_size_bytes: int | None = None
    worst_latency_cycles: float | None = None
    worst_reference_latency_cycles: float | None = None
    quantity: str = "latency"
    worst_cell: str = ""


def match(results: pandas.DataFrame, reference: pandas.DataFrame) -> pandas.DataFrame:
    """Adds what was published of each result, and how far it is from that.

    Returns:
        The results, in their order, with `reference_latency_cycles`, `reference_bandwidth_bytes_per_cycle` and
        `error_percent`: NaN where nothing was published.
    """
    measured = ["latency_cycles", "bandwidth_bytes_per_cycle"]
    published = reference[[*POINT_KEY, *measured]].rename(columns={name: f"reference_{name}" for name in measured})
    matched = results.merge(published, on=POINT_KEY, how="left", validate="many_to_one")
    difference_cycles = matched["latency_cycles"] - matched["reference_latency_cycles"]
    matched["error_percent"] = 100 * difference_cycles / matched["reference_latency_cycles"]
    return matched


def compare_tables(results: pandas.DataFrame, reference: pandas.DataFrame) -> list[TableAccuracy]:
    """Compares results with published measurements.

    Args:
        results: result rows; the seven common columns suffice.
        reference: published measurements, the seven common columns.

    Returns:
        One entry for each published table of a test that the results hold, for each board and parameters, in the order
        of the results. Tests that the results do not hold at all are not missing. Runs with a common start of all cores
        are left out: nothing was published about such.
    """
    tables = []
    by_run = with_variants(results).groupby(["arch", "test", *VARIANT_KEY], sort=False)
    for key, measured in by_run:
        arch, test, board, params = (str(part) for part in key)
        if starts_together(params):
            continue
        published = reference[(reference["arch"] == arch) & (reference["test"] == test)]
        for kernel in published["kernel"].drop_duplicates():
            table = published[published["kernel"] == kernel]
            compared = match(measured[measured["kernel"] == kernel], table).dropna(subset="error_percent")
            tables.append(
                TableAccuracy(
                    arch=arch,
                    test=test,
                    kernel=kernel,
                    board=board,
                    params=params,
                    points=len(compared),
                    missing=len(table) - len(compared),
                    **_distribution(compared),
                )
            )
    return tables


def with_variants(results: pandas.DataFrame) -> pandas.DataFrame:
    """Results with the columns `board` and `params`, empty where a file does not have them.

    Frames that pandas itself has read from CSV have NaN for an empty text. How many transactions of a point were
    simulated, and whether they told how long all take, is no variant of it: that moves from `params` to columns of its
    own, `simulated_transactions` and `steady`.
    """
    results = results.assign(
        **{
            name: results[name].astype(object).where(results[name].notna(), "") if name in results.columns else ""
            for name in VARIANT_KEY
        }
    )
    changed = [changed_values(params) for params in results["params"]]
    simulated = [values.get(SIMULATED_TRANSACTIONS) for values in changed]
    return results.assign(
        params=[without_values(params, SHORTENING) for params in results["params"]],
        simulated_transactions=[
            int(number) if number else int(of_point)
            for number, of_point in zip(simulated, results["num_transactions"], strict=True)
        ],
        steady=[values.get(STEADY) != "0" for values in changed],
    )


def select_rows(
    results: pandas.DataFrame, architectures: Sequence[str] = (), patterns: Sequence[str] = ()
) -> pandas.DataFrame:
    """The results of some architectures and tests, by name or glob; of all if none are named.

    Raises:
        NothingMatchedError: the results hold nothing of one of them.
    """
    for arch in architectures:
        if arch not in set(results["arch"]):
            raise NothingMatchedError(f"the results hold nothing of '{arch}'{did_you_mean(arch, results['arch'])}")
    if architectures:
        results = results[results["arch"].isin(architectures)]
    names = results["test"].drop_duplicates()
    picked: set[str] = set()
    for pattern in patterns:
        matches = {name for name in names if fnmatchcase(name.casefold(), pattern.casefold())}
        if not matches:
            raise NothingMatchedError(f"the results hold no test '{pattern}'{did_you_mean(pattern, names)}")
        picked |= matches
    return results[results["test"].isin(picked)] if patterns else results


def without_reference(
    results: pandas.DataFrame, reference: pandas.DataFrame, others: Collection[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """The (arch, test) of the results that nothing was published about; those with a common start say so.

    Args:
        results: result rows.
        reference: published measurements.
        others: (arch, test) about which something else was published.
    """
    published = {*zip(reference["arch"], reference["test"], strict=True), *others}
    results = with_variants(results)
    names = results["test"] + [" (start=together)" if starts_together(params) else "" for params in results["params"]]
    held = dict.fromkeys(zip(results["arch"], names, strict=True))
    return [table for table in held if table not in published]


def parse_bounds(text: str) -> dict[str, float]:
    """Reads "median=0.8,p90=3,max=8", in percent; any of the three may be left out.

    Raises:
        InputError: malformed.
    """
    bounds: dict[str, float] = {}
    for item in text.split(","):
        name, _, value = (part.strip() for part in item.partition("="))
        if name not in STATISTICS:
            raise InputError(
                f"'{item.strip()}' in the bounds is none of median=PERCENT, p90=PERCENT, max=PERCENT"
                + did_you_mean(name, STATISTICS)
            )
        try:
            bounds[name] = float(value)
        except ValueError:
            raise InputError(f"the bound '{item.strip()}' has no number") from None
        if not bounds[name] >= 0:
            raise InputError(f"the bound '{item.strip()}' is not a percentage")
    return bounds


def missed_bounds(table: TableAccuracy, bounds: Mapping[str, float]) -> list[str]:
    """Which bounds a table misses: ["p90 3.4 > 3"]. A table without points misses none: it shows nothing."""
    missed = []
    for name, bound_percent in bounds.items():
        percent = getattr(table, f"{name}_percent")
        if percent is not None and percent > bound_percent:
            missed.append(f"{name} {percent:.5g} > {bound_percent:g}")
    return missed


def _distribution(compared: pandas.DataFrame) -> dict[str, Any]:
    if compared.empty:
        return {}
    errors_percent = compared["error_percent"].abs()
    worst = compared.iloc[int(errors_percent.argmax())]
    return {
        "median_percent": float(errors_percent.quantile(0.5)),
        "p90_percent": float(errors_percent.quantile(0.9)),
        "max_percent": float(errors_percent.max()),
        "worst_num_transactions": int(worst["num_transactions"]),
        "worst_transaction_size_bytes": int(worst["transaction_size_bytes"]),
        "worst_latency_cycles": float(worst["latency_cycles"]),
        "worst_reference_latency_cycles": float(worst["reference_latency_cycles"]),
    }
