#include "device_model/tenstorrent/checks/vector_clock.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace nocbench {

std::uint32_t VectorClock::at(Strand strand) const {
    const auto found = std::ranges::lower_bound(times_, strand, {}, &StrandTime::strand);
    return found != times_.end() && found->strand == strand ? found->time : 0;
}

bool VectorClock::includes(const VectorClock& other) const {
    return times_.size() >= other.times_.size() &&
           std::ranges::all_of(other.times_, [this](const StrandTime& step) { return knows(step); });
}

VectorClock::Pointer VectorClock::joined(const Pointer& one, const Pointer& other) {
    if (one == other || one->includes(*other)) {
        return one;
    }
    std::vector<StrandTime> times;
    times.reserve(one->times_.size() + other->times_.size());
    std::ranges::merge(one->times_, other->times_, std::back_inserter(times), {}, &StrandTime::strand,
                       &StrandTime::strand);
    const auto same = [](StrandTime& left, const StrandTime& right) {
        if (left.strand != right.strand) {
            return false;
        }
        left.time = std::max(left.time, right.time);
        return true;
    };
    std::size_t kept = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        if (!same(times[kept], times[i])) {
            times[++kept] = times[i];
        }
    }
    times.resize(std::min(times.size(), kept + 1));
    return Pointer(new VectorClock(std::move(times)));
}

VectorClock::Pointer VectorClock::with(const Pointer& clock, std::span<const StrandTime> steps) {
    if (std::ranges::all_of(steps, [&](const StrandTime& step) { return clock->knows(step); })) {
        return clock;
    }
    std::vector<StrandTime> times(steps.begin(), steps.end());
    std::ranges::sort(times, {}, &StrandTime::strand);
    return joined(clock, Pointer(new VectorClock(std::move(times))));
}

VectorClock::Pointer with_moment(const VectorClock::Pointer& clock, const Moment& moment, StrandTime path) {
    const std::array steps{moment.own, path};
    return VectorClock::with(VectorClock::joined(clock, moment.clock), std::span(steps).first(path.time != 0 ? 2 : 1));
}

}  // namespace nocbench
