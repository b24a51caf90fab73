#include "device_model/wishbone/self_describing_bus.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/wishbone/devices/memory_devices.h"

namespace nocbench::wishbone {

namespace {

constexpr std::uint32_t kMagic = 0x5344'422d;  // "SDB-"
constexpr std::uint64_t kTableVersion = 1;
constexpr std::uint64_t kWishbone = 0;
constexpr std::uint8_t kInterconnect = 0x00;
constexpr std::uint8_t kDevice = 0x01;

// Identity of GSI's crossbar, expected by programs.
constexpr std::uint64_t kCrossbarVendor = 0x651;
constexpr std::uint32_t kCrossbarDevice = 0xe2d1'3d04;
constexpr std::string_view kCrossbarName = "WB4-Crossbar-GSI";
constexpr std::uint32_t kCrossbarDate = 0x2012'0511;

class TableWriter {
public:
    void number(std::uint64_t value, int size) {
        for (int left = size; left-- > 0;) {
            bytes_.push_back(static_cast<std::byte>(value >> (8 * left)));
        }
    }

    void identity(std::uint64_t vendor, std::uint32_t device, std::uint32_t version, std::uint32_t date,
                  std::string_view name, std::uint8_t type) {
        number(vendor, 8);
        number(device, 4);
        number(version, 4);
        number(date, 4);
        for (std::size_t index = 0; index < kDeviceNameCharacters; ++index) {
            bytes_.push_back(static_cast<std::byte>(index < name.size() ? name[index] : ' '));
        }
        number(type, 1);
    }

    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> device_table(const Bus& bus) {
    std::size_t num_records = 1;
    for (const auto& device : bus.devices()) {
        num_records += device->identity().is_listed ? 1 : 0;
    }
    if (num_records > kTableRecordsMax) {
        throw InputError(fmt::format("table of bus devices: expected at most {} devices, found {}",
                                     kTableRecordsMax - 1, num_records - 1));
    }
    TableWriter table;
    table.number(kMagic, 4);
    table.number(num_records, 2);
    table.number(kTableVersion, 1);
    table.number(kWishbone, 1);
    table.number(0, 8);
    table.number(Bus::kLastAddress, 8);
    table.identity(kCrossbarVendor, kCrossbarDevice, 1, kCrossbarDate, kCrossbarName, kInterconnect);
    for (const auto& owned : bus.devices()) {
        const DeviceIdentity& device = owned->identity();
        if (!device.is_listed) {
            continue;
        }
        if (device.name.size() > kDeviceNameCharacters) {
            throw InputError(fmt::format("bus device: expected a name of at most {} characters, found {}",
                                         kDeviceNameCharacters, device.name));
        }
        table.number(1, 2);  // interface class: registers
        table.number(device.interface_major, 1);
        table.number(device.interface_minor, 1);
        table.number(device.access_widths, 4);
        table.number(device.first_address, 8);
        table.number(device.last_address, 8);
        table.identity(device.vendor, device.device, device.version, device.date, device.name, kDevice);
    }
    return table.take();
}

void add_device_table(Bus& bus, std::uint64_t address, Cycle acknowledge_cycles) {
    std::vector<std::byte> table = device_table(bus);
    DeviceIdentity identity{.name = "table of devices",
                            .first_address = address,
                            .last_address = address + table.size() - 1,
                            .is_listed = false,
                            .acknowledge_cycles = acknowledge_cycles};
    bus.add(std::make_unique<MemoryDevice>(std::move(identity), std::move(table), true));
}

}  // namespace nocbench::wishbone
