// PEs whose program is a function of the simulator: for tests of the suite, which call routines directly.
#pragma once

#include <functional>
#include <string_view>

#include "device_model/epiphany/epiphany_device.h"
#include "kernels/shmem/guest.h"
#include "kernels/shmem/pe.h"

namespace nocbench::shmem {

/// What such a program has of a core's memory: its data, in which arrays may lie at any address from
/// Options::program_start on, and above them a stack that it does not use. The heap begins where the data end.
struct NativeMemory {
    Address program_end = 0x7800;
    Address stack_pointer = 0x7ff0;
};

/// Puts a kernel on the first cores of `device`, as many as `job` has PEs. Each has a PE that is set up. What the
/// program prints is dropped. `job` has to live as long as the device runs.
void add_native_pes(EpiphanyDevice& device, Job& job, const std::function<void(Pe&)>& kernel,
                    const NativeMemory& memory = {});

/// Calls a routine as compiled code does: arguments in registers, the jumps there and back.
void call_routine(Pe& pe, std::string_view name, const std::function<void()>& routine);

}  // namespace nocbench::shmem
