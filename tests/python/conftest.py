"""Fixtures: the command line, in this process or as a program, with a fake simulator or the real one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import device_programs
import fake_core
import published
import pytest
import small_suite

import nocbench
from nocbench import command_line, extension
from nocbench.architectures import files
from nocbench.running import inputs

if TYPE_CHECKING:
    from types import ModuleType

    from browser import BrowserUnavailableError
    from selenium.webdriver import Chrome


@dataclass(frozen=True)
class Completed:
    """Outcome of a command."""

    status: int
    out: str
    err: str


CommandLine = Callable[..., Completed]


def _forget_the_simulator() -> None:
    extension.core.cache_clear()
    extension.forget_answers()
    files._digests_of_added.clear()
    inputs._simulator_digest.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def disk_that_nobody_waits_for() -> Iterator[None]:
    """Skips waiting for the disk, which would take milliseconds per file: files of tests need not survive a power
    failure.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)  # noqa: ARG005
        patch.setattr(os, "sync", lambda: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def kept_kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Caches compiled kernels for this run only, apart from the user's cache.

    Results are not kept, except in tests of that feature.
    """
    directory = tmp_path_factory.mktemp("kept kernels")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOCBENCH_CACHE", str(directory))
        patch.setenv("NOCBENCH_NO_CACHE", "1")
        yield directory


@pytest.fixture
def make_request(tmp_path: Path) -> device_programs.MakeRequest:
    """Writes a source and returns a request for compiling it, by default for Wormhole's riscv_0."""
    return lambda text, **changes: device_programs.write_request(tmp_path, text, **changes)


@pytest.fixture
def write_suite(tmp_path: Path) -> small_suite.WriteSuite:
    """Writes the small suite, or variants of its files."""
    return lambda *texts, **named: small_suite.write_suite(tmp_path / "small", *texts, **named)


@pytest.fixture
def fake_simulator(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Replaces the extension module in this process (not in workers)."""
    monkeypatch.setitem(sys.modules, "nocbench._core", fake_core)
    monkeypatch.setattr(nocbench, "_core", fake_core, raising=False)
    _forget_the_simulator()
    yield fake_core
    _forget_the_simulator()


@pytest.fixture
def published_tests(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_simulator, "TESTS", published.TESTS)
    monkeypatch.setattr(fake_simulator, "HEADINGS", published.HEADINGS)


@pytest.fixture
def run_in_process(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Runs a `nocbench` command in this process, on the real simulator unless a fixture replaces it."""

    def run(*arguments: str | Path) -> Completed:
        with pytest.raises(SystemExit) as exit_info:
            command_line.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert isinstance(exit_info.value.code, int)
        return Completed(exit_info.value.code, captured.out, captured.err)

    return run


@pytest.fixture
def run_here(fake_simulator: ModuleType, run_in_process: CommandLine) -> CommandLine:
    """Runs a `nocbench` command in this process, on the fake simulator."""
    del fake_simulator
    return run_in_process


FAKE_INSTALLATION = [Path(__file__).parent / "fake_installation", Path(__file__).parent]


def environment(*python_path: Path) -> dict[str, str]:
    """Returns the environment of a program that looks up modules in `python_path` first."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([*map(str, python_path), *filter(None, sys.path)])}


def _run_program(arguments: tuple[str | Path, ...], python_path: list[Path]) -> Completed:
    completed = subprocess.run(
        [sys.executable, "-m", "nocbench", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=environment(*python_path),
    )
    return Completed(completed.returncode, completed.stdout, completed.stderr)


@pytest.fixture
def run_faked() -> CommandLine:
    """Runs `nocbench` as a program with workers, all on the fake simulator."""
    return lambda *arguments: _run_program(arguments, FAKE_INSTALLATION)


@pytest.fixture
def run_program() -> CommandLine:
    """Runs `nocbench` as a program, on the real simulator."""
    return lambda *arguments: _run_program(arguments, [])


@pytest.fixture(scope="module")
def started_browser() -> Iterator[Chrome | BrowserUnavailableError]:
    """Provides a browser, or the reason why there is none."""
    from browser import BrowserUnavailableError, open_browser

    with ExitStack() as stack:
        try:
            opened = stack.enter_context(open_browser())
        except BrowserUnavailableError as error:
            yield error
        else:
            yield opened


@pytest.fixture
def browser(started_browser: Chrome | BrowserUnavailableError) -> Chrome:
    from browser import BrowserUnavailableError

    if isinstance(started_browser, BrowserUnavailableError):
        pytest.skip("no browser starts on this machine; test_a_browser_starts says why")
    return started_browser
