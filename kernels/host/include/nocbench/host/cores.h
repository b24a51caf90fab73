// Cores of a chip by their coordinates, rectangles and sets of them. Names follow tt-metal, release 0.66.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "nocbench/host/formatting.h"
#include "nocbench/host/log.h"

#pragma GCC visibility push(default)

namespace tt::stl {

/// A std::span that also takes a temporary list of constants.
template <typename T>
class Span : public std::span<T> {
public:
    using std::span<T>::span;
    Span(std::span<T> other) : std::span<T>(other) {}
    Span(std::initializer_list<std::remove_cv_t<T>> list)
        requires std::is_const_v<T>
        : std::span<T>(list.begin(), list.size()) {}
};

}  // namespace tt::stl

namespace stl = tt::stl;
namespace ttsl = tt::stl;

namespace tt::tt_metal {

struct CoreCoord {
    std::size_t x = 0;
    std::size_t y = 0;

    constexpr CoreCoord() = default;
    constexpr CoreCoord(std::size_t x_, std::size_t y_) : x(x_), y(y_) {}
    constexpr auto operator<=>(const CoreCoord&) const = default;
    [[nodiscard]] std::string str() const { return fmt::format("(x={},y={})", x, y); }
};

class CoreRangeSet;

/// Rectangle of cores, both corners included.
class CoreRange {
public:
    CoreCoord start_coord;
    CoreCoord end_coord;

    CoreRange(const CoreCoord& point) : start_coord(point), end_coord(point) {}
    /// Throws if a corner is on the wrong side of the other one.
    CoreRange(const CoreCoord& start, const CoreCoord& end, host::Caller caller = host::Caller::current());

    [[nodiscard]] bool intersects(const CoreRange& other) const { return intersection(other).has_value(); }
    [[nodiscard]] std::optional<CoreRange> intersection(const CoreRange& other) const;
    /// True if they share a side, or a part of one.
    [[nodiscard]] bool adjacent(const CoreRange& other) const;
    [[nodiscard]] bool contains(const CoreCoord& core) const;
    [[nodiscard]] bool contains(const CoreRange& other) const;
    [[nodiscard]] bool contains(const CoreRangeSet& other) const;
    /// Returns the rectangle of both, if they form one.
    [[nodiscard]] std::optional<CoreRange> merge(const CoreRange& other) const;
    [[nodiscard]] std::string str() const;
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] CoreCoord grid_size() const;

    /// Walks row by row.
    class CoreIterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = CoreCoord;
        using difference_type = std::ptrdiff_t;
        using pointer = const CoreCoord*;
        using reference = const CoreCoord&;

        CoreIterator(const CoreCoord& current, const CoreRange& range) : current_(current), range_(&range) {}
        const CoreCoord& operator*() const { return current_; }
        CoreIterator& operator++();
        bool operator==(const CoreIterator& other) const { return current_ == other.current_; }

    private:
        CoreCoord current_;
        const CoreRange* range_;
    };
    [[nodiscard]] CoreIterator begin() const { return {start_coord, *this}; }
    [[nodiscard]] CoreIterator end() const { return {{start_coord.x, end_coord.y + 1}, *this}; }

    constexpr auto operator<=>(const CoreRange&) const = default;
};

/// Rectangles that do not overlap.
class CoreRangeSet {
public:
    CoreRangeSet() = default;
    /// These throw if rectangles overlap.
    CoreRangeSet(std::vector<CoreRange> ranges, host::Caller caller = host::Caller::current());
    CoreRangeSet(stl::Span<const CoreRange> ranges, host::Caller caller = host::Caller::current())
        : CoreRangeSet(std::vector(ranges.begin(), ranges.end()), caller) {}
    CoreRangeSet(const std::set<CoreRange>& ranges, host::Caller caller = host::Caller::current())
        : CoreRangeSet(std::vector(ranges.begin(), ranges.end()), caller) {}
    CoreRangeSet(std::initializer_list<CoreRange> ranges, host::Caller caller = host::Caller::current())
        : CoreRangeSet(std::vector(ranges), caller) {}
    CoreRangeSet(const CoreRange& range) : ranges_{range} {}
    explicit CoreRangeSet(const CoreCoord& core) : ranges_{CoreRange(core)} {}
    CoreRangeSet(stl::Span<const CoreCoord> cores);

    [[nodiscard]] bool empty() const { return ranges_.empty(); }
    [[nodiscard]] std::size_t size() const { return ranges_.size(); }
    /// Returns the cores of both, in few rectangles. T: CoreRange, CoreRangeSet, or a container of CoreRange.
    template <typename T>
    [[nodiscard]] CoreRangeSet merge(const T& other) const {
        if constexpr (std::is_same_v<T, CoreRangeSet>) {
            return merged_with(other.ranges_);
        } else if constexpr (std::is_convertible_v<T, CoreRange>) {
            return merged_with({CoreRange(other)});
        } else {
            return merged_with({other.begin(), other.end()});
        }
    }
    [[nodiscard]] CoreRangeSet merge_ranges() const { return merged_with({}); }
    [[nodiscard]] bool intersects(const CoreCoord& core) const { return contains(core); }
    [[nodiscard]] bool intersects(const CoreRange& range) const { return intersects(CoreRangeSet(range)); }
    [[nodiscard]] bool intersects(const CoreRangeSet& other) const { return !intersection(other).empty(); }
    [[nodiscard]] CoreRangeSet intersection(const CoreRangeSet& other) const;
    [[nodiscard]] bool contains(const CoreCoord& core) const;
    [[nodiscard]] bool contains(const CoreRange& range) const;
    [[nodiscard]] bool contains(const CoreRangeSet& other) const;
    [[nodiscard]] CoreRangeSet subtract(const CoreRangeSet& other) const;
    [[nodiscard]] const std::vector<CoreRange>& ranges() const { return ranges_; }
    [[nodiscard]] std::string str() const;
    [[nodiscard]] std::uint32_t num_cores() const;
    /// Throws if the set is empty.
    [[nodiscard]] CoreRange bounding_box(host::Caller caller = host::Caller::current()) const;

    /// True if both have the same cores.
    bool operator==(const CoreRangeSet& other) const;

private:
    [[nodiscard]] CoreRangeSet merged_with(const std::vector<CoreRange>& more) const;

    std::vector<CoreRange> ranges_;
};

// Lists of cores, column by column, or `row_wise`.

std::vector<CoreCoord> grid_to_cores(std::uint32_t num_cores, std::uint32_t grid_size_x, std::uint32_t grid_size_y,
                                     bool row_wise = false, host::Caller caller = host::Caller::current());
std::vector<CoreCoord> grid_to_cores(CoreCoord start, CoreCoord end, bool row_wise = false);
std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet& cores, std::optional<std::uint32_t> max_cores = {},
                                          bool row_wise = false);
/// Returns the cores from `start_index` to `end_index`, both included, of this list.
CoreRangeSet select_from_corerangeset(const CoreRangeSet& cores, std::uint32_t start_index, std::uint32_t end_index,
                                      bool row_wise = false, host::Caller caller = host::Caller::current());

/// Returns the first `target_num_cores` of a grid, from `start_core` on. Throws if the grid has fewer.
CoreRangeSet num_cores_to_corerangeset(CoreCoord start_core, std::uint32_t target_num_cores, CoreCoord grid_size,
                                       bool row_wise = false, host::Caller caller = host::Caller::current());
CoreRangeSet num_cores_to_corerangeset(std::uint32_t target_num_cores, CoreCoord grid_size, bool row_wise = false,
                                       host::Caller caller = host::Caller::current());
CoreRangeSet num_cores_to_corerangeset_in_subcoregrids(CoreCoord start_core, std::uint32_t target_num_cores,
                                                       const CoreRangeSet& sub_core_grids, bool row_wise = false,
                                                       host::Caller caller = host::Caller::current());

/// Number of cores, all of them, those of the two groups, and the units of a core of each.
using WorkSplit = std::tuple<std::uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet, std::uint32_t, std::uint32_t>;
/// Divides units of work among cores: those of the first group have one unit more than those of the second.
WorkSplit split_work_to_cores(CoreCoord grid_size, std::uint32_t units_to_divide, bool row_wise = false);
WorkSplit split_work_to_cores(const CoreRangeSet& core_grid, std::uint32_t units_to_divide, bool row_wise = false);

}  // namespace tt::tt_metal

using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
using tt_xy_pair = CoreCoord;  // the name before 2026

template <typename T>
    requires(std::is_same_v<T, tt::tt_metal::CoreCoord> || std::is_same_v<T, tt::tt_metal::CoreRange> ||
             std::is_same_v<T, tt::tt_metal::CoreRangeSet>)
struct fmt::formatter<T> : tt::host::FormattedAs {
    template <typename Context>
    auto format(const T& cores, Context& context) const {
        return write(cores.str(), context);
    }
};

template <>
struct std::hash<tt::tt_metal::CoreCoord> {
    std::size_t operator()(const tt::tt_metal::CoreCoord& core) const noexcept {
        constexpr unsigned kBitsOfY = 16;
        return core.x << kBitsOfY ^ core.y;
    }
};

#pragma GCC visibility pop
