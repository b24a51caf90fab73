// The host of an Epiphany board reads and writes external memory, or the memory of a core, through its uncached window.
//
// Every access goes out by itself and nothing else uses the way: the time is the number of accesses times that of one.
#include <fmt/format.h>

#include "device_model/sim/error.h"
#include "kernels/frame/epiphany_measurement.h"
#include "kernels/frame/random_numbers.h"

namespace nocbench::host_transfer {

namespace {

constexpr const char* kLabel = "Host";
constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

template <bool kIsExternal>
Measurement measure(const PointParameters& point, const Architecture& architecture, const Board& board) {
    const EpiphanyConstants& constants = architecture.epiphany;
    const HostConstants& host = constants.host;
    const std::int64_t memory_bytes = kIsExternal ? constants.elink.external_memory_bytes : constants.core.memory_bytes;
    const auto bytes = static_cast<std::int64_t>(point.call_size_bytes());
    if (bytes > memory_bytes) {
        throw InputError(fmt::format("parameter call_size: expected at most {}, the size of the memory, found '{}'",
                                     memory_bytes, bytes));
    }
    const bool reads = point.choice("direction", {"write", "read"}) == 1;
    const std::int64_t picoseconds = kIsExternal
                                         ? (reads ? host.external_read_picoseconds : host.external_write_picoseconds)
                                         : (reads ? host.core_read_picoseconds : host.core_write_picoseconds);
    const std::int64_t accesses = (bytes + host.access_bytes - 1) / host.access_bytes * point.num_transactions();
    // The bytes go where the device has them, and are looked at there.
    EpiphanyDevice device(constants, shape_of(board));
    const std::vector<std::byte> pattern =
        random_bytes(static_cast<std::uint64_t>(bytes), static_cast<std::size_t>(bytes));
    if (kIsExternal) {
        device.write_external(0, pattern);
    } else {
        device.write_memory({.x = 0, .y = 0}, 0, pattern);
    }
    const std::vector<std::byte> found =
        kIsExternal ? device.read_external(0, pattern.size()) : device.read_memory({.x = 0, .y = 0}, 0, pattern.size());
    ResultRow row;
    row.kernel = kLabel;
    row.transaction_size_bytes = static_cast<std::uint64_t>(bytes);
    row.latency_cycles = static_cast<double>(accesses) * static_cast<double>(picoseconds) *
                         static_cast<double>(board.clock_hz) / static_cast<double>(kPicosecondsPerSecond);
    row.bandwidth_bytes_per_cycle = static_cast<double>(bytes * point.num_transactions()) / row.latency_cycles;
    row.num_cores = 1;
    row.data_ok = found == pattern;
    row.limiter = Cause::host;
    Measurement measurement;
    measurement.rows.push_back(row);
    return measurement;
}

template <bool kIsExternal>
Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    constexpr std::int64_t kLargest = kIsExternal ? 1024 * 1024 : 16 * 1024;
    Sweep sizes{{1}, {}, {{"direction", {"write", "read"}}}};
    for (std::int64_t bytes = 8; bytes <= kLargest; bytes *= tier == Tier::quick ? 16 : 2) {
        sizes.call_size_bytes.push_back(bytes);
    }
    return sizes;
}

TestDefinition test(int id, const std::string& name, const std::string& description,
                    Sweep (*sweep_of_test)(const Architecture&, Tier),
                    Measurement (*measure_test)(const PointParameters&, const Architecture&, const Board&)) {
    TestDefinition definition = epiphany_test(id, name, "host_transfer", description, kLabel);
    definition.parameters = {{.name = "direction",
                              .default_value = "write",
                              .meaning = "write: to the memory; read: from it",
                              .is_swept = true}};
    definition.sweep = sweep_of_test;
    definition.measure = measure_test;
    return definition;
}

const RegisterTests registration{
    {test(621, "Host External Memory Transfers", "The host reads or writes a block of external memory.", &sweep<true>,
          &measure<true>),
     test(622, "Host Core Transfers", "The host reads or writes a block of a core's memory.", &sweep<false>,
          &measure<false>)}};

}  // namespace

}  // namespace nocbench::host_transfer
