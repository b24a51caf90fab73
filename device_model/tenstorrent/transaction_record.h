// Conversion of NIU transactions to records for observers.
#pragma once

#include "device_model/sim/observers.h"

namespace nocbench {

struct Transaction;

TransactionRecord record_of(const Transaction& transaction);

}  // namespace nocbench
