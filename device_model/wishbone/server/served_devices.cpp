#include "device_model/wishbone/server/served_devices.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <ios>
#include <system_error>
#include <utility>

namespace nocbench::etherbone_server {

using wishbone::DeviceIdentity;
using wishbone::Reply;

Reply ClockCounter::read(std::uint64_t /*offset*/, std::uint8_t /*select*/, std::int64_t now_ns) {
    return {.value = static_cast<std::uint32_t>(cycle_containing(clock_.ticks(now_ns)))};
}

Reply ClockCounter::write(std::uint64_t /*offset*/, std::uint32_t /*value*/, std::uint8_t /*select*/,
                          std::int64_t /*now_ns*/) {
    return {.is_acknowledged = false};
}

FileDevice::FileDevice(const DeviceIdentity& identity, std::vector<std::byte> contents, std::filesystem::path path)
    : BusDevice(identity), memory_(identity, std::move(contents)), path_(std::move(path)) {}

Reply FileDevice::read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) {
    return memory_.read(offset, select, now_ns);
}

Reply FileDevice::write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) {
    has_changed_ = true;
    return memory_.write(offset, value, select, now_ns);
}

std::string FileDevice::keep() {
    if (!has_changed_) {
        return {};
    }
    std::filesystem::path beside = path_;
    beside += ".new";
    errno = 0;
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as streams have it
    file.write(reinterpret_cast<const char*>(memory_.bytes().data()),
               static_cast<std::streamsize>(memory_.bytes().size()));
    file.close();
    std::error_code error;
    if (file) {
        const std::filesystem::file_status old = std::filesystem::status(path_, error);
        if (std::filesystem::exists(old)) {
            std::filesystem::permissions(beside, old.permissions(), error);
        }
        std::filesystem::rename(beside, path_, error);
    } else {
        error = std::error_code(errno, std::generic_category());
    }
    if (error) {
        return fmt::format("{} could not be written: {}", path_.string(), error.message());
    }
    has_changed_ = false;
    return {};
}

std::unique_ptr<wishbone::BusDevice> make_device(DeviceDescription description, const WishboneBoard& board,
                                                 std::vector<FileDevice*>& files) {
    constexpr std::uint8_t kAnyWidth = 0x7;
    constexpr std::uint8_t kWords = 0x4;
    using Kind = DeviceDescription::Kind;
    const bool is_memory = description.kind == Kind::memory || description.kind == Kind::file;
    const FpgaConstants& fpga = board.wishbone.fpga;
    const DeviceIdentity identity{.name = description.name,
                                  .first_address = description.address,
                                  .last_address = description.address + description.bytes - 1,
                                  .vendor = description.vendor,
                                  .device = description.device,
                                  .access_widths = is_memory ? kAnyWidth : kWords,
                                  .acknowledge_cycles = is_memory ? fpga.memory_cycles : fpga.register_cycles};
    switch (description.kind) {
        case Kind::memory:
            return std::make_unique<wishbone::MemoryDevice>(identity, std::move(description.contents));
        case Kind::reads_counter:
            return std::make_unique<wishbone::CounterDevice>(identity);
        case Kind::clock_counter:
            return std::make_unique<ClockCounter>(identity, board);
        case Kind::file: {
            auto file =
                std::make_unique<FileDevice>(identity, std::move(description.contents), std::move(description.path));
            files.push_back(file.get());
            return file;
        }
    }
    return nullptr;
}

}  // namespace nocbench::etherbone_server
