// One core multicasts data when all receivers are ready, and then multicasts a flag, as in tensor operations.
#include <fmt/format.h>

#include <array>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/multicast_transfers.h"
#include "kernels/frame/tensix/published_boards.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/program.h"

namespace nocbench::one_to_all {

namespace {

constexpr std::uint32_t kOne = 1;

std::vector<KernelReport> run(const Point& point) {
    const Issuer issuer = point.multicast_issuer();
    const Grid& grid = point.device().grid();
    const MulticastSender sender{point.core("source"), point.rectangle()};
    const bool loopback = point.flag("loopback");
    const std::vector<PhysicalCoordinate> receivers = receivers_of(grid, sender, loopback);
    std::vector<LogicalCoordinate> receiving_cores = cores_of(sender.rectangle);
    if (!loopback) {
        std::erase(receiving_cores, sender.core);
    }
    const std::uint32_t source_address = point.first_l1_buffer();
    const std::uint32_t destination_address = point.second_l1_buffer();

    Program program(point.device());
    std::vector<LogicalCoordinate> all_cores = receiving_cores;
    if (!loopback) {
        all_cores.push_back(sender.core);
    }
    const std::uint32_t ready = program.add_semaphore(all_cores, 0);
    const std::uint32_t flag = program.add_semaphore(all_cores, 0);
    const std::uint32_t one = program.add_semaphore(all_cores, kOne);

    DataCheck check(point);
    const TorusArchitecture& architecture = point.device().architecture();
    const MemoryPlace source_buffer = l1_place(grid, sender.core, source_address);
    const MemoryPlace source_of_flags = l1_place(grid, sender.core, semaphore_address(architecture, one));
    const DataCheck::Data data = check.fill(source_buffer);
    const auto word = std::as_bytes(std::span(&kOne, 1));
    const auto flag_data = std::make_shared<const std::vector<std::byte>>(word.begin(), word.end());
    for (const PhysicalCoordinate receiver : receivers) {
        check.expect(
            {"sender", TransactionKind::write, source_buffer, l1_place(grid, receiver, destination_address), data});
        check.expect({"sender", TransactionKind::write, source_of_flags,
                      l1_place(grid, receiver, semaphore_address(architecture, flag)), flag_data});
    }

    std::vector<std::uint32_t> arguments{point.num_transactions(), point.call_size_bytes(), source_address,
                                         destination_address};
    const std::vector<std::uint32_t> rectangle =
        rectangle_arguments(grid, sender, loopback, issuer.virtual_channel, receivers.size());
    arguments.insert(arguments.end(), rectangle.begin(), rectangle.end());
    arguments.insert(arguments.end(), {ready, flag, one});
    program.add_kernel({sender.core}, {"sender", nullptr, issuer.riscv, issuer.noc, arguments,
                                       "one_to_all/kernels/device/flag_sender.cpp", 1});
    const TranslatedCoordinate place = grid.translated(sender.core);
    for (const LogicalCoordinate core : receiving_cores) {
        program.add_kernel({core}, {"receiver",
                                    nullptr,
                                    1 - issuer.riscv,
                                    1 - issuer.noc,
                                    {point.num_transactions(), ready, flag},
                                    "one_to_all/kernels/device/flag_receiver.cpp",
                                    1});
        program.set_runtime_args(core, 1 - issuer.riscv,
                                 {static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y)});
    }
    program.run();

    return {{.label = "Receiver",
             .kernel = "receiver",
             .zone = "RISCV1",
             .riscv = 1 - issuer.riscv,
             .noc = 1 - issuer.noc,
             .transaction_size_bytes = point.call_size_bytes(),
             .data_fault = check.fault("sender")}};
}

constexpr std::int64_t kLargestBytes = 512 * 1024;

Sweep sweep(const Architecture& architecture, Tier tier) {
    if (tier == Tier::quick) {
        return {{1, 16}, {torus_of(architecture).router.flit_bytes, 2048}};
    }
    return {{1, 4, 16, 64, 256}, powers_of_two(torus_of(architecture).router.flit_bytes, kLargestBytes)};
}

Sweep ideal_sweep(const Architecture& /*architecture*/, Tier tier) {
    return {{tier == Tier::quick ? 4 : 256}, {kLargestBytes}};
}

TestDefinition definition(int id, const std::string& name, const std::string& grid, bool loopback,
                          Sweep (*sizes)(const Architecture&, Tier)) {
    return {.id = id,
            .name = name,
            .primitive = "one_to_all",
            .description = "One core multicasts when all receivers have said that they are ready, and then a flag.",
            .headings = {"One to All Packet Sizes", "Multicast Linked Semaphore", name},
            .kernels = {"Receiver"},
            .parameters = joined(
                {{core_parameter("source", "0,0", "logical core that writes"),
                  {"loopback", loopback ? "1" : "0", "1: the source is one of the receivers; 0: it is left out"}},
                 area_parameters(grid, ""),
                 multicast_parameters()}),
            .sweep = sizes,
            .run = &run,
            .kernels_are_compiled = true,
            .has_long_streams = true,
            .boards = boards_of_2026()};
}

struct Area {
    int id;
    const char* name;
    const char* grid;
};

constexpr std::array<Area, 3> kAreas{{{24, "2x2", "2x2"}, {25, "5x5", "5x5"}, {26, "11x10", "all"}}};

std::vector<TestDefinition> make_tests() {
    std::vector<TestDefinition> tests;
    for (const Area& area : kAreas) {
        for (const bool loopback : {false, true}) {
            tests.push_back(definition(area.id + (loopback ? 1000 : 0),
                                       fmt::format("One to All Multicast Linked Semaphore {} Packet Sizes {} Loopback",
                                                   area.name, loopback ? "with" : "without"),
                                       area.grid, loopback, &sweep));
        }
    }
    tests.push_back(definition(56, "One to All Multicast Linked Semaphore Directed Ideal", "all", true, &ideal_sweep));
    return tests;
}

const RegisterTests registration{make_tests()};

}  // namespace

}  // namespace nocbench::one_to_all
