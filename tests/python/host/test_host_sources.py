"""Sources of host programs: what does not compile, or uses what there is none of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main() { return x; }", "program.cpp:1: 'x' was not declared in this scope"),
        (
            "#include <tt-metalium/fabric.hpp>\nint main() {}",
            "program.cpp:1: nocbench has no header tt-metalium/fabric.hpp",
        ),
        ("int other() { return 0; }", "program.cpp: expected a function main(), found none"),
        (
            "int missing(int);\nint main() { return missing(1); }",
            "program.cpp: 'missing(int)' is used, but defined nowhere",
        ),
    ],
)
def test_says_what_is_wrong(run_program: CommandLine, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "program.cpp").write_text(text)
    done = run_program("host", tmp_path / "program.cpp", "--arch", "blackhole")
    assert done.status == 2
    assert message in done.err
    assert done.out == ""


def test_says_what_headers_of_the_program_lack(run_program: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "program.cpp").write_text('#include "own.h"\nint main() {}\n')
    (tmp_path / "own.h").write_text("#include <tt-metalium/fabric.hpp>\n")
    done = run_program("host", tmp_path / "program.cpp", "--arch", "blackhole")
    assert (done.status, done.out) == (2, "")
    assert "nocbench has no header tt-metalium/fabric.hpp for host programs" in done.err


def test_kernels_see_the_headers_of_ttnn_in_their_checkout(run_program: CommandLine, tmp_path: Path) -> None:
    header = tmp_path / "ttnn" / "cpp" / "ttnn" / "operations" / "own.hpp"
    header.parent.mkdir(parents=True)
    header.write_text("constexpr int OWN = 1;\n")
    (tmp_path / "tt_metal").mkdir()
    (tmp_path / "kernel.cpp").write_text(
        '#include "ttnn/operations/own.hpp"\nvoid kernel_main() { static_assert(OWN); }\n'
    )
    (tmp_path / "program.cpp").write_text("""
#include <tt-metalium/tt_metal.hpp>
using namespace tt::tt_metal;
int main() {
    Program program = CreateProgram();
    CreateKernel(program, "kernel.cpp", CoreCoord{0, 0}, DataMovementConfig{});
    detail::LaunchProgram(CreateDevice(0), program);
}
""")
    done = run_program("host", tmp_path / "program.cpp", "--arch", "blackhole")
    assert done.status == 0, done.err


def test_needs_a_chip_and_a_source(run_program: CommandLine, tmp_path: Path) -> None:
    assert "expected the sources of a program, found none" in run_program("host", "--arch", "blackhole").err
    assert "--arch: expected wormhole_b0 or blackhole, found none" in run_program("host", tmp_path / "x.cpp").err
    done = run_program("host", tmp_path / "x.cpp", "--arch", "blackhole")
    assert (done.status, f"{tmp_path / 'x.cpp'}: " in done.err) == (2, True)


def test_runs_google_tests(run_program: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "test_copy.cpp").write_text("""
#include "multi_device_fixture.hpp"
#include "tt_metal/test_utils/stimulus.hpp"
namespace tt::tt_metal {
TEST_F(GenericMeshDeviceFixture, Passes) { EXPECT_TRUE(get_mesh_device()->is_initialized()); }
TEST_F(GenericMeshDeviceFixture, Fails) { EXPECT_EQ(devices_.size(), 2); }
}  // namespace tt::tt_metal
""")
    program = (tmp_path / "test_copy.cpp", "--arch", "blackhole")
    assert run_program("host", *program, "--", "--gtest_filter=*Passes").status == 0
    assert run_program("host", *program).status == 1


@pytest.mark.parametrize(
    ("fixture", "is_slow"),
    [("GenericMeshDeviceFixture", False), ("MeshDeviceFixture", True), ("MeshDispatchFixture", False)],
)
def test_fixtures_of_slow_dispatch_start_cores_one_by_one(
    run_program: CommandLine, tmp_path: Path, fixture: str, is_slow: bool
) -> None:
    (tmp_path / "test_start.cpp").write_text(
        """
#include "device_fixture.hpp"
#include "multi_device_fixture.hpp"
namespace tt::tt_metal {
TEST_F(FIXTURE, Starts) {
    Program program = CreateProgram();
    CreateKernelFromString(program, "void kernel_main() {}", CoreRange({0, 0}, {1, 0}), DataMovementConfig{});
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(devices_[0]->shape()), std::move(program));
    RunProgram(devices_[0], workload);
}
}  // namespace tt::tt_metal
""".replace("FIXTURE", fixture)
    )
    done = run_program("host", tmp_path / "test_start.cpp", "--arch", "blackhole", "--json")
    assert done.status == 0, done.err
    assert ('start=skewed"' in done.out) == is_slow
