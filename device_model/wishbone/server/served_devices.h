// User-defined devices on the bus of a served FPGA: a memory, a counter, a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/bridge_path.h"
#include "device_model/wishbone/devices/bus_device.h"
#include "device_model/wishbone/devices/memory_devices.h"

namespace nocbench::etherbone_server {

struct DeviceDescription {
    enum class Kind { memory, reads_counter, clock_counter, file };

    Kind kind = Kind::memory;
    std::string name;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint64_t vendor = 0;
    std::uint32_t device = 0;
    std::vector<std::byte> contents;  // at the start
    std::filesystem::path path;       // of a file
};

/// Read-only counter of the FPGA's clock cycles; words hold the low 32 bits.
class ClockCounter final : public wishbone::BusDevice {
public:
    ClockCounter(wishbone::DeviceIdentity identity, const WishboneBoard& board)
        : BusDevice(std::move(identity)), clock_(board) {}

    wishbone::Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    wishbone::Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

private:
    wishbone::BoardClock clock_;
};

/// Memory whose contents are kept in a file.
class FileDevice final : public wishbone::BusDevice {
public:
    FileDevice(const wishbone::DeviceIdentity& identity, std::vector<std::byte> contents, std::filesystem::path path);

    wishbone::Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    wishbone::Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

    /// Rewrites the file if the memory has changed since the last call. Replaces the file, so that readers never see a
    /// partial one. Returns an error message, or nothing.
    std::string keep();

private:
    wishbone::MemoryDevice memory_;
    std::filesystem::path path_;
    bool has_changed_ = false;
};

/// Creates a device for the bus of a board. The device of a file is also added to `files`.
std::unique_ptr<wishbone::BusDevice> make_device(DeviceDescription description, const WishboneBoard& board,
                                                 std::vector<FileDevice*>& files);

}  // namespace nocbench::etherbone_server
