// The chip behind a host program's device: its memory, which stays from program to program, and what is placed there.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/grid.h"
#include "kernels/host/allocator.h"
#include "kernels/host/session.h"
#include "nocbench/host/cores.h"
#include "nocbench/host/data_formats.h"
#include "nocbench/host/log.h"

namespace tt::host {

using namespace tt::tt_metal;  // NOLINT(google-build-using-namespace): its programs are of these types

class Chip {
public:
    /// Makes the chip of the session.
    Chip();

    /// Way in which command queues start programs.
    [[nodiscard]] nocbench::host::Dispatch dispatch() const { return dispatch_; }
    void set_dispatch(nocbench::host::Dispatch dispatch) { dispatch_ = dispatch; }

    [[nodiscard]] nocbench::Device& device() { return *device_; }
    [[nodiscard]] const nocbench::TorusArchitecture& architecture() const { return device_->architecture(); }
    [[nodiscard]] const nocbench::Grid& grid() const { return device_->grid(); }

    /// Returns the core. Throws HostError if it is outside of the compute grid.
    [[nodiscard]] nocbench::LogicalCoordinate core(CoreCoord core, const Caller& caller) const;
    /// Returns the cores of the banks of interleaved buffers in L1.
    [[nodiscard]] const std::vector<nocbench::LogicalCoordinate>& l1_banks() const { return l1_banks_; }

    [[nodiscard]] nocbench::host::RangeAllocator& ranges_of(BufferType type) {
        return type == BufferType::DRAM ? dram_ : l1_;
    }
    /// Return what pages of a bank, and the addresses of buffers, are multiples of: bytes. Data of L1 also go to DRAM.
    [[nodiscard]] std::uint32_t alignment(BufferType type) const;
    [[nodiscard]] std::uint32_t alignment_of_buffers() const;

    /// Replaces the device by a new one with the same memory, on which nothing has run yet.
    void renew();

private:
    nocbench::Architecture loaded_;
    nocbench::host::Dispatch dispatch_;
    std::unique_ptr<nocbench::Device> device_;
    std::vector<nocbench::LogicalCoordinate> l1_banks_;
    nocbench::host::RangeAllocator dram_;
    nocbench::host::RangeAllocator l1_;
};

/// Calls `act`, and throws its InputError or KernelError again as HostError, behind the place of the call.
template <typename Act>
auto at(const Caller& caller, std::string_view function, Act&& act) -> decltype(act()) {
    try {
        return act();
    } catch (const tt::HostError&) {
        throw;
    } catch (const std::runtime_error& error) {
        tt::host::fail(caller, fmt::format("{}: {}", function, error.what()));
    }
}

}  // namespace tt::host
