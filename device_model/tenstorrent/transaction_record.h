// What observers are told of a transaction of a NIU.
#pragma once

#include "device_model/sim/observers.h"

namespace nocbench {

struct Transaction;

/// Of a transaction that has ended.
TransactionRecord record_of(const Transaction& transaction);

}  // namespace nocbench
