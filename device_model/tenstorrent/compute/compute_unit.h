// Units of a tile that compute: unpackers, the matrix and the vector unit, packers.
//
// Three threads give them commands, each in its own order. A command ends before the next one of its thread begins.
// Threads wait for each other in three places: the source registers hold two operands or pairs of operands, the halves
// of Dst go from math to pack and back, and circular buffers pass pages on.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_model/sim/ids.h"
#include "device_model/sim/random_numbers.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/checks/vector_clock.h"
#include "device_model/tenstorrent/compute/call_contract.h"
#include "device_model/tenstorrent/compute/column_statistics.h"
#include "device_model/tenstorrent/compute/compute_command.h"
#include "device_model/tenstorrent/compute/tile_values.h"

namespace nocbench {

class Risc;
struct ComputeConstants;
struct DeviceState;
class Memory;

inline constexpr int kFidelityPhasesMax = 4;

/// Return the highest rates of the matrix unit of a core, without the overhead of calls: of products of tiles at a
/// fidelity of 1 to 4 phases, and of additions element by element.
double product_operations_per_cycle(const ComputeConstants& constants, int fidelity_phases);
double element_operations_per_cycle(const ComputeConstants& constants);

class ComputeUnit {
public:
    /// `streams`: registers of the tile with the pages of circular buffers.
    ComputeUnit(DeviceState& state, Memory& streams, NodeIndex node);

    /// Queues a command of the thread that `risc` runs. Throws InputError for a command that makes no sense.
    void give(Risc& risc, const ComputeCommand& command, const CallContract::Buffers& buffers);
    /// Returns whether a thread can give another command.
    [[nodiscard]] bool has_room(ComputeThread thread) const;
    [[nodiscard]] bool is_idle(ComputeThread thread) const { return queue(thread).commands.empty(); }
    [[nodiscard]] bool has_mail(ComputeThread thread) const { return !queue(thread).mailbox.empty(); }
    [[nodiscard]] std::uint32_t take_mail(ComputeThread thread, const Risc& risc);
    /// Returns the thread whose unit works while the oldest command of a thread waits. It may wait for that thread
    /// through another one. Returns nothing if no unit works: a thread has no command, since it waits for pages or has
    /// not come to its call yet.
    [[nodiscard]] std::optional<ComputeThread> busy_for(ComputeThread thread) const;
    /// Returns text for reports of deadlocks.
    [[nodiscard]] std::string_view describe_wait(ComputeThread thread) const;

    /// Returns what a card would not notice of the calls of a thread, each text with the address of the call. With
    /// SyncCheck, these are findings instead.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::string>> warnings(ComputeThread thread) const;

    /// Ends the running command of a thread.
    void end_command(ComputeThread thread, Tick tick);

private:
    struct Given {
        ComputeCommand command;
        Risc* risc = nullptr;
        std::uint32_t program_counter = 0;  // of the call
        std::uint32_t return_address = 0;
    };
    struct Mail {
        std::uint32_t word = 0;
        Moment handed_on;
    };
    struct Queue {
        std::deque<Given> commands;
        bool is_running = false;  // the first of them
        std::deque<Mail> mailbox;
    };
    struct Sources {
        SharedTile a;
        SharedTile b;
        std::size_t rows_of_a = kTileSide;
        Moment handed_on;
    };
    struct DstTile {
        TileValues values{};
        bool is_clear = true;
    };

    [[nodiscard]] Queue& queue(ComputeThread thread) { return queues_[static_cast<std::size_t>(thread)]; }
    [[nodiscard]] const Queue& queue(ComputeThread thread) const { return queues_[static_cast<std::size_t>(thread)]; }
    /// Returns the thread that the oldest command of a thread waits for: itself if the command is running.
    [[nodiscard]] ComputeThread waits_for(ComputeThread thread) const;
    void configure(std::uint32_t word);
    [[nodiscard]] bool can_begin(const ComputeCommand& command) const;
    /// Returns the time of the matrix or vector unit for a command, without the overhead of the call.
    [[nodiscard]] Tick math_ticks(const ComputeCommand& command) const;
    [[nodiscard]] Tick duration(const ComputeCommand& command) const;
    void begin(const Given& given);
    void end(const Given& given, Tick tick);
    /// Begins the next command of each thread that can.
    void go_on(Tick tick);

    /// Reports an access of a command to L1, or a count of pages, as one of its call.
    template <typename Report>
    void report(const Given& given, const Report& to_check) const;
    /// Report that a thread hands data or room on, and that another one takes them. Without RaceCheck, moments are
    /// empty.
    [[nodiscard]] Moment hand_on(const Risc& risc) const;
    void take(const Risc& risc, const Moment& handed_on) const;
    void unpack(const Given& given);
    [[nodiscard]] SharedTile read(const Given& given, std::uint32_t address, TileInL1 stored, bool is_row_major,
                                  bool is_exact) const;
    void compute(const ComputeCommand& command);
    void gather_statistics(const ComputeCommand& command);
    /// Returns a tile of math's section or of pack's, with zeros if it is clear.
    [[nodiscard]] DstTile& tile_to_change(std::uint32_t tile, bool is_of_pack = false);
    void write_packed(const Given& given, Tick tick);
    void change_pages(const Given& given, std::uint32_t offset);
    [[nodiscard]] DstTile& dst_of(std::uint32_t section, std::uint32_t tile);
    /// Rounds the values of a tile of Dst, unless they are exact.
    void store_in_dst(DstTile& tile, bool is_exact = false) const;

    DeviceState& state_;
    Memory& streams_;
    NodeIndex node_;
    std::array<Queue, kNumComputeThreads> queues_;
    std::deque<Sources> sources_;
    Sources last_;  // operands that are kept
    // Room for tiles at work, so that the stacks of kernels stay small.
    mutable std::array<std::byte, kTileValues * sizeof(float)> bytes_{};
    TileValues left_{};
    TileValues right_{};
    std::array<float, kTileSide> last_row_{};  // of the last tile whose rows were accumulated
    ColumnStatistics statistics_;
    RandomNumbers random_{0};

    std::uint32_t configuration_ = 0;
    std::vector<DstTile> dst_;           // all sections; empty until it is configured
    std::uint32_t sections_filled_ = 0;  // committed, not released yet
    std::uint32_t math_section_ = 0;
    std::uint32_t pack_section_ = 0;
    std::array<Moment, 2> committed_;  // by section
    std::array<Moment, 2> released_;
    CallContract contract_;
    std::array<std::set<std::pair<std::uint32_t, std::string>>, kNumComputeThreads> warnings_;
};

}  // namespace nocbench
