// One core reads pages of a buffer interleaved over banks of DRAM or L1, and writes pages to another such buffer.
#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "kernels/frame/pages/page_transfers.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/published_boards.h"

namespace nocbench::interleaved_pages {

namespace {

/// Directions of a test's transfers.
enum class Directions : std::uint8_t { read_then_write, read, write };

/// By default, riscv_1 reads on NoC 1 and riscv_0 writes on NoC 0.
std::vector<KernelReport> run(const Point& point, BankMemory memory, Directions directions) {
    const bool swaps = point.flag("swap_nocs");
    const PageKernel reader{.device_source = "dram_pages/interleaved_pages/kernels/device/page_reader.cpp",
                            .riscv = swaps ? 0 : 1,
                            .noc = swaps ? 0 : 1};
    const PageKernel writer{.device_source = "dram_pages/interleaved_pages/kernels/device/page_writer.cpp",
                            .riscv = swaps ? 1 : 0,
                            .noc = swaps ? 1 : 0};
    PagePlan plan;
    plan.memory = memory;
    plan.cores = {point.core("source")};
    if (directions != Directions::write) {
        plan.reader = reader;
    }
    if (directions != Directions::read) {
        plan.writer = writer;
    }
    return run_pages(point, plan);
}

template <BankMemory memory, Directions directions>
std::vector<KernelReport> run_as(const Point& point) {
    return run(point, memory, directions);
}

/// Returns a sweep over every core of the default board. Upstream moves 16 pages 16 times from each core.
Sweep core_sweep(const Architecture& architecture, Tier tier) {
    constexpr std::int64_t kPageBytes = 2048;
    return {{256},
            {kPageBytes},
            {{"source", core_values(Grid(torus_of(architecture), torus_of(architecture.board(""))), tier)}}};
}

using RunPoint = std::vector<KernelReport> (*)(const Point&);
using SweepOf = Sweep (*)(const Architecture&, Tier);

/// Test definition for both memories: its id in DRAM, its id in L1, and its differences from other tests.
struct Variant {
    const char* name;
    SweepOf sweep = nullptr;
    int id_in_dram = 0;
    int id_in_l1 = 0;
    Directions directions = Directions::read_then_write;
    bool swaps_nocs = false;
};

constexpr Variant kVariants[] = {
    {"Page Numbers", &page_sweep, 61, 66, Directions::read_then_write},
    {"Core Locations", &core_sweep, 62, 67, Directions::read_then_write},
    {"Page Read Numbers", &page_sweep, 63, 68, Directions::read},
    {"Page Write Numbers", &page_sweep, 64, 69, Directions::write},
    {"Directed Ideal", &ideal_page_sweep, 65, 71, Directions::read_then_write},
    {"Page Numbers Noc Swap", &page_sweep, 72, 74, Directions::read_then_write, true},
    {"Core Locations Noc Swap", &core_sweep, 73, 75, Directions::read_then_write, true},
};

template <BankMemory memory>
RunPoint run_of(Directions directions) {
    switch (directions) {
        case Directions::read:
            return &run_as<memory, Directions::read>;
        case Directions::write:
            return &run_as<memory, Directions::write>;
        case Directions::read_then_write:
            break;
    }
    return &run_as<memory, Directions::read_then_write>;
}

std::string description(BankMemory memory, Directions directions) {
    const char* buffer = memory == BankMemory::dram ? "a buffer interleaved over the banks of DRAM"
                                                    : "a buffer interleaved over the L1 of all cores";
    switch (directions) {
        case Directions::read:
            return fmt::format("One core reads the pages of {}.", buffer);
        case Directions::write:
            return fmt::format("One core writes the pages of {}.", buffer);
        case Directions::read_then_write:
            break;
    }
    return fmt::format("One core reads the pages of {}, and then writes them to another one.", buffer);
}

TestDefinition test(const Variant& variant, BankMemory memory) {
    const bool in_dram = memory == BankMemory::dram;
    std::vector<std::string> kernels;
    if (variant.directions != Directions::write) {
        kernels.emplace_back("Receiver");
    }
    if (variant.directions != Directions::read) {
        kernels.emplace_back("Sender");
    }
    ParameterDefinition source = core_parameter("source", "0,0", "logical core that reads and writes");
    source.is_swept = variant.sweep == &core_sweep;
    const std::string family = fmt::format("{} Interleaved", in_dram ? "DRAM" : "L1");
    return {.id = in_dram ? variant.id_in_dram : variant.id_in_l1,
            .name = fmt::format("{} {}", family, variant.name),
            .primitive = "interleaved_pages",
            .description = description(memory, variant.directions),
            .headings = {fmt::format("{} Pages", family), variant.name},
            .kernels = std::move(kernels),
            .parameters = {source,
                           {"swap_nocs", variant.swaps_nocs ? "1" : "0",
                            "0: riscv_1 reads on NoC 1 and riscv_0 writes on NoC 0; 1: riscv_0 reads on NoC 0 and "
                            "riscv_1 writes on NoC 1"}},
            .sweep = variant.sweep,
            .run = in_dram ? run_of<BankMemory::dram>(variant.directions) : run_of<BankMemory::l1>(variant.directions),
            .kernels_are_compiled = true,
            .boards = in_dram ? boards_of_2026() : std::map<std::string, std::string>{}};
}

std::vector<TestDefinition> tests() {
    std::vector<TestDefinition> all;
    for (const Variant& variant : kVariants) {
        all.push_back(test(variant, BankMemory::dram));
        all.push_back(test(variant, BankMemory::l1));
    }
    return all;
}

const RegisterTests registration{tests()};

}  // namespace

}  // namespace nocbench::interleaved_pages
