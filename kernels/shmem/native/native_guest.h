// PE programs that are functions of the simulator. They call routines of OpenSHMEM or Pe in modeled time, with their
// data in the memory of their cores.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/epiphany_device.h"
#include "kernels/shmem/guest.h"
#include "kernels/shmem/job.h"
#include "kernels/shmem/pe.h"

namespace nocbench::shmem {

/// Memory layout of a program.
struct NativeLayout {
    Address program_end = 0x2000;    // end of symmetric data, which begin at Options::program_start; the heap follows
    std::uint32_t stack_bytes = 64;  // used stack at the end of memory
};

/// Program on the core of the running kernel.
class NativeGuest final : public Guest {
public:
    NativeGuest(int number, const NativeLayout& layout);

    [[nodiscard]] int number() const override { return number_; }
    void peek(Address address, std::span<std::byte> out) const override { core_.peek(address, out); }
    void poke(Address address, std::span<const std::byte> bytes) override { core_.poke(address, bytes); }
    [[nodiscard]] std::uint32_t memory_bytes() const override;
    [[nodiscard]] Address program_end() const override { return layout_.program_end; }
    [[nodiscard]] std::uint32_t stack_pointer() const override { return memory_bytes() - layout_.stack_bytes; }
    [[nodiscard]] std::optional<Variable> variable_around(Address /*address*/) const override { return std::nullopt; }
    [[nodiscard]] std::string place() const override { return {}; }
    void print(Stream stream, std::string_view text) override;

    /// Runs `program` until it ends or calls exit. In the latter case, returns the exit status.
    static std::optional<int> run(const std::function<void()>& program);
    [[nodiscard]] const std::string& printed() const { return printed_; }

private:
    EpiphanyCore& core_;
    int number_;
    NativeLayout layout_;
    std::string printed_;
};

struct NativeProgram {
    std::string name = "program";
    int num_pes = 0;
    Options options;
    NativeLayout layout;
    bool sets_up = true;  // calls shmem_init first
    std::function<void(Pe& pe)> run;
};

struct NativeRun {
    std::vector<std::optional<int>> exit_statuses;  // of PEs that called exit
    std::vector<std::string> printed;               // by PE, of both streams
    std::vector<std::string> warnings;
};

/// Runs a program on the first cores of `device`. Throws KernelError for faults of the program.
NativeRun run_native(EpiphanyDevice& device, const NativeProgram& program);

}  // namespace nocbench::shmem
