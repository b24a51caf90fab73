"""Compiles the headers that first programs and their kernels need; set-up calls it. They are kept in the cache."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from nocbench.compiling.compiler import precompile as precompile_for_kernels
from nocbench.host.building import precompile as precompile_for_programs
from nocbench.support.errors import InputError


def main() -> None:
    """Compiles what is missing, if there are compilers: set-up does not fail where only time is saved."""
    with suppress(InputError), ThreadPoolExecutor() as pool:
        of_programs = pool.submit(precompile_for_programs)
        for architecture in ("wormhole_b0", "blackhole"):
            precompile_for_kernels(architecture, None)
        of_programs.result()


if __name__ == "__main__":
    main()
