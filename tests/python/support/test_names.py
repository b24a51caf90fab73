"""Names given by users, in any place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import nocbench
from nocbench.flow_tables.table_files import read_flow_table
from nocbench.programs.execution import Machine
from nocbench.results.result_files import read_results
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WRONG = ["=cmd|' /C calc'!A0", "+cmd", "-cmd", "@SUM(A1)", "two\nlines", "a\rb", "a\x1b[31mb"]
FLOWS = "name,kind,core,partner,call_size\n"
RESULTS = "arch,test,kernel,num_transactions,transaction_size_bytes,latency_cycles,bandwidth_bytes_per_cycle"


def kernel_of_a_builder(_path: Path, name: str) -> None:
    nocbench.Program("blackhole").kernel("a.cpp", name=name)


def program_of_a_builder(_path: Path, name: str) -> object:
    return nocbench.Program("blackhole", name=name)


def kernel_source(path: Path, name: str) -> None:
    source = path / f"{name.replace('/', ' ')}.cpp"
    source.write_text("void kernel_main() {}")
    nocbench.Program("blackhole").kernel(source)


def flows(path: Path, name: str) -> object:
    table = path / "flows.csv"
    table.write_text(f'{FLOWS}"{name}",write,0 0,1 1,64\n', newline="")
    return read_flow_table(table, Machine("blackhole"))


def table_of_flows(path: Path, name: str) -> object:
    table = path / f"{name.replace('/', ' ')}.csv"
    table.write_text(f"{FLOWS}a,write,0 0,1 1,64\n")
    return read_flow_table(table, Machine("blackhole"))


def name_of_a_test(path: Path, name: str) -> object:
    file = path / "results.csv"
    file.write_text(f'{RESULTS}\nblackhole,"{name}",Sender,1,64,100,0.64\n', newline="")
    return read_results(file)


def kernel_of_results(path: Path, name: str) -> object:
    file = path / "results.csv"
    file.write_text(f'{RESULTS}\nblackhole,a,"{name}",1,64,100,0.64\n', newline="")
    return read_results(file)


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize(
    "give",
    [
        *(kernel_of_a_builder, program_of_a_builder, kernel_source, flows, table_of_flows),
        *(name_of_a_test, kernel_of_results),
    ],
)
def test_names_that_are_no_names(tmp_path: Path, give: Callable[[Path, str], object], name: str) -> None:
    with pytest.raises(InputError, match=r"a name on one line, of printable characters, that does not begin with ="):
        give(tmp_path, name)


def test_names_with_these_characters_elsewhere_are_fine(tmp_path: Path) -> None:
    for name in ("a=1", "copy - fast", "mail@home", "größe"):
        flows(tmp_path, name)
        assert read_results_name(tmp_path, name) == name


def read_results_name(path: Path, name: str) -> object:
    return name_of_a_test(path, name)["test"][0]  # type: ignore[index]
