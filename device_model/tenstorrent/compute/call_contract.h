// Contract of tt-metal's compute API. Calls take Dst in turns, name tiles within it, use pages that were waited for or
// reserved, and need units that are set up for the call and the data format. Source: tt-metal,
// tt_metal/hw/inc/api/compute, comments of the calls.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device_model/tenstorrent/compute/compute_command.h"
#include "device_model/tenstorrent/compute/tile_values.h"

namespace nocbench {

/// Circular buffer as the code of a thread sees it. Without pages: the program does not give it to the core.
struct SeenBuffer {
    std::uint32_t end = 0;  // address
    std::uint32_t page_bytes = 0;
    std::uint32_t num_pages = 0;
    std::uint32_t front = 0;  // address of the first full page, for unpack
    std::uint32_t back = 0;   // address of the first free page, for pack
    bool is_in_place = false;
};

class CallContract {
public:
    using Buffers = std::function<SeenBuffer(std::uint32_t id)>;

    void configure(std::uint32_t word) { configuration_ = word; }
    [[nodiscard]] std::uint32_t num_sections() const { return (configuration_ & kWholeDst) != 0 ? 1 : 2; }
    [[nodiscard]] std::uint32_t tiles_of_section() const;

    /// Takes the next command of a thread. Throws InputError if the units cannot execute it. Returns texts about what a
    /// card does not notice, and may do with wrong data.
    [[nodiscard]] std::vector<std::string> take(ComputeThread thread, const ComputeCommand& command,
                                                const Buffers& buffers);

private:
    struct Operand {
        std::uint32_t buffer = 0;
        TileFormat format{};
        std::uint32_t begin = 0;  // address
        std::uint32_t bytes = 0;
    };
    /// State of the packers: what the last initialisation set them up for.
    struct Packers {
        std::optional<TileFormat> format;
        bool make_rows = false;
    };
    /// Pages that a thread may use, by buffer: those that it waited for or reserved.
    struct Pages {
        const char* call;                   // that waits for them
        std::uint32_t SeenBuffer::* begin;  // address of the first one
        bool are_free_at_first;             // all pages of a buffer
        std::map<std::uint32_t, std::uint32_t> counts;

        std::uint32_t& of(std::uint32_t id, const SeenBuffer& buffer) {
            return counts.try_emplace(id, are_free_at_first ? buffer.num_pages : 0).first->second;
        }
    };

    static void give_dst(const ComputeCommand& command, bool& has_it, const char* call, const char* thread,
                         const char* before);
    static void grant(const ComputeCommand& command, const Buffers& buffers, Pages& pages);
    void give_back(const ComputeCommand& command, const Buffers& buffers, const char* call, Pages& pages);
    void prepare(ComputeThread thread, const ComputeCommand& command);
    void set_formats(ComputeThread thread, const ComputeCommand& command);
    void unpack(const ComputeCommand& command, const Buffers& buffers);
    void compute(ComputeThread thread, const ComputeCommand& command);
    void gather(const ComputeCommand& command);
    void require_dst_of_math(const std::string& call) const;
    void require_dst_of_pack(const std::string& call) const;
    void require_preparation(const ComputeCommand& command);
    void pack(const ComputeCommand& command, const Buffers& buffers);

    void require_tile(std::uint32_t tile, const std::string& call) const;
    /// Requires formats of one width of exponents in all calls of a kernel.
    void require_exponents(const Operand& operand, const std::string& call);
    void require_pages(const Operand& operand, const Buffers& buffers, Pages& pages, const std::string& call);
    void require_format(const Operand& operand, const std::optional<TileFormat>& set, const std::string& call,
                        const char* before);
    [[nodiscard]] bool goes_below(ComputeThread thread) const { return goes_below_[static_cast<std::size_t>(thread)]; }
    void add(std::string text) { texts_.push_back(std::move(text)); }

    std::uint32_t configuration_ = 0;
    bool math_has_dst_ = false;
    bool pack_has_dst_ = false;
    Pages awaited_{"cb_wait_front", &SeenBuffer::front, false, {}};
    Pages reserved_{"cb_reserve_back", &SeenBuffer::back, true, {}};
    std::optional<Operand> with_exponents_;                      // the first one whose format has an exponent
    std::array<std::optional<TileFormat>, 2> unpacked_formats_;  // of A and B
    Packers packers_;
    std::optional<ComputeCommand> prepared_;  // a command of the calls that the matrix unit is set up for
    /// Threads whose code has called what is below the compute API, by which it may set up anything.
    std::array<bool, kNumComputeThreads> goes_below_{};
    bool is_prepared_to_transpose_dst_ = false;
    bool is_vector_unit_prepared_ = false;
    std::set<std::uint32_t> prepared_functions_;  // of the vector unit
    std::vector<std::string> texts_;              // about the present command
};

}  // namespace nocbench
