"""A change in any input of a point's result changes its key; other changes do not."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling import toolchain
from nocbench.extension import source_fingerprint
from nocbench.points.point import Point
from nocbench.points.selection import select_points
from nocbench.running import inputs
from nocbench.suites.suite import Suite
from nocbench.support import device_files
from nocbench.support.python_code import digest_of_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from small_suite import WriteSuite

SHORTEN_FROM = 5e8


def key_of(point: Point, shorten_from: float | None = SHORTEN_FROM, *, with_details: bool = False) -> str:
    inputs._simulator_digest.cache_clear()  # as in a new process
    inputs._code_digest.cache_clear()
    return inputs.Keys(shorten_from_flit_hops=shorten_from, with_details=with_details).of(point)


@pytest.fixture
def point(fake_simulator: ModuleType) -> Point:
    del fake_simulator
    return select_points(["4"], architectures=["blackhole"], tier="quick")[0]


def test_configurations(point: Point) -> None:
    others = [
        replace(point, arch="wormhole_b0"),
        replace(point, board="p100"),
        replace(point, test="Loopback Packet Sizes"),
        replace(point, parameters=(*point.parameters, ("destination", "1,1"))),
        replace(point, parameters=tuple((name, f"1{value}") for name, value in point.parameters)),
        replace(point, settings=(("router.hop_cycles", "8"),)),
        replace(point, settings=(("router.hop_cycles", "9"),)),
    ]
    keys = [key_of(one) for one in (point, *others)]
    keys += [key_of(point, None), key_of(point, SHORTEN_FROM / 2), key_of(point, with_details=True)]
    assert len(set(keys)) == len(keys)
    assert key_of(replace(point, relative_cost=3.0)) == key_of(point)


def test_the_extension_module_byte_for_byte(point: Point, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = tmp_path / "_core.so"
    monkeypatch.setattr(inputs, "BEGIN_NS", time.time_ns() + 3600 * 10**9)
    monkeypatch.setattr(inputs, "extension_file", lambda: module)
    keys = []
    for content in (b"one", b"two", b"one"):  # equal size and time
        module.write_bytes(content)
        keys.append(key_of(point))
    assert keys[0] == keys[2] != keys[1]


def test_what_has_changed_since_it_was_loaded_is_not_known(
    point: Point, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The process continues with the old module, as a notebook does."""
    assert key_of(point) == key_of(point)
    module = tmp_path / "_core.so"
    module.write_bytes(b"new")
    with monkeypatch.context() as patch:
        patch.setattr(inputs, "extension_file", lambda: module)
        assert key_of(point) != key_of(point)
    monkeypatch.setattr(inputs, "PACKAGE", tmp_path)
    (tmp_path / "simulator.py").write_text("A = 2\n")
    assert key_of(point) != key_of(point)


def test_libraries(point: Point, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of(point)
    monkeypatch.setattr(inputs, "_libraries", lambda: ["/lib/libm.so.6 911905 1"])
    assert key_of(point) != before


def test_the_libraries_are_found() -> None:
    source_fingerprint()  # loads the module
    names = [Path(line).name for line in inputs._libraries()]
    for library in ("libfmt", "libstdc++", "libc"):
        assert [name for name in names if name.startswith(library)], library


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        ("value: 9", "value: 10", True),
        ("unit: cycles", "unit: ticks", True),
        ("hop_cycles:", "other_cycles:", True),
        ("source: a paper", "source: another paper", False),
        ("status: derived", "status: fitted", False),
        ("# words", "# other words", False),
        ("# words\n", "", False),
    ],
)
def test_constants(
    before: str,
    after: str,
    counts: bool,
    point: Point,
    fake_simulator: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    text = "# words\nrouter:\n  hop_cycles: {value: 9, unit: cycles, source: a paper, status: derived}\n"
    file = tmp_path / "blackhole.yaml"
    file.write_text(text)
    monkeypatch.setattr(fake_simulator, "ARCHITECTURES", tmp_path)
    key = key_of(point)
    assert before in text
    file.write_text(text.replace(before, after))
    assert (key_of(point) != key) == counts


MODULES = {
    "__init__.py": '"""A package."""\nfrom package import pages\n',
    "running/__init__.py": "",
    "running/execution.py": '"""Runs."""\nfrom package.points import simulator\n\ndef run():\n    """Words."""\n'
    "    from package.suites.suite import late\n    return simulator, late\n",
    "points/__init__.py": "",
    "points/simulator.py": "A = 1  # words\n",
    "suites/__init__.py": "",
    "suites/suite.py": "import package.support.units\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
    "    from package.pages.words import C\n\nclass Suite:\n    pass\n\nlate = 1\n",
    "support/__init__.py": "",
    "support/units.py": "B = 2\n",
    "pages/__init__.py": "",
    "pages/words.py": "C = 3\n",
}


def _write_package(folder: Path) -> Path:
    package = folder / "package"
    for name, text in MODULES.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    return package


@pytest.mark.parametrize(
    ("file", "before", "after", "counts"),
    [
        ("running/execution.py", "return simulator, late", "return late, simulator", True),
        ("running/execution.py", '"""Words."""', '"""Other words."""', False),
        ("running/execution.py", '    """Words."""\n', "", False),
        ("points/simulator.py", "A = 1", "A = 2", True),
        ("points/simulator.py", "# words", "# other words, longer", False),
        ("points/__init__.py", "", "A = 1\n", True),
        ("suites/suite.py", "late = 1", "late = 2", True),  # imported within a function
        ("support/units.py", "B = 2", "B = 3", True),  # imported indirectly
        ("support/units.py", "B = 2", "\n\nB = 2", False),
        ("pages/words.py", "C = 3", "C = 4", False),  # imported for annotations only
    ],
)
def test_modules(file: str, before: str, after: str, counts: bool, tmp_path: Path) -> None:
    package = _write_package(tmp_path)

    def digest() -> str:
        return digest_of_code(["running.execution"], package)

    first = digest()
    assert digest() == first
    path = package / file
    path.write_text(path.read_text().replace(before, after, 1))
    assert (digest() != first) == counts


def test_the_modules_that_run_points_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Changes of these modules change the digest; changes of pages do not."""
    from nocbench.support import python_code

    monkeypatch.setenv("NOCBENCH_CACHE", str(tmp_path))
    said: dict[str, dict[str, bytes]] = {}

    def note(roots: object, contents: dict[str, bytes], *_: object) -> str:
        said["all"] = contents
        return str(roots)

    monkeypatch.setattr(python_code, "_digest_of", note)
    digest_of_code(inputs._ROOTS)
    monkeypatch.undo()
    contents = said["all"]
    before = python_code._digest_of(inputs._ROOTS, contents, "nocbench", "3")
    for name, counts in {
        "extension.py": True,
        "points/simulation.py": True,
        "running/engines/engine.py": True,
        "compiling/compiler.py": True,
        "compiling/tt_metal.py": True,
        "programs/layout.py": True,
        "flow_tables/execution.py": True,
        "suites/program_content.py": True,
        "pages/sections.py": False,
        "commands/run.py": False,
        "support/progress.py": False,
    }.items():
        changed = contents | {name: contents[name] + b"\nmore = 1\n"}
        assert (python_code._digest_of(inputs._ROOTS, changed, "nocbench", "3") != before) == counts, name


@pytest.fixture
def write_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Provides a function that writes sources of the suite's kernels and returns their digest."""
    monkeypatch.setattr(device_files, "PACKAGE", tmp_path / "scripts" / "nocbench")
    monkeypatch.setattr(toolchain, "installed_files", lambda found: (f"{found.identity} 1", ("/usr/include/",)))

    def write(**texts: str) -> str:
        files = {
            "kernels/device/include/noc.h": "int a;  // words\n",
            "kernels/device/link/kernel.ld": "SECTIONS {}\n",
            "tensor_operations/reshard/kernels/device/mover.cpp": "void kernel_main() {}\n",
            "kernels/frame/device/frame.h": "int b;\n",
            "tensor_operations/reshard/kernels/host.cpp": "int c;\n",
        }
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(texts.get(Path(name).stem, text))
        inputs._known_kernel_files.cache_clear()  # as in a new process
        return inputs._known_kernel_files(None).digest

    yield write
    inputs._known_kernel_files.cache_clear()


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ({"noc": "long a;\n"}, True),
        ({"noc": "int a;  // other words\n"}, False),
        ({"noc": "// words\n\nint a;\n"}, False),
        ({"kernel": "SECTIONS { }\n"}, True),
        ({"mover": "void kernel_main() { ; }\n"}, True),
        ({"frame": "int c;\n"}, True),
        ({"host": "int d;\n"}, False),  # source of the extension module
    ],
)
def test_our_own_kernels(changed: dict[str, str], counts: bool, write_kernels: Callable[..., str]) -> None:
    before = write_kernels()
    assert (write_kernels(**changed) != before) == counts


def test_the_compiler(write_kernels: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = write_kernels()
    monkeypatch.setattr(toolchain, "installed_files", lambda found: (f"{found.identity} 2", ("/usr/include/",)))
    assert write_kernels() != before


def test_the_state_of_the_compiler_has_what_it_reads() -> None:
    pinned = toolchain.find_toolchain(None)
    assert toolchain.installed_files(pinned) == (pinned.identity, (f"{pinned.root}/",))
    state, folders = toolchain.installed_files(toolchain.Toolchain(pinned.compiler, "not the pinned one"))
    for file in ("cc1plus", "libgcc.a", "cstdint", "stdlib.h", "ld", "as"):
        assert f"{file} " in state or f"{file}\n" in state, file
    assert all(folder.endswith("/") for folder in folders)


def test_only_what_is_known_covers_what_was_read() -> None:
    files = inputs.KernelFiles("digest", {"/a/kernel.cpp": "1", "/a/b.h": "2"}, ("/usr/include/",))
    assert files.cover({})
    assert files.cover({"/a/kernel.cpp": "1", "/a/b.h": "2", "/usr/include/c++/cstdint": "7"})
    assert not files.cover({"/a/kernel.cpp": "1", "/a/b.h": "3"})  # the file has changed in between
    assert not files.cover({"/a/c.h": "1"})
    assert not inputs.KernelFiles("", {}, ()).cover({"/a/c.h": "1"})


SUITE_WITH_FLOWS = """
name: small
tests:
  - name: Packets
    program: write.yaml
    architectures: blackhole
    sweep: {quick: {pages: [1]}, full: {pages: [1, 2]}}
  - name: Shuffle
    flows: flows.csv
    architectures: wormhole_b0
"""
FLOWS = "kind,core,partner,call_size,num_calls\nwrite,0 0,1 1,64,2\n"


@pytest.mark.parametrize(
    ("file", "before", "after", "test"),
    [
        ("nocbench.yaml", "name: small", "name: other", "Packets"),
        ("nocbench.yaml", "name: Packets", "name: Packets\n    id: 7", "Packets"),
        ("write.yaml", "{bytes: 64}", "{bytes: 128}", "Packets"),
        ("kernels/write.cpp", "64);", "32);", "Packets"),
        ("kernels/count.h", "#pragma once", "#define A 1", "Packets"),
        ("flows.csv", "64,2", "64,3", "Shuffle"),
    ],
)
def test_suites(file: str, before: str, after: str, test: str, write_suite: WriteSuite) -> None:
    def key() -> str:
        suite = Suite(str(directory))
        arch = "blackhole" if test == "Packets" else "wormhole_b0"
        return key_of(Point(arch, "", test, (("pages", "1"),) if test == "Packets" else (), catalogue=suite))

    directory = write_suite(SUITE_WITH_FLOWS)
    (directory / "flows.csv").write_text(FLOWS)
    first = key()
    (directory / "notes.txt").write_text("of no account")
    assert key() == first
    path = directory / file
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after, 1))
    assert key() != first


def test_kernels_of_suites_that_may_read_anything_are_not_known(write_suite: WriteSuite) -> None:
    directory = write_suite()
    suite = Suite(str(directory))
    sources = suite.kernel_sources("Packets")
    assert sources is not None
    assert {Path(name).name for name in sources} >= {"write.cpp", "count.h", "write.yaml"}
    header = directory / "kernels" / "count.h"
    header.write_text('asm(".incbin \\"data.bin\\"");\n')
    assert Suite(str(directory)).kernel_sources("Packets") is None
