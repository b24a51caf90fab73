// Active sets for tests.
#pragma once

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "tests/shmem/pes.h"
#include "tests/support/thinning.h"

namespace nocbench::shmem::test {

/// Returns active sets of 16 PEs: every size from the first PE on, and some with offsets and strides, including sizes
/// that are not powers of two.
inline std::vector<ActiveSet> active_sets() {
    std::vector<ActiveSet> sets;
    for (int size = 1; size <= 16; ++size) {
        sets.push_back({0, 0, size});
    }
    for (const ActiveSet& set :
         {ActiveSet{5, 0, 1}, ActiveSet{3, 0, 2}, ActiveSet{1, 1, 2}, ActiveSet{2, 2, 3}, ActiveSet{3, 2, 4},
          ActiveSet{11, 0, 5}, ActiveSet{4, 1, 5}, ActiveSet{1, 1, 7}, ActiveSet{0, 1, 8}, ActiveSet{1, 1, 8},
          ActiveSet{8, 0, 8}, ActiveSet{3, 0, 12}, ActiveSet{0, 3, 2}, ActiveSet{7, 3, 2}}) {
        sets.push_back(set);
    }
    return nocbench::test::thinned(std::move(sets), 5);
}

inline std::vector<ActiveSet> few_active_sets() {
    return nocbench::test::thinned(std::vector<ActiveSet>{{0, 0, 1},
                                                          {0, 0, 2},
                                                          {3, 0, 3},
                                                          {1, 2, 4},
                                                          {4, 1, 5},
                                                          {1, 1, 7},
                                                          {1, 1, 8},
                                                          {3, 0, 12},
                                                          {0, 0, 15},
                                                          {0, 0, 16}},
                                   4);
}

inline std::string text_of(const ActiveSet& set) {
    return fmt::format("PEs {}, stride {}, {} of them", set.start, 1 << set.log_stride, set.size);
}

/// Runs `member(pe, index)` on the members of `set` among 16 PEs; other PEs compute. At the end, the synchronization
/// array must be 0, and the data of PEs outside the set unchanged.
inline void run_set(const ActiveSet& set, Address sync, const std::function<void(Pe&, int index)>& member,
                    const Options& options = {}) {
    run_pes(
        16,
        [&](Pe& pe) {
            const int index = set.index_of(pe.number());
            if (index >= 0) {
                member(pe, index);
            }
            call(pe, "shmem_barrier_all");
            const Address end = index >= 0 ? sync + 64 : kLayout.program_end;
            for (const std::byte byte :
                 values_at<std::byte>(pe, index >= 0 ? sync : kData, end - (index >= 0 ? sync : kData))) {
                EXPECT_EQ(byte, std::byte{0}) << "PE " << pe.number() << ", " << text_of(set);
            }
            call(pe, "shmem_finalize");
        },
        options);
}

}  // namespace nocbench::shmem::test
