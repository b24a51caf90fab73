#include "device_model/tenstorrent/compute/call_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/compute/column_sort.h"
#include "device_model/tenstorrent/compute/column_statistics.h"
#include "device_model/tenstorrent/compute/tile_arithmetic.h"
#include "device_model/tenstorrent/compute/vector_functions.h"

namespace nocbench {

namespace {

constexpr std::uint32_t kDstTiles = 16;  // of 16 bits

/// Returns the width of a format's exponents; 0 for formats that go with any.
int exponent_bits(TileFormat format) {
    switch (format) {
        case TileFormat::float16:
        case TileFormat::bfp8:
        case TileFormat::bfp4:
            return 5;
        case TileFormat::float16_b:
        case TileFormat::bfp8_b:
        case TileFormat::bfp4_b:
            return 8;
        default:
            return 0;
    }
}

/// True if units that are set up for one of the formats take the other one as well.
bool are_alike(TileFormat one, TileFormat other) {
    const auto kind = [](TileFormat format) { return is_integer(format) ? value_bytes(format) + 100 : 0; };
    return one == other || (kind(one) != 0 && kind(one) == kind(other));
}

/// Returns a tile, with a format of values that are stored one by one if they are rows of a matrix.
TileInL1 required_tile(std::uint32_t byte, std::uint32_t buffer, bool is_row_major, const std::string& call) {
    const std::optional<TileFormat> format = tile_format(format_number(byte));
    if (!format.has_value()) {
        throw InputError(
            fmt::format("{}: expected a circular buffer with a data format of tiles, found format {} of buffer {}",
                        call, byte, buffer));
    }
    if (is_row_major && value_bytes(*format) == 0) {
        throw InputError(fmt::format("{}: rows of a matrix: expected a format without common exponents, found {}", call,
                                     to_string(*format)));
    }
    return {*format, rows_of_tile(byte)};
}

Broadcast broadcast_of(const ComputeCommand& command) {
    return static_cast<Broadcast>(field(command.flags, kBroadcastShift));
}
Copy copy_of(const ComputeCommand& command) { return static_cast<Copy>(field(command.flags, kCopyShift)); }
bool reuses_dst(const ComputeCommand& command) { return (command.flags & (kDstAsA | kDstAsB)) != 0; }

std::string name_of_combination(const ComputeCommand& command) {
    constexpr std::array kNames{"add", "sub", "mul", "?"};
    return kNames[field(command.flags, kArithmeticShift)];
}

std::string name_of_function(std::string_view name) {
    return name.find("_to_") != std::string_view::npos ? "typecast_tile"
           : name == "copy_dest_values"                ? std::string(name)
                                                       : fmt::format("{}_tile", name);
}

/// Returns the name of the call that a command of math or pack belongs to.
std::string name_of_call(const ComputeCommand& command) {
    switch (command.operation) {
        case ComputeOperation::copy: {
            constexpr std::array kNames{"copy_tile", "transpose_wh_tile", "tilize_block", "untilize_block"};
            return (command.flags & kFromB) != 0 ? "unary_bcast" : kNames[static_cast<std::size_t>(copy_of(command))];
        }
        case ComputeOperation::combine: {
            constexpr std::array kParts{"", "_bcast_cols", "_bcast_rows", "_bcast_scalar"};
            return reuses_dst(command) ? "binary_dest_reuse_tiles"
                                       : fmt::format("{}_tiles{}", name_of_combination(command),
                                                     kParts[static_cast<std::size_t>(broadcast_of(command))]);
        }
        case ComputeOperation::multiply_matrices:
            return (command.flags & kOfBlock) != 0 ? "matmul_block" : "matmul_tiles";
        case ComputeOperation::reduce:
            return "reduce_tile";
        case ComputeOperation::transpose:
            return "transpose_wh_dest";
        case ComputeOperation::unary: {
            const std::string name = name_of_function(unary_of(command).name);
            return (command.flags & kInPack) == 0 ? name : name == "exp_tile" ? "exp_packthread_tile" : name + "_pack";
        }
        case ComputeOperation::binary:
            return name_of_function(binary_of(command).name);
        case ComputeOperation::ternary:
            return name_of_function(ternary_of(command).name);
        case ComputeOperation::sort: {
            constexpr std::array kNames{"topk_local_sort", "topk_merge", "topk_rebuild", "?"};
            return kNames[static_cast<std::size_t>(sort_of(command))];
        }
        case ComputeOperation::reduce_dst:
            return "sfpu_reduce";
        case ComputeOperation::accumulate_rows:
            return "cumsum_tile";
        case ComputeOperation::pack:
            return (command.flags & kByPacker) != 0   ? "pack_untilize"
                   : (command.flags & kUntilize) != 0 ? "untilize_block"
                                                      : "pack_tile";
        default:
            return "a call of the compute API";
    }
}

/// Returns the name of the initialisation of a call of the matrix unit.
std::string name_of_initialisation(const ComputeCommand& command) {
    switch (command.operation) {
        case ComputeOperation::copy: {
            constexpr std::array kNames{"copy_tile_to_dst_init_short", "transpose_wh_init", "tilize_init",
                                        "untilize_init"};
            return (command.flags & kFromB) != 0 ? "unary_bcast_init"
                                                 : kNames[static_cast<std::size_t>(copy_of(command))];
        }
        case ComputeOperation::combine: {
            const std::string name = name_of_combination(command);
            return reuses_dst(command)                          ? "binary_dest_reuse_tiles_init"
                   : broadcast_of(command) == Broadcast::none   ? fmt::format("{}_tiles_init", name)
                   : broadcast_of(command) == Broadcast::scalar ? "init_bcast"
                   : broadcast_of(command) == Broadcast::column ? fmt::format("{}_bcast_cols_init_short", name)
                                                                : fmt::format("{}_bcast_rows_init_short", name);
        }
        case ComputeOperation::multiply_matrices:
            return (command.flags & kOfBlock) != 0 ? "mm_block_init" : "mm_init";
        default:
            return "reduce_init";
    }
}

/// Returns the name of the initialisation of a call of the vector unit.
std::string name_of_vector_initialisation(const ComputeCommand& command) {
    constexpr std::string_view kPack = "_pack";
    const std::string call = name_of_call(command);
    return command.operation == ComputeOperation::sort ? "topk_tile_init"
           : call.ends_with(kPack)                     ? call.substr(0, call.size() - kPack.size()) + "_init_pack"
                                                       : call + "_init";
}

/// True for functions with constants or tables of their own.
bool has_own_initialisation(const ComputeCommand& command) {
    return (command.flags & kOfOwnName) != 0 && unary_of(command).length != FunctionLength::simple;
}

/// Returns the flags in which the initialisation of a call must be for the same.
std::uint32_t prepared_flags(const ComputeCommand& command) {
    constexpr std::uint32_t kTwoBits = 3;
    switch (command.operation) {
        case ComputeOperation::copy:
            return command.flags & (kFromB | kTwoBits << kCopyShift |
                                    ((command.flags & kFromB) != 0 ? kTwoBits << kBroadcastShift : 0));
        case ComputeOperation::combine:
            return command.flags & (kTwoBits << kBroadcastShift | kTwoBits << kArithmeticShift | kDstAsA | kDstAsB);
        default:
            return 0;
    }
}

/// Returns a kind of call, from the word by which other commands name it.
ComputeCommand kind_of_call(std::uint32_t word) {
    return {.operation = static_cast<ComputeOperation>(word & 0xFF), .flags = word >> 8};
}

std::string pages_text(std::uint32_t count) { return fmt::format("{} page{}", count, count == 1 ? "" : "s"); }

/// Returns the bytes from the first to the last one of a tile, or of as many rows of a matrix.
std::uint32_t reach(TileInL1 tile, bool is_row_major, std::uint32_t tiles_of_row) {
    const std::size_t row_bytes = kTileSide * value_bytes(tile.format);
    return static_cast<std::uint32_t>(is_row_major ? row_bytes * (tiles_of_row * (tile.rows - 1) + 1)
                                                   : tile_bytes(tile));
}

}  // namespace

std::uint32_t CallContract::tiles_of_section() const {
    return ((configuration_ & kWideDst) != 0 ? kDstTiles / 2 : kDstTiles) / num_sections();
}

std::vector<std::string> CallContract::take(ComputeThread thread, const ComputeCommand& command,
                                            const Buffers& buffers) {
    texts_.clear();
    switch (command.operation) {
        case ComputeOperation::prepare:
            prepare(thread, command);
            break;
        case ComputeOperation::set_formats:
            set_formats(thread, command);
            break;
        case ComputeOperation::expect:
            grant(command, buffers, awaited_);
            break;
        case ComputeOperation::pop:
            give_back(command, buffers, "cb_pop_front", awaited_);
            break;
        case ComputeOperation::reserve:
            grant(command, buffers, reserved_);
            break;
        case ComputeOperation::push:
            give_back(command, buffers, "cb_push_back", reserved_);
            break;
        case ComputeOperation::acquire:
            if (std::exchange(math_has_dst_, true)) {  // a card only waits until there is one
                texts_.emplace_back("tile_regs_acquire: math has Dst already: expected tile_regs_commit before");
            }
            break;
        case ComputeOperation::commit:
            give_dst(command, math_has_dst_, "tile_regs_commit", "math", "tile_regs_acquire");
            break;
        case ComputeOperation::wait:
            pack_has_dst_ = true;  // a further wait finds what the first one found
            break;
        case ComputeOperation::release:
            give_dst(command, pack_has_dst_, "tile_regs_release", "pack", "tile_regs_wait");
            break;
        case ComputeOperation::unpack:
            unpack(command, buffers);
            break;
        case ComputeOperation::pack:
            pack(command, buffers);
            break;
        case ComputeOperation::gather:
            gather(command);
            break;
        default:
            if (num_dst_tiles_of(command.operation) != 0) {
                compute(thread, command);
            }
            break;
    }
    return std::exchange(texts_, {});
}

void CallContract::give_dst(const ComputeCommand& command, bool& has_it, const char* call, const char* thread,
                            const char* before) {
    if (!std::exchange(has_it, false) && (command.flags & kWithoutDst) == 0) {
        throw InputError(fmt::format("{}: {} does not have Dst: expected {} before", call, thread, before));
    }
}

void CallContract::grant(const ComputeCommand& command, const Buffers& buffers, Pages& pages) {
    const auto [id, count] = std::pair(command.words[0], command.words[1]);
    const SeenBuffer buffer = buffers(id);
    if (buffer.num_pages == 0) {
        throw InputError(fmt::format("{}: expected a circular buffer that the program gives to this core, found {}",
                                     pages.call, id));
    }
    if (count > buffer.num_pages) {
        throw InputError(fmt::format("{}: expected at most {}, which circular buffer {} holds, found {}", pages.call,
                                     pages_text(buffer.num_pages), id, count));
    }
    std::uint32_t& granted = pages.of(id, buffer);
    granted = std::max(granted, count);
}

void CallContract::give_back(const ComputeCommand& command, const Buffers& buffers, const char* call, Pages& pages) {
    const auto [id, count] = std::pair(command.words[0], command.words[1]);
    const SeenBuffer buffer = buffers(id);
    std::uint32_t& left = pages.of(id, buffer);
    if (count > left && !buffer.is_in_place) {
        add(fmt::format("{}: expected at most {}, as many as {} was called for, found {} of circular buffer {}", call,
                        pages_text(left), pages.call, count, id));
    }
    left -= std::min(left, count);
}

void CallContract::prepare(ComputeThread thread, const ComputeCommand& command) {
    const ComputeCommand call = kind_of_call(command.words[0]);
    if ((command.flags & kBelow) != 0) {
        goes_below_[static_cast<std::size_t>(thread)] = true;
    } else if (call.operation == ComputeOperation::unary) {
        is_vector_unit_prepared_ = true;
        prepared_functions_.insert(command.words[1]);
    } else if (call.operation == ComputeOperation::transpose) {
        is_prepared_to_transpose_dst_ = true;
    } else {
        prepared_ = call;
    }
}

void CallContract::set_formats(ComputeThread thread, const ComputeCommand& command) {
    const auto set = [&](std::optional<TileFormat>& format, std::uint32_t shift) {
        if (const std::uint32_t number = field(command.words[0], shift, 0xFF); number != kNoFormat) {
            format = tile_format(format_number(number));
        }
    };
    if (thread == ComputeThread::pack) {
        set(packers_.format, 0);
        packers_.make_rows =
            (command.flags & kPacksRows) != 0 || (packers_.make_rows && (command.flags & kPacksTiles) == 0);
        return;
    }
    if ((command.flags & kUnpackA) != 0) {
        set(unpacked_formats_[0], 0);
    }
    if ((command.flags & kUnpackB) != 0) {
        set(unpacked_formats_[1], 8);
    }
}

void CallContract::require_tile(std::uint32_t tile, const std::string& call) const {
    if (tile >= tiles_of_section()) {
        throw InputError(
            fmt::format("{}: expected a tile of Dst from 0 to {}, found {}", call, tiles_of_section() - 1, tile));
    }
}

void CallContract::require_exponents(const Operand& operand, const std::string& call) {
    const int bits = exponent_bits(operand.format);
    if (bits == 0) {
        return;
    }
    if (!with_exponents_.has_value()) {
        with_exponents_ = operand;
    }
    if (const int expected = exponent_bits(with_exponents_->format); bits != expected) {
        throw InputError(
            fmt::format("{}: expected formats with exponents of {} bits, as circular buffer {} has ({}), found {} of "
                        "circular buffer {}",
                        call, expected, with_exponents_->buffer, to_string(with_exponents_->format),
                        to_string(operand.format), operand.buffer));
    }
}

void CallContract::require_pages(const Operand& operand, const Buffers& buffers, Pages& pages,
                                 const std::string& call) {
    const SeenBuffer buffer = buffers(operand.buffer);
    if (buffer.num_pages == 0 || buffer.is_in_place) {
        return;
    }
    const std::uint32_t end = operand.begin + operand.bytes;
    const std::uint32_t count = pages.of(operand.buffer, buffer);
    const auto grants = [&](const auto& entry) {  // buffers may share memory
        const SeenBuffer other = buffers(entry.first);
        const std::uint32_t begin = other.*pages.begin;
        return operand.begin >= begin && end <= begin + entry.second * other.page_bytes;
    };
    if (std::ranges::none_of(pages.counts, grants)) {
        const std::uint32_t needed =
            (end - std::min(buffer.*pages.begin, end) + buffer.page_bytes - 1) / buffer.page_bytes;
        add(fmt::format("{}: expected {} of {} of circular buffer {} before, found {}", call, pages.call,
                        pages_text(needed), operand.buffer, count == 0 ? "none" : fmt::format("one of {}", count)));
    } else if (end > buffer.end) {
        add(
            fmt::format("{}: expected a tile before the end of circular buffer {}, found one that ends {} bytes behind "
                        "it: pages that are waited for or reserved together must follow each other",
                        call, operand.buffer, end - buffer.end));
    }
}

void CallContract::require_format(const Operand& operand, const std::optional<TileFormat>& set, const std::string& call,
                                  const char* before) {
    if (!set.has_value()) {
        add(fmt::format("{}: expected compute_kernel_hw_startup(), or another call that sets data formats, before",
                        call));
    } else if (!are_alike(*set, operand.format)) {
        add(fmt::format("{}: expected {} before, since circular buffer {} has {}, found {}", call, before,
                        operand.buffer, to_string(operand.format), to_string(*set)));
    }
}

void CallContract::unpack(const ComputeCommand& command, const Buffers& buffers) {
    const ComputeCommand computing = kind_of_call(command.words[4]);
    const std::string call = name_of_call(computing);
    const bool is_product = computing.operation == ComputeOperation::multiply_matrices;
    const bool is_row_major = (command.flags & kTilizeA) != 0;
    for (const bool is_b : {false, true}) {
        if ((command.flags & (is_b ? kUnpackB : kUnpackA)) == 0) {
            continue;
        }
        Operand operand{.buffer = field(command.words[2], is_b ? 24 : 16, 0xFF),
                        .begin = command.words[is_b ? 1 : 0] << kAddressShift};
        const TileInL1 tile =
            required_tile(field(command.words[2], is_b ? 8 : 0, 0xFF), operand.buffer, is_row_major && !is_b, call);
        operand.format = tile.format;
        operand.bytes = reach(tile, is_row_major && !is_b, command.words[3]);
        require_exponents(operand, call);
        require_pages(operand, buffers, awaited_, call);
        // Tiles that B alone unpacks: a release of tt-metal decides which unpacker they take.
        if ((command.flags & kUnpackA) != 0 && !goes_below(ComputeThread::unpack)) {
            const bool is_in_source_b = is_b != is_product;
            require_format(operand, unpacked_formats_[is_in_source_b ? 1 : 0], call,
                           is_in_source_b ? "reconfig_data_format_srcb()" : "reconfig_data_format_srca()");
        }
    }
}

void CallContract::compute(ComputeThread thread, const ComputeCommand& command) {
    const std::string call = name_of_call(command);
    if (const bool repeats =
            command.operation == ComputeOperation::copy || command.operation == ComputeOperation::combine;
        repeats && command.words[1] >= kTileSide) {
        throw InputError(
            fmt::format("{}: expected a row to repeat from 0 to {}, found {}", call, kTileSide - 1, command.words[1]));
    }
    if (const bool is_block = command.operation == ComputeOperation::multiply_matrices &&
                              (command.flags & (kOfBlock | kContinues)) == kOfBlock;
        is_block && command.words[0] + command.words[1] > tiles_of_section()) {
        throw InputError(
            fmt::format("{}: expected a block of at most {} tiles, which Dst holds, found {} from tile {} on", call,
                        tiles_of_section(), command.words[1], command.words[0]));
    }
    if (command.operation == ComputeOperation::sort) {
        const ColumnRuns runs(command.words[4]);
        const std::size_t end = runs.end() + (sort_of(command) == Sort::merge ? runs.stride / 2 : 0);
        if (end > kColumnValues) {
            throw InputError(
                fmt::format("{}: expected runs of at most {} values, which a column of two tiles has, found {}", call,
                            kColumnValues, end));
        }
    }
    for (const std::uint32_t tile : std::span(command.words).first(num_dst_tiles_of(command.operation))) {
        require_tile(tile, call);
    }
    if (thread == ComputeThread::math) {
        require_dst_of_math(call);
    } else {
        require_dst_of_pack(call);
    }
    if ((command.flags & kContinues) == 0 && !goes_below(thread)) {
        require_preparation(command);
    }
}

void CallContract::gather(const ComputeCommand& command) {
    const std::string call = "statistics of columns";
    const std::uint32_t num_tiles = tiles_of(statistics_step(command));
    if (num_tiles != 0) {
        require_tile(command.words[0] + num_tiles - 1, call);
        require_dst_of_math(call);
    }
}

void CallContract::require_dst_of_math(const std::string& call) const {
    if (!math_has_dst_) {
        throw InputError(fmt::format("{}: math does not have Dst: expected tile_regs_acquire before", call));
    }
}

void CallContract::require_dst_of_pack(const std::string& call) const {
    if (!pack_has_dst_) {
        throw InputError(fmt::format("{}: pack does not have Dst: expected tile_regs_wait before", call));
    }
}

void CallContract::require_preparation(const ComputeCommand& command) {
    const std::string call = name_of_call(command);
    const auto require = [&](bool is_prepared, const std::string& before, const std::string& found) {
        if (!is_prepared) {
            add(fmt::format("{}: expected {}() before, found {}", call, before, found));
        }
    };
    const auto require_function = [&](bool has_its_own, std::uint32_t number) {
        require(has_its_own ? prepared_functions_.contains(number) : is_vector_unit_prepared_,
                name_of_vector_initialisation(command), is_vector_unit_prepared_ ? "those of other functions" : "none");
    };
    switch (command.operation) {
        case ComputeOperation::unary:
            require_function(has_own_initialisation(command), command.words[1]);
            return;
        case ComputeOperation::binary:
        case ComputeOperation::ternary:
        case ComputeOperation::sort:
        case ComputeOperation::reduce_dst:
        case ComputeOperation::accumulate_rows:
            require_function(false, 0);
            return;
        case ComputeOperation::transpose:
            require(is_prepared_to_transpose_dst_, "transpose_wh_dest_init_short", "none");
            return;
        default:
            break;
    }
    if (!prepared_.has_value()) {
        require(false, name_of_initialisation(command), "none");
    } else if (prepared_->operation != ComputeOperation::any) {
        require(prepared_->operation == command.operation && prepared_flags(*prepared_) == prepared_flags(command),
                name_of_initialisation(command), fmt::format("{}()", name_of_initialisation(*prepared_)));
    }
}

void CallContract::pack(const ComputeCommand& command, const Buffers& buffers) {
    const std::string call = name_of_call(command);
    require_tile(command.words[0], call);
    require_dst_of_pack(call);
    const bool is_row_major = (command.flags & kUntilize) != 0;
    Operand operand{.buffer = field(command.words[2], 8, 0xFF), .begin = command.words[1] << kAddressShift};
    const TileInL1 tile = required_tile(field(command.words[2], 0, 0xFF), operand.buffer, is_row_major, call);
    operand.format = tile.format;
    operand.bytes = reach(tile, is_row_major, command.words[3]);
    require_exponents(operand, call);
    require_pages(operand, buffers, reserved_, call);
    if (goes_below(ComputeThread::pack)) {
        return;
    }
    require_format(operand, packers_.format, call, "pack_reconfig_data_format()");
    if (const bool makes_rows = (command.flags & kByPacker) != 0; makes_rows != packers_.make_rows) {
        add(fmt::format("{}: expected {} before", call,
                        makes_rows ? "pack_untilize_init() or pack_untilize_dest_init()" : "pack_untilize_uninit()"));
    }
}

}  // namespace nocbench
