#include "kernels/frame/epiphany/timed_calls.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/epiphany/epiphany_api.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench {

namespace {

/// Turns repeat after so many of them at most: routines use two sets of flags in turn.
constexpr std::size_t kPeriod = 8;
constexpr std::uint32_t kFirstTurns = 4 * kPeriod;
constexpr std::uint32_t kGrowth = 4;

/// What a loop of calls, or the begin of it, did.
struct Loop {
    Measurement measurement;
    std::string fault;
    std::vector<std::vector<std::uint64_t>> cycles;  // by PE and turn: the clock behind it
    std::vector<std::uint64_t> begin;                // by PE

    [[nodiscard]] std::uint64_t duration(std::size_t pe, std::size_t turn) const {
        return cycles[pe][turn] - (turn == 0 ? begin[pe] : cycles[pe][turn - 1]);
    }
    /// The last turns of every PE are as those before them.
    [[nodiscard]] bool repeats() const {
        for (std::size_t pe = 0; pe < cycles.size(); ++pe) {
            const std::size_t turns = cycles[pe].size();
            for (std::size_t turn = turns - std::min(turns, kPeriod); turn < turns; ++turn) {
                if (turn < kPeriod || duration(pe, turn) != duration(pe, turn - kPeriod)) {
                    return false;
                }
            }
        }
        return true;
    }
    /// Of so many turns, whose last ones are like those that were run.
    [[nodiscard]] std::uint64_t total(std::size_t pe, std::uint32_t num_turns) const {
        const std::size_t turns = cycles[pe].size();
        const std::uint64_t done = cycles[pe].back() - begin[pe];
        const std::uint64_t left = num_turns - turns;
        if (left == 0) {
            return done;
        }
        std::uint64_t all = done + left / kPeriod * (cycles[pe].back() - cycles[pe][turns - 1 - kPeriod]);
        for (std::size_t turn = 0; turn < left % kPeriod; ++turn) {
            all += duration(pe, turns - kPeriod + turn);
        }
        return all;
    }
};

Loop run_loop(const TimedCalls& calls, std::uint32_t num_turns, const Architecture& architecture, const Board& board,
              const MachineWatcher& watcher) {
    EpiphanyDevice device(architecture.epiphany, shape_of(board));
    if (watcher) {
        watcher(device);
    }
    shmem::Job job(calls.num_pes, calls.options);
    Loop loop;
    loop.cycles.resize(static_cast<std::size_t>(calls.num_pes));
    loop.begin.resize(static_cast<std::size_t>(calls.num_pes));
    shmem::add_native_pes(device, job, [&](shmem::Pe& pe) {
        const auto index = static_cast<std::size_t>(pe.number());
        if (calls.prepare) {
            calls.prepare(pe);
        }
        shmem::call_routine(pe, "shmem_barrier_all", [&] { pe.barrier_all(); });
        epiphany::open_zone(kEpiphanyZone);
        loop.begin[index] = epiphany::timer();
        for (std::uint32_t turn = 0; turn < num_turns; ++turn) {
            calls.call(pe, turn);
            epiphany::instructions(1);
            epiphany::taken_branch();
            loop.cycles[index].push_back(epiphany::timer());
        }
        epiphany::close_zone();
        shmem::call_routine(pe, "shmem_barrier_all", [&] { pe.barrier_all(); });
    });
    device.run();
    loop.fault = calls.fault ? calls.fault(device) : "";
    add_machine(loop.measurement, device, 0);
    return loop;
}

}  // namespace

Measurement measure_calls(const TimedCalls& calls, const Architecture& architecture, const Board& board,
                          const MachineWatcher& watcher) {
    std::uint32_t turns = std::min(calls.num_calls, kFirstTurns);
    Loop loop = run_loop(calls, turns, architecture, board, watcher);
    while (turns < calls.num_calls && !loop.repeats()) {
        turns = std::min(calls.num_calls, turns * kGrowth);
        loop = run_loop(calls, turns, architecture, board, watcher);
    }
    Measurement& measurement = loop.measurement;
    for (std::size_t pe = 0; pe < measurement.cores.size(); ++pe) {
        CoreResult& core = measurement.cores[pe];
        core.latency = ticks_from_cycles(static_cast<Cycle>(loop.total(pe, calls.num_calls)));
        core.bandwidth_bytes_per_cycle = calls.bytes_per_call * calls.num_calls / cycles_from_ticks(core.latency);
    }
    add_row(measurement, calls.size_bytes, loop.fault);
    return std::move(loop.measurement);
}

}  // namespace nocbench
