// Check of counts: receivers of multicasts, transactions that are open at the end, pages of circular buffers,
// semaphores that the next launch finds, and the channels by which DRAM is used.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/checks/finding.h"
#include "device_model/tenstorrent/checks/named_range.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class Risc;
struct DeviceState;

class SyncCheck {
public:
    /// `kept_words`: words that must be at the end of all programs what they are at the beginning.
    SyncCheck(DeviceState& state, std::vector<NamedRange> kept_words)
        : state_(state), kept_words_(std::move(kept_words)) {}

    /// Returns a count that the program keeps of answers it expects on a NoC: of writes, or of atomics.
    using Expected = std::function<std::optional<std::uint32_t>(TransactionKind, int noc)>;

    /// Reports the start of a compiled program. Until its end, `expected` is called for the answers that it expects.
    void runs(const Risc& risc, std::function<std::string(std::uint32_t)> where, Expected expected);
    /// Reports the present call of a RISC.
    void misuses(const Risc& risc, std::string text);
    void began(const Risc& risc, const Transaction& transaction);
    void ends(const Risc& risc);
    /// Reports transactions that a compiled program has not waited for, of which `first` is the first.
    void ends_with(const Risc& risc, const Transaction& first, std::string text);

    /// Returns all findings, also about programs that wait forever, and, once all have ended, about circular buffers
    /// that hold pages and kept words that have changed.
    std::vector<Finding> findings();

private:
    struct Answers {
        std::uint32_t count = 0;
        std::optional<AccessSite> multicast;  // the last one
    };
    struct Use {
        std::set<std::pair<NodeIndex, std::uint8_t>> channels;  // endpoints and virtual channels
        bool is_reported = false;
    };

    void check_answers(std::uint32_t risc, const Expected& expected);
    void check_buffers();
    void check_kept_words();
    void check_channels(const Transaction& transaction, const AccessSite& site);
    [[nodiscard]] std::uint32_t word_at(NodeIndex node, std::uint64_t address) const;
    /// Returns a RISC of a tile, as the place of a finding without a source line.
    [[nodiscard]] AccessSite site_on(NodeIndex node) const;
    void add(std::string text, const AccessSite& site);

    DeviceState& state_;
    std::vector<NamedRange> kept_words_;
    std::map<std::pair<NodeIndex, std::size_t>, std::uint32_t> words_at_begin_;  // by tile and place in kept_words_
    std::map<std::uint32_t, std::function<std::string(std::uint32_t)>> where_;   // by RISC
    std::map<std::uint32_t, Expected> running_;                                  // by RISC
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> callers_;   // by RISC and instruction of a command
    std::map<std::pair<std::uint32_t, int>, std::array<Answers, 2>> answers_;    // by RISC and NoC: writes, atomics
    std::map<std::uint32_t, Use> uses_;                                          // by DRAM bank
    std::vector<Finding> findings_;
};

}  // namespace nocbench
