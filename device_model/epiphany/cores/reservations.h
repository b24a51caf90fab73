// Parts of an Epiphany machine that a copy has to itself: any other use of them is announced to their holder.
#pragma once

#include "device_model/sim/ids.h"

namespace nocbench {

class ReservationHolder {
public:
    virtual ~ReservationHolder() = default;
    /// Ends the reservations of the copy by the core at `copier`, if it has any: something else is about to use them.
    virtual void disturb(NodeIndex copier) = 0;
};

}  // namespace nocbench
