// The host of an Epiphany board reads and writes external memory, or a core's memory, through its uncached window.
#include <fmt/format.h>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/epiphany_host.h"
#include "device_model/sim/error.h"
#include "device_model/sim/random_numbers.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench::host_transfer {

namespace {

constexpr const char* kLabel = "Host";

template <bool kIsExternal>
Measurement measure(const PointParameters& point, const Architecture& architecture, const Board& board,
                    const MachineWatcher& watcher) {
    const EpiphanyConstants& constants = epiphany_of(architecture);
    const std::int64_t memory_bytes = kIsExternal ? constants.elink.external_memory_bytes : constants.core.memory_bytes;
    const std::size_t bytes = point.call_size_bytes();
    if (bytes > static_cast<std::size_t>(memory_bytes)) {
        throw InputError(fmt::format("parameter call_size: expected at most {}, the size of the memory, found '{}'",
                                     memory_bytes, bytes));
    }
    const bool reads = point.choice("direction", {"write", "read"}) == 1;
    EpiphanyDevice device(constants, shape_of(board));
    if (watcher) {
        watcher(device);
    }
    HostTarget target;
    if (!kIsExternal) {
        target.core = LogicalCoordinate{.x = 0, .y = 0};
    }
    const std::vector<std::byte> pattern = random_bytes(bytes, bytes);
    std::vector<std::byte> found;
    if (reads) {
        kIsExternal ? device.write_external(0, pattern) : device.write_memory(*target.core, 0, pattern);
    }
    device.add_host_kernel("host", [&](EpiphanyHost& host) {
        host.open_zone(kLabel);
        if (reads) {
            found = host.read(target, bytes, point.num_transactions());
        } else {
            host.write(target, pattern, point.num_transactions());
        }
    });
    device.run(kMostCycles);
    if (!reads) {
        found = kIsExternal ? device.read_external(0, bytes) : device.read_memory(*target.core, 0, bytes);
    }
    Measurement measurement;
    add_machine(measurement, device, static_cast<double>(bytes * point.num_transactions()), kLabel);
    const std::string wrong = first_difference(found, pattern);
    add_row(measurement, bytes,
            wrong.empty() ? "" : fmt::format("{} memory: {}", kIsExternal ? "external" : "core", wrong), kLabel);
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
                    Sweep (*sweep_of_test)(const Architecture&, Tier), decltype(TestDefinition::measure) measure_test) {
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
