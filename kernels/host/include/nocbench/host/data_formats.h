// Names of chips, data formats, RISCs and memories, and sizes of tiles. Names follow tt-metal, release 0.66.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "nocbench/host/formatting.h"
#include "nocbench/host/log.h"

#pragma GCC visibility push(default)

using DeviceAddr = std::uint64_t;

namespace tt {

enum class ARCH : std::uint8_t { Invalid = 0, GRAYSKULL = 1, WORMHOLE_B0 = 2, BLACKHOLE = 3, QUASAR = 4 };

/// Throws for other names than those of chips, such as "wormhole_b0".
ARCH get_arch_from_string(const std::string& name);
std::string arch_to_str(ARCH arch);
inline std::string get_string(ARCH arch) { return arch_to_str(arch); }
inline std::string get_string_lowercase(ARCH arch) { return arch_to_str(arch); }

/// Numbers as in the headers of kernels.
enum class DataFormat : std::uint8_t {
    Float32 = 0,
    Float16 = 1,
    Bfp8 = 2,
    Bfp4 = 3,
    Tf32 = 4,
    Float16_b = 5,
    Bfp8_b = 6,
    Bfp4_b = 7,
    Int32 = 8,
    UInt16 = 9,
    Lf8 = 10,
    Bfp2 = 11,
    Int8 = 14,
    Bfp2_b = 15,
    UInt32 = 24,
    Fp8_e4m3 = 26,
    UInt8 = 30,
    RawUInt8 = 0xF0,
    RawUInt16 = 0xF1,
    RawUInt32 = 0xF2,
    Invalid = 0xFF,
};

/// Returns the bytes of a tile of 32 x 32 values.
std::uint32_t tile_size(DataFormat format);
/// Returns the bytes of a value. Throws for formats with exponents that several values share.
std::uint32_t datum_size(DataFormat format);

// clang-format off
enum CBIndex : std::uint8_t {
    c_0, c_1, c_2, c_3, c_4, c_5, c_6, c_7, c_8, c_9, c_10, c_11, c_12, c_13, c_14, c_15,
    c_16, c_17, c_18, c_19, c_20, c_21, c_22, c_23, c_24, c_25, c_26, c_27, c_28, c_29, c_30, c_31,
    SIZE
};
/// Circular buffers named by their usual contents, as in releases before CBIndex.
enum CB : std::uint8_t {
    c_in0, c_in1, c_in2, c_in3, c_in4, c_in5, c_in6, c_in7,
    dataflow0, dataflow1, dataflow2, dataflow3, dataflow4, dataflow5, dataflow6, dataflow7,
    c_out0, c_out1, c_out2, c_out3, c_out4, c_out5, c_out6, c_out7,
    c_intermed0, c_intermed1, c_intermed2, c_intermed3, c_intermed4, c_intermed5, c_intermed6, c_intermed7
};
// clang-format on

namespace constants {

inline constexpr std::uint32_t TILE_HEIGHT = 32;
inline constexpr std::uint32_t TILE_WIDTH = 32;
inline constexpr std::uint32_t TILE_HW = TILE_WIDTH * TILE_HEIGHT;
inline constexpr std::uint32_t FACE_HEIGHT = 16;
inline constexpr std::uint32_t FACE_WIDTH = 16;
inline constexpr std::uint32_t FACE_HW = FACE_WIDTH * FACE_HEIGHT;

}  // namespace constants

template <typename A, typename B>
constexpr auto div_up(A value, B divisor) {
    return (value + divisor - 1) / divisor;
}
template <typename A, typename B>
constexpr auto round_up(A value, B multiple) {
    return div_up(value, multiple) * multiple;
}
template <typename A, typename B>
constexpr auto round_down(A value, B multiple) {
    return value / multiple * multiple;
}
template <typename A>
constexpr A align(A address, std::uint64_t alignment) {
    return static_cast<A>(round_up(static_cast<std::uint64_t>(address), alignment));
}

}  // namespace tt

enum class CoreType : std::uint8_t { WORKER = 0, TENSIX = 0, ETH = 1, DRAM = 2, PCIE = 3 };
enum class CoordSystem : std::uint8_t { LOGICAL = 0, TRANSLATED = 1, VIRTUAL = 1 };

enum class MathFidelity : std::uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4, Invalid = 0xFF };

inline constexpr std::size_t DEFAULT_L1_SMALL_SIZE = 0;
inline constexpr std::size_t DEFAULT_TRACE_REGION_SIZE = 0;
inline constexpr std::size_t DEFAULT_WORKER_L1_SIZE = 0;
inline constexpr std::uint32_t NUM_CIRCULAR_BUFFERS = 32;
/// Words of run-time arguments of a kernel on a core, common ones included: since 2026; 256 before.
inline constexpr std::uint32_t max_runtime_args = 341;

namespace tt::tt_metal {

using ::DeviceAddr;
using ChipId = int;
using chip_id_t = int;
using tt::ARCH;
using tt::DataFormat;

enum class BufferType : std::uint8_t { DRAM, L1, SYSTEM_MEMORY, L1_SMALL, TRACE };
enum class TensorMemoryLayout : std::uint8_t {
    INTERLEAVED = 0,
    HEIGHT_SHARDED = 2,
    WIDTH_SHARDED = 3,
    BLOCK_SHARDED = 4,
    ND_SHARDED = 5
};
enum class ShardOrientation : std::uint8_t { ROW_MAJOR, COL_MAJOR };
enum class ShardDistributionStrategy : std::uint8_t { ROUND_ROBIN_1D, GRID_2D };

enum class DataMovementProcessor : std::uint8_t { RISCV_0 = 0, RISCV_1 = 1 };
enum NOC : std::uint8_t {
    RISCV_0_default = 0,
    RISCV_1_default = 1,
    NOC_0 = 0,
    NOC_1 = 1,
    PREFERRED_DRAM_READ = 0,
    PREFERRED_DRAM_WRITE = 1
};
enum NOC_MODE : std::uint8_t { DM_DEDICATED_NOC = 0, DM_DYNAMIC_NOC = 1 };
enum class Eth : std::uint8_t { SENDER, RECEIVER, RISCV_0, RISCV_1, IDLE };
enum class UnpackToDestMode : std::uint8_t { Default, UnpackToDestFp32 };
enum class KernelBuildOptLevel : std::uint8_t { O1, O2, O3, O0, Os, Ofast, Oz };

enum class HalL1MemAddrType : std::uint8_t { BASE, KERNEL_CONFIG, UNRESERVED, DEFAULT_UNRESERVED };
enum class HalDramMemAddrType : std::uint8_t { BARRIER, PROFILER, UNRESERVED };
enum class HalMemType : std::uint8_t { L1, DRAM, HOST };
enum class HalProgrammableCoreType : std::uint8_t { TENSIX, ACTIVE_ETH, IDLE_ETH };

/// Shape of a tile and of its faces.
struct Tile {
    Tile(std::array<std::uint32_t, 2> shape = {constants::TILE_HEIGHT, constants::TILE_WIDTH}) : shape_(shape) {}
    [[nodiscard]] std::uint32_t get_height() const { return shape_[0]; }
    [[nodiscard]] std::uint32_t get_width() const { return shape_[1]; }
    [[nodiscard]] std::uint32_t get_tile_hw() const { return shape_[0] * shape_[1]; }
    [[nodiscard]] std::array<std::uint32_t, 2> get_tile_shape() const { return shape_; }
    [[nodiscard]] std::uint32_t get_tile_size(DataFormat format) const {
        return tile_size(format) * get_tile_hw() / constants::TILE_HW;
    }

private:
    std::array<std::uint32_t, 2> shape_;
};

}  // namespace tt::tt_metal

/// Enumerations are printed as their numbers.
template <typename T>
    requires(std::is_enum_v<T> &&
             (std::is_same_v<T, tt::ARCH> || std::is_same_v<T, tt::DataFormat> || std::is_same_v<T, MathFidelity> ||
              std::is_same_v<T, tt::tt_metal::BufferType> || std::is_same_v<T, tt::tt_metal::TensorMemoryLayout> ||
              std::is_same_v<T, tt::tt_metal::ShardOrientation>))
struct fmt::formatter<T> : tt::host::FormattedAs {
    template <typename Context>
    auto format(T value, Context& context) const {
        return write(static_cast<int>(value), context);
    }
};

#pragma GCC visibility pop
