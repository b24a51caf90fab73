"""``nocbench merge``."""

from __future__ import annotations

from pathlib import Path

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.progress import remark


@click.command(cls=FileCommand, short_help="Put results files together: shards of a run, or parts of one revision.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "-o",
    "--output",
    type=OutputPath(),
    metavar="OUT",
    required=True,
    help="Write the result rows to OUT, .csv or .parquet; - is CSV on standard output.",
)
@click.option("--mixed-revisions", is_flag=True, help="Allow files of different revisions of nocbench.")
@click.option(
    "--shards",
    "num_shards",
    metavar="N",
    type=click.IntRange(min=1),
    help="Expect the N shards of a run: the exit status is 3 unless it is known that all of them are there.",
)
@options.as_json
def command(files: tuple[Path, ...], output: str, mixed_revisions: bool, num_shards: int | None, as_json: bool) -> int:
    """Put results files together: shards of a run, or parts of one revision.

    All shards of a run give the bytes that the run gives without --shard, in whatever order they are named. Beside the
    results file of each of them is a file .shard.json that says which part of which run it is; keep the two together.
    If a shard is missing or points of it crashed, what there is is written, what is missing is named, and the exit
    status is 3. Without any .shard.json nothing tells shards from other results files, and there is but a warning;
    --shards says how many there must be. Files with different values for the same point are refused.

    \b
    Example:
      nocbench run --shard 1/2 -o part1.csv
      nocbench run --shard 2/2 -o part2.csv
      nocbench merge --shards 2 part1.csv part2.csv -o results.csv
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import json

    from nocbench.commands.inputs import say_faults
    from nocbench.results.result_files import require_writable, to_csv, write_results
    from nocbench.running.merging import merge_parts, read_part, without_manifests
    from nocbench.running.shard_manifest import remove_manifest
    from nocbench.support.units import plural

    paths = list(dict.fromkeys(without_manifests(files)))
    if not paths:
        raise click.UsageError("expected results files, found only manifests of shards")
    if as_json and output == "-":
        raise click.UsageError("--json and -o - both write to standard output")
    target = Path(output)
    if output != "-":
        require_writable(target)
        if any(path.exists() and target.exists() and path.samefile(target) for path in paths):
            raise click.UsageError(f"{output} is one of the files to merge; write to another one")
    merged = merge_parts([read_part(path) for path in paths], mixed_revisions=mixed_revisions, num_shards=num_shards)
    if output == "-":
        click.echo(to_csv(merged.rows), nl=False)
    else:
        write_results(merged.rows, target)
        remove_manifest(target)
        remark(f"wrote {len(merged.rows)} result rows of {plural(len(paths), 'file')} to {output}")
    if as_json:
        facts = {"output": output, "num_rows": len(merged.rows), "missing": merged.missing}
        click.echo(json.dumps(facts | {"is_complete_known": merged.is_complete_known}, indent=2))
    for sentence in merged.missing:
        click.echo(sentence, err=True)
    if not merged.is_complete_known and not merged.missing:
        click.echo(
            "warning: not all files are shards of a run: whether points are missing is not known; --shards N tells",
            err=True,
        )
    if say_faults(merged.rows):
        return ExitStatus.NEGATIVE_VERDICT
    return ExitStatus.INCOMPLETE if merged.missing or not merged.rows else ExitStatus.FINE
