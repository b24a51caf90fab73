#include "device_model/tenstorrent/checks/sync_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "device_model/tenstorrent/checks/access_site.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/tile_bus.h"

namespace nocbench {

void SyncCheck::runs(const Risc& risc, std::function<std::string(std::uint32_t)> where, Expected expected) {
    if (where_.empty()) {  // before the first instruction of a kernel
        for (const auto& one : state_.riscs) {
            for (std::size_t index = 0; index < kept_words_.size(); ++index) {
                const NodeIndex node = one->identity().node;
                words_at_begin_[{node, index}] = word_at(node, kept_words_[index].begin);
            }
        }
    }
    where_[risc.identity().index] = std::move(where);
    running_[risc.identity().index] = std::move(expected);
}

void SyncCheck::misuses(const Risc& risc, std::string text) { add(std::move(text), site_of(risc, AccessKind::call)); }

void SyncCheck::began(const Risc& risc, const Transaction& transaction) {
    if (!where_.contains(risc.identity().index)) {
        return;  // a native kernel
    }
    const AccessSite site = site_of(risc, transaction);
    callers_[{site.risc, site.program_counter}] = site.return_address;
    if (transaction.memory == MemoryKind::dram) {
        check_channels(transaction, site);
    }
    if (transaction.posted || transaction.kind == TransactionKind::read) {
        return;
    }
    Answers& answers = answers_[{risc.identity().index, transaction.noc}]
                               [transaction.kind == TransactionKind::atomic_increment ? 1 : 0];
    answers.count += site.is_multicast ? transaction.num_receivers : 1;
    if (site.is_multicast) {
        answers.multicast = site;
    }
}

void SyncCheck::check_channels(const Transaction& transaction, const AccessSite& site) {
    // Source: public reports of hangs of Blackhole's GDDR, facts of 2026: a bank may be used through one endpoint and
    // one virtual channel, or through both endpoints with one fixed virtual channel each.
    if (state_.architecture.root != "blackhole") {
        return;
    }
    Use& use = uses_[state_.controller(transaction.responder, transaction.responder_address)];
    use.channels.emplace(transaction.responder, transaction.software_virtual_channel);
    std::set<NodeIndex> endpoints;
    for (const auto& [endpoint, channel] : use.channels) {
        endpoints.insert(endpoint);
    }
    if (endpoints.size() > 1 && use.channels.size() > endpoints.size() && !use.is_reported) {
        use.is_reported = true;
        add("a bank of DRAM is used through several endpoints and several virtual channels of one of them, by which "
            "the GDDR of a card may hang: expected one virtual channel for each endpoint",
            site);
    }
}

void SyncCheck::ends(const Risc& risc) {
    const auto found = running_.find(risc.identity().index);
    check_answers(found->first, found->second);
    running_.erase(found);
}

void SyncCheck::ends_with(const Risc& risc, const Transaction& first, std::string text) {
    AccessSite site = site_of(risc, first);  // not of the present instruction
    site.program_counter = first.issued_from;
    site.return_address = callers_.at({site.risc, site.program_counter});
    site.tick = ticks_from_cycles(first.accepted);
    add(std::move(text), site);
}

std::vector<Finding> SyncCheck::findings() {
    for (const auto& [risc, expected] : running_) {
        check_answers(risc, expected);
    }
    if (running_.empty()) {
        check_buffers();
        check_kept_words();
    }
    return findings_;
}

void SyncCheck::check_answers(std::uint32_t risc, const Expected& expected) {
    for (int noc = 0; noc < kNumNocs; ++noc) {
        const auto found = answers_.find({risc, noc});
        if (found == answers_.end()) {
            continue;
        }
        for (const TransactionKind kind : {TransactionKind::write, TransactionKind::atomic_increment}) {
            const Answers& answers = found->second[kind == TransactionKind::write ? 0 : 1];
            const std::optional<std::uint32_t> counted = expected(kind, noc);
            if (counted.has_value() && answers.multicast.has_value() && *counted != answers.count) {
                add(fmt::format(
                        "the kernel counts on {} acknowledgements of {} on NoC {}, and {} come: a multicast was "
                        "given a wrong number of receivers",
                        *counted, kind == TransactionKind::write ? "writes" : "atomics", noc, answers.count),
                    *answers.multicast);
            }
        }
    }
}

std::uint32_t SyncCheck::word_at(NodeIndex node, std::uint64_t address) const {
    std::uint32_t word = 0;
    state_.memory(node).read(address, std::as_writable_bytes(std::span(&word, 1)));
    return word;
}

AccessSite SyncCheck::site_on(NodeIndex node) const {
    AccessSite site;
    for (const auto& risc : state_.riscs) {
        site.risc = risc->identity().node == node ? risc->identity().index : site.risc;
    }
    return site;
}

void SyncCheck::check_kept_words() {
    for (const auto& [place, before] : words_at_begin_) {
        const auto& [node, index] = place;
        const NamedRange& kept = kept_words_[index];
        if (const std::uint32_t word = word_at(node, kept.begin); word != before) {
            add(fmt::format(
                    "{} is {} at the end of the program and was {} at its beginning, and the next launch begins "
                    "with it: expected it to be set back",
                    kept.name, word, before),
                site_on(node));
        }
    }
}

void SyncCheck::check_buffers() {
    for (const auto& [node, registers] : state_.tile_registers) {
        const AccessSite site = site_on(node);
        for (std::uint32_t buffer = 0; buffer < kNumCircularBuffersOfTile; ++buffer) {
            const auto pages = static_cast<std::int16_t>(pages_of_buffer(*registers, buffer));
            if (pages != 0 && !registers->buffers_in_place.contains(buffer)) {
                add(fmt::format("circular buffer {} {} {} page{} at the end of the program: expected as many pages to "
                                "be popped as are pushed",
                                buffer, pages > 0 ? "still holds" : "lacks", std::abs(pages),
                                std::abs(pages) == 1 ? "" : "s"),
                    site);
            }
        }
    }
}

void SyncCheck::add(std::string text, const AccessSite& site) {
    const auto where = [&] {
        return site.program_counter == 0 ? std::string() : where_.at(site.risc)(site.program_counter);
    };
    const auto same = [&](const Finding& finding) {  // a compiler may have unrolled its loop
        return finding.text == text &&
               state_.riscs[finding.second->risc]->identity().kernel == state_.riscs[site.risc]->identity().kernel &&
               (finding.second->program_counter == site.program_counter || finding.second->where == where());
    };
    if (const auto found = std::ranges::find_if(findings_, same); found != findings_.end()) {
        ++found->count;
        return;
    }
    Finding& finding = findings_.emplace_back();
    finding.check = Check::synchronization;
    finding.text = std::move(text);
    finding.second = site;
    finding.second->where = where();
    finding.node = state_.riscs[site.risc]->identity().node;
    finding.happened = true;
    finding.count = 1;
}

}  // namespace nocbench
