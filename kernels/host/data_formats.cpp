#include "nocbench/host/data_formats.h"

#include <array>
#include <utility>

namespace tt {

namespace {

constexpr std::array kArchitectures{std::pair{"wormhole_b0", ARCH::WORMHOLE_B0},
                                    std::pair{"blackhole", ARCH::BLACKHOLE}, std::pair{"quasar", ARCH::QUASAR}};

}  // namespace

ARCH get_arch_from_string(const std::string& name) {
    for (const auto& [known, arch] : kArchitectures) {
        if (name == known) {
            return arch;
        }
    }
    TT_THROW("expected wormhole_b0, blackhole or quasar, found {}", name);
}

std::string arch_to_str(ARCH arch) {
    for (const auto& [name, known] : kArchitectures) {
        if (arch == known) {
            return name;
        }
    }
    return "invalid";
}

std::uint32_t datum_size(DataFormat format) {
    switch (format) {
        case DataFormat::Float32:
        case DataFormat::Tf32:
        case DataFormat::Int32:
        case DataFormat::UInt32:
        case DataFormat::RawUInt32:
            return 4;
        case DataFormat::Float16:
        case DataFormat::Float16_b:
        case DataFormat::UInt16:
        case DataFormat::RawUInt16:
            return 2;
        case DataFormat::Lf8:
        case DataFormat::Int8:
        case DataFormat::UInt8:
        case DataFormat::Fp8_e4m3:
        case DataFormat::RawUInt8:
            return 1;
        default:
            TT_THROW("values of data format {} have no size of their own", static_cast<int>(format));
    }
}

std::uint32_t tile_size(DataFormat format) {
    constexpr std::uint32_t kValuesPerExponent = 16;
    constexpr std::uint32_t kExponents = constants::TILE_HW / kValuesPerExponent;
    switch (format) {
        case DataFormat::Bfp8:
        case DataFormat::Bfp8_b:
            return constants::TILE_HW + kExponents;
        case DataFormat::Bfp4:
        case DataFormat::Bfp4_b:
            return constants::TILE_HW / 2 + kExponents;
        case DataFormat::Bfp2:
        case DataFormat::Bfp2_b:
            return constants::TILE_HW / 4 + kExponents;
        default:
            return datum_size(format) * constants::TILE_HW;
    }
}

}  // namespace tt
