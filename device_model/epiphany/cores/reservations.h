// Parts of an Epiphany machine that a copy counts on: their holder is told before anything else uses them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_model/sim/ids.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class ReservationHolder {
public:
    virtual ~ReservationHolder() = default;
    /// Ends the reservations of the copy by the core at `copier`, if it has any.
    virtual void disturb(NodeIndex copier) = 0;
};

/// Elements of a core's memory, one after the other, to be accessed at equal intervals.
struct MemoryReservation {
    NodeIndex holder = 0;
    bool is_written = false;
    std::uint64_t begin = 0;  // offset of the first element
    std::uint64_t element_bytes = 0;
    std::uint32_t count = 0;
    Tick first = 0;  // time of the first access
    Tick period = 0;
    Tick busy = 0;  // the time for which an access takes its bank

    [[nodiscard]] std::uint64_t end() const { return begin + count * element_bytes; }
    [[nodiscard]] std::uint64_t offset(std::uint32_t element) const { return begin + element * element_bytes; }
    [[nodiscard]] Tick access(std::uint32_t element) const { return first + element * period; }
    [[nodiscard]] bool overlaps(std::uint64_t other_begin, std::uint64_t other_end) const {
        return begin < other_end && other_begin < end();
    }
};

}  // namespace nocbench
