// Speed of the hart of a tile: programs that only compute, and harts that wait.
//   instructions  executed in their modeled time, per second of host time
//   cycles        of the tile clock that were simulated, per second of host time
#include "device_model/riscv/hart.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/epiphany_guest.h"
#include "device_model/riscv/code.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/tile_bus.h"
#include "kernels/frame/epiphany/measurement.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

constexpr std::uint32_t kCodeBegin = 0x1000;
constexpr std::uint8_t kReturnAddress = 1;
constexpr std::uint8_t kStackPointer = 2;
constexpr std::uint8_t kRounds = 15;  // a5

constexpr auto kAlu = std::to_array<std::uint32_t>({
    0x00150513,  // loop: addi a0, a0, 1
    0x00a585b3,  // add a1, a1, a0
    0x00b64633,  // xor a2, a2, a1
    0x00365693,  // srli a3, a2, 3
    0x00b6f733,  // and a4, a3, a1
    0xfef516e3,  // bne a0, a5, loop
    0x00008067,  // jalr zero, 0(ra)
});

constexpr auto kPrivateMemory = std::to_array<std::uint32_t>({
    0x00012583,  // loop: lw a1, 0(sp)
    0x00412603,  // lw a2, 4(sp)
    0x00150513,  // addi a0, a0, 1
    0x00a12423,  // sw a0, 8(sp)
    0x00c586b3,  // add a3, a1, a2
    0x00d12023,  // sw a3, 0(sp)
    0xfef514e3,  // bne a0, a5, loop
    0x00008067,  // jalr zero, 0(ra)
});

/// A compiler's typical mix: a fifth loads and stores of private memory, a fifth branches and jumps, one
/// multiplication.
constexpr auto kMix = std::to_array<std::uint32_t>({
    0x00008913,  // addi s2, ra, 0
    0x01012283,  // loop: lw t0, 16(sp)
    0x00551313,  // slli t1, a0, 5
    0x005303b3,  // add t2, t1, t0
    0x00757e13,  // andi t3, a0, 7
    0x000e0663,  // beq t3, zero, skip
    0x00712a23,  // sw t2, 20(sp)
    0x001e8e93,  // addi t4, t4, 1
    0x030000ef,  // skip: jal ra, function
    0x00012fb7,  // lui t6, 0x12
    0x034f8f93,  // addi t6, t6, 52
    0x03f38a33,  // mul s4, t2, t6
    0x007a5a93,  // srli s5, s4, 7
    0x01fae463,  // bltu s5, t6, next
    0x41fa8ab3,  // sub s5, s5, t6
    0x00114b03,  // next: lbu s6, 1(sp)
    0x015b6bb3,  // or s7, s6, s5
    0x00150513,  // addi a0, a0, 1
    0xfaf51ee3,  // bne a0, a5, loop
    0x00090067,  // jalr zero, 0(s2)
    0x01812f03,  // function: lw t5, 24(sp)
    0x00af0f33,  // add t5, t5, a0
    0x01e12c23,  // sw t5, 24(sp)
    0x00008067,  // jalr zero, 0(ra)
});

/// Polls until the word at a0 equals a5.
constexpr auto kPoll = std::to_array<std::uint32_t>({
    0x0000000f,  // loop: fence
    0x00052583,  // lw a1, 0(a0)
    0xfef59ce3,  // bne a1, a5, loop
    0x00008067,  // jalr zero, 0(ra)
});

riscv::Code code_of(std::span<const std::uint32_t> words) {
    return {kCodeBegin, std::as_bytes(words), {riscv::Extension::multiply}};
}

/// Runs a program on the tile of `risc`. Returns its number of instructions.
std::uint64_t execute(Risc& risc, const riscv::Code& code, std::uint32_t argument, std::uint32_t rounds) {
    const RiscvConstants& constants = risc.state().architecture.riscv;
    const auto private_bytes = static_cast<std::uint32_t>(constants.private_memory_bytes);
    TileBus bus(risc, [](std::uint32_t /*address*/) { return std::string(); });
    riscv::Hart hart(code, constants, {TileBus::kPrivateBegin, private_bytes}, bus);
    constexpr std::uint8_t kArgument = 10;
    hart.set_integer(kArgument, argument);
    hart.set_integer(kRounds, rounds);
    hart.set_integer(kReturnAddress, TileBus::kReturnAddress);
    hart.set_integer(kStackPointer, TileBus::kPrivateBegin);
    hart.run(kCodeBegin);
    bus.finish(hart.now());
    return hart.num_instructions();
}

void compute(benchmark::State& state, std::span<const std::uint32_t> words, const std::string& arch) {
    constexpr std::uint32_t kRoundsOfProgram = 200'000;
    const Architecture architecture = load_architecture(find_architecture(arch));
    const riscv::Code code = code_of(words);
    std::uint64_t num_instructions = 0;
    for (auto _ : state) {
        Device device(architecture);
        device.add_kernel({0, 0}, 0, "compute",
                          [&] { num_instructions += execute(Risc::current(), code, 0, kRoundsOfProgram); });
        device.run();
    }
    state.counters["instructions"] =
        benchmark::Counter(static_cast<double>(num_instructions), benchmark::Counter::kIsRate);
}

/// Runs a program on all cores of an Epiphany machine.
void compute_on_all_cores(benchmark::State& state, std::span<const std::uint32_t> words) {
    constexpr std::uint32_t kRoundsOfProgram = 20'000;
    constexpr std::uint32_t kStack = 0x7000;
    constexpr std::uint32_t kEnd = 0xffff8000;
    const Architecture architecture = load_architecture(find_architecture("epiphany_iii"));
    const riscv::Code code = code_of(words);
    std::uint64_t num_instructions = 0;
    for (auto _ : state) {
        EpiphanyDevice device(epiphany_of(architecture), shape_of(architecture.board("")));
        for (int core = 0; core < device.num_cores(); ++core) {
            device.add_kernel(device.core_at(core), "compute", [&] {
                EpiphanyGuest guest({code, kCodeBegin, kCodeBegin + code.bytes(),
                                     [](std::uint32_t /*address*/) { return std::string(); },
                                     [](EpiphanyGuest& /*guest*/, std::uint32_t /*address*/) { return true; }});
                guest.hart().set_integer(kRounds, kRoundsOfProgram);
                guest.hart().set_integer(kReturnAddress, kEnd);
                guest.hart().set_integer(kStackPointer, kStack);
                guest.run(kCodeBegin);
                num_instructions += guest.hart().num_instructions();
            });
        }
        device.run();
    }
    state.counters["instructions"] =
        benchmark::Counter(static_cast<double>(num_instructions), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(compute_on_all_cores, mix, kMix)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compute_on_all_cores, memory, kPrivateMemory)->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(compute, alu, kAlu, "wormhole_b0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compute, private_memory, kPrivateMemory, "wormhole_b0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compute, mix, kMix, "wormhole_b0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compute, mix_on_blackhole, kMix, "blackhole")->Unit(benchmark::kMillisecond);

constexpr std::uint32_t kWord = 0x20000;

/// Kernel that ends all polling loops. Runtime arguments: number of tiles, then x and y of each.
void wake_everybody() {
    using namespace dataflow;
    const auto tiles = get_arg_val<std::uint32_t>(0);
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        noc_semaphore_inc(
            get_noc_addr(get_arg_val<std::uint32_t>(1 + 2 * tile), get_arg_val<std::uint32_t>(2 + 2 * tile), kWord), 1);
    }
    noc_async_atomic_barrier();
}

/// Simulates 64 tiles on which all RISCs except one poll a word of L1 for a second of modeled time.
void poll_for_a_second(benchmark::State& state, const std::string& arch) {
    constexpr Cycle kCycles = 1'000'000'000;
    constexpr std::int32_t kSide = 8;
    const Architecture architecture = load_architecture(find_architecture(arch));
    const riscv::Code poll = code_of(kPoll);
    int num_ended = 0;
    for (auto _ : state) {
        Device device(architecture);
        Program program(device);
        std::vector<std::uint32_t> arguments{kSide * kSide};
        for (std::int32_t i = 0; i < kSide * kSide; ++i) {
            const LogicalCoordinate core{i % kSide, i / kSide};
            const TranslatedCoordinate place = device.grid().translated(core);
            arguments.insert(arguments.end(),
                             {static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y)});
            for (int processor = i == 0 ? 1 : 0; processor < 2; ++processor) {
                device.add_kernel(core, processor, "poll", [&] {
                    execute(Risc::current(), poll, kWord, 1);
                    ++num_ended;
                });
            }
        }
        program.add_kernel({{0, 0}}, {"wake_everybody", &wake_everybody, 0, 0, {}}, ticks_from_cycles(kCycles));
        program.set_runtime_args({0, 0}, 0, arguments);
        program.run(2 * kCycles);
    }
    if (num_ended != (2 * kSide * kSide - 1) * static_cast<int>(state.iterations())) {
        state.SkipWithError("not every hart ended");
    }
    state.counters["cycles"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * static_cast<double>(kCycles), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(poll_for_a_second, wormhole, "wormhole_b0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(poll_for_a_second, blackhole, "blackhole")->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace nocbench
