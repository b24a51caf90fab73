// The call of the data-movement API that a kernel is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/program.h"

namespace nocbench::dataflow {

struct Caller {
    Risc& risc;
    KernelContext& context;
    DeviceState& state;
    const char* call;

    /// `call_`: name of the function, for messages.
    explicit Caller(const char* call_);

    [[nodiscard]] const RiscConstants& cost() const { return state.architecture.risc; }
    /// Returns the number of `noc`, which may be kNocOfKernel.
    [[nodiscard]] int noc(std::uint8_t noc) const;
    /// Returns the number of the virtual channel `vc`, which may be NOC_MULTICAST_WRITE_VC.
    [[nodiscard]] std::uint8_t multicast_channel(std::uint8_t vc) const;
    /// Returns the counts of commands that barriers on `noc` wait for.
    [[nodiscard]] KernelContext::IssuedCounters& issued(int noc) const {
        return context.issued[static_cast<std::size_t>(noc)];
    }

    /// Notifies observers of the call, by its name in traces of tt-metal's profiler.
    void show(std::string_view event, int noc, std::uint64_t noc_address = 0, std::uint32_t bytes = 0,
              std::uint8_t virtual_channel = 0, bool posted = false) const;

    [[noreturn]] void fail(const std::string& message) const;
    /// Returns the result of `check`, converting its errors to KernelError.
    template <class Check>
    auto checked(const Check& check) const {
        try {
            return check();
        } catch (const InputError& error) {
            fail(error.what());
        }
    }

    /// Each RISC needs exclusive use of a NIU's counters and command buffers.
    /// Source: tt-metal, dedicated mode of the NoCs.
    void require_no_owner(int noc) const;
    void check_l1(const char* what, std::uint64_t address, std::uint64_t size) const;
    void check_alignment(const char* what, std::uint64_t address, std::int64_t alignment) const;
};

}  // namespace nocbench::dataflow
