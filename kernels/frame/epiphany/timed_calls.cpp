#include "kernels/frame/epiphany/timed_calls.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "kernels/epiphany/epiphany_api.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench {

namespace {

/// Iterations of a window that is compared with the previous one.
constexpr std::size_t kWindow = 4;
constexpr std::uint32_t kFirstTurns = 3 * kWindow;
constexpr std::uint32_t kGrowth = 2;
/// Limit for loops that never become steady, such as those of polling PEs.
constexpr std::uint32_t kMostTurns = 96;
/// Largest difference between two windows for steady times.
constexpr double kTolerance = 0.002;

/// Times of a loop of calls, or of its first iterations.
struct Loop {
    Measurement measurement;
    std::string fault;
    std::vector<std::vector<std::uint64_t>> cycles;  // by PE and iteration: clock at its end
    std::vector<std::uint64_t> begin;                // by PE

    /// Returns the cycles of a window: 0 is the last window, 1 the one before, and so on.
    [[nodiscard]] std::uint64_t window(std::size_t pe, std::size_t windows) const {
        const std::size_t last = cycles[pe].size() - 1 - windows * kWindow;
        return cycles[pe][last] - cycles[pe][last - kWindow];
    }
    /// Returns whether the last two windows of all PEs together take equally long.
    [[nodiscard]] bool is_steady() const {
        double last = 0;
        double before = 0;
        for (std::size_t pe = 0; pe < cycles.size(); ++pe) {
            last += static_cast<double>(window(pe, 0));
            before += static_cast<double>(window(pe, 1));
        }
        return std::abs(last - before) <= kTolerance * last;
    }
    /// Returns the cycles of `num_turns` iterations. Iterations beyond the simulated ones take as long as the last half
    /// of those.
    [[nodiscard]] double total(std::size_t pe, std::uint32_t num_turns) const {
        const std::size_t turns = cycles[pe].size();
        const auto done = static_cast<double>(cycles[pe].back() - begin[pe]);
        const std::size_t left = num_turns - turns;
        if (left == 0) {
            return done;
        }
        const std::size_t half = turns / 2;
        const auto of_half = static_cast<double>(cycles[pe].back() - cycles[pe][turns - 1 - half]);
        return done + static_cast<double>(left) * of_half / static_cast<double>(half);
    }
};

Loop run_loop(const TimedCalls& calls, std::uint32_t num_turns, const Architecture& architecture, const Board& board,
              const MachineWatcher& watcher) {
    EpiphanyDevice device(epiphany_of(architecture), shape_of(board));
    if (watcher) {
        watcher(device);
    }
    Loop loop;
    loop.cycles.resize(static_cast<std::size_t>(calls.num_pes));
    loop.begin.resize(static_cast<std::size_t>(calls.num_pes));
    // Program data may use all of memory except its end.
    constexpr shmem::Address kDataEnd = 0x7800;
    shmem::NativeProgram program;
    program.num_pes = calls.num_pes;
    program.options = calls.options;
    program.layout.program_end = kDataEnd;
    program.run = [&](shmem::Pe& pe) {
        const auto index = static_cast<std::size_t>(pe.number());
        if (calls.prepare) {
            calls.prepare(pe);
        }
        call_routine(pe, "shmem_barrier_all", [&] { pe.barrier_all(); });
        epiphany::open_zone(kEpiphanyZone);
        loop.begin[index] = epiphany::timer();
        for (std::uint32_t turn = 0; turn < num_turns; ++turn) {
            calls.call(pe, turn);
            epiphany::instructions(1);
            epiphany::taken_branch();
            loop.cycles[index].push_back(epiphany::timer());
        }
        epiphany::close_zone();
        call_routine(pe, "shmem_barrier_all", [&] { pe.barrier_all(); });
    };
    static_cast<void>(shmem::run_native(device, program));
    loop.fault = calls.fault ? calls.fault(device) : "";
    add_machine(loop.measurement, device, 0);
    return loop;
}

}  // namespace

void call_routine(shmem::Pe& pe, std::string_view name, const std::function<void()>& routine) {
    constexpr int kArgumentInstructions = 4;
    epiphany::instructions(kArgumentInstructions);
    epiphany::taken_branch();
    pe.begin(name);
    routine();
    epiphany::taken_branch();
}

Measurement measure_calls(const TimedCalls& calls, const Architecture& architecture, const Board& board,
                          const MachineWatcher& watcher) {
    std::uint32_t turns = std::min(calls.num_calls, kFirstTurns);
    Loop loop = run_loop(calls, turns, architecture, board, watcher);
    while (turns < std::min(calls.num_calls, kMostTurns) && !loop.is_steady()) {
        turns = std::min(calls.num_calls, turns * kGrowth);
        loop = run_loop(calls, turns, architecture, board, watcher);
    }
    Measurement& measurement = loop.measurement;
    for (std::size_t pe = 0; pe < measurement.cores.size(); ++pe) {
        CoreResult& core = measurement.cores[pe];
        core.latency = std::llround(loop.total(pe, calls.num_calls) * kTicksPerCycle);
        core.bandwidth_bytes_per_cycle = calls.bytes_per_call * calls.num_calls / cycles_from_ticks(core.latency);
    }
    if (turns < calls.num_calls) {
        measurement.statistics.push_back({"simulated_calls", static_cast<double>(turns)});
    }
    add_row(measurement, calls.size_bytes, loop.fault);
    return std::move(loop.measurement);
}

}  // namespace nocbench
