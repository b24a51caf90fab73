#include "nocbench/host/cores.h"

#include <numeric>

#include "nocbench/host/log.h"

namespace tt::tt_metal {

namespace {

/// Returns the cores of `range` that are not in `hole`, as up to four rectangles.
std::vector<CoreRange> without(const CoreRange& range, const CoreRange& hole) {
    const std::optional<CoreRange> common = range.intersection(hole);
    if (!common.has_value()) {
        return {range};
    }
    std::vector<CoreRange> rest;
    const auto& [low, high] = std::tie(range.start_coord, range.end_coord);
    const auto& [inner_low, inner_high] = std::tie(common->start_coord, common->end_coord);
    if (low.y < inner_low.y) {
        rest.push_back({low, {high.x, inner_low.y - 1}});
    }
    if (low.x < inner_low.x) {
        rest.push_back({{low.x, inner_low.y}, {inner_low.x - 1, inner_high.y}});
    }
    if (inner_high.x < high.x) {
        rest.push_back({{inner_high.x + 1, inner_low.y}, {high.x, inner_high.y}});
    }
    if (inner_high.y < high.y) {
        rest.push_back({{low.x, inner_high.y + 1}, high});
    }
    return rest;
}

std::vector<CoreCoord> cores_in_order(const CoreRange& range, bool row_wise) {
    std::vector<CoreCoord> cores(range.begin(), range.end());
    if (!row_wise) {
        std::ranges::stable_sort(cores, {}, &CoreCoord::x);
    }
    return cores;
}

std::vector<CoreCoord> first_cores(std::vector<CoreCoord> cores, std::uint32_t count, host::Caller caller) {
    host::require(count <= cores.size(), caller, "cannot place work on {} cores: there are {}", count, cores.size());
    cores.resize(count);
    return cores;
}

CoreRangeSet in_few_ranges(const std::vector<CoreCoord>& cores) {
    return CoreRangeSet(stl::Span<const CoreCoord>(cores)).merge_ranges();
}

WorkSplit split(const std::vector<CoreCoord>& cores, std::uint32_t units) {
    if (units == 0) {
        return {0, {}, {}, {}, 0, 0};
    }
    const auto num_cores = static_cast<std::uint32_t>(std::min<std::size_t>(cores.size(), units));
    const auto end = cores.begin() + num_cores;
    const CoreRangeSet all = in_few_ranges({cores.begin(), end});
    const std::uint32_t least = units / num_cores;
    const std::uint32_t num_with_more = units % num_cores;
    if (num_with_more == 0) {
        return {num_cores, all, all, {}, least, 0};
    }
    const auto middle = cores.begin() + num_with_more;
    return {num_cores, all, in_few_ranges({cores.begin(), middle}), in_few_ranges({middle, end}), least + 1, least};
}

}  // namespace

CoreRange::CoreRange(const CoreCoord& start, const CoreCoord& end, host::Caller caller)
    : start_coord(start), end_coord(end) {
    host::require(start.x <= end.x && start.y <= end.y, caller, "CoreRange: the end {} lies before the start {}", end,
                  start);
}

std::optional<CoreRange> CoreRange::intersection(const CoreRange& other) const {
    const CoreCoord low(std::max(start_coord.x, other.start_coord.x), std::max(start_coord.y, other.start_coord.y));
    const CoreCoord high(std::min(end_coord.x, other.end_coord.x), std::min(end_coord.y, other.end_coord.y));
    return low.x <= high.x && low.y <= high.y ? std::optional(CoreRange(low, high)) : std::nullopt;
}

bool CoreRange::adjacent(const CoreRange& other) const {
    const bool shares_rows = start_coord.y <= other.end_coord.y && other.start_coord.y <= end_coord.y;
    const bool shares_columns = start_coord.x <= other.end_coord.x && other.start_coord.x <= end_coord.x;
    return (shares_rows && (end_coord.x + 1 == other.start_coord.x || other.end_coord.x + 1 == start_coord.x)) ||
           (shares_columns && (end_coord.y + 1 == other.start_coord.y || other.end_coord.y + 1 == start_coord.y));
}

bool CoreRange::contains(const CoreCoord& core) const {
    return start_coord.x <= core.x && core.x <= end_coord.x && start_coord.y <= core.y && core.y <= end_coord.y;
}

bool CoreRange::contains(const CoreRange& other) const {
    return contains(other.start_coord) && contains(other.end_coord);
}

bool CoreRange::contains(const CoreRangeSet& other) const {
    return std::ranges::all_of(other.ranges(), [this](const CoreRange& range) { return contains(range); });
}

std::optional<CoreRange> CoreRange::merge(const CoreRange& other) const {
    const CoreRange both({std::min(start_coord.x, other.start_coord.x), std::min(start_coord.y, other.start_coord.y)},
                         {std::max(end_coord.x, other.end_coord.x), std::max(end_coord.y, other.end_coord.y)});
    const std::optional<CoreRange> common = intersection(other);
    const std::size_t size_of_common = common.has_value() ? common->size() : 0;
    return both.size() == size() + other.size() - size_of_common ? std::optional(both) : std::nullopt;
}

std::string CoreRange::str() const { return fmt::format("[{} - {}]", start_coord, end_coord); }

std::size_t CoreRange::size() const { return grid_size().x * grid_size().y; }

CoreCoord CoreRange::grid_size() const { return {end_coord.x - start_coord.x + 1, end_coord.y - start_coord.y + 1}; }

CoreRange::CoreIterator& CoreRange::CoreIterator::operator++() {
    if (++current_.x > range_->end_coord.x) {
        current_ = {range_->start_coord.x, current_.y + 1};
    }
    return *this;
}

CoreRangeSet::CoreRangeSet(std::vector<CoreRange> ranges, host::Caller caller) : ranges_(std::move(ranges)) {
    for (auto range = ranges_.begin(); range != ranges_.end(); ++range) {
        for (auto other = ranges_.begin(); other != range; ++other) {
            host::require(!range->intersects(*other), caller, "CoreRangeSet: {} and {} overlap", *other, *range);
        }
    }
}

CoreRangeSet::CoreRangeSet(stl::Span<const CoreCoord> cores)
    : CoreRangeSet(std::vector<CoreRange>(cores.begin(), cores.end())) {}

CoreRangeSet CoreRangeSet::merged_with(const std::vector<CoreRange>& more) const {
    CoreRangeSet all;
    all.ranges_ = ranges_;
    for (const CoreRange& range : more) {
        const CoreRangeSet added = CoreRangeSet(range).subtract(all);
        all.ranges_.insert(all.ranges_.end(), added.ranges_.begin(), added.ranges_.end());
    }
    std::vector<CoreRange>& ranges = all.ranges_;
    for (auto range = ranges.begin(); range != ranges.end();) {
        std::optional<CoreRange> merged;
        const auto other = std::find_if(std::next(range), ranges.end(), [&](const CoreRange& candidate) {
            merged = range->merge(candidate);
            return merged.has_value();
        });
        if (!merged.has_value()) {
            ++range;
        } else {  // the larger one may fit to an earlier one
            *range = *merged;
            ranges.erase(other);
            range = ranges.begin();
        }
    }
    std::ranges::sort(ranges);
    return all;
}

CoreRangeSet CoreRangeSet::intersection(const CoreRangeSet& other) const {
    CoreRangeSet common;
    for (const CoreRange& range : ranges_) {
        for (const CoreRange& its : other.ranges_) {
            if (const std::optional<CoreRange> both = range.intersection(its); both.has_value()) {
                common.ranges_.push_back(*both);
            }
        }
    }
    return common;
}

bool CoreRangeSet::contains(const CoreCoord& core) const {
    return std::ranges::any_of(ranges_, [&](const CoreRange& range) { return range.contains(core); });
}

bool CoreRangeSet::contains(const CoreRange& range) const { return contains(CoreRangeSet(range)); }

bool CoreRangeSet::contains(const CoreRangeSet& other) const { return other.subtract(*this).empty(); }

CoreRangeSet CoreRangeSet::subtract(const CoreRangeSet& other) const {
    CoreRangeSet rest = *this;
    for (const CoreRange& hole : other.ranges_) {
        std::vector<CoreRange> next;
        for (const CoreRange& range : rest.ranges_) {
            const std::vector<CoreRange> parts = without(range, hole);
            next.insert(next.end(), parts.begin(), parts.end());
        }
        rest.ranges_ = std::move(next);
    }
    return rest;
}

std::string CoreRangeSet::str() const {
    std::string text;
    for (const CoreRange& range : ranges_) {
        text += (text.empty() ? "" : ", ") + range.str();
    }
    return "{" + text + "}";
}

std::uint32_t CoreRangeSet::num_cores() const {
    return static_cast<std::uint32_t>(
        std::accumulate(ranges_.begin(), ranges_.end(), std::size_t{0},
                        [](std::size_t sum, const CoreRange& range) { return sum + range.size(); }));
}

CoreRange CoreRangeSet::bounding_box(host::Caller caller) const {
    host::require(!ranges_.empty(), caller, "CoreRangeSet: an empty set has no bounding box");
    CoreRange box = ranges_.front();
    for (const CoreRange& range : ranges_) {
        box = CoreRange(
            {std::min(box.start_coord.x, range.start_coord.x), std::min(box.start_coord.y, range.start_coord.y)},
            {std::max(box.end_coord.x, range.end_coord.x), std::max(box.end_coord.y, range.end_coord.y)});
    }
    return box;
}

bool CoreRangeSet::operator==(const CoreRangeSet& other) const { return contains(other) && other.contains(*this); }

std::vector<CoreCoord> grid_to_cores(std::uint32_t num_cores, std::uint32_t grid_size_x, std::uint32_t grid_size_y,
                                     bool row_wise, host::Caller caller) {
    return first_cores(grid_to_cores({0, 0}, {grid_size_x - 1, grid_size_y - 1}, row_wise), num_cores, caller);
}

std::vector<CoreCoord> grid_to_cores(CoreCoord start, CoreCoord end, bool row_wise) {
    return cores_in_order({start, end}, row_wise);
}

std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet& cores, std::optional<std::uint32_t> max_cores,
                                          bool row_wise) {
    std::vector<CoreCoord> all;
    for (const CoreRange& range : cores.ranges()) {
        const std::vector<CoreCoord> its = cores_in_order(range, row_wise);
        all.insert(all.end(), its.begin(), its.end());
    }
    if (max_cores.has_value() && *max_cores < all.size()) {
        all.resize(*max_cores);
    }
    return all;
}

CoreRangeSet select_from_corerangeset(const CoreRangeSet& cores, std::uint32_t start_index, std::uint32_t end_index,
                                      bool row_wise, host::Caller caller) {
    const std::vector<CoreCoord> all = corerange_to_cores(cores, {}, row_wise);
    host::require(start_index <= end_index && end_index < all.size(), caller,
                  "expected indices of {} cores, found {} to {}", all.size(), start_index, end_index);
    return in_few_ranges({all.begin() + start_index, all.begin() + end_index + 1});
}

CoreRangeSet num_cores_to_corerangeset(CoreCoord start_core, std::uint32_t target_num_cores, CoreCoord grid_size,
                                       bool row_wise, host::Caller caller) {
    return num_cores_to_corerangeset_in_subcoregrids(
        start_core, target_num_cores, CoreRangeSet(CoreRange({0, 0}, {grid_size.x - 1, grid_size.y - 1})), row_wise,
        caller);
}

CoreRangeSet num_cores_to_corerangeset(std::uint32_t target_num_cores, CoreCoord grid_size, bool row_wise,
                                       host::Caller caller) {
    return num_cores_to_corerangeset({0, 0}, target_num_cores, grid_size, row_wise, caller);
}

CoreRangeSet num_cores_to_corerangeset_in_subcoregrids(CoreCoord start_core, std::uint32_t target_num_cores,
                                                       const CoreRangeSet& sub_core_grids, bool row_wise,
                                                       host::Caller caller) {
    const std::vector<CoreCoord> all = corerange_to_cores(sub_core_grids, {}, row_wise);
    const auto start = std::ranges::find(all, start_core);
    host::require(start != all.end(), caller, "the start {} is not in {}", start_core, sub_core_grids);
    return in_few_ranges(first_cores({start, all.end()}, target_num_cores, caller));
}

WorkSplit split_work_to_cores(CoreCoord grid_size, std::uint32_t units_to_divide, bool row_wise) {
    return split(grid_to_cores({0, 0}, {grid_size.x - 1, grid_size.y - 1}, row_wise), units_to_divide);
}

WorkSplit split_work_to_cores(const CoreRangeSet& core_grid, std::uint32_t units_to_divide, bool row_wise) {
    return split(corerange_to_cores(core_grid, {}, row_wise), units_to_divide);
}

}  // namespace tt::tt_metal
