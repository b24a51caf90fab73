"""A suite in the user's own folder, as a catalogue of tests."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.architectures.description import describe_architecture
from nocbench.architectures.files import require_architecture, root_of
from nocbench.compiling.choice import chosen_compiler
from nocbench.points.swept_tests import PARAMETERS, Parameter, SweptTest
from nocbench.programs.execution import Machine
from nocbench.suites.suite_file import read_suite
from nocbench.suites.suite_sources import digest_of, normal, tree_digest
from nocbench.support.errors import InputError
from nocbench.support.kept_files import digest
from nocbench.support.revision import identity as own_identity
from nocbench.support.revision import revision as own_revision

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from nocbench._core import SharedRuns
    from nocbench.checks.allowances import Allowance
    from nocbench.checks.findings import Finding
    from nocbench.points.own_run import OwnRun
    from nocbench.points.point_results import PointResult, PointTrace
    from nocbench.points.simulation import Configuration
    from nocbench.suites.content import Content, Runnable
    from nocbench.suites.suite_file import SuiteDescription
    from nocbench.suites.suite_test import SuiteTest


_INCLUDED_BYTES = b".incbin"


@dataclass(frozen=True)
class _Sources:
    """Sources on which the results of a test depend, besides the suite's file.

    Attributes:
        files: files, which are read again after each point, to detect changes during the run.
        tree_digests: digests of trees of tt-metal, which are read only once.
    """

    files: set[Path]
    tree_digests: list[str]


class Suite:
    """A suite: the tests of a folder.

    Attributes:
        folder: path as named by the user.
        directory: path to read from.
        description: content of the suite's file.
    """

    def __init__(self, folder: str, directory: Path | None = None) -> None:
        """Reads the suite in a folder.

        Args:
            folder: path as named by the user.
            directory: path to read from; None: `folder`.

        Raises:
            InputError: no suite, or mistakes in its files; the message lists all.
        """
        self.folder = folder
        self.directory = Path(folder) if directory is None else directory
        self.description: SuiteDescription = read_suite(self.directory)
        self._tests = {test.name: test for test in self.description.tests}
        self._sources = {test.name: self._sources_of(test) for test in self.description.tests}
        # Files may change while tests run: results belong to the content read here.
        self._digests = {name: self._digest_of(test) for name, test in self._tests.items()}
        self._compilers: dict[tuple[str, Path | None], str] = {}

    def __reduce__(self) -> tuple[Callable[..., Suite], tuple[str, str, str]]:
        """Pickles path and digest. Worker processes read the suite themselves, and compare the digest."""
        return _opened_again, (self.folder, str(normal(self.directory)), self._digest())

    @property
    def name(self) -> str:
        """Name in the suite's file."""
        return self.description.name

    @property
    def files(self) -> list[Path]:
        """All files on which results depend, including the suite's own."""
        of_tests = (path for sources in self._sources.values() for path in sources.files)
        return sorted({normal(self.description.file), *of_tests})

    def architecture_names(self) -> list[str]:
        """Returns the architectures of all tests, sorted."""
        return sorted({arch for test in self.description.tests for arch in test.boards})

    def list_tests(self, arch: str) -> list[SweptTest]:
        """See :meth:`Catalogue.list_tests`."""
        require_architecture(arch)
        tests = [self._swept(test, arch) for test in self.description.tests if root_of(arch) in test.boards]
        return sorted(tests, key=lambda test: test.test_id)

    def _swept(self, test: SuiteTest, arch: str) -> SweptTest:
        described = describe_architecture(arch)
        root = root_of(arch)
        return SweptTest(
            arch=arch,
            test_id=test.test_id,
            test=test.name,
            primitive=self.description.name,
            description=test.description,
            kernels=test.kernels,
            axes={tier: dict(sweep) for tier, sweep in test.sweep.items()},
            parameters=tuple(
                Parameter(name, str(default), "of the program", is_number=True)
                for name, default in test.defaults[root].items()
            ),
            theoretical_bytes_per_cycle=test.theoretical.get(arch, described.link_bytes_per_cycle * test.num_links),
            headings=test.headings,
            board=test.boards[root],
            picture=PARAMETERS,
            kind=described.kind,
            plotted=test.plotted,
        )

    def run_point(
        self,
        point: Configuration,
        *,
        shorten_from_flit_hops: float | None = None,  # noqa: ARG002 - of a catalogue's interface
        runs: SharedRuns | None = None,  # noqa: ARG002
        counts_packets: bool = False,
    ) -> PointResult:
        """Runs a point with all transactions: points of suites are never shortened."""
        # Runs that record anything count packets.
        return self._run(point, trace_records=int(counts_packets)).point_result()

    def trace_point(self, point: Configuration, max_records: int) -> PointTrace:
        """Runs a point and records its events."""
        return self._run(point, trace_records=max_records).traced()

    def findings(self, point: Configuration, checks: Collection[str]) -> tuple[list[Finding], list[Allowance]]:
        """Runs a point with checks: see :meth:`Runnable.findings`."""
        return self._runnable(point).findings(checks)

    def _runnable(self, point: Configuration) -> Runnable:
        test = self._tests[point.test]
        machine = Machine(point.arch, point.board or test.boards[root_of(point.arch)], point.settings)
        return _content_of(test).on(machine, dict(point.parameters))

    def _run(self, point: Configuration, trace_records: int = 0) -> OwnRun:
        test = self._tests[point.test]
        run = self._runnable(point).run(swept=test.sweep["full"], trace_records=trace_records)
        for row in run.rows:
            row |= {"test": test.name, "primitive": self.description.name, "test_id": test.test_id}
        if self._digest_of(test) != self._digests[test.name]:
            raise InputError(f"the files of '{test.name}' changed while it ran; run it again")
        return run

    def known_theoretical_bytes_per_cycle(
        self,
        arch: str,
        test: str,
        board: str,  # noqa: ARG002 - of a catalogue's interface
        params: str,  # noqa: ARG002
    ) -> float | None:
        """Returns the value in the suite's file, or None."""
        known = self._tests.get(test)
        return None if known is None else known.theoretical.get(arch)

    def adds_up_cores(self, test: str, primitive: str) -> bool:  # noqa: ARG002 - of a catalogue's interface
        """Returns True if the test is a table of flows."""
        known = self._tests.get(test)
        return known is not None and _content_of(known).adds_up_cores

    def identity_of(self, test: str) -> str:
        """Returns a digest of all files of a test, and the compiler of its kernels, if any."""
        return " ".join(filter(None, (self._digests[test], self.compiler_of(test))))

    def compiler_of(self, test: str) -> str:
        """See :meth:`Catalogue.compiler_of`. A compiler that the test's program names comes before the usual one."""
        key = test, chosen_compiler()
        if key not in self._compilers:
            described = self._tests[test]
            arch, board = next(iter(described.boards.items()))
            self._compilers[key] = _content_of(described).on(Machine(arch, board), {}).compiler
        return self._compilers[key]

    def kernel_sources(self, test: str) -> Mapping[str, str] | None:
        """See :meth:`Catalogue.kernel_sources`.

        Also returns None for trees of tt-metal, and if assembly includes files.
        """
        sources = self._sources[test]
        contents = {str(path): path.read_bytes() for path in sources.files}
        if sources.tree_digests or any(_INCLUDED_BYTES in content for content in contents.values()):
            return None
        return {name: digest(content) for name, content in contents.items()}

    def revision(self) -> str:
        """Returns a digest of the suite's files, with nocbench's revision: "0123456789abcdef@7d456c10a3b2"."""
        return f"{self._digest()}@{own_revision()}"

    def identity(self) -> str:
        """See :meth:`Catalogue.identity`."""
        revision, _, rest = own_identity().partition(":")
        compilers = dict.fromkeys(filter(None, map(self.compiler_of, self._tests)))
        return f"{self._digest()}@{revision}:{rest}:{' '.join(compilers)}"

    def _digest(self) -> str:
        return digest_of((), self.directory, self._digests)

    def _sources_of(self, test: SuiteTest) -> _Sources:
        reached: set[Path] = set()
        trees: set[Path] = set()
        for arch, board in test.boards.items():
            content = _content_of(test).on(Machine(arch, board), {})
            reached |= content.files
            trees |= content.trees
        # Of the suite's own file, only the entry of this test counts.
        files = reached - {normal(self.description.file)}
        return _Sources(files, tree_digests=sorted(map(tree_digest, trees)))

    def _digest_of(self, test: SuiteTest) -> str:
        sources = self._sources[test.name]
        more: list[Any] = [self.description.name, test.name, test.test_id, _content_of(test).definition]
        more += [dict(test.boards), dict.fromkeys(test.sweep["full"]), sources.tree_digests]
        return digest_of(sources.files, normal(self.directory), more)


def _content_of(test: SuiteTest) -> Content:
    """Returns the content of a test; every test of a suite without mistakes has one."""
    assert test.content is not None
    return test.content


@functools.lru_cache(maxsize=4)
def _opened_again(folder: str, directory: str, digest: str) -> Suite:
    """Opens a suite that another process has pickled.

    Raises:
        InputError: the files differ from those that the other process read.
    """
    place = Path(directory)
    suite = Suite(folder, Path(folder) if normal(Path(folder)) == place else place)  # messages use the user's name
    if suite._digest() != digest:  # noqa: SLF001 - same class
        raise InputError(f"{directory}: the files of the suite changed while its tests ran; run them again")
    return suite
