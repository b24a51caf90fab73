#include "device_model/wishbone/fpga.h"

#include <utility>

#include "device_model/wishbone/devices/memory_devices.h"
#include "device_model/wishbone/devices/timing_devices.h"
#include "device_model/wishbone/self_describing_bus.h"

namespace nocbench::wishbone {

namespace {

// Vendors, devices and registers expected by GSI's programs. Source: header of registers of GSI.
constexpr std::uint64_t kGsi = 0x651;
constexpr std::uint64_t kCern = 0xce42;
constexpr std::uint64_t kMacAddress = 0x0026'7b00'0001;
constexpr std::uint64_t kRegisterRange = 0x100;
constexpr std::uint8_t kAnyLane = 0x7;  // access widths: 1, 2 and 4 bytes

/// Version of the registers of White Rabbit's devices that GSI's clients ask for: 1.1 or later.
constexpr std::uint8_t kWhiteRabbitMinor = 1;

DeviceIdentity registers(const char* name, std::uint64_t address, std::uint64_t vendor, std::uint32_t device,
                         const FpgaConstants& constants) {
    return {.name = name,
            .first_address = address,
            .last_address = address + kRegisterRange - 1,
            .vendor = vendor,
            .device = device,
            .interface_minor = vendor == kCern ? kWhiteRabbitMinor : std::uint8_t{0},
            .acknowledge_cycles = constants.register_cycles};
}

EtherboneSlave::Options with_own_registers(EtherboneSlave::Options options, const FpgaConstants& constants) {
    options.table_address = kTableOfDevicesAddress;
    options.mac_address = kMacAddress;
    options.configuration_cycles = constants.configuration_cycles;
    return options;
}

}  // namespace

Fpga::Fpga(const FpgaConstants& constants, std::vector<std::unique_ptr<BusDevice>> further,
           EtherboneSlave::Options options)
    : constants_(constants), slave_(bus_, with_own_registers(options, constants)) {
    const auto memory_bytes = static_cast<std::uint64_t>(constants.memory_bytes);
    bus_.add(std::make_unique<MemoryDevice>(DeviceIdentity{.name = "WB4-BlockRAM",
                                                           .first_address = kMemoryAddress,
                                                           .last_address = kMemoryAddress + memory_bytes - 1,
                                                           .vendor = kCern,
                                                           .device = 0x66cf'eb52,
                                                           .access_widths = kAnyLane,
                                                           .acknowledge_cycles = constants.memory_cycles}));
    bus_.add(std::make_unique<EventUnit>(registers("ECA-Control", kEventUnitAddress, kGsi, 0xb2af'c251, constants)));
    bus_.add(
        std::make_unique<LatchUnit>(registers("Timestamp-Latch", kLatchUnitAddress, kGsi, 0x1005'1981, constants)));
    bus_.add(std::make_unique<PulseGenerator>(
        registers("WB-PPS-Generator", kPulseGeneratorAddress, kCern, 0xde0d'8ced, constants)));
    bus_.add(std::make_unique<Endpoint>(registers("WR-Endpoint", kEndpointAddress, kCern, 0x650c'2d4f, constants),
                                        kMacAddress));
    for (std::unique_ptr<BusDevice>& device : further) {
        bus_.add(std::move(device));
    }
    add_device_table(bus_, kTableOfDevicesAddress, constants.memory_cycles);
}

}  // namespace nocbench::wishbone
