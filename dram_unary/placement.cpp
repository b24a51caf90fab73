#include "dram_unary/placement.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "device_model/sim/random_numbers.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/noc_parameters.h"

namespace nocbench::dram_unary {

namespace {

std::vector<LogicalCoordinate> compute_cores(const Grid& grid) {
    std::vector<LogicalCoordinate> cores;
    for (int y = 0; y < grid.compute_rows(); ++y) {
        for (int x = 0; x < grid.compute_columns(); ++x) {
            cores.push_back({.x = x, .y = y});
        }
    }
    return cores;
}

/// Placement, tentative or final, of one bank's flows.
struct Group {
    std::vector<std::size_t> cores;
    std::vector<Flow> flows;
    std::vector<int> links;  // without duplicates
    std::size_t num_hops = 0;
};

/// Backtracking search for one group of cores per bank.
class Search {
public:
    Search(const TorusArchitecture& architecture, const Grid& grid, const FlowsWanted& wanted)
        : columns_(static_cast<std::size_t>(grid.compute_columns())), groups_(wanted.banks.size()) {
        const std::vector<LogicalCoordinate> cores = compute_cores(grid);
        const DataWays ways(grid, wanted.kind, wanted.noc);
        is_taken_.resize(cores.size());
        banks_on_link_.resize(static_cast<std::size_t>(ways.num_links()));
        for (std::size_t index = 0; index < wanted.banks.size(); ++index) {
            const std::size_t rest = wanted.num_cores % wanted.banks.size();
            num_cores_.push_back(wanted.num_cores / wanted.banks.size() + (index < rest ? 1 : 0));
            const DramBank& bank = grid.dram_banks()[wanted.banks[index]];
            for (const PhysicalCoordinate tile :
                 architecture.dram.channel_tiles[static_cast<std::size_t>(bank.channel)]) {
                Reach& reach = reaches_.emplace_back();
                reach.index = index;
                for (const LogicalCoordinate core : cores) {
                    reach.flows.push_back({.core = core, .bank = wanted.banks[index], .tile = tile});
                    reach.links.push_back(ways.links(reach.flows.back()));
                }
            }
        }
    }

    /// Returns flows in which no link carries data of more than `banks_per_link` banks; nothing if the search fails.
    std::optional<std::vector<Flow>> run(int banks_per_link) {
        banks_per_link_ = banks_per_link;
        steps_left_ = kStepsMax;
        std::vector<std::size_t> missing;
        for (std::size_t index = 0; index < groups_.size(); ++index) {
            if (num_cores_[index] != 0) {
                missing.push_back(index);
            }
        }
        if (!place(missing)) {
            return std::nullopt;
        }
        std::vector<Flow> flows;
        for (const Group& group : groups_) {
            flows.insert(flows.end(), group.flows.begin(), group.flows.end());
        }
        return flows;
    }

private:
    static constexpr int kStepsMax = 500;  // successful searches need little more than a step per bank

    /// Possible flows through one tile of a bank, by core.
    struct Reach {
        std::size_t index = 0;  // index of the bank
        std::vector<Flow> flows;
        std::vector<std::vector<int>> links;
    };

    /// Places the banks in `missing`, starting with the bank that has the fewest possible groups.
    bool place(std::span<const std::size_t> missing) {
        if (missing.empty()) {
            return true;
        }
        if (steps_left_-- <= 0) {
            return false;
        }
        std::size_t next = 0;
        std::vector<Group> fewest;
        for (const std::size_t index : missing) {
            std::vector<Group> possible = possible_groups(index);
            if (possible.empty()) {
                return false;
            }
            if (fewest.empty() || possible.size() < fewest.size()) {
                fewest = std::move(possible);
                next = index;
            }
        }
        std::vector<std::size_t> others(missing.begin(), missing.end());
        std::erase(others, next);
        for (Group& group : fewest) {
            groups_[next] = std::move(group);
            occupy(groups_[next], 1);
            if (place(others)) {
                return true;
            }
            occupy(groups_[next], -1);
        }
        return false;
    }

    /// Returns possible groups of a bank: within a row, or anywhere if no row has enough free cores.
    [[nodiscard]] std::vector<Group> possible_groups(std::size_t index) const {
        std::vector<Group> groups = possible_groups(index, columns_);
        if (groups.empty()) {
            groups = possible_groups(index, is_taken_.size());
        }
        return groups;
    }

    /// Returns possible groups within sections of `cores_of_part` consecutive cores of the compute grid, shortest
    /// routes first.
    [[nodiscard]] std::vector<Group> possible_groups(std::size_t index, std::size_t cores_of_part) const {
        std::vector<Group> possible;
        for (const Reach& reach : reaches_) {
            for (std::size_t first = 0; reach.index == index && first < is_taken_.size(); first += cores_of_part) {
                if (std::optional<Group> group = nearest(reach, first, first + cores_of_part)) {
                    possible.push_back(std::move(*group));
                }
            }
        }
        std::ranges::stable_sort(possible, {}, &Group::num_hops);
        return possible;
    }

    /// Returns the nearest free cores of a range whose routes use only free links.
    [[nodiscard]] std::optional<Group> nearest(const Reach& reach, std::size_t first, std::size_t end) const {
        std::vector<std::size_t> usable;
        for (std::size_t core = first; core < end; ++core) {
            if (!is_taken_[core] && std::ranges::all_of(reach.links[core], [&](int link) {
                    return banks_on_link_[static_cast<std::size_t>(link)] < banks_per_link_;
                })) {
                usable.push_back(core);
            }
        }
        const std::size_t num_cores = num_cores_[reach.index];
        if (usable.size() < num_cores) {
            return std::nullopt;
        }
        std::ranges::stable_sort(usable, {}, [&](std::size_t core) { return reach.links[core].size(); });
        usable.resize(num_cores);
        Group group;
        group.cores = usable;
        for (const std::size_t core : usable) {
            group.flows.push_back(reach.flows[core]);
            group.links.insert(group.links.end(), reach.links[core].begin(), reach.links[core].end());
        }
        group.num_hops = group.links.size();
        std::ranges::sort(group.links);
        const auto [begin_of_rest, end_of_rest] = std::ranges::unique(group.links);
        group.links.erase(begin_of_rest, end_of_rest);
        return group;
    }

    void occupy(const Group& group, int change) {
        for (const int link : group.links) {
            banks_on_link_[static_cast<std::size_t>(link)] += change;
        }
        for (const std::size_t core : group.cores) {
            is_taken_[core] = change > 0;
        }
    }

    std::size_t columns_;
    std::vector<Group> groups_;           // indexed by bank
    std::vector<std::size_t> num_cores_;  // indexed by bank
    std::vector<Reach> reaches_;          // for all tiles of all banks
    std::vector<bool> is_taken_;          // indexed by core, row by row
    std::vector<int> banks_on_link_;
    int banks_per_link_ = 0;
    int steps_left_ = 0;
};

}  // namespace

DataWays::DataWays(const Grid& grid, TransactionKind kind, int noc)
    : grid_(grid), to_core_(kind == TransactionKind::read), topology_(noc_topology(grid, noc)) {}

std::vector<int> DataWays::links(const Flow& flow) const {
    const int core = grid_.node_index(grid_.physical(flow.core));
    const int tile = grid_.node_index(flow.tile);
    const int destination = to_core_ ? core : tile;
    std::vector<int> links{tile * topology_.num_ports + kNiuPort};
    for (int node = to_core_ ? tile : core; node != destination;) {
        const int port = topology_.route(node, destination);
        links.push_back(node * topology_.num_ports + port);
        node = topology_.link(node, port).neighbour;
    }
    return links;
}

std::vector<Flow> careful_placement(const TorusArchitecture& architecture, const Grid& grid,
                                    const FlowsWanted& wanted) {
    Search search(architecture, grid, wanted);
    for (int banks_per_link = 1;; ++banks_per_link) {
        if (std::optional<std::vector<Flow>> flows = search.run(banks_per_link)) {
            return std::move(*flows);
        }
    }
}

std::vector<Flow> random_placement(const Grid& grid, const FlowsWanted& wanted, std::uint64_t seed) {
    std::vector<LogicalCoordinate> cores = compute_cores(grid);
    RandomNumbers random(seed);
    std::vector<Flow> flows;
    for (std::size_t index = 0; index < wanted.num_cores; ++index) {
        // Partial Fisher-Yates shuffle: stops after the cores that are needed.
        std::swap(cores[index], cores[index + random.below(static_cast<std::uint32_t>(cores.size() - index))]);
        const std::uint32_t bank = wanted.banks[index % wanted.banks.size()];
        flows.push_back({.core = cores[index],
                         .bank = bank,
                         .tile = grid.dram_banks()[bank].endpoint[static_cast<std::size_t>(wanted.noc)]});
    }
    return flows;
}

}  // namespace nocbench::dram_unary
