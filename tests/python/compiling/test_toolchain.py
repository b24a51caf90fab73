# SPDX-License-Identifier: Apache-2.0
"""Which compiler of kernels is found, and what it is called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nocbench.compiling import toolchain as module
from nocbench.compiling.toolchain import Toolchain, ask, find_toolchain

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_label_is_name_and_version() -> None:
    found = find_toolchain(None)
    version = ask(found, "-dumpfullversion")
    assert re.fullmatch(rf"gcc-{re.escape(version)}(\+libstdc\+\+-\d+)?", found.label)


def test_the_label_names_headers_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "c++" / "97"
    (library / "bits").mkdir(parents=True)
    (library / "array").touch()
    configuration = tmp_path / "machine" / "c++" / "97" / "bits"
    configuration.mkdir(parents=True)
    (configuration / "c++config.h").write_text("#define _GLIBCXX_RELEASE 97\n")
    plain = find_toolchain(None)
    monkeypatch.setattr(module, "_HOST_LIBRARIES", tmp_path / "c++")
    monkeypatch.setattr(module, "_HOST_CONFIGURATIONS", tmp_path)
    module.include_flags.cache_clear()
    module.cxx_library_flags.cache_clear()
    try:
        label = Toolchain(plain.compiler, "another").label
    finally:
        module.include_flags.cache_clear()
        module.cxx_library_flags.cache_clear()
    assert label == f"gcc-{ask(plain, '-dumpfullversion')}+libstdc++-97"
