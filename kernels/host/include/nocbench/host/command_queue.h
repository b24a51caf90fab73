// Commands to one chip, before meshes. Names follow tt-metal, releases of 2024 and 2025.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "nocbench/host/buffers.h"
#include "nocbench/host/device.h"
#include "nocbench/host/program.h"
#include "nocbench/host/slow_dispatch.h"

#pragma GCC visibility push(default)

namespace tt::host {

using AnyBuffer = std::variant<std::reference_wrapper<tt_metal::Buffer>, std::shared_ptr<tt_metal::Buffer>>;

inline tt_metal::Buffer& buffer_of(const AnyBuffer& buffer) {
    const auto* shared = std::get_if<std::shared_ptr<tt_metal::Buffer>>(&buffer);
    return shared != nullptr ? **shared : std::get<0>(buffer).get();
}

}  // namespace tt::host

namespace tt::tt_metal {

struct Event {};

template <typename T>
void EnqueueWriteBuffer(CommandQueue&, const host::AnyBuffer& buffer, const std::vector<T>& data, bool /*blocking*/,
                        host::Caller caller = host::Caller::current()) {
    host::buffer_of(buffer).write_what_fits(std::as_bytes(std::span(data)), caller);
}
/// Writes as many bytes as the buffer has.
inline void EnqueueWriteBuffer(CommandQueue&, const host::AnyBuffer& buffer, const void* data, bool /*blocking*/,
                               host::Caller caller = host::Caller::current()) {
    Buffer& target = host::buffer_of(buffer);
    target.write({static_cast<const std::byte*>(data), target.size()}, caller);
}
inline void EnqueueWriteSubBuffer(CommandQueue&, const host::AnyBuffer& buffer, const void* data,
                                  const BufferRegion& region, bool /*blocking*/,
                                  host::Caller caller = host::Caller::current()) {
    host::buffer_of(buffer).write({static_cast<const std::byte*>(data), region.size}, caller, region.offset);
}
template <typename T>
void EnqueueWriteSubBuffer(CommandQueue& queue, const host::AnyBuffer& buffer, const std::vector<T>& data,
                           const BufferRegion& region, bool blocking, host::Caller caller = host::Caller::current()) {
    EnqueueWriteSubBuffer(queue, buffer, data.data(), region, blocking, caller);
}

template <typename T>
void EnqueueReadBuffer(CommandQueue&, const host::AnyBuffer& buffer, std::vector<T>& data, bool /*blocking*/,
                       host::Caller caller = host::Caller::current()) {
    detail::ReadFromBuffer(host::buffer_of(buffer), data, caller);
}
inline void EnqueueReadBuffer(CommandQueue&, const host::AnyBuffer& buffer, void* data, bool /*blocking*/,
                              host::Caller caller = host::Caller::current()) {
    const Buffer& source = host::buffer_of(buffer);
    source.read({static_cast<std::byte*>(data), source.size()}, caller);
}
inline void EnqueueReadSubBuffer(CommandQueue&, const host::AnyBuffer& buffer, void* data, const BufferRegion& region,
                                 bool /*blocking*/, host::Caller caller = host::Caller::current()) {
    host::buffer_of(buffer).read({static_cast<std::byte*>(data), region.size}, caller, region.offset);
}
template <typename T>
void EnqueueReadSubBuffer(CommandQueue& queue, const host::AnyBuffer& buffer, std::vector<T>& data,
                          const BufferRegion& region, bool blocking, host::Caller caller = host::Caller::current()) {
    data.resize(region.size / sizeof(T));
    EnqueueReadSubBuffer(queue, buffer, static_cast<void*>(data.data()), region, blocking, caller);
}

inline void EnqueueProgram(CommandQueue& queue, Program& program, bool /*blocking*/,
                           host::Caller caller = host::Caller::current()) {
    detail::LaunchProgram(queue.device(), program, true, false, caller);
}
inline void Finish(CommandQueue&) {}
inline void EnqueueRecordEvent(CommandQueue&, const std::shared_ptr<Event>&) {}
inline void EnqueueWaitForEvent(CommandQueue&, const std::shared_ptr<Event>&) {}
inline void EventSynchronize(const std::shared_ptr<Event>&) {}
inline bool EventQuery(const std::shared_ptr<Event>&) { return true; }

}  // namespace tt::tt_metal

#pragma GCC visibility pop
