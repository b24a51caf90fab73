// Devices that a user adds to the bus of a served FPGA: a memory, a counter, a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
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

/// Counts the cycles of the FPGA's clock: each word reads as the low 32 bits of their number. It cannot be written.
class ClockCounter final : public wishbone::BusDevice {
public:
    ClockCounter(wishbone::DeviceIdentity identity, const Board& board)
        : BusDevice(std::move(identity)), clock_(board) {}

    wishbone::Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    wishbone::Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

private:
    wishbone::BoardClock clock_;
};

/// A memory whose contents are kept in a file.
class FileDevice final : public wishbone::BusDevice {
public:
    FileDevice(const wishbone::DeviceIdentity& identity, std::vector<std::byte> contents, std::filesystem::path path);

    wishbone::Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    wishbone::Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

    /// Writes the file anew if something has been written since that was done last: a new file takes the old one's
    /// place, so that nobody sees half of it. Returns what is wrong, or nothing.
    std::string keep();

private:
    wishbone::MemoryDevice memory_;
    std::filesystem::path path_;
    bool has_changed_ = false;
};

/// A device on the bus of a board. A file's is also added to `files`.
std::unique_ptr<wishbone::BusDevice> make_device(DeviceDescription description, const Board& board,
                                                 std::vector<FileDevice*>& files);

}  // namespace nocbench::etherbone_server
