"""Plain installations: what runs without the packages of extras, and what names the missing extra instead."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from conftest import Completed, environment

from nocbench.support.extras import EXTRAS

ROOT = Path(__file__).parents[3]
POINT = ("One to One Packet Sizes", "--arch", "wormhole_b0", "-a", "num_transactions=1,4", "-a", "call_size=2KiB")
HIDE = "import os, sys\nsys.modules.update(dict.fromkeys(os.environ['HIDDEN_MODULES'].split()))\n"
ONE_POINT = (*POINT[:4], "num_transactions=4", *POINT[5:])


def run_without(extras: tuple[str, ...], directory: Path, *arguments: str | Path) -> Completed:
    """Runs Python as if the packages of extras were not installed."""
    hidden = {module for extra in extras for module in EXTRAS[extra]}
    (directory / "hidden").mkdir(exist_ok=True)
    (directory / "hidden" / "sitecustomize.py").write_text(HIDE)  # which workers import, too
    completed = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=directory,
        env=environment(directory / "hidden") | {"HIDDEN_MODULES": " ".join(hidden)},
    )
    return Completed(completed.returncode, completed.stdout, completed.stderr)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with results, which a plain installation has written."""
    directory = tmp_path_factory.mktemp("plain")
    done = run_without(tuple(EXTRAS), directory, "-m", "nocbench", "run", *POINT, "-j2", "-o", "results.csv")
    assert done.status == 0, done.err
    return directory


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "One to One*"),
        ("estimate", "multicast", "--cores", "4x4", "--bytes", "4KiB"),
        ("run", *POINT, "-j0", "--detail", "details", "-o", "-"),
        ("explain", *ONE_POINT),
        ("trace", *ONE_POINT, "-o", "trace.json"),
        ("compare", "results.csv", "results.csv"),
        ("check", "results.csv", "--baseline", "results.csv", "-o", "gate"),
        ("accept", "results.csv", "--baseline", "baseline.csv", "--reason", "first"),
        ("report", "results.csv", "-o", "report.html"),
        ("report", "results.csv", "--baseline", "results.csv", "-o", "report.html"),
        ("kernel", ROOT / "tests/device_kernels/late_2026/pages.yaml", "--arch", "blackhole"),
        ("flows", ROOT / "examples/flows/reshard.csv", "--arch", "blackhole"),
        ("replay", ROOT / "examples/traces"),
        ("shmem", ROOT / "examples/shmem/ring.c", "-n", "4", "--lines"),
        ("init", "suite"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_of_a_plain_installation(arguments: tuple[str | Path, ...], folder: Path) -> None:
    done = run_without(tuple(EXTRAS), folder, "-m", "nocbench", *arguments)
    assert done.status == 0, done.err
    assert "extra" not in done.err


@pytest.mark.parametrize(
    ("extra", "what", "arguments"),
    [
        ("plots", "nocbench plot", ("plot", "results.csv", "-o", "new")),
        ("plots", "nocbench plot", ("plot", "-o", "new")),  # before it runs all tests
        ("plots", "nocbench roofline", ("roofline", "results.csv", "-o", "new.svg")),
        ("plots", "nocbench site", ("site", "results.csv", "-o", "new")),
        ("plots", "new.svg", ("heatmap", *ONE_POINT, "-o", "new.svg")),
        ("plots", "new.png", ("shmem", ROOT / "examples/shmem/ring.c", "-n", "2", "--heatmap", "new.png")),
        ("serve", "nocbench serve", ("serve",)),
        ("pandas", "nocbench history add", ("history", "add", "results.csv", "--file", "new.jsonl")),
        ("plots", "--page", ("history", "show", "--file", ROOT / "plots/history.jsonl", "--page", "new.md")),
        ("pandas", "nocbench accuracy", ("accuracy", "results.csv")),
        ("optimise", "nocbench optimise", ("optimise", ROOT / "examples/flows/reshard.csv", "--vary", "order")),
        ("parquet", "new.parquet", ("run", *POINT, "-o", "new.parquet")),
        ("parquet", f"{ROOT}/plots/results/full_tier.parquet", ("report", ROOT / "plots/results/full_tier.parquet")),
        ("cluster", "the cluster local", ("run", *POINT, "--cluster", "local", "-o", "new.csv")),
        (
            "pandas",
            f"{ROOT}/plots/reference/tenstorrent_silicon_2025_07.csv, which holds measurements,",
            ("compare", ROOT / "plots/reference/tenstorrent_silicon_2025_07.csv", "results.csv"),
        ),
    ],
)
def test_what_needs_an_extra(extra: str, what: str, arguments: tuple[str | Path, ...], folder: Path) -> None:
    done = run_without((extra,), folder, "-m", "nocbench", *arguments)
    assert done.status == 2
    assert done.err.splitlines()[-1] == f"error: {what} needs the extra '{extra}': pip install 'nocbench[{extra}]'"
    assert done.out == ""
    assert not list(folder.glob("new*"))


def test_functions_of_a_plain_installation(folder: Path) -> None:
    program = (
        "import nocbench\n"
        "print(nocbench.estimate('multicast', cores='4x4', bytes='4KiB'))\n"
        "point = {'arch': 'wormhole_b0', 'num_transactions': 4, 'call_size': 2048}\n"
        "print(nocbench.explain('One to One Packet Sizes', **point)[0].sentences())\n"
        "print(len(nocbench.list_tests('blackhole')))\n"
        "compared = nocbench.compare('results.csv', 'results.csv')\n"
        "print(compared, compared._repr_html_())\n"
        "flows = nocbench.flows('examples/flows/reshard.csv', arch='blackhole')\n"
        "print(flows.cycles, flows._repr_html_())\n"
        "def refused(use):\n"
        "    try: use()\n"
        "    except nocbench.InputError as error: print(error)\n"
        "refused(lambda: nocbench.run('One to One Packet Sizes', **point))\n"
        "refused(lambda: nocbench.plot('results.csv'))\n"
        "refused(lambda: nocbench.heatmap('One to One Packet Sizes', **point))\n"
        "refused(lambda: compared.frame)\n"
    ).replace("examples/", f"{ROOT}/examples/")
    done = run_without(tuple(EXTRAS), folder, "-W", "error", "-c", program)
    assert done.status == 0, done.err
    assert done.out.splitlines()[-4:] == [
        "nocbench.run needs the extra 'pandas': pip install 'nocbench[pandas]'",
        "nocbench.plot needs the extra 'plots': pip install 'nocbench[plots]'",
        "nocbench.heatmap needs the extra 'plots': pip install 'nocbench[plots]'",
        "nocbench.Comparison.frame needs the extra 'pandas': pip install 'nocbench[pandas]'",
    ]


def test_extras_are_those_of_the_package() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    distributions = packages_distributions()

    def packages(extra: str) -> set[str]:
        names = {re.split(r"[>\[]", item)[0]: item for item in listed[extra]}
        inner = names.pop("nocbench", "[]").partition("[")[2].rstrip("]")
        return names.keys() | {package for name in filter(None, inner.split(",")) for package in packages(name)}

    for extra, modules in EXTRAS.items():
        assert {distributions[module][0].lower() for module in modules} == packages(extra)
    assert set(listed) == {*EXTRAS, "all"}
    assert packages("all") == {package for extra in EXTRAS for package in packages(extra)}
