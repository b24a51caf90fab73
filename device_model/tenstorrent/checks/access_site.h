// The place of an access in its program.
#pragma once

#include "device_model/tenstorrent/checks/finding.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class Risc;

/// Returns the present instruction of a RISC as an access of a kind.
AccessSite site_of(const Risc& risc, AccessKind kind);
/// Returns the present instruction of a RISC as that which begins a transaction.
AccessSite site_of(const Risc& risc, const Transaction& transaction);

}  // namespace nocbench
