// One core increments a semaphore of another one, one increment after the other.
#include <fmt/format.h>

#include <cstring>

#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/tensix/program.h"

namespace nocbench::atomic_semaphore {

namespace {

constexpr std::uint32_t kWordBytes = sizeof(std::uint32_t);

std::vector<KernelReport> run(const Point& point) {
    Device& device = point.device();
    const Grid& grid = device.grid();
    const LogicalCoordinate sender = point.core("source");
    // The far corner of the grid, unless another core is given.
    const LogicalCoordinate receiver = point.is_given("destination")
                                           ? point.core("destination")
                                           : LogicalCoordinate{grid.compute_columns() - 1, grid.compute_rows() - 1};
    const int noc = static_cast<int>(point.number("noc", 0, 1));
    const std::uint32_t increment = point.number("increment", 1, 1024);
    point.require_word();
    const std::uint32_t last = point.num_transactions() * increment;

    Program program(device);
    const std::uint32_t semaphore = program.add_semaphore({sender, receiver}, 0);
    program.add_kernel({sender}, {"sender",
                                  nullptr,
                                  0,
                                  noc,
                                  {point.num_transactions(), increment, semaphore},
                                  "atomic_semaphore/kernels/device/sender.cpp"});
    program.add_kernel(
        {receiver},
        {"receiver", nullptr, 1, 1 - noc, {last, semaphore}, "atomic_semaphore/kernels/device/receiver.cpp"});
    const TranslatedCoordinate place = grid.translated(receiver);
    program.set_runtime_args(sender, 0, {static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y)});
    program.run();

    std::uint32_t found = 0;
    const std::vector<std::byte> word =
        device.read_l1(receiver, semaphore_address(device.architecture(), semaphore), kWordBytes);
    std::memcpy(&found, word.data(), kWordBytes);
    const std::string fault =
        found == last ? ""
                      : fmt::format("semaphore of core {}: expected {}, found {}", to_string(receiver), last, found);
    return {{.label = "Sender",
             .kernel = "sender",
             .zone = "RISCV0",
             .riscv = 0,
             .noc = noc,
             .transaction_size_bytes = kWordBytes,
             .data_fault = fault},
            {.label = "Receiver",
             .kernel = "receiver",
             .zone = "RISCV1",
             .riscv = 1,
             .noc = 1 - noc,
             .transaction_size_bytes = kWordBytes,
             .data_fault = fault}};
}

Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    if (tier == Tier::quick) {
        return {{16}, {kWordBytes}, {{"noc", {"0", "1"}}, {"increment", {"1", "4"}}}};
    }
    return {{16, 32, 64}, {kWordBytes}, {{"noc", {"0", "1"}}, {"increment", {"1", "2", "3", "4"}}}};
}

TestDefinition definition(int id, const std::string& name, const std::string& source, const std::string& destination,
                          const std::string& description) {
    return {.id = id,
            .name = name,
            .primitive = "atomic_semaphore",
            .description = description,
            .headings = {"Atomic Semaphore", name},
            .kernels = {"Sender", "Receiver"},
            .parameters = {core_parameter("source", source, "logical core that increments"),
                           core_parameter("destination", destination,
                                          "logical core that has the semaphore; none: the far corner of the grid"),
                           {"noc", "0", "NoC that the sender uses", false, true},
                           {"increment", "1", "what is added each time, 1 to 1024", false, true}},
            .sweep = sweep,
            .run = &run};
}

const RegisterTests registration{{
    definition(1319, "Atomic Semaphore Adjacent Bandwidth Sweep", "0,1", "0,0",
               "One core increments a semaphore of the core beside it, and waits for each increment."),
    definition(320, "Atomic Semaphore Far Bandwidth Sweep", "0,0", "",
               "One core increments a semaphore at the other end of the grid, and waits for each increment."),
}};

}  // namespace

}  // namespace nocbench::atomic_semaphore
