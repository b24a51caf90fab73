// Set-up by a host: kernels on cores, arguments, semaphores and circular buffers.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/error_message.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::error_message;
using test::kBuffer;
using test::Machine;

void nothing() {}

void notes_position() { DeviceTimestampedData("x", get_absolute_logical_x()); }

class ProgramOnN150 : public testing::Test {
protected:
    Machine machine{"n150"};
    Program& program = machine.program();
};

TEST_F(ProgramOnN150, OneKernelRunsOnManyCores) {
    program.add_kernel({{0, 0}, {3, 4}, {7, 7}}, {"where", &notes_position, 1, 0, {}});
    program.run();
    std::vector<std::uint64_t> columns;
    for (const KernelResult& result : machine.device().kernel_results()) {
        EXPECT_EQ(result.identity.kernel, "where");
        EXPECT_EQ(result.identity.processor, 1);
        columns.push_back(result.timestamped_values.at(0).value);
    }
    EXPECT_EQ(columns, (std::vector<std::uint64_t>{0, 3, 7}));
}

TEST_F(ProgramOnN150, ArgumentsBelongToOneCore) {
    const auto add_first_two = [] {
        DeviceTimestampedData("sum", get_arg_val<std::uint32_t>(0) + get_common_arg_val<std::uint32_t>(0));
    };
    program.add_kernel({{0, 0}, {1, 0}}, {"sum", add_first_two, 0, 0, {}});
    program.set_runtime_args({0, 0}, 0, {1});
    program.set_runtime_args({1, 0}, 0, {2});
    program.set_common_runtime_args({0, 0}, 0, {10});
    program.set_common_runtime_args({1, 0}, 0, {20});
    program.run();
    EXPECT_EQ(machine.device().kernel_results()[0].timestamped_values.at(0).value, 11U);
    EXPECT_EQ(machine.device().kernel_results()[1].timestamped_values.at(0).value, 22U);
}

TEST_F(ProgramOnN150, ArgumentsSetAgainReplaceTheEarlierOnes) {
    program.add_kernel({{0, 0}}, {"reader", [] { get_arg_val<std::uint32_t>(1); }, 0, 0, {}});
    program.set_runtime_args({0, 0}, 0, {1, 2});
    program.set_runtime_args({0, 0}, 0, {1});
    EXPECT_EQ(error_message([&] { program.run(); }),
              "kernel 'reader' on core (0, 0) riscv_0: get_arg_val: argument 1 was never set; there are 1");
}

TEST_F(ProgramOnN150, SemaphoresOfSeveralCoresHaveTheSameId) {
    EXPECT_EQ(program.add_semaphore({{0, 0}}, 1), 0U);
    EXPECT_EQ(program.add_semaphore({{0, 0}, {1, 1}}, 2), 1U);
    EXPECT_EQ(program.add_semaphore({{1, 1}}, 3), 2U);
    EXPECT_EQ(program.add_semaphore({{2, 2}}, 4), 0U);
    const auto value = [&](LogicalCoordinate core, std::uint32_t id) {
        return machine.device().read_l1(core, semaphore_address(machine.architecture(), id), 4).front();
    };
    EXPECT_EQ(value({0, 0}, 0), std::byte{1});
    EXPECT_EQ(value({0, 0}, 1), std::byte{2});
    EXPECT_EQ(value({1, 1}, 1), std::byte{2});
    EXPECT_EQ(value({1, 1}, 2), std::byte{3});
    EXPECT_EQ(value({2, 2}, 0), std::byte{4});
}

TEST_F(ProgramOnN150, SemaphoresLieBelowTheMemoryOfKernels) {
    for (const std::string& board : test::all_boards()) {
        const TorusArchitecture& architecture = torus_of(test::architecture_of(board));
        EXPECT_EQ(semaphore_address(architecture, kNumSemaphores), architecture.l1.reserved_bytes);
        EXPECT_EQ(semaphore_address(architecture, 0) % static_cast<std::uint32_t>(architecture.l1.alignment_bytes), 0U);
    }
}

TEST_F(ProgramOnN150, TwoKernelsOnOneRisc) {
    program.add_kernel({{1, 2}}, {"first", &nothing, 0, 0, {}});
    EXPECT_EQ(error_message([&] { program.add_kernel({{0, 0}, {1, 2}}, {"second", &nothing, 0, 1, {}}); }),
              "kernel 'second': riscv_0 of core (1, 2) already runs kernel 'first'");
}

TEST_F(ProgramOnN150, TwoRiscsOnOneNoc) {
    program.add_kernel({{1, 2}}, {"first", &nothing, 0, 1, {}});
    EXPECT_EQ(error_message([&] { program.add_kernel({{1, 2}}, {"second", &nothing, 1, 1, {}}); }),
              "kernel 'second': riscv_0 of core (1, 2) already uses NoC 1; each RISC needs the counters of a NIU to "
              "itself");
}

TEST_F(ProgramOnN150, CoreOutsideTheGrid) {
    EXPECT_EQ(
        error_message([&] { program.add_kernel({{8, 0}}, {"mover", &nothing, 0, 0, {}}); }),
        "kernel 'mover': core (8, 0): expected a logical coordinate inside the compute grid of board n150 (x from "
        "0 to 7, y from 0 to 7), found one outside it");
    EXPECT_EQ(
        error_message([&] { program.add_semaphore({{0, -1}}, 0); }),
        "core (0, -1): expected a logical coordinate inside the compute grid of board n150 (x from 0 to 7, y from "
        "0 to 7), found one outside it");
    EXPECT_EQ(
        error_message([&] { program.add_circular_buffer({0, 8}, 0, kBuffer, 64, 1); }),
        "core (0, 8): expected a logical coordinate inside the compute grid of board n150 (x from 0 to 7, y from 0 "
        "to 7), found one outside it");
}

TEST_F(ProgramOnN150, RiscOrNocThatDoesNotExist) {
    EXPECT_EQ(error_message([&] { program.add_kernel({{0, 0}}, {"mover", &nothing, 2, 0, {}}); }),
              "kernel 'mover': expected riscv 0 or 1, found 2");
    EXPECT_EQ(error_message([&] { program.add_kernel({{0, 0}}, {"mover", &nothing, 0, -1, {}}); }),
              "kernel 'mover': expected NoC 0 or 1, found -1");
}

TEST_F(ProgramOnN150, ArgumentsForNobody) {
    program.add_kernel({{0, 0}}, {"mover", &nothing, 0, 0, {}});
    EXPECT_EQ(error_message([&] { program.set_runtime_args({0, 0}, 1, {1}); }),
              "arguments for riscv_1 of core (0, 0): it has no kernel");
    EXPECT_EQ(error_message([&] { program.set_common_runtime_args({0, 1}, 0, {1}); }),
              "arguments for riscv_0 of core (0, 1): it has no kernel");
}

TEST_F(ProgramOnN150, MoreArgumentsThanAKernelCanHave) {
    program.add_kernel({{0, 0}}, {"reader", &nothing, 0, 0, {}});
    const std::vector<std::uint32_t> some(300);
    program.set_common_runtime_args({0, 0}, 0, some);
    program.set_runtime_args({0, 0}, 0, std::vector<std::uint32_t>(kRuntimeArgsMax - some.size()));
    EXPECT_EQ(error_message([&] { program.set_runtime_args({0, 0}, 0, some); }),
              "arguments for riscv_0 of core (0, 0): expected at most 341, common ones included, found 600");
    program.set_runtime_args({0, 0}, 0, {});
    EXPECT_EQ(error_message([&] { program.set_common_runtime_args({0, 0}, 0, std::vector<std::uint32_t>(5000)); }),
              "arguments for riscv_0 of core (0, 0): expected at most 341, common ones included, found 5000");
}

TEST_F(ProgramOnN150, TooManySemaphores) {
    for (std::uint32_t id = 0; id < kNumSemaphores; ++id) {
        program.add_semaphore({{3, 3}}, id);
    }
    EXPECT_EQ(error_message([&] { program.add_semaphore({{0, 0}, {3, 3}}, 0); }),
              "expected at most 16 semaphores per core, found one more");
}

TEST_F(ProgramOnN150, CircularBuffersThatCannotBe) {
    const auto told = [&](std::uint32_t id, std::uint32_t address, std::uint32_t page_bytes, std::uint32_t num_pages) {
        return error_message([&] { program.add_circular_buffer({1, 1}, id, address, page_bytes, num_pages); });
    };
    EXPECT_EQ(told(32, kBuffer, 64, 1), "circular buffer 32 of core (1, 1): expected an id of 0 to 31");
    EXPECT_EQ(told(0, kBuffer, 0, 1),
              "circular buffer 0 of core (1, 1): expected one or more pages of bytes, found 1 of 0 bytes");
    EXPECT_EQ(told(0, kBuffer, 64, 0),
              "circular buffer 0 of core (1, 1): expected one or more pages of bytes, found 0 of 64 bytes");
    EXPECT_EQ(told(0, kBuffer + 8, 64, 2),
              "circular buffer 0 of core (1, 1): expected an aligned range within 0x10000 to 0x16e000 of L1, found "
              "0x40008 to 0x40088");
    EXPECT_EQ(told(0, 0x8000, 64, 2),
              "circular buffer 0 of core (1, 1): expected an aligned range within 0x10000 to 0x16e000 of L1, found "
              "0x8000 to 0x8080");
    EXPECT_EQ(told(0, 0x16dfc0, 64, 2),
              "circular buffer 0 of core (1, 1): expected an aligned range within 0x10000 to 0x16e000 of L1, found "
              "0x16dfc0 to 0x16e040");
    EXPECT_EQ(told(0, kBuffer, 0x10000, 0xffffffff),
              "circular buffer 0 of core (1, 1): expected an aligned range within 0x10000 to 0x16e000 of L1, found "
              "0x40000 to 0x1000000030000");
    EXPECT_EQ(told(0, kBuffer, 64, 2), "no error");
    EXPECT_EQ(told(0, kBuffer + 128, 64, 2), "circular buffer 0 of core (1, 1): it exists already");
}

}  // namespace

}  // namespace nocbench
