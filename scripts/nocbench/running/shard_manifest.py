"""The manifest beside the results file of a shard, which identifies the part of the run.

Result rows do not contain this information, and without it a missing shard would go unnoticed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from nocbench.support.atomic_files import write_text
from nocbench.support.errors import InputError
from nocbench.support.input_files import read_bytes, read_json

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = ".shard.json"
_SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class ShardManifest:
    """Identity of a shard: the part of a run that a results file holds.

    Attributes:
        number: number of the shard, from 1.
        count: number of shards of the run.
        revision: revision that ran; distinguishes uncommitted changes (:func:`nocbench.support.revision.identity`).
        selection: digest of the points of the whole run (:func:`nocbench.points.selection.selection_digest`).
        num_points: number of points of the whole run.
        positions: positions of the shard's points in the whole run.
        row_counts: number of result rows of each point; 0 for a crashed point.
        crashes: descriptions of the points that crashed.
        results_sha256: digest of the results file, which reveals a later change of the file.
    """

    number: int
    count: int
    revision: str
    selection: str
    num_points: int
    positions: list[int]
    row_counts: list[int]
    crashes: list[str]
    results_sha256: str


def manifest_path(results_path: Path) -> Path:
    """Returns the path of the manifest of a results file: "part1.csv.shard.json"."""
    return results_path.with_name(results_path.name + SUFFIX)


def results_sha256(results_path: Path) -> str:
    """Returns the hash of a results file that its manifest contains."""
    return hashlib.sha256(read_bytes(results_path)).hexdigest()


def write_manifest(results_path: Path, manifest: ShardManifest) -> None:
    """Writes the manifest of an existing results file."""
    text = json.dumps({"nocbench_shard": _SCHEMA_VERSION, **asdict(manifest)})
    write_text(manifest_path(results_path), f"{text}\n")


def remove_manifest(results_path: Path) -> None:
    """Removes the manifest of an earlier results file with the same name, if any."""
    manifest_path(results_path).unlink(missing_ok=True)


def read_manifest(results_path: Path) -> ShardManifest | None:
    """Returns the manifest of a results file, or None.

    Raises:
        InputError: the manifest cannot be read, or belongs to another results file.
    """
    path = manifest_path(results_path)
    if not path.exists():
        return None
    manifest = _parse(path)
    if manifest.results_sha256 != results_sha256(results_path):
        raise InputError(
            f"{path}: expected the manifest of {results_path}, found that of a file with other contents; run shard "
            f"{manifest.number}/{manifest.count} again"
        )
    return manifest


def _parse(path: Path) -> ShardManifest:
    document: dict[str, Any] = read_json(path, "the manifest of a shard")
    try:
        version = document.pop("nocbench_shard")
    except (KeyError, AttributeError, TypeError):
        raise InputError(f"{path}: is not the manifest of a shard") from None
    if version != _SCHEMA_VERSION:
        raise InputError(
            f"{path}: expected a manifest of schema version {_SCHEMA_VERSION}, found {version}: merge with the "
            "revision of nocbench that ran the shard"
        )
    if document.keys() != {field.name for field in fields(ShardManifest)}:
        raise InputError(f"{path}: is not the manifest of a shard")
    return ShardManifest(**document)
