"""Merging of results files: shards of a run, or other parts of one revision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nocbench.results.comparable_rows import is_fast
from nocbench.results.result_files import read_rows
from nocbench.results.same_points import different_values, shortened
from nocbench.running.shard_manifest import SUFFIX, ShardManifest, manifest_path, read_manifest
from nocbench.support.columns import HOW_SIMULATED, point_key, settings_in, without_values
from nocbench.support.errors import InputError, NotComparableError
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from nocbench.support.columns import Row

_MAX_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Part:
    """A results file, with its manifest if the file is a shard."""

    path: Path
    rows: list[Row]
    manifest: ShardManifest | None


@dataclass(slots=True)
class Merged:
    """Merged content of several files.

    Attributes:
        rows: rows, each point once, in the order of a run of all points.
        missing: sentences on known gaps.
        is_complete_known: True if all files are shards, so that gaps are known.
    """

    rows: list[Row] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    is_complete_known: bool = False


def read_part(path: Path) -> Part:
    """Returns a results file with its manifest.

    Raises:
        InputError: a file cannot be read, or the two do not belong together.
    """
    rows = read_rows(path)
    manifest = read_manifest(path)
    if not rows and manifest is None:
        raise InputError(f"{path}: holds no rows")
    return Part(path, rows, manifest)


def merge_parts(parts: Sequence[Part], *, mixed_revisions: bool = False, num_shards: int | None = None) -> Merged:
    """Merges parts.

    Merged shards of a run equal the results of the whole run byte for byte. Other files are merged in the order of a
    run without options: by settings, architecture and test, then by parameters, numbers of transactions and sizes.

    Args:
        parts: parts in any order.
        mixed_revisions: True if parts may come from different revisions.
        num_shards: required number of shards of a run, if known.

    Raises:
        InputError: files have different values for a point.
        NotComparableError: parts come from different revisions, or are fast in one run and exact in another.
    """
    if not mixed_revisions:
        _require_one_revision(parts)
    _require_one_accuracy(parts)
    _require_equal_values(parts, mixed_revisions=mixed_revisions)
    merged = Merged(is_complete_known=all(part.manifest is not None for part in parts))
    runs: dict[str, list[Part]] = {}
    for part in parts:
        runs.setdefault(str(part.path) if part.manifest is None else part.manifest.selection, []).append(part)
    sources = []
    for of_run in runs.values():
        shards = [(part, part.manifest) for part in of_run if part.manifest is not None]
        sources.append(_in_order_of_run(shards) if shards else of_run[0].rows)
        merged.missing += _missing_of(shards)
    if num_shards is not None and not merged.missing:
        merged.missing += _unexpected_shards(parts, num_shards)
    if merged.missing:
        merged.missing += [
            f"{part.path}: has no {manifest_path(part.path).name} beside it, so it is not known as a shard"
            for part in parts
            if part.manifest is None
        ]
    merged.rows = sources[0] if len(sources) == 1 else _interleaved(sources)
    return merged


def _require_one_revision(parts: Iterable[Part]) -> None:
    files: dict[str, Path] = {}
    for part in parts:
        # Manifests distinguish different uncommitted changes.
        revisions = {row["revision"] for row in part.rows} if part.manifest is None else {part.manifest.revision}
        for revision in sorted(revisions):
            files.setdefault(revision, part.path)
    committed = {revision.partition(":")[0] for revision in files}
    # Files without manifest do not: their "0123456789ab+" matches every such manifest.
    known = [revision for revision in files if ":" in revision]
    if len(committed) > 1 or len(known) > 1:
        found = "; ".join(f"{revision} in {path}" for revision, path in files.items())
        raise NotComparableError(
            f"the files come from different revisions: {found}. --mixed-revisions merges them all the same"
        )


def _require_one_accuracy(parts: Sequence[Part]) -> None:
    """Raises NotComparableError for files of different accuracy. Shards of one run may contain both accuracies."""
    if len({str(part.path) if part.manifest is None else part.manifest.selection for part in parts}) == 1:
        return
    files = {is_fast(row): part.path for part in parts for row in part.rows}
    if len(files) > 1:
        raise NotComparableError(
            f"expected files of one accuracy, found rows of --accuracy fast in {files[True]} and exact ones in "
            f"{files[False]}; run the points of one of them again, or put them side by side with 'nocbench compare'"
        )


def _require_equal_values(parts: Sequence[Part], *, mixed_revisions: bool) -> None:
    sources = [(part.path, part.rows) for part in parts]
    differences = different_values(sources, but=("revision",) if mixed_revisions else ())
    if differences:
        raise InputError(shortened(differences))


def _in_order_of_run(shards: Iterable[tuple[Part, ShardManifest]]) -> list[Row]:
    rows_at: dict[int, list[Row]] = {}
    for part, manifest in shards:
        rows = iter(part.rows)
        for position, count in zip(manifest.positions, manifest.row_counts, strict=True):
            of_point = [next(rows) for _ in range(count)]
            # A point that crashed in one file may have finished in another file of the same shard.
            rows_at[position] = rows_at.get(position) or of_point
    return [row for position in sorted(rows_at) for row in rows_at[position]]


def _missing_of(shards: Sequence[tuple[Part, ShardManifest]]) -> list[str]:
    if not shards:
        return []
    first = shards[0][1]
    finished = {
        position
        for _, manifest in shards
        for position, count in zip(manifest.positions, manifest.row_counts, strict=True)
        if count
    }
    num_missing = first.num_points - len(finished)
    if not num_missing:
        return []
    missing = [f"missing: {num_missing} of {plural(first.num_points, 'point')}"]
    for count in sorted({manifest.count for _, manifest in shards}):
        there = {manifest.number for _, manifest in shards if manifest.count == count}
        absent = [f"{number}/{count}" for number in range(1, count + 1) if number not in there]
        if absent:
            shown = absent[:_MAX_SHOWN] + ["..."] * (len(absent) > _MAX_SHOWN)
            missing.append(f"missing: shard {', '.join(shown)}: run again with --shard, or give its file")
    for part, manifest in shards:
        missing += [f"{part.path}: {crash}" for crash in manifest.crashes]
    return missing


def _unexpected_shards(parts: Sequence[Part], num_shards: int) -> list[str]:
    """Returns a complaint about an unexpected number of shards. Only for parts without other known gaps."""
    counts = {manifest.count for part in parts if (manifest := part.manifest) is not None}
    if counts == {num_shards}:
        return []
    found = f"shards of a run of {' and of '.join(map(str, sorted(counts)))}" if counts else "no file known as a shard"
    return [f"missing: expected {plural(num_shards, 'shard')} of a run, found {found}"]


def _interleaved(sources: Sequence[Sequence[Row]]) -> list[Row]:
    """Returns rows of several runs in the order of a single run of all points, as far as rows determine the order."""
    rows: dict[tuple[Any, ...], tuple[int, Row]] = {}
    for number, source in enumerate(sources):
        for row in source:
            rows.setdefault(point_key(row), (number, row))
    first_seen: dict[tuple[str, str], int] = {}

    def rank(kind: str, value: str) -> int:
        return first_seen.setdefault((kind, value), len(first_seen))

    blocks: dict[tuple[Any, ...], list[tuple[int, Row]]] = {}
    for number, row in rows.values():
        block = (rank("settings", settings_in(row["params"])), row["arch"], row["test_id"], row["test"])
        blocks.setdefault(block, []).append((number, row))
    ordered: list[Row] = []
    for block in sorted(blocks):
        of_block = blocks[block]
        if len({number for number, _ in of_block}) > 1:
            of_block.sort(
                key=lambda item: (
                    rank("board", item[1]["board"]),
                    rank("params", without_values(item[1]["params"], HOW_SIMULATED)),
                    item[1]["num_transactions"],
                    item[1]["call_size_bytes"],
                    rank("kernel", item[1]["kernel"]),
                )
            )
        ordered += [row for _, row in of_block]
    return ordered


def without_manifests(paths: Iterable[Path]) -> list[Path]:
    """Returns paths without manifests, which a pattern such as part* finds beside the results."""
    return [path for path in paths if not path.name.endswith(SUFFIX)]
