// Memory bus of a hart on a Tensix tile: L1, NIU and stream registers, the clock. The hart runs ahead of the rest of
// the chip until it reads state that others can change.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device_model/riscv/bus.h"
#include "device_model/sim/memory.h"
#include "device_model/tenstorrent/compute/compute_unit.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/niu_registers.h"
#include "device_model/tenstorrent/tile/page_counts.h"

namespace nocbench {

/// Registers of a tile that its RISCs share.
struct TileRegisters {
    TileRegisters(DeviceState& state, NodeIndex node)
        : nius{NiuRegisters(state, node, 0), NiuRegisters(state, node, 1)} {
        if (state.architecture.compute.has_units != 0) {
            compute.emplace(state, streams, node);
        }
    }

    std::array<NiuRegisters, kNumNocs> nius;
    Memory streams;  // scratch words of software: page counts of circular buffers
    std::optional<ComputeUnit> compute;
    /// Circular buffers that lie on allocated ones. Programs use such data in place, with any number of pages.
    std::set<std::uint32_t> buffers_in_place;
};

/// Returns the registers of a tile, making them on first use.
TileRegisters& tile_registers(DeviceState& state, NodeIndex node);

/// Returns the pages that a circular buffer of a tile holds.
std::uint32_t pages_of_buffer(const TileRegisters& registers, std::uint32_t buffer);

/// Argument words of one kind in L1.
struct ArgumentWords {
    std::string kind;         // "run-time argument"
    std::uint32_t begin = 0;  // address
    std::uint32_t bytes = 0;  // reserved size
    std::size_t given = 0;    // number that the program sets, starting with the first
};

class TileBus final : public riscv::Bus {
public:
    /// Return address that ends a kernel.
    static constexpr std::uint32_t kReturnAddress = 0xFFFFFFF0;
    static constexpr std::uint32_t kPrivateBegin = 0xFFB00000;
    static constexpr std::uint32_t kNiuBegin = 0xFFB20000;
    static constexpr std::uint32_t kStreamsBegin = 0xFFB40000;
    /// Place of the code of compute kernels, which on the device is in L1 as well.
    static constexpr std::uint32_t kComputeCodeBegin = 0x0100'0000;
    static constexpr std::uint32_t kComputeCodeBytes = 0x0001'0000;

    /// Maps an instruction address to its source line.
    using Where = std::function<std::string(std::uint32_t)>;

    TileBus(Risc& risc, Where where);

    /// Makes loads of unset arguments fault from now on. The kinds of arguments follow each other without gaps.
    void set_arguments(std::vector<ArgumentWords> arguments);

    /// Makes code, and the constants within it, readable. Called before any load.
    void add_code(std::uint32_t begin, std::span<const std::byte> bytes);

    /// Names the place of the code's table of circular buffers, for messages about calls of the compute API.
    void set_buffer_table(std::uint32_t address) { buffer_table_ = address; }

    /// Reports loads and stores from now on.
    void check_with(RaceCheck& check) {
        check_ = &check;
        regions_[l1].reports_hits = true;
    }

    [[nodiscard]] std::span<const riscv::Region> regions() const override { return regions_; }
    Cycle load(const riscv::Region& region, std::uint32_t address, std::span<std::byte> out, Cycle cycle) override;
    void store(const riscv::Region& region, std::uint32_t address, std::span<const std::byte> bytes,
               Cycle cycle) override;
    void check_load(const riscv::Region& region, std::uint32_t address) const override;
    void hit_cache(const riscv::Region& region, std::uint32_t address, std::span<const std::byte> value,
                   Cycle cycle) override;
    [[nodiscard]] bool can_be_watched(const riscv::Region& region, std::uint32_t address) const override;
    /// Returns a readable name for an address: "semaphore 2".
    [[nodiscard]] std::string name_of(const riscv::Region& region, std::uint32_t address) const;
    /// Lets the rest of the chip catch up with `cycle`.
    void meet(Cycle cycle) override;
    [[nodiscard]] Cycle met_until() const override { return cycle_at_or_after(risc_.now() - origin_); }
    riscv::Wake sleep(const riscv::Hart& hart, const riscv::PollingLoop& loop) override;
    Cycle environment_call(riscv::Hart& hart, Cycle cycle) override;
    bool jump_outside(riscv::Hart& hart, std::uint32_t address, Cycle cycle) override;

    /// Returns those of ComputeUnit::warnings() of this thread.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::string>> compute_warnings() const;

    /// Ends the kernel at `cycle`.
    void finish(Cycle cycle);

    [[nodiscard]] const std::string& printed() const { return printed_; }

private:
    enum Place : std::uint8_t { l1, niu_0, niu_1, streams, debug, code };
    class LoopCondition;
    class CommandTurn;

    void report_load(Place place, std::uint32_t offset, std::span<const std::byte> value);
    [[nodiscard]] Place place_of(const riscv::Region& region) const {
        return static_cast<Place>(&region - regions_.data());
    }
    [[nodiscard]] Tick tick_of(Cycle cycle) const { return origin_ + ticks_from_cycles(cycle); }
    [[nodiscard]] NiuRegisters& niu(Place place) const {
        return registers_.nius[static_cast<std::size_t>(place - niu_0)];
    }
    /// Reads the value at `tick`, which is now or shortly before.
    void peek(const riscv::Region& region, std::uint32_t address, std::span<std::byte> out, Tick tick) const;
    static void require_no_null_pointer(std::uint32_t address, const char* what);
    [[nodiscard]] std::string text(const riscv::Hart& hart, std::uint32_t address) const;
    void print_number(const riscv::Hart& hart);
    void require_room_for_records() const;
    /// Returns the thread of a compute kernel that runs here, if one does.
    [[nodiscard]] std::optional<ComputeThread> compute_thread() const;
    /// Returns a row of the code's table of circular buffers.
    [[nodiscard]] SeenBuffer seen_buffer(const riscv::Hart& hart, std::uint32_t id) const;
    /// Gives a command of a compute thread, after a wait for its turn. Returns the cycles of both.
    Cycle give_compute_command(riscv::Hart& hart, Cycle cycle);

    Risc& risc_;
    DeviceState& state_;
    TileRegisters& registers_;
    Where where_;
    Tick origin_;  // start of the hart's clock
    std::vector<riscv::Region> regions_;
    std::vector<ArgumentWords> arguments_;
    std::span<const std::byte> code_;
    std::optional<std::uint32_t> buffer_table_;
    RaceCheck* check_ = nullptr;
    std::string printed_;
    int num_open_zones_ = 0;
};

}  // namespace nocbench
