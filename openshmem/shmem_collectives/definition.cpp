// PEs synchronize, and exchange blocks, by collective routines.
#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "device_model/sim/error.h"
#include "kernels/epiphany/epiphany_api.h"
#include "kernels/frame/epiphany/measurement.h"
#include "kernels/frame/epiphany/timed_calls.h"
#include "kernels/shmem/reductions.h"

namespace nocbench::shmem_collectives {

namespace {

using shmem::ActiveSet;
using shmem::Address;
using shmem::BlockCall;
using shmem::Pe;

// Layout and sizes as in the evaluation codes of USArmyResearchLab/openshmem-epiphany c9dd0c5.
constexpr Address kTarget = 0x1000;
constexpr std::uint32_t kTargetBytes = 0x4000;
constexpr Address kSource = 0x5000;
constexpr std::uint32_t kSourceBytes = 0x2000;
constexpr Address kSync = 0x7100;  // two arrays, used alternately
constexpr Address kSyncStride = 24;
constexpr std::uint32_t kDwordBytes = 8;
constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kPublishedCalls = 1024;
constexpr std::uint32_t kPublishedReductions = 128;

Address sync_of(std::uint32_t turn) { return kSync + turn % 2 * kSyncStride; }

/// Returns a dword that encodes its source PE, destination PE, and index in the block.
std::uint64_t value_of(std::uint64_t from, std::uint64_t to, std::uint64_t place) {
    constexpr unsigned kFromShift = 48;
    constexpr unsigned kToShift = 32;
    return (from + 1) << kFromShift | (to + 1) << kToShift | (place + 1);
}

void poke(Pe& pe, Address address, const std::vector<std::uint64_t>& values) {
    pe.guest().poke(address, std::as_bytes(std::span(values)));
}

std::vector<std::uint64_t> peek(const EpiphanyDevice& device, int pe, Address address, std::uint32_t count) {
    const std::vector<std::byte> bytes =
        device.read_memory(device.core_at(pe), address, std::size_t{count} * kDwordBytes);
    std::vector<std::uint64_t> values(count);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// Returns the first fault in blocks of dwords, which must equal `expected(pe, block, place)`; otherwise an empty
/// string.
template <class Expected>
std::string fault_of(const EpiphanyDevice& device, int num_pes, int num_blocks, std::uint32_t count, int first_pe,
                     const Expected& expected) {
    for (int pe = first_pe; pe < num_pes; ++pe) {
        const std::vector<std::uint64_t> found =
            peek(device, pe, kTarget, static_cast<std::uint32_t>(num_blocks) * count);
        for (std::size_t at = 0; at < found.size(); ++at) {
            const std::uint64_t right = expected(pe, static_cast<int>(at / count), at % count);
            if (found[at] != right) {
                return fmt::format("PE {}, dword {} of {}: expected 0x{:016x}, found 0x{:016x}", pe, at, found.size(),
                                   right, found[at]);
            }
        }
    }
    return "";
}

std::uint32_t dwords_of(const PointParameters& point, std::uint32_t bytes_max) {
    const std::uint32_t bytes = point.call_size_bytes();
    if (bytes % kDwordBytes != 0 || bytes > bytes_max) {
        throw InputError(fmt::format("parameter call_size: expected a multiple of {} up to {}, found '{}'", kDwordBytes,
                                     bytes_max, bytes));
    }
    return bytes / kDwordBytes;
}

TimedCalls calls_of(const PointParameters& point, const Board& board) {
    TimedCalls calls;
    calls.num_pes = static_cast<int>(point.number("pes", 1, number_of_cores(board)));
    calls.num_calls = point.num_transactions();
    calls.size_bytes = point.call_size_bytes();
    calls.bytes_per_call = point.call_size_bytes();
    return calls;
}

/// Requires a call size of one word, as barriers move no data of the caller.
void require_word(const PointParameters& point) {
    if (point.call_size_bytes() != kWordBytes) {
        throw InputError(fmt::format("parameter call_size: expected {}, since barriers move no data, found '{}'",
                                     kWordBytes, point.call_size_bytes()));
    }
}

Measurement measure_barrier(const PointParameters& point, const Architecture& architecture, const Board& board,
                            const MachineWatcher& watcher) {
    require_word(point);
    TimedCalls calls = calls_of(point, board);
    const ActiveSet all{0, 0, calls.num_pes};
    calls.call = [=](Pe& pe, std::uint32_t turn) {
        call_routine(pe, "shmem_barrier", [&] { pe.barrier(all, sync_of(turn)); });
    };
    return measure_calls(calls, architecture, board, watcher);
}

Measurement measure_barrier_of_all(const PointParameters& point, const Architecture& architecture, const Board& board,
                                   const MachineWatcher& watcher) {
    require_word(point);
    enum class Kind : std::uint8_t { dissemination, wand, vendor };
    const auto kind = static_cast<Kind>(point.choice("barrier", {"dissemination", "wand", "vendor"}));
    TimedCalls calls;
    calls.num_pes = static_cast<int>(number_of_cores(board));
    calls.num_calls = point.num_transactions();
    calls.size_bytes = point.call_size_bytes();
    calls.bytes_per_call = point.call_size_bytes();
    calls.options.wand_barrier = kind == Kind::wand;
    calls.call = [=](Pe& pe, std::uint32_t /*turn*/) {
        if (kind == Kind::vendor) {
            call_routine(pe, "e_barrier", [] { epiphany::barrier(); });
        } else {
            call_routine(pe, "shmem_barrier_all", [&] { pe.barrier_all(); });
        }
    };
    return measure_calls(calls, architecture, board, watcher);
}

Measurement measure_broadcast(const PointParameters& point, const Architecture& architecture, const Board& board,
                              const MachineWatcher& watcher) {
    const std::uint32_t count = dwords_of(point, kSourceBytes);
    TimedCalls calls = calls_of(point, board);
    const int num_pes = calls.num_pes;
    calls.prepare = [=](Pe& pe) {
        std::vector<std::uint64_t> values(count);
        for (std::uint32_t place = 0; place < count; ++place) {
            values[place] = value_of(static_cast<unsigned>(pe.number()), 0, place);
        }
        poke(pe, kSource, values);
    };
    calls.call = [=](Pe& pe, std::uint32_t turn) {
        call_routine(pe, "shmem_broadcast64",
                     [&] { pe.broadcast({kTarget, kSource, count, 0, {0, 0, num_pes}, sync_of(turn)}, kDwordBytes); });
    };
    calls.fault = [=](const EpiphanyDevice& device) {
        return fault_of(device, num_pes, 1, count, 1,
                        [](int, int, std::uint64_t place) { return value_of(0, 0, place); });
    };
    return measure_calls(calls, architecture, board, watcher);
}

using MoveBlocks = void (Pe::*)(const BlockCall&, std::uint32_t);

/// Measures a routine that moves blocks. With `kIsPersonal`, each PE receives a different block.
template <MoveBlocks kMove, bool kIsPersonal = false>
Measurement measure_blocks(const PointParameters& point, const Architecture& architecture, const Board& board,
                           const MachineWatcher& watcher) {
    TimedCalls calls = calls_of(point, board);
    const int num_pes = calls.num_pes;
    const auto num_blocks = static_cast<std::uint32_t>(num_pes);
    const std::uint32_t source_blocks = kIsPersonal ? num_blocks : 1;
    const std::uint32_t count =
        dwords_of(point, std::min(kTargetBytes / num_blocks, kSourceBytes / source_blocks) / kDwordBytes * kDwordBytes);
    calls.bytes_per_call *= num_pes;
    calls.prepare = [=](Pe& pe) {
        std::vector<std::uint64_t> values(std::size_t{source_blocks} * count);
        for (std::size_t at = 0; at < values.size(); ++at) {
            values[at] = value_of(static_cast<unsigned>(pe.number()), at / count, at % count);
        }
        poke(pe, kSource, values);
    };
    calls.call = [=](Pe& pe, std::uint32_t turn) {
        call_routine(pe, "a collective routine",
                     [&] { (pe.*kMove)({kTarget, kSource, count, {0, 0, num_pes}, sync_of(turn)}, kDwordBytes); });
    };
    calls.fault = [=](const EpiphanyDevice& device) {
        return fault_of(device, num_pes, num_pes, count, 0, [](int pe, int block, std::uint64_t place) {
            return value_of(static_cast<unsigned>(block), kIsPersonal ? static_cast<unsigned>(pe) : 0, place);
        });
    };
    return measure_calls(calls, architecture, board, watcher);
}

Measurement measure_sum(const PointParameters& point, const Architecture& architecture, const Board& board,
                        const MachineWatcher& watcher) {
    const std::uint32_t bytes = point.call_size_bytes();
    if (bytes % kWordBytes != 0 || bytes > kSourceBytes) {
        throw InputError(fmt::format("parameter call_size: expected a multiple of {} up to {}, found '{}'", kWordBytes,
                                     kSourceBytes, bytes));
    }
    const auto count = static_cast<std::int32_t>(bytes / kWordBytes);
    // The work array of large sums does not fit behind the source, so sums have a separate layout.
    constexpr Address kTargetOfSum = 0x1000;
    constexpr Address kWorkOfSum = 0x3000;
    TimedCalls calls = calls_of(point, board);
    const int num_pes = calls.num_pes;
    const auto element = [](int pe, std::int32_t place) { return (pe + 1) * (place % 1000 + 1); };
    calls.prepare = [=](Pe& pe) {
        std::vector<std::int32_t> values(static_cast<std::size_t>(count));
        for (std::int32_t place = 0; place < count; ++place) {
            values[static_cast<std::size_t>(place)] = element(pe.number(), place);
        }
        pe.guest().poke(kSource, std::as_bytes(std::span(values)));
    };
    calls.call = [=](Pe& pe, std::uint32_t turn) {
        call_routine(pe, "shmem_int_sum_to_all", [&] {
            pe.reduce(
                {kTargetOfSum, kSource, count, {0, 0, num_pes}, kWorkOfSum, sync_of(turn)},
                shmem::combination<shmem::ReductionOperation::sum_operation, std::int32_t>(pe.job().options().costs));
        });
    };
    calls.fault = [=](const EpiphanyDevice& device) -> std::string {
        for (int pe = 0; pe < num_pes; ++pe) {
            const std::vector<std::byte> found = device.read_memory(device.core_at(pe), kTargetOfSum, bytes);
            for (std::int32_t place = 0; place < count; ++place) {
                std::int32_t right = 0;
                for (int other = 0; other < num_pes; ++other) {
                    right += element(other, place);
                }
                std::int32_t value = 0;
                std::memcpy(&value, &found[static_cast<std::size_t>(place) * kWordBytes], kWordBytes);
                if (value != right) {
                    return fmt::format("PE {}, element {} of {}: expected {}, found {}", pe, place, count, right,
                                       value);
                }
            }
        }
        return "";
    };
    return measure_calls(calls, architecture, board, watcher);
}

Sweep barrier_sweep(const Architecture& architecture, Tier tier) {
    return {{tier == Tier::quick ? 4 : kPublishedCalls}, {kWordBytes}, {numbers_of_cores("pes", architecture, tier)}};
}

Sweep barrier_of_all_sweep(const Architecture& /*architecture*/, Tier tier) {
    return {
        {tier == Tier::quick ? 4 : kPublishedCalls}, {kWordBytes}, {{"barrier", {"dissemination", "wand", "vendor"}}}};
}

Sweep sizes(Tier tier, std::uint32_t calls, std::int64_t first, std::int64_t last) {
    Sweep sweep{{calls}, {}, {}};
    if (tier == Tier::quick) {
        sweep.num_transactions = {4};
        sweep.call_size_bytes = {first, 16 * first};
        return sweep;
    }
    for (std::int64_t bytes = first; bytes <= last; bytes *= 2) {
        sweep.call_size_bytes.push_back(bytes);
    }
    return sweep;
}

Sweep broadcast_sweep(const Architecture& /*architecture*/, Tier tier) {
    Sweep sweep = sizes(tier, kPublishedCalls, kDwordBytes, kSourceBytes);
    sweep.parameters = {{"pes", {"2", "4", "8", "16"}}};
    return sweep;
}

Sweep collect_sweep(const Architecture& /*architecture*/, Tier tier) {
    constexpr std::int64_t kLargestBytes = 1024;
    return sizes(tier, kPublishedCalls, kDwordBytes, kLargestBytes);
}

Sweep exchange_sweep(const Architecture& /*architecture*/, Tier tier) {
    constexpr std::int64_t kLargestBytes = 512;
    return sizes(tier, kPublishedCalls, kDwordBytes, kLargestBytes);
}

Sweep sum_sweep(const Architecture& /*architecture*/, Tier tier) {
    return sizes(tier, kPublishedReductions, kWordBytes, kSourceBytes);
}

ParameterDefinition pes_parameter(bool is_swept) {
    return {
        .name = "pes", .default_value = "16", .meaning = "PEs that take part, from the first on", .is_swept = is_swept};
}

std::vector<TestDefinition> tests() {
    std::vector<TestDefinition> all;
    const auto add = [&](int id, const std::string& name, const std::string& description, auto sweep, auto measure,
                         std::vector<ParameterDefinition> parameters) {
        TestDefinition definition = epiphany_test(id, name, "shmem_collectives", description);
        definition.sweep = sweep;
        definition.measure = measure;
        definition.parameters = std::move(parameters);
        all.push_back(std::move(definition));
    };
    add(651, "SHMEM Barrier", "The first PEs repeatedly meet at a barrier.", &barrier_sweep, &measure_barrier,
        {pes_parameter(true)});
    add(657, "SHMEM Barrier of All", "All PEs repeatedly meet at a barrier.", &barrier_of_all_sweep,
        &measure_barrier_of_all,
        {{.name = "barrier",
          .default_value = "dissemination",
          .meaning =
              "dissemination: shmem_barrier_all; wand: the same by the wired AND; vendor: e_barrier, by counters "
              "on the first core",
          .is_swept = true}});
    add(652, "SHMEM Broadcast Sizes", "PE 0 sends a block along a tree to the first PEs.", &broadcast_sweep,
        &measure_broadcast, {pes_parameter(true)});
    add(653, "SHMEM Collect Sizes",
        "Each PE gets the blocks of all PEs. The PEs find the place of each block one after the other.", &collect_sweep,
        &measure_blocks<&Pe::collect>, {pes_parameter(false)});
    add(654, "SHMEM Fcollect Sizes", "Each PE gets the blocks of all PEs by recursive doubling.", &collect_sweep,
        &measure_blocks<&Pe::fcollect>, {pes_parameter(false)});
    add(655, "SHMEM Integer Sum Sizes", "Each PE gets the sums of the integers of all PEs.", &sum_sweep, &measure_sum,
        {pes_parameter(false)});
    add(656, "SHMEM All to All Sizes", "Each PE sends a different block to each PE.", &exchange_sweep,
        &measure_blocks<&Pe::alltoall, true>, {pes_parameter(false)});
    return all;
}

const RegisterTests registration{tests()};

}  // namespace

}  // namespace nocbench::shmem_collectives
