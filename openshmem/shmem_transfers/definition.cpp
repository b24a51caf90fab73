// PEs put data to the next PE, get data from it, and modify its values.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "device_model/sim/error.h"
#include "kernels/frame/epiphany/measurement.h"
#include "kernels/frame/epiphany/timed_calls.h"

namespace nocbench::shmem_transfers {

namespace {

using shmem::Address;
using shmem::Pe;
using shmem::Transfer;

// Each block starts at a memory bank. Source of the layout: evaluation codes of USArmyResearchLab/openshmem-epiphany
// c9dd0c5.
constexpr Address kSource = 0x2000;
constexpr Address kTarget = 0x4000;
constexpr std::uint32_t kBlockBytesMax = 0x2000;
constexpr Address kCounter = 0x6000;
constexpr std::uint32_t kPublishedCalls = 1024;

int next_of(const Pe& pe) { return (pe.number() + 1) % pe.num_pes(); }

std::byte pattern(int pe, std::uint32_t place) {
    constexpr std::uint32_t kPrime = 251;
    return static_cast<std::byte>((place * 7 + static_cast<std::uint32_t>(pe) * 29) % kPrime + 1);
}

void fill_source(Pe& pe, std::uint32_t bytes) {
    std::vector<std::byte> data(bytes);
    for (std::uint32_t place = 0; place < bytes; ++place) {
        data[place] = pattern(pe.number(), place);
    }
    pe.guest().poke(kSource, data);
}

/// Returns the first fault if a PE lacks the data of the PE at `distance`; otherwise an empty string.
std::string fault_of_blocks(const EpiphanyDevice& device, int num_pes, std::uint32_t bytes, int distance) {
    for (int pe = 0; pe < num_pes; ++pe) {
        const std::vector<std::byte> found = device.read_memory(device.core_at(pe), kTarget, bytes);
        const int from = (pe + num_pes + distance) % num_pes;
        for (std::uint32_t place = 0; place < bytes; ++place) {
            if (found[place] != pattern(from, place)) {
                return fmt::format("PE {}, byte {} of {}: expected 0x{:02x}, found 0x{:02x}", pe, place, bytes,
                                   static_cast<unsigned>(pattern(from, place)), static_cast<unsigned>(found[place]));
            }
        }
    }
    return "";
}

enum class Kind : std::uint8_t { put, get, put_nbi, get_nbi };

void move(Pe& pe, Kind kind, std::uint32_t begin, std::uint32_t bytes) {
    const Transfer transfer{kTarget + begin, kSource + begin, bytes, next_of(pe)};
    switch (kind) {
        case Kind::put:
            call_routine(pe, "shmem_putmem", [&] { pe.put(transfer, 1); });
            break;
        case Kind::get:
            call_routine(pe, "shmem_getmem", [&] { pe.get(transfer, 1); });
            break;
        case Kind::put_nbi:
            call_routine(pe, "shmem_putmem_nbi", [&] { pe.put_nbi(transfer, 1); });
            break;
        case Kind::get_nbi:
            call_routine(pe, "shmem_getmem_nbi", [&] { pe.get_nbi(transfer, 1); });
            break;
    }
}

template <Kind kKind>
Measurement measure(const PointParameters& point, const Architecture& architecture, const Board& board,
                    const MachineWatcher& watcher) {
    const std::uint32_t bytes = point.call_size_bytes();
    constexpr bool kReads = kKind == Kind::get || kKind == Kind::get_nbi;
    constexpr bool kIsBlocking = kKind == Kind::put || kKind == Kind::get;
    const std::uint32_t parts = kIsBlocking ? 1 : point.number("parts", 1, 2);
    if (bytes > kBlockBytesMax || bytes < parts) {
        throw InputError(
            fmt::format("parameter call_size: expected {} to {}, found '{}'", parts, kBlockBytesMax, bytes));
    }
    TimedCalls calls;
    if constexpr (kKind == Kind::get) {
        calls.options.ipi_get = point.choice("by", {"loads", "interrupt"}) == 1;
        calls.options.ipi_get_turnover_bytes = point.number("above", 0, kBlockBytesMax);
    }
    calls.num_pes = static_cast<int>(number_of_cores(board));
    calls.num_calls = point.num_transactions();
    calls.bytes_per_call = bytes;
    calls.size_bytes = bytes;
    calls.prepare = [=](Pe& pe) { fill_source(pe, bytes); };
    calls.call = [=](Pe& pe, std::uint32_t /*turn*/) {
        for (std::uint32_t part = 0; part < parts; ++part) {
            move(pe, kKind, part * (bytes / parts), part + 1 == parts ? bytes - part * (bytes / parts) : bytes / parts);
        }
        if (!kIsBlocking) {
            call_routine(pe, "shmem_quiet", [&] { pe.quiet(); });
        }
    };
    const int num_pes = calls.num_pes;
    calls.fault = [=](const EpiphanyDevice& device) {
        return fault_of_blocks(device, num_pes, bytes, kReads ? 1 : -1);
    };
    return measure_calls(calls, architecture, board, watcher);
}

enum class Operation : std::uint8_t { set, fetch, swap, inc, finc, add, fadd, cswap, cswap_unequal };

constexpr std::array<std::string_view, 9> kOperations{"set", "fetch", "swap",  "inc",          "finc",
                                                      "add", "fadd",  "cswap", "cswap_unequal"};

void change(Pe& pe, Operation operation, std::uint32_t turn) {
    constexpr std::uint32_t kBytes = 4;
    constexpr auto kType = shmem::AtomicType::integer;
    const int next = next_of(pe);
    const auto add = [](std::uint64_t old) { return std::optional<std::uint64_t>(old + 1); };
    switch (operation) {
        case Operation::set:
            pe.set_atomically(kType, kCounter, kBytes, turn + 1, next);
            break;
        case Operation::fetch:
            static_cast<void>(pe.fetch_atomically(kCounter, kBytes, next));
            break;
        case Operation::swap:
            pe.change_atomically(kType, kCounter, kBytes, next,
                                 [&](std::uint64_t) { return std::optional<std::uint64_t>(turn + 1); });
            break;
        case Operation::cswap:
            pe.change_atomically(kType, kCounter, kBytes, next, [&](std::uint64_t old) {
                return old == turn ? std::optional<std::uint64_t>(turn + 1) : std::nullopt;
            });
            break;
        case Operation::cswap_unequal:
            pe.change_atomically(kType, kCounter, kBytes, next,
                                 [&](std::uint64_t) { return std::optional<std::uint64_t>(); });
            break;
        default:
            pe.change_atomically(kType, kCounter, kBytes, next, add);
            break;
    }
}

Measurement measure_atomics(const PointParameters& point, const Architecture& architecture, const Board& board,
                            const MachineWatcher& watcher) {
    const auto operation = static_cast<Operation>(point.choice("operation", {kOperations.begin(), kOperations.end()}));
    TimedCalls calls;
    calls.num_pes = static_cast<int>(point.number("pes", 1, number_of_cores(board)));
    calls.num_calls = point.num_transactions();
    calls.bytes_per_call = sizeof(std::uint32_t);
    calls.size_bytes = sizeof(std::uint32_t);
    calls.call = [=](Pe& pe, std::uint32_t turn) {
        call_routine(pe, fmt::format("shmem_int_{}", kOperations[static_cast<std::size_t>(operation)]),
                     [&] { change(pe, operation, turn); });
    };
    return measure_calls(calls, architecture, board, watcher);
}

Sweep size_sweep(const Architecture& /*architecture*/, Tier tier) {
    Sweep sweep{{kPublishedCalls}, {}, {}};
    if (tier == Tier::quick) {
        sweep.num_transactions = {4};
        sweep.call_size_bytes = {8, 512};
        return sweep;
    }
    for (std::int64_t bytes = 1; bytes <= kBlockBytesMax; bytes *= 2) {
        sweep.call_size_bytes.push_back(bytes);
    }
    return sweep;
}

Sweep get_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep = size_sweep(architecture, tier);
    sweep.parameters = {{"by", {"loads", "interrupt"}}};
    return sweep;
}

Sweep part_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep = size_sweep(architecture, tier);
    sweep.parameters = {{"parts", {"1", "2"}}};
    std::erase(sweep.call_size_bytes, 1);  // a single byte cannot be halved
    return sweep;
}

Sweep atomic_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep{{tier == Tier::quick ? 4 : kPublishedCalls}, {sizeof(std::uint32_t)}, {}};
    const SweptParameter operations{"operation", {kOperations.begin(), kOperations.end()}};
    sweep.parameters = {operations, numbers_of_cores("pes", architecture, tier)};
    return sweep;
}

std::vector<TestDefinition> tests() {
    std::vector<TestDefinition> all;
    const auto add = [&](int id, const std::string& name, const std::string& description, auto sweep, auto measure) {
        TestDefinition definition = epiphany_test(id, name, "shmem_transfers", description);
        definition.sweep = sweep;
        definition.measure = measure;
        all.push_back(std::move(definition));
        return &all.back();
    };
    const ParameterDefinition parts{.name = "parts",
                                    .default_value = "1",
                                    .meaning = "calls that the block is split into, 1 or 2",
                                    .is_swept = true};
    add(641, "SHMEM Put Sizes", "Each PE puts blocks to the next PE. The last PE puts to the first PE.", &size_sweep,
        &measure<Kind::put>);
    add(642, "SHMEM Get Sizes", "Each PE gets blocks from the next PE. The last PE gets from the first PE.", &get_sweep,
        &measure<Kind::get>)
        ->parameters = {
        {.name = "by",
         .default_value = "loads",
         .meaning = "loads, or interrupt: longer blocks are put by their owner, whom a get interrupts",
         .is_swept = true},
        {.name = "above", .default_value = "64", .meaning = "bytes: gets that are not longer do not interrupt"}};
    add(643, "SHMEM Non-blocking Put Sizes",
        "Each PE puts blocks to the next PE by its DMA engine. Each call ends with a quiet.", &part_sweep,
        &measure<Kind::put_nbi>)
        ->parameters = {parts};
    add(644, "SHMEM Non-blocking Get Sizes",
        "Each PE gets blocks from the next PE by its DMA engine. Each call ends with a quiet.", &part_sweep,
        &measure<Kind::get_nbi>)
        ->parameters = {parts};
    add(645, "SHMEM Atomics", "Each of the first PEs changes an integer of the next PE.", &atomic_sweep,
        &measure_atomics)
        ->parameters = {{.name = "operation",
                         .default_value = "fadd",
                         .meaning = "set, fetch, swap, inc, finc, add, fadd, cswap (the condition holds) or "
                                    "cswap_unequal (it does not)",
                         .is_swept = true},
                        {.name = "pes", .default_value = "16", .meaning = "PEs that take part", .is_swept = true}};
    return all;
}

const RegisterTests registration{tests()};

}  // namespace

}  // namespace nocbench::shmem_transfers
