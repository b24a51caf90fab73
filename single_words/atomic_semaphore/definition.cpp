// One core increments a semaphore of another core, or of many cores by multicast. Each increment follows the previous
// one.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "device_model/noc/packet.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/multicast_transfers.h"
#include "kernels/tensix/program.h"

namespace nocbench::atomic_semaphore {

namespace {

constexpr std::uint32_t kWordBytes = sizeof(std::uint32_t);

/// Sender and receivers of increments, with semaphore, kernels and reports.
class Increments {
public:
    Increments(const Point& point, LogicalCoordinate sender, std::vector<LogicalCoordinate> receivers)
        : point_(point),
          sender_(sender),
          receivers_(std::move(receivers)),
          noc_(point.noc()),
          increment_(point.number("increment", 1, 1024)),
          program_(point.device()) {
        point.require_word();
        std::vector<LogicalCoordinate> cores = receivers_;
        cores.push_back(sender);
        semaphore_ = program_.add_semaphore(cores, 0);
    }

    /// Runs `source` on the sender. Common runtime argument 0 of this kernel is the number of increments. Its
    /// compile-time arguments from 1 on are increment, semaphore and `more_arguments`.
    std::vector<KernelReport> run(const std::string& source, const std::vector<std::uint32_t>& more_arguments,
                                  const std::vector<std::uint32_t>& runtime_args) {
        std::vector<std::uint32_t> arguments{point_.num_transactions(), increment_, semaphore_};
        arguments.insert(arguments.end(), more_arguments.begin(), more_arguments.end());
        program_.add_kernel({sender_}, {"sender", nullptr, 0, noc_, arguments, source, 1});
        program_.set_runtime_args(sender_, 0, runtime_args);
        program_.add_kernel(receivers_, {"receiver",
                                         nullptr,
                                         1,
                                         1 - noc_,
                                         {last(), semaphore_},
                                         "single_words/atomic_semaphore/kernels/device/receiver.cpp",
                                         1});
        program_.run();
        return {report("Sender", "sender", "RISCV0", 0, noc_), report("Receiver", "receiver", "RISCV1", 1, 1 - noc_)};
    }

private:
    [[nodiscard]] std::uint32_t last() const { return point_.num_transactions() * increment_; }

    [[nodiscard]] std::string fault() const {
        const Device& device = point_.device();
        for (const LogicalCoordinate receiver : receivers_) {
            std::uint32_t found = 0;
            const std::vector<std::byte> word =
                device.read_l1(receiver, semaphore_address(device.architecture(), semaphore_), kWordBytes);
            std::memcpy(&found, word.data(), kWordBytes);
            if (found != last()) {
                return fmt::format("semaphore of core {}: expected {}, found {}", to_string(receiver), last(), found);
            }
        }
        return {};
    }

    [[nodiscard]] KernelReport report(const char* label, const char* kernel, const char* zone, int riscv,
                                      int noc) const {
        return {.label = label,
                .kernel = kernel,
                .zone = zone,
                .riscv = riscv,
                .noc = noc,
                .transaction_size_bytes = kWordBytes,
                .data_fault = fault()};
    }

    const Point& point_;
    LogicalCoordinate sender_;
    std::vector<LogicalCoordinate> receivers_;
    int noc_;
    std::uint32_t increment_;
    Program program_;
    std::uint32_t semaphore_ = 0;
};

std::vector<KernelReport> run(const Point& point) {
    const Grid& grid = point.device().grid();
    // By default, the last core of the grid.
    const LogicalCoordinate receiver = point.is_given("destination")
                                           ? point.core("destination")
                                           : LogicalCoordinate{grid.compute_columns() - 1, grid.compute_rows() - 1};
    const TranslatedCoordinate place = grid.translated(receiver);
    return Increments(point, point.core("source"), {receiver})
        .run("single_words/atomic_semaphore/kernels/device/sender.cpp", {},
             {static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y)});
}

std::vector<KernelReport> run_multicast(const Point& point) {
    const Grid& grid = point.device().grid();
    const MulticastSender sender{point.core("source"), point.rectangle()};
    const std::size_t num_receivers = receivers_of(grid, sender, false).size();
    std::vector<LogicalCoordinate> receivers = cores_of(sender.rectangle);
    std::erase(receivers, sender.core);
    return Increments(point, sender.core, receivers)
        .run("single_words/atomic_semaphore/kernels/device/multicast_sender.cpp",
             rectangle_arguments(grid, sender, false, kFirstBroadcastVirtualChannel, num_receivers), {});
}

Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    if (tier == Tier::quick) {
        return {{16}, {kWordBytes}, {{"noc", {"0", "1"}}, {"increment", {"1", "4"}}}};
    }
    return {{16, 32, 64}, {kWordBytes}, {{"noc", {"0", "1"}}, {"increment", {"1", "2", "3", "4"}}}};
}

Sweep multicast_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep_of_grids = sweep(architecture, tier);
    const bool quick = tier == Tier::quick;
    sweep_of_grids.parameters = {
        {"noc", {"0", "1"}},
        {"increment", {"1"}},
        {"grid", quick ? std::vector<std::string>{"2x2"} : std::vector<std::string>{"2x2", "5x5", "all"}}};
    return sweep_of_grids;
}

/// Returns a test definition of this folder; `receivers` are the parameters that select the cores with the semaphore.
TestDefinition definition(int id, const std::string& name, const std::string& source, const std::string& description,
                          const std::vector<ParameterDefinition>& receivers,
                          Sweep (*sweep_of_test)(const Architecture&, Tier),
                          std::vector<KernelReport> (*run_point)(const Point&)) {
    return {.id = id,
            .name = fmt::format("Atomic Semaphore {} Bandwidth Sweep", name),
            .primitive = "atomic_semaphore",
            .description = description,
            .headings = {"Atomic Semaphore", name},
            .kernels = {"Sender", "Receiver"},
            .parameters = joined({{core_parameter("source", source, "logical core that increments")},
                                  receivers,
                                  {{"noc", "0", "NoC that the sender uses", false, true},
                                   {"increment", "1", "what is added each time, 1 to 1024", false, true}}}),
            .sweep = sweep_of_test,
            .run = run_point,
            .kernels_are_compiled = true};
}

std::vector<ParameterDefinition> one_receiver(const std::string& destination) {
    return {core_parameter("destination", destination,
                           "logical core that has the semaphore; none: the far corner of the grid")};
}

std::vector<ParameterDefinition> swept_grid() {
    std::vector<ParameterDefinition> area = area_parameters("2x2", "");
    area.front().is_swept = true;
    return area;
}

const RegisterTests registration{{
    definition(1319, "Adjacent", "0,1",
               "One core increments a semaphore of the core beside it, and waits for each increment.",
               one_receiver("0,0"), &sweep, &run),
    definition(320, "Non-Adjacent", "0,0",
               "One core increments a semaphore at the other end of the grid, and waits for each increment.",
               one_receiver(""), &sweep, &run),
    definition(1321, "Multicast", "0,0",
               "One core increments the semaphores of all other cores of a grid by multicast, and waits for each "
               "increment.",
               swept_grid(), &multicast_sweep, &run_multicast),
}};

}  // namespace

}  // namespace nocbench::atomic_semaphore
