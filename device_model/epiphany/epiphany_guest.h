// A program that was compiled for a RISC-V core and runs on a core of an Epiphany machine: what stands in for the
// core's own instructions. Its memory is the core's; what lies elsewhere it reaches over the mesh.
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
        std::uint32_t readable_begin = 0;  // of memory: nothing below is the program's
        std::uint32_t writable_begin = 0;
        /// Names the place of an address of the code: "main.c:12 in main".
        std::function<std::string(std::uint32_t)> where;
        /// A jump to an address outside of the code; true: it ends the program. Throws riscv::GuestFault if nothing is
        /// there.
        std::function<bool(EpiphanyGuest&, std::uint32_t)> call;
    };

    /// Stands for the program of the core whose kernel is running, and takes over that core's memory.
    explicit EpiphanyGuest(Program program);
    ~EpiphanyGuest() override;
    EpiphanyGuest(const EpiphanyGuest&) = delete;
    EpiphanyGuest& operator=(const EpiphanyGuest&) = delete;

    [[nodiscard]] EpiphanyCore& core() { return core_; }
    [[nodiscard]] riscv::SharedMemoryHart& hart() { return hart_; }
    [[nodiscard]] std::span<std::byte> memory() { return memory_; }

    /// Places in the code at which the core waits.
    struct WaitingPlace {
        /// The instruction that reaches out of the memory, the call of a routine, or the first instruction of a loop
        /// that the core sleeps in.
        std::uint32_t place = 0;
        /// The call that set the return address. A function that calls no other was itself called there.
        std::optional<std::uint32_t> last_call;

        auto operator<=>(const WaitingPlace&) const = default;
    };
    using Waits = std::map<WaitingPlace, Ledger>;

    /// The core's waits by place, without `issue`. riscv::SharedMemoryHart::cycles_by_place() contains their cycles.
    [[nodiscard]] const Waits& waits() const { return waits_; }

    /// Runs the program from `entry` on. Throws KernelError where it does what it must not, with its source line.
    void run(std::uint32_t entry);

    /// Its program ends now, wherever it is: run() returns.
    void end();

    // Accesses of others to the core's memory.

    void about_to_be_read(std::uint64_t offset, std::size_t bytes, Tick tick);
    void write(std::uint64_t offset, std::span<const std::byte> bytes, Tick tick);
    /// Its core has an interrupt to take.
    void interrupt(Tick tick);

private:
    void meet(Cycle cycle) override;
    void sleep(Cycle cycle) override;
    void goes_on_at(Cycle cycle) override;
    Cycle load(std::uint32_t address, std::span<std::byte> out, Cycle cycle) override;
    Cycle store(std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) override;
    CallResult call(std::uint32_t address, Cycle cycle) override;
    Cycle take_interrupts(Cycle cycle) override;

    /// Does something, and books what the core waits for meanwhile to the instruction at which the hart is. An
    /// action that is broken off books nothing, and its time is not among the hart's cycles.
    template <class Action>
    void book_waits_of(const Action& action);
    void require_running() const;
    void go_on_to(Cycle cycle);
    /// The cycle with which the hart goes on, when the core has done something.
    Cycle next_cycle();

    EpiphanyCore& core_;
    Program program_;
    std::vector<std::byte> memory_;
    riscv::SharedMemoryHart hart_;
    Waits waits_;
    bool has_ended_ = false;
};

}  // namespace nocbench
