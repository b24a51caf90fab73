"""Small suite with one kernel, and a repository for suites."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

WriteSuite = Callable[..., Path]

KERNEL = """
#include "dataflow_api.h"
#include "count.h"

void kernel_main() {
    for (uint32_t page = 0; page < PAGES; ++page) {
        noc_async_write(get_arg_val<uint32_t>(0), get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2),
                                                              get_arg_val<uint32_t>(3)), 64);
    }
    noc_async_write_barrier();
}
"""
PROGRAM = """
about: Packets go to another core.
parameters: {pages: 4}
kernels:
  - file: kernels/write.cpp
    riscv: 0
    cores: [[0, 0]]
    defines: {PAGES: $pages}
    runtime_args: [address source, x 1 1, y 1 1, address target]
regions:
  source: {bytes: 64, initial: {counting: 5}}
  target: {bytes: 64}
expect:
  - {region: target, core: [1, 1], equals: {counting: 5}}
"""
SUITE = """
name: small
tests:
  - name: Packets
    program: write.yaml
    architectures: blackhole
    sweep:
      quick: {pages: [1, 4]}
      full: {pages: 1:8:x2}
"""


def write_suite(directory: Path, suite: str = SUITE, program: str = PROGRAM, kernel: str = KERNEL) -> Path:
    """Writes the suite, or variants of its files."""
    (directory / "kernels").mkdir(parents=True, exist_ok=True)
    (directory / "nocbench.yaml").write_text(suite)
    (directory / "write.yaml").write_text(program)
    (directory / "kernels" / "write.cpp").write_text(kernel)
    (directory / "kernels" / "count.h").write_text("#pragma once\n")
    return directory


class Repository:
    """git repository of a user."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *arguments: str) -> None:
        identity = ["-c", "user.name=n", "-c", "user.email=e@localhost"]
        subprocess.run(["git", *identity, *arguments], cwd=self.path, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a change")

    def nocbench(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "nocbench", *map(str, arguments)],
            cwd=self.path,
            capture_output=True,
            text=True,
            check=False,
        )
