#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries the installed nocbench, from a wheel and without extras: it needs no checkout and no library of the system.

Usage: tests/installed_wheel.py

Run by the Python into whose environment the wheel is installed. Exit status: 0 it works; otherwise it does not.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

# Libraries of the C and C++ languages, which every Linux that runs Python has.
LANGUAGE_LIBRARIES = re.compile(
    r"(ld-linux[\w-]*|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)[-.\d]*\.so[.\d]*"
)


def libraries_of_the_system() -> list[str]:
    """Returns the libraries that this process has loaded from elsewhere than Python's own folders."""
    own = [Path(sysconfig.get_path(name)).resolve() for name in ("platlib", "stdlib")]
    mapped = {
        Path(line.split(maxsplit=5)[5]) for line in Path("/proc/self/maps").read_text().splitlines() if ".so" in line
    }
    return sorted(
        str(path)
        for path in mapped
        if not any(path.is_relative_to(folder) for folder in own) and not LANGUAGE_LIBRARIES.fullmatch(path.name)
    )


def nocbench(*arguments: str) -> str:
    """Runs a command, and returns its output."""
    done = subprocess.run([sys.executable, "-m", "nocbench", *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def main() -> None:
    """Tries the package in an empty folder."""
    import nocbench as package

    before = set(libraries_of_the_system())
    from nocbench import _core  # noqa: F401 - loads the libraries

    needed = [library for library in libraries_of_the_system() if library not in before]
    assert not needed, f"the wheel needs libraries of the system: {', '.join(needed)}"
    from nocbench.support.revision import checkout

    assert checkout() is None, f"expected an installed package, found the checkout {checkout()}"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print(package.estimate("multicast", cores="4x4", bytes="4KiB"))
        for test, arch in (("One to One Packet Sizes", "blackhole"), ("Core to Core Write Sizes", "epiphany_iii")):
            nocbench("run", test, "--arch", arch, "--tier", "quick", "-o", f"{arch}.csv")
            assert nocbench("compare", f"{arch}.csv", f"{arch}.csv").startswith("PASS: ")
        nocbench("report", "blackhole.csv", "-o", "report.html")
        nocbench("init", "suite")


if __name__ == "__main__":
    main()
