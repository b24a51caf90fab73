"""``nocbench serve``."""

from __future__ import annotations

from pathlib import Path

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand
from nocbench.support.exit_status import ExitStatus
from nocbench.support.extras import needs


@click.command(cls=FileCommand, short_help="Answer what-if questions and run pasted kernels, in a browser.")
@click.argument("site", required=False, metavar="[SITE]", type=click.Path(path_type=Path, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=8800, show_default=True, help="Port; 0: any free one.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on.")
@click.option(
    "--allow-kernels",
    is_flag=True,
    help="Compile and run kernels for other machines, too. Their authors can read what this user can.",
)
@options.jobs
@needs("serve")
def command(site: Path | None, port: int, host: str, allow_kernels: bool, jobs: int | None) -> int:
    """Serve pages that ask the model, beside those of a SITE that `nocbench site` made.

    On the page What if, a test of any chip is drawn again as its fields change: first by the fast engine, then exactly.
    On the page Kernel, a program of pasted texts is compiled and run, with its cycles by source line. The address of a
    page holds the whole question.

    The server listens on 127.0.0.1 alone. With the --host of another address, requests need the token in the address
    that is printed, and kernels are not run without --allow-kernels. Ctrl-C ends it.

    \b
    Examples:
      nocbench serve
      nocbench serve public --port 9000
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import asyncio
    import os
    import signal

    from nocbench.serving.pages import pages_of
    from nocbench.serving.server import Service, is_loopback, make_token, serve

    is_own = is_loopback(host)
    runs_kernels = is_own or allow_kernels
    token = "" if is_own else make_token()
    service = Service(
        host=host,
        port=port,
        pages=pages_of(site, runs_kernels=runs_kernels),
        token=token,
        runs_kernels=runs_kernels,
        jobs=jobs or len(os.sched_getaffinity(0)),
    )

    def ready(found: int) -> None:
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"http://{shown}:{found}/{'?token=' + token if token else ''}")

    async def until_interrupted() -> None:
        until = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, until.set)
        await serve(service, ready, until)

    asyncio.run(until_interrupted())
    return ExitStatus.FINE
