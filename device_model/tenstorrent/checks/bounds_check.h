// Check of bounds: transfers that run over the end of a buffer or region of the program into what lies behind it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device_model/tenstorrent/checks/finding.h"
#include "device_model/tenstorrent/checks/named_range.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class Risc;

class BoundsCheck {
public:
    /// `ranges` do not overlap.
    explicit BoundsCheck(std::vector<NamedRange> ranges);

    void began(const Risc& risc, const Transaction& transaction);
    [[nodiscard]] std::vector<Finding> findings() const;

private:
    void require_within(const Risc& risc, const Transaction& transaction, NodeIndex node, std::uint64_t begin);

    std::vector<NamedRange> ranges_;                                     // by begin
    std::map<std::pair<std::uint32_t, std::string>, Finding> findings_;  // by program counter and text
};

}  // namespace nocbench
