#include "etherbone_cycles/programs.h"

#include <fmt/format.h>

#include <cstddef>

#include "device_model/wishbone/devices/timing_devices.h"
#include "kernels/etherbone/etherbone_api.h"

namespace nocbench::etherbone_cycles {

namespace {

using etherbone::Address;
using etherbone::Cycle;
using etherbone::CycleResult;
using etherbone::Device;
using etherbone::Socket;
using etherbone::Value;

// Devices and registers used by programs for the hardware. Source: GSI's header of registers.
constexpr std::uint64_t kGsi = 0x651;
constexpr std::uint32_t kEventUnit = 0xb2af'c251;
constexpr Address kTimeHigh = 0x18;
constexpr Address kTimeLow = 0x1c;

constexpr std::uint32_t kLatchUnit = 0x1005'1981;
constexpr Address kReady = 0x00;
constexpr Address kClear = 0x04;
constexpr Address kArm = 0x10;
constexpr Address kNumChannels = 0x34;
constexpr Address kFifoSize = 0x38;
constexpr Address kActualHigh = 0x50;
constexpr Address kActualLow = 0x54;
constexpr Address kSelect = 0x58;
constexpr Address kPop = 0x5c;
constexpr Address kFillCount = 0x64;
constexpr Address kLatchedHigh = 0x68;
constexpr Address kLatchedLow = 0x6c;

constexpr int kWordBits = 32;
constexpr std::int64_t kStepNs = 8;  // resolution of latched times
constexpr std::uint32_t kChannel = 0;
constexpr std::int64_t kSecondNs = wishbone::kNanosecondsPerSecond;

struct Words {
    Value high = 0;
    Value low = 0;

    [[nodiscard]] std::int64_t joined() const { return static_cast<std::int64_t>(high << kWordBits | low); }
};

std::int64_t read_time(Device& device, Address unit) {
    Words time;
    Cycle cycle(device);
    cycle.read(unit + kTimeHigh, &time.high);
    cycle.read(unit + kTimeLow, &time.low);
    cycle.close();
    return time.joined();
}

}  // namespace

std::string Timestamps::fault() const {
    std::int64_t before = leading_ns;
    for (std::size_t number = 0; number <= acquired_ns.size(); ++number) {
        const bool is_trailing = number == acquired_ns.size();
        const std::int64_t time = is_trailing ? trailing_ns : acquired_ns[number];
        if (time <= before) {
            return fmt::format("{}: expected a time after {} ns, found {} ns",
                               is_trailing ? "trailing timestamp" : fmt::format("timestamp {}", number), before, time);
        }
        before = time;
    }
    return {};
}

Timestamps read_timestamps(WishboneHost& host, const TimestampsRequest& request, const std::string& zone) {
    Socket socket(host);
    Device device(socket);
    const Address unit = device.find(kGsi, kEventUnit);
    std::vector<Words> words(std::size_t{request.num_cycles} * request.timestamps_per_cycle);
    Timestamps times;
    times.leading_ns = read_time(device, unit);
    host.open_zone(zone);
    std::size_t next = 0;
    for (std::uint32_t number = 0; number < request.num_cycles; ++number) {
        if (request.method == Method::convenience) {
            for (std::uint32_t timestamp = 0; timestamp < request.timestamps_per_cycle; ++timestamp, ++next) {
                words[next].high = device.read(unit + kTimeHigh);
                words[next].low = device.read(unit + kTimeLow);
            }
            continue;
        }
        Cycle cycle(device, request.method == Method::pipelined ? [](const CycleResult&) {} : etherbone::Callback{});
        for (std::uint32_t timestamp = 0; timestamp < request.timestamps_per_cycle; ++timestamp, ++next) {
            cycle.read(unit + kTimeHigh, &words[next].high);
            cycle.read(unit + kTimeLow, &words[next].low);
        }
        if (request.is_checked) {
            cycle.close();
        } else {
            cycle.close_silently();
        }
    }
    socket.run();
    times.trailing_ns = read_time(device, unit);
    host.close_zone();
    times.acquired_ns.reserve(words.size());
    for (const Words& time : words) {
        times.acquired_ns.push_back(time.joined());
    }
    return times;
}

LatchedTimes read_latched_times(WishboneHost& host, std::uint32_t num_cycles, const std::string& zone) {
    Socket socket(host);
    Device device(socket);
    const Address unit = device.find(kGsi, kLatchUnit);
    const auto actual_ns = [&] {
        Words time;
        time.high = device.read(unit + kActualHigh);
        time.low = device.read(unit + kActualLow);
        return time.joined() * kStepNs;
    };
    LatchedTimes seen;
    seen.begin_ns = actual_ns();
    device.read(unit + kNumChannels);
    device.read(unit + kFifoSize);
    device.write(unit + kClear, 1U << kChannel);
    device.write(unit + kArm, 1U << kChannel);
    device.write(unit + kSelect, kChannel);
    seen.slept_ns = kSecondNs;  // pulses occur at full seconds
    host.compute_ns(seen.slept_ns);

    host.open_zone(zone);
    for (std::uint32_t number = 0; number < num_cycles; ++number) {
        Value ready = 0;
        Words time;
        Cycle cycle(device);
        cycle.read(unit + kReady, &ready);
        cycle.read(unit + kLatchedHigh, &time.high);
        cycle.read(unit + kLatchedLow, &time.low);
        cycle.write(unit + kPop, 1);
        const CycleResult result = cycle.close();
        const bool is_latched = (ready >> kChannel & 1) != 0;
        if (is_latched != result.is_ok() && seen.fault.empty()) {
            seen.fault = fmt::format("cycle {}: a time is {}, but taking it {}", number,
                                     is_latched ? "there" : "not there", result.is_ok() ? "succeeds" : "fails");
        }
        if (is_latched) {
            seen.latched.push_back(static_cast<std::uint64_t>(time.joined()));
        }
    }
    host.close_zone();
    device.read(unit + kFillCount);
    seen.end_ns = actual_ns();

    // The unit latches one pulse at each full second after the channel was armed, in order.
    const std::int64_t first_second = (seen.begin_ns + kSecondNs - 1) / kSecondNs;
    for (std::size_t number = 0; number < seen.latched.size() && seen.fault.empty(); ++number) {
        const auto expected =
            static_cast<std::uint64_t>((first_second + static_cast<std::int64_t>(number)) * kSecondNs / kStepNs);
        if (seen.latched[number] != expected) {
            seen.fault = fmt::format("latched time {}: expected {}, found {}", number, expected, seen.latched[number]);
        }
    }
    if (seen.latched.empty()) {
        seen.fault = "expected the time of a pulse, found none";
    }
    return seen;
}

}  // namespace nocbench::etherbone_cycles
