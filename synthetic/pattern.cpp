#include "synthetic/pattern.h"

namespace nocbench::synthetic {

namespace {

/// Returns the tornado's distance in a ring: the longest distance at which one direction is the shorter one for all
/// sources.
int tornado_distance(int size) { return (size + 1) / 2 - 1; }

}  // namespace

int Pattern::destination(int source, RandomNumbers& random) const {
    const auto any = [&] { return static_cast<int>(random.below(static_cast<std::uint32_t>(shape_.size()))); };
    switch (kind_) {
        case PatternKind::uniform:
            return any();
        case PatternKind::hotspot:
            return random.below(100) < hotspot_.percent ? hotspot_.place : any();
        default:
            return fixed_destination(source);
    }
}

int Pattern::fixed_destination(int source) const {
    const int columns = shape_.columns;
    const int rows = shape_.rows;
    const int x = source % columns;
    const int y = source / columns;
    const auto shifted = [&](int along_x, int along_y) {
        return (y + along_y) % rows * columns + (x + along_x) % columns;
    };
    switch (kind_) {
        case PatternKind::transpose:
            // Transposing a non-square matrix changes its shape: returns the index in the transposed matrix, numbered
            // row by row.
            return x * rows + y;
        case PatternKind::bit_complement:
            return shape_.size() - 1 - source;
        case PatternKind::tornado:
            return shifted(tornado_distance(columns), tornado_distance(rows));
        case PatternKind::neighbour:
            return shifted(1, 1);
        case PatternKind::uniform:
        case PatternKind::hotspot:
            break;
    }
    return source;
}

}  // namespace nocbench::synthetic
