// Conversion of NIU transactions to records for observers.
#pragma once

#include "device_model/sim/observers.h"

namespace nocbench {

struct Transaction;

/// Returns the record of a finished transaction.
TransactionRecord record_of(const Transaction& transaction);

}  // namespace nocbench
