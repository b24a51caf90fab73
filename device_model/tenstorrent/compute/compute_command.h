// Commands that the compute threads of a tile give to its units: what calls of the compute API come down to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nocbench {

/// Threads of a compute kernel, in the order of their RISCs.
enum class ComputeThread : std::uint8_t { unpack, math, pack };

inline constexpr std::size_t kNumComputeThreads = 3;
inline constexpr std::array<std::string_view, kNumComputeThreads> kComputeThreadNames{"unpack", "math", "pack"};

/// Numbers are those of kernels/device/include/nocbench/compute/commands.h.
enum class ComputeOperation : std::uint8_t {
    any = 0,  // of prepare: units that may be set up for any call

    // of all threads
    configure = 1,
    drain = 2,    // waits until all commands of the thread have ended
    send = 3,     // a word, to the mailboxes of the other threads
    receive = 4,  // the oldest word of the thread's mailbox, as an answer
    // Not for the units, but for CallContract:
    prepare = 5,      // the units for a kind of call
    set_formats = 6,  // of the unpackers or the packers

    // of unpack
    unpack = 8,
    pop = 9,
    expect = 10,  // pages that the thread waits for; for CallContract

    // of math
    acquire = 16,
    commit = 17,
    copy = 18,
    combine = 19,
    multiply_matrices = 20,
    reduce = 21,
    transpose = 22,
    unary = 23,
    binary = 24,
    ternary = 25,
    reduce_dst = 26,
    accumulate_rows = 27,
    seed = 28,
    gather = 29,  // statistics of columns
    sort = 30,    // columns of two tiles

    // of pack
    wait = 40,
    release = 41,
    pack = 42,
    push = 43,
    reserve = 44,  // for CallContract
};

/// A command, with the words that a kernel gives.
struct ComputeCommand {
    ComputeOperation operation = ComputeOperation::drain;
    std::uint32_t flags = 0;
    std::array<std::uint32_t, 6> words{};
};

/// Returns a part of a word.
constexpr std::uint32_t field(std::uint32_t word, std::uint32_t shift, std::uint32_t mask = 3) {
    return word >> shift & mask;
}

/// True for commands that are for CallContract, and not for the units.
constexpr bool is_note(ComputeOperation operation) {
    return operation == ComputeOperation::prepare || operation == ComputeOperation::set_formats ||
           operation == ComputeOperation::expect || operation == ComputeOperation::reserve;
}

/// True for commands that use an operand, or a pair of operands, of the source registers.
constexpr bool takes_operand(ComputeOperation operation) {
    return operation == ComputeOperation::copy || operation == ComputeOperation::combine ||
           operation == ComputeOperation::multiply_matrices || operation == ComputeOperation::reduce;
}

/// Returns how many of a command's first words are tiles of Dst that math computes on.
constexpr std::size_t num_dst_tiles_of(ComputeOperation operation) {
    switch (operation) {
        case ComputeOperation::transpose:
        case ComputeOperation::unary:
        case ComputeOperation::reduce_dst:
        case ComputeOperation::accumulate_rows:
            return 1;
        case ComputeOperation::binary:
            return 3;
        case ComputeOperation::ternary:
        case ComputeOperation::sort:
            return 4;
        default:
            return takes_operand(operation) ? 1 : 0;
    }
}

/// Flag of commit and release: programs of 2024 also pass Dst on that they do not have, by release_dst().
inline constexpr std::uint32_t kWithoutDst = 1 << 0;

/// Shift of addresses in commands, which are in units of 16 bytes, as those of buffers are in compute kernels.
inline constexpr std::uint32_t kAddressShift = 4;

// Byte with the format of a tile: the data format, and from this bit on how often its 32 rows are halved.
inline constexpr std::uint32_t kHalvedRowsShift = 5;
inline constexpr std::uint32_t kNoFormat = 0xFF;

/// Returns the data format in such a byte. kNoFormat has a number that no format has.
constexpr std::uint32_t format_number(std::uint32_t byte) { return field(byte, 0, (1U << kHalvedRowsShift) - 1); }
/// Returns the rows of the tile.
constexpr std::size_t rows_of_tile(std::uint32_t byte) { return std::size_t{32} >> (byte >> kHalvedRowsShift); }

// Flags of unpack. Words:
// - addresses of A and B
// - formats of A and B (from bits 0 and 8 on), and their buffers (from bits 16 and 24 on)
// - tiles of a row, of a matrix that is not tiled
// - operation and flags of the call that computes
inline constexpr std::uint32_t kUnpackA = 1 << 0;
inline constexpr std::uint32_t kUnpackB = 1 << 1;
inline constexpr std::uint32_t kKeepA = 1 << 2;  // the last one once more
inline constexpr std::uint32_t kTransposeA = 1 << 4;
inline constexpr std::uint32_t kTransposeB = 1 << 5;
inline constexpr std::uint32_t kTilizeA = 1 << 6;
inline constexpr std::uint32_t kExactA = 1 << 7;  // to Dst, past the source registers

/// Flag of calls that compute: a further tile of one call.
inline constexpr std::uint32_t kContinues = 1 << 12;
/// Flag of products: a call for a block. Words: tile of Dst, tiles of the block (of its first command).
inline constexpr std::uint32_t kOfBlock = 1 << 13;

// Flags of calls that compute. Words: tile of Dst; row or column of B that is repeated, of copy and combine.
inline constexpr std::uint32_t kBroadcastShift = 0;   // 2 bits: Broadcast
inline constexpr std::uint32_t kArithmeticShift = 2;  // 2 bits: Arithmetic
inline constexpr std::uint32_t kAdds = 1 << 4;        // to Dst
inline constexpr std::uint32_t kDstAsA = 1 << 5;      // the tile of Dst in place of a source
inline constexpr std::uint32_t kDstAsB = 1 << 6;
inline constexpr std::uint32_t kFromB = 1 << 7;
inline constexpr std::uint32_t kPoolShift = 8;        // 2 bits: Pooling
inline constexpr std::uint32_t kDimensionShift = 10;  // 2 bits: ReducedDimension
inline constexpr std::uint32_t kCopyShift = 13;       // 2 bits: Copy

/// Calls that copy tiles to Dst.
enum class Copy : std::uint8_t { plain, transposes, tilizes, untilizes };

// Flags of gather. Words: tile of Dst, and those of the step.
inline constexpr std::uint32_t kStatisticsMask = 0xFF;    // StatisticsStep
inline constexpr std::uint32_t kStatisticsFlag = 1 << 8;  // of the step

/// Flag of accumulate_rows: does not go on from the last row of the tile before.
inline constexpr std::uint32_t kIsFirst = 1 << 0;

// Flags of pack. Words: tile of Dst, address, format and buffer (from bit 8 on), tiles of a row of a matrix that is not
// tiled, threshold of relu.
inline constexpr std::uint32_t kAddsToL1 = 1 << 0;
inline constexpr std::uint32_t kUntilize = 1 << 1;
inline constexpr std::uint32_t kReluShift = 2;      // 2 bits: none, zero, minimum threshold, maximum threshold
inline constexpr std::uint32_t kByPacker = 1 << 4;  // the packer makes rows, not the unpacker

// Flags of set_formats: kUnpackA and kUnpackB in unpack, these in pack. Words: format (of B from bit 8 on).
inline constexpr std::uint32_t kPacksTiles = 1 << 0;
inline constexpr std::uint32_t kPacksRows = 1 << 1;

// Flags of functions of one tile.
inline constexpr std::uint32_t kOfOwnName = 1 << 0;  // the initialisation has the name of the call
inline constexpr std::uint32_t kInPack = 1 << 1;     // pack calls it, on the tiles that it has

// Flags of sort. Words: two tiles of values, two of indices, ColumnRuns, passes over the values.
inline constexpr std::uint32_t kIsAscending = 1 << 0;   // the first run
inline constexpr std::uint32_t kHasNoIndices = 1 << 1;  // the tiles of indices are those of values
inline constexpr std::uint32_t kTiesShift = 2;          // 2 bits: Ties
inline constexpr std::uint32_t kSortShift = 4;          // 2 bits: Sort

/// Calls that sort.
enum class Sort : std::uint8_t { local_sort, merge, rebuild };
constexpr Sort sort_of(const ComputeCommand& command) { return static_cast<Sort>(field(command.flags, kSortShift)); }

/// Flag of prepare: a call below the compute API.
inline constexpr std::uint32_t kBelow = 1 << 0;
// Words of prepare: operation and flags of the calls, number of a function of the vector unit.

// Words of configure.
inline constexpr std::uint32_t kWideDst = 1 << 0;   // 32 bits for each value
inline constexpr std::uint32_t kWholeDst = 1 << 1;  // not in halves
inline constexpr std::uint32_t kFidelityShift = 2;  // phases of a multiplication

}  // namespace nocbench
