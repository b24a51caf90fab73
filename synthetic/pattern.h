// Who sends to whom.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/frame/random_numbers.h"

namespace nocbench::synthetic {

/// Senders and receivers in columns and rows. Places are numbered row by row: y * columns + x.
struct Shape {
    int columns = 1;
    int rows = 1;

    [[nodiscard]] int size() const { return columns * rows; }
};

// The usual ones, as Dally and Towles define them ("Principles and Practices of Interconnection Networks", 2004, table
// 3.1), on columns and rows of any number.
enum class PatternKind : std::uint8_t {
    uniform,         // each packet to any place, the sender's own included, all equally likely
    transpose,       // from row y, column x to row x, column y
    bit_complement,  // to the opposite place: each bit of its number is inverted if columns and rows are powers of 2
    tornado,         // almost half of the way round, along both axes
    neighbour,       // one to the right and one down, round the edges
    hotspot,         // some packets to one and the same place, the others to any
};

inline constexpr std::array<std::string_view, 6> kPatternNames{"uniform", "transpose", "bit_complement",
                                                               "tornado", "neighbour", "hotspot"};

struct Hotspot {
    int place = 0;
    std::uint32_t percent = 0;  // of all packets
};

class Pattern {
public:
    /// `hotspot` is for the pattern of that name.
    Pattern(PatternKind kind, Shape shape, Hotspot hotspot = {}) : kind_(kind), shape_(shape), hotspot_(hotspot) {}

    /// Where the next packet from `source` goes to. Takes from `random` whatever it needs.
    int destination(int source, RandomNumbers& random) const;

    /// The same with random numbers of one's own: `share()` is from [0, 1), and `draw(n)` one of n numbers from 0 on.
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
