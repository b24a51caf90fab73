// Access to memory by address, and programs without a command queue. Names follow tt-metal, release 0.66.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nocbench/host/buffers.h"
#include "nocbench/host/program.h"

#pragma GCC visibility push(default)

namespace tt::tt_metal::detail {

// All of these return true, or throw HostError with the place in the program.

bool WriteToDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address, std::span<const std::uint8_t> bytes,
                     CoreType = CoreType::WORKER, host::Caller caller = host::Caller::current());
bool WriteToDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address,
                     const std::vector<std::uint32_t>& words, CoreType = CoreType::WORKER,
                     host::Caller caller = host::Caller::current());
bool ReadFromDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address, std::span<std::uint8_t> bytes,
                      CoreType = CoreType::WORKER, host::Caller caller = host::Caller::current());
bool ReadFromDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address, std::uint32_t size,
                      std::vector<std::uint32_t>& words, CoreType = CoreType::WORKER,
                      host::Caller caller = host::Caller::current());
bool WriteToDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address, std::span<const std::uint8_t> bytes,
                              host::Caller caller = host::Caller::current());
bool WriteToDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                              const std::vector<std::uint32_t>& words, host::Caller caller = host::Caller::current());
bool ReadFromDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address, std::span<std::uint8_t> bytes,
                               host::Caller caller = host::Caller::current());
bool ReadFromDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address, std::uint32_t size,
                               std::vector<std::uint32_t>& words, host::Caller caller = host::Caller::current());

template <typename T>
void WriteToBuffer(Buffer& buffer, const std::vector<T>& data, host::Caller caller = host::Caller::current()) {
    buffer.write(std::as_bytes(std::span(data)), caller);
}
template <typename T>
void WriteToBuffer(const std::shared_ptr<Buffer>& buffer, const std::vector<T>& data,
                   host::Caller caller = host::Caller::current()) {
    WriteToBuffer(*buffer, data, caller);
}
template <typename T>
void ReadFromBuffer(Buffer& buffer, std::vector<T>& data, host::Caller caller = host::Caller::current()) {
    data.resize(buffer.size() / sizeof(T));
    buffer.read(std::as_writable_bytes(std::span(data)), caller);
}
template <typename T>
void ReadFromBuffer(const std::shared_ptr<Buffer>& buffer, std::vector<T>& data,
                    host::Caller caller = host::Caller::current()) {
    ReadFromBuffer(*buffer, data, caller);
}

void LaunchProgram(IDevice* device, Program& program, bool wait_until_cores_done = true, bool = false,
                   host::Caller caller = host::Caller::current());
void LaunchProgram(IDevice* device, const std::shared_ptr<Program>& program, bool wait_until_cores_done = true,
                   bool = false, host::Caller caller = host::Caller::current());
inline void WaitProgramDone(IDevice*, Program&, bool = true) {}
void CompileProgram(IDevice* device, Program& program, bool = false, host::Caller caller = host::Caller::current());
inline void WriteRuntimeArgsToDevice(IDevice*, Program&, bool = false) {}
inline bool ConfigureDeviceWithProgram(IDevice*, Program&, bool = false) { return true; }
inline bool DispatchStateCheck(bool) { return true; }
inline std::uint32_t TileSize(DataFormat format) { return tile_size(format); }  // its name until 2025
// Nothing to do: results are written as programs end.
inline void ReadDeviceProfilerResults(IDevice*) {}
inline void DumpDeviceProfileResults(IDevice*) {}
inline void DumpDeviceProfileResults(IDevice*, const Program&) {}

}  // namespace tt::tt_metal::detail

namespace tt::host {

/// Lets the host start the cores one by one, as tt-metal does if TT_METAL_SLOW_DISPATCH_MODE is set.
void use_slow_dispatch(const tt_metal::IDevice& device, Caller caller = Caller::current());

}  // namespace tt::host

namespace tt::tt_metal {

using detail::DumpDeviceProfileResults;  // its place until 2025

}  // namespace tt::tt_metal

#pragma GCC visibility pop
