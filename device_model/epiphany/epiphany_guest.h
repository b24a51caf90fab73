// A program compiled for RISC-V on a core of an Epiphany machine, in place of the core's own instruction set. Its
// memory is the core's; all else it reaches over the mesh.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_core.h"
#include "device_model/riscv/code.h"
#include "device_model/riscv/shared_memory_hart.h"

namespace nocbench {

class EpiphanyGuest final : public riscv::Outside {
public:
    struct Program {
        const riscv::Code& code;
        std::uint32_t readable_begin = 0;  // lowest readable address
        std::uint32_t writable_begin = 0;
        /// Maps a code address to its source line: "main.c:12 in main".
        std::function<std::string(std::uint32_t)> where;
        /// Handles a jump outside the code. True if it ends the program. Throws riscv::GuestFault for an invalid
        /// target.
        std::function<bool(EpiphanyGuest&, std::uint32_t)> call;
    };

    /// Attaches the program to the core of the running kernel, and takes over that core's memory.
    explicit EpiphanyGuest(Program program);
    ~EpiphanyGuest() override;
    EpiphanyGuest(const EpiphanyGuest&) = delete;
    EpiphanyGuest& operator=(const EpiphanyGuest&) = delete;

    [[nodiscard]] EpiphanyCore& core() { return core_; }
    [[nodiscard]] riscv::SharedMemoryHart& hart() { return hart_; }
    [[nodiscard]] std::span<std::byte> memory() { return memory_; }

    /// A place in the code at which the core waits.
    struct WaitingPlace {
        /// The instruction that accesses other memory, the call of a routine, or the first instruction of a polling
        /// loop.
        std::uint32_t place = 0;
        /// The call that set the return address: for a leaf function, its own call site.
        std::optional<std::uint32_t> last_call;

        auto operator<=>(const WaitingPlace&) const = default;
    };
    using Waits = std::map<WaitingPlace, Ledger>;

    /// Returns the core's waits by place, without `issue`. riscv::SharedMemoryHart::cycles_by_place() includes them.
    [[nodiscard]] const Waits& waits() const { return waits_; }

    /// Returns the source line of the program at which the core is: "main.c:12 in main".
    [[nodiscard]] std::string place() const { return program_.where(hart_.pc()); }

    /// Runs the program from `entry`. Throws KernelError with the source line of a fault.
    void run(std::uint32_t entry);

    /// Ends the program now: run() returns.
    void end();

    // Accesses of others to the core's memory.

    void about_to_be_read(std::uint64_t offset, std::size_t bytes, Tick tick);
    void write(std::uint64_t offset, std::span<const std::byte> bytes, Tick tick);
    /// True if what the hart has executed beyond the time of the machine depends on these bytes, or they on it.
    [[nodiscard]] bool depends_on(std::uint64_t offset, std::size_t bytes) const {
        return hart_.depends_on(static_cast<std::uint32_t>(offset), bytes);
    }
    /// Delivers an interrupt to the hart.
    void interrupt(Tick tick);

private:
    void meet(Cycle cycle) override;
    void sleep(Cycle cycle) override;
    void goes_on_at(Cycle cycle) override;
    Cycle load(std::uint32_t address, std::span<std::byte> out, Cycle cycle) override;
    Cycle store(std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) override;
    void about_to_access(std::uint32_t address, std::size_t bytes) override;
    CallResult call(std::uint32_t address, Cycle cycle) override;
    Cycle take_interrupts(Cycle cycle) override;

    /// Runs `action` and books its waits to the hart's current instruction. An aborted action books nothing and adds no
    /// hart cycles.
    template <class Action>
    void book_waits_of(const Action& action);
    void require_running() const;
    void go_on_to(Cycle cycle);
    /// Returns the cycle at which the hart resumes after an action of the core.
    Cycle next_cycle();

    EpiphanyCore& core_;
    Program program_;
    std::vector<std::byte> memory_;
    riscv::SharedMemoryHart hart_;
    Waits waits_;
    bool has_ended_ = false;
};

}  // namespace nocbench
