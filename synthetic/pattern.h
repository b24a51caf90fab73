// Traffic patterns: destinations by source.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "device_model/sim/random_numbers.h"

namespace nocbench::synthetic {

/// Shape of the grid of senders and receivers, which are numbered row by row: y * columns + x.
struct Shape {
    int columns = 1;
    int rows = 1;

    [[nodiscard]] int size() const { return columns * rows; }
};

// Patterns as defined by Dally and Towles ("Principles and Practices of Interconnection Networks", 2004, table 3.1),
// generalized to any number of columns and rows.
enum class PatternKind : std::uint8_t {
    uniform,         // to any node with equal probability, including the sender's
    transpose,       // from row y, column x to row x, column y
    bit_complement,  // to the opposite node: inverts all bits of the index if columns and rows are powers of 2
    tornado,         // almost half of the ring along both axes
    neighbour,       // one column to the right and one row down, wrapping at edges
    hotspot,         // a share of the packets to one node, the rest uniform
};

inline constexpr std::array<std::string_view, 6> kPatternNames{"uniform", "transpose", "bit_complement",
                                                               "tornado", "neighbour", "hotspot"};

struct Hotspot {
    int place = 0;
    std::uint32_t percent = 0;  // share of all packets
};

class Pattern {
public:
    /// Uses `hotspot` only for the pattern of that name.
    Pattern(PatternKind kind, Shape shape, Hotspot hotspot = {}) : kind_(kind), shape_(shape), hotspot_(hotspot) {}

    /// Returns the destination of the next packet from `source`, drawing from `random` as needed.
    int destination(int source, RandomNumbers& random) const;

    /// Returns the destination of the next packet from `source`, with random numbers of the caller: `share()` from [0,
    /// 1), `draw(n)` from 0 to n - 1.
    template <class Share, class Draw>
    int destination(int source, const Share& share, const Draw& draw) const {
        if (kind_ == PatternKind::hotspot && share() < hotspot_.percent / 100.0) {
            return hotspot_.place;
        }
        const bool goes_anywhere = kind_ == PatternKind::hotspot || kind_ == PatternKind::uniform;
        return goes_anywhere ? draw(static_cast<std::uint64_t>(shape_.size())) : fixed_destination(source);
    }

private:
    [[nodiscard]] int fixed_destination(int source) const;

    PatternKind kind_;
    Shape shape_;
    Hotspot hotspot_;
};

}  // namespace nocbench::synthetic
