"""Reading of suite files; docs/suites.md describes the format."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.checks.choice import NAMES
from nocbench.compiling.request import ARCHITECTURES
from nocbench.gating.policy import default_policy, policy_in
from nocbench.points.swept_tests import list_tests
from nocbench.points.yaml_files import YamlFile
from nocbench.suites.suite_test import SuiteTest, read_test, with_checks
from nocbench.support.errors import InputError, Mistakes, did_you_mean

if TYPE_CHECKING:
    from nocbench.gating.policy import Policy
    from nocbench.points.yaml_files import Node

SUITE_FILE = "nocbench.yaml"
FIRST_TEST_ID = 100_000
"""First id of tests without an id, which are numbered in the order of the file."""

_TOP = ("name", "description", "tests", "policy", "baseline", "plots", "checks")
_PLOTS = ("folder", "axis", "lines")


@dataclass(frozen=True)
class SuiteDescription:
    """Content of a suite's file.

    Attributes:
        file: path of the file.
        name: name of the suite.
        tests: tests in the order of the file.
        policy: policy of the gate; by default, the default policy.
        baseline: path of the recorded results; the file may not exist.
        plots: folder of the pages.
    """

    file: Path
    name: str
    tests: tuple[SuiteTest, ...]
    policy: Policy
    baseline: Path
    plots: Path


def read_suite(directory: Path) -> SuiteDescription:
    """Returns the suite in a folder, with the programs, tables of flows and policy that its file names.

    Raises:
        InputError: no suite, or mistakes in its files; the message lists all.
    """
    path = directory / SUITE_FILE
    if not path.is_file():
        kind = "a folder without it" if directory.is_dir() else "no such folder"
        raise InputError(
            f"--suite {directory}: expected a folder with {SUITE_FILE}, found {kind}; 'nocbench init' makes one"
        )
    file = YamlFile(path, "a suite")
    mistakes = Mistakes()
    top = file.mapping(file.root, "", _TOP, required=("name", "tests"))
    plots = file.mapping(top["plots"], "plots", _PLOTS) if "plots" in top else {}
    usual = {key: file.text(plots.get(key), f"plots.{key}") for key in ("axis", "lines")}
    items = file.items(top.get("tests"), "tests")
    if "tests" in top and top["tests"]["kind"] in ("list", "nothing") and not items:
        file.complain(top["tests"], "tests", "at least one test", "none")
    checks = _checks(file, top.get("checks"))
    tests = [with_checks(read_test(file, node, usual, mistakes), checks, directory) for node in items]
    description = SuiteDescription(
        file=path,
        name=file.name(top.get("name"), "name"),
        tests=_numbered(file, items, tests),
        policy=_policy(file, top.get("policy"), mistakes),
        baseline=_inside(file, top.get("baseline"), "baseline", "baseline.csv"),
        plots=_inside(file, plots.get("folder"), "plots.folder", "plots"),
    )
    _complain(file, mistakes)
    return description


def _inside(file: YamlFile, node: Node | None, key: str, usual: str) -> Path:
    """Returns a path for output. Records a mistake if the path leads out of the suite's folder, even by a link."""
    directory = file.path.parent
    path = directory / (file.text(node, key) or usual)
    for written in (path, *(link for link in path.rglob("*") if link.is_symlink())):
        place = Path(os.path.realpath(written))
        if not place.is_relative_to(os.path.realpath(directory)):
            expected = "a path within the folder of the suite"
            file.complain(node or file.root, key, expected, f"'{written}', which is {place}")
    return path


def _complain(file: YamlFile, mistakes: Mistakes) -> None:
    """Raises InputError with the mistakes of the suite's file, then those of other files."""
    all_mistakes = Mistakes()
    with all_mistakes.noted():
        file.require_no_mistakes()
    with all_mistakes.noted():
        mistakes.complain()
    all_mistakes.complain()


def _checks(file: YamlFile, node: Node | None) -> tuple[str, ...]:
    names = []
    for item in file.items(node, "checks"):
        name = file.text(item, "checks")
        if name in NAMES:
            names.append(name)
        else:
            file.complain(item, "checks", f"one of {', '.join(NAMES)}", f"'{name}'{did_you_mean(name, NAMES)}")
    return tuple(sorted(names))


def _policy(file: YamlFile, node: Node | None, mistakes: Mistakes) -> Policy:
    if node is None:
        return default_policy()
    with mistakes.noted():
        if node["kind"] == "mapping":
            return policy_in(file.part(node))
        name = file.text(node, "policy")
        if not name:
            return default_policy()
        path = file.path.parent / name
        if path.is_file():
            return policy_in(YamlFile(path, "a policy"))
        file.complain(node, "policy", "the file of a policy, or the policy itself", f"no such file, {path}")
    return default_policy()


def _numbered(file: YamlFile, nodes: list[Node], tests: list[SuiteTest]) -> tuple[SuiteTest, ...]:
    """Gives tests without an id theirs; complains of repeated names and ids."""
    built_in = {test.test.casefold() for arch in ARCHITECTURES for test in list_tests(arch)}
    names: dict[str, int] = {}
    ids = {test.test_id for test in tests if test.test_id}
    seen: set[int] = set()
    numbered = []
    next_id = FIRST_TEST_ID
    for node, test in zip(nodes, tests, strict=True):
        key = test.name.casefold()
        if key in names:
            file.complain(node, "tests.name", "a name of its own", f"'{test.name}', as in line {names[key]}")
        elif key in built_in:
            file.complain(node, "tests.name", "another name", f"'{test.name}', a test of nocbench")
        elif key:
            names[key] = node["line"]
        if test.test_id in seen:
            file.complain(node, "tests.id", "an id of its own", f"{test.test_id} again")
        if test.test_id:
            seen.add(test.test_id)
            numbered.append(test)
            continue
        while next_id in ids:
            next_id += 1
        numbered.append(replace(test, test_id=next_id))
        next_id += 1
    return tuple(numbered)
