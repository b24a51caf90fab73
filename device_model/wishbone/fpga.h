// FPGA of a timing receiver: bus, devices expected by programs, and Etherbone slave.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/bus.h"
#include "device_model/wishbone/etherbone_slave.h"

namespace nocbench::wishbone {

/// First addresses of the devices.
inline constexpr std::uint64_t kMemoryAddress = 0x0;
inline constexpr std::uint64_t kTableOfDevicesAddress = 0x30000;
inline constexpr std::uint64_t kEventUnitAddress = 0x40000;
inline constexpr std::uint64_t kLatchUnitAddress = 0x50000;
inline constexpr std::uint64_t kPulseGeneratorAddress = 0x60000;
inline constexpr std::uint64_t kEndpointAddress = 0x70000;

class Fpga {
public:
    /// Adds `further` devices to those of every timing receiver. Throws InputError for overlaps, or for too many
    /// devices for the table.
    explicit Fpga(const FpgaConstants& constants, std::vector<std::unique_ptr<BusDevice>> further = {},
                  EtherboneSlave::Options options = {});

    [[nodiscard]] Bus& bus() { return bus_; }
    [[nodiscard]] const Bus& bus() const { return bus_; }
    [[nodiscard]] EtherboneSlave& slave() { return slave_; }
    [[nodiscard]] const FpgaConstants& constants() const { return constants_; }

private:
    FpgaConstants constants_;
    Bus bus_;
    EtherboneSlave slave_;
};

}  // namespace nocbench::wishbone
