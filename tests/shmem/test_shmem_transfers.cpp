// Data movement by put, get and related routines, for every type and width, size and alignment.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

struct Move {
    std::string put;
    std::string get;
    std::uint32_t element_bytes;
};

std::vector<Move> moves() {
    std::vector<Move> all{{"shmem_putmem", "shmem_getmem", 1}};
    for (const std::uint32_t bits : {8U, 16U, 32U, 64U, 128U}) {
        all.push_back({fmt::format("shmem_put{}", bits), fmt::format("shmem_get{}", bits), bits / 8});
    }
    for (const auto& [type, bytes] : std::map<std::string, std::uint32_t>{{"char", 1},
                                                                          {"short", 2},
                                                                          {"int", 4},
                                                                          {"long", 4},
                                                                          {"longlong", 8},
                                                                          {"float", 4},
                                                                          {"double", 8},
                                                                          {"longdouble", 16}}) {
        all.push_back({fmt::format("shmem_{}_put", type), fmt::format("shmem_{}_get", type), bytes});
    }
    return all;
}

constexpr Address kSource = kData;
constexpr Address kDestination = kData + 0x800;
constexpr std::uint32_t kRoom = 0x400;

/// Returns the source array of PE `number`.
std::vector<std::byte> source_of(int number) {
    return nocbench::test::distinct_bytes(kRoom, static_cast<unsigned>(number) + 1);
}

/// Call of routine `name` by all `num_pes` PEs, each with the PE that is `ahead` of it. `count` elements move between
/// these offsets of arrays aligned to 8 bytes.
struct MoveCase {
    std::string name;
    std::uint32_t element_bytes = 1;
    std::uint32_t count = 0;
    Address source_place = 0;
    Address destination_place = 0;
    int ahead = 1;
    bool is_get = false;
    bool is_nbi = false;
};

void move_and_compare(Pe& pe, const MoveCase& move) {
    const int num_pes = pe.num_pes();
    const int to = (pe.number() + move.ahead) % num_pes;
    const int from = move.is_get ? to : (pe.number() + num_pes - move.ahead) % num_pes;
    std::vector<std::byte> expected(kRoom, std::byte{0});
    const std::vector<std::byte> source = source_of(from);
    std::copy_n(source.begin() + move.source_place, move.count * move.element_bytes,
                expected.begin() + move.destination_place);
    set_values(pe, kDestination, std::vector<std::byte>(kRoom));
    call(pe, "shmem_barrier_all");
    call(pe, move.name, kDestination + move.destination_place, kSource + move.source_place, move.count, to);
    if (move.is_nbi) {
        call(pe, "shmem_quiet");
        if (move.is_get) {
            EXPECT_EQ(values_at<std::byte>(pe, kDestination, kRoom), expected) << move.name;
        }
    }
    call(pe, "shmem_barrier_all");
    EXPECT_EQ(values_at<std::byte>(pe, kDestination, kRoom), expected)
        << move.name << ", " << move.count << " elements from " << move.source_place << " to " << move.destination_place
        << ", " << move.ahead << " ahead of " << num_pes;
}

void try_all_places(Pe& pe, MoveCase move, std::uint32_t bytes_max) {
    Chance chance(pe, 7);
    set_values(pe, kSource, source_of(pe.number()));
    for (std::uint32_t count = 0; count * move.element_bytes <= bytes_max; ++count) {
        for (Address place = 0; place < 8; ++place) {
            chance.delay();
            move.count = count;
            move.source_place = place;
            move.destination_place = (place + count * 3) % 8;
            move_and_compare(pe, move);
        }
    }
}

TEST(ShmemTransfers, BytesOfEverySizeFromEveryPlaceToEveryPlace) {
    for (const bool is_get : {false, true}) {
        for (const bool is_nbi : {false, true}) {
            run_pes(2, [&](Pe& pe) {
                set_values(pe, kSource, source_of(pe.number()));
                const std::string name = std::string(is_get ? "shmem_getmem" : "shmem_putmem") + (is_nbi ? "_nbi" : "");
                for (std::uint32_t count = 0; count <= 100; count += count < 40 ? 1 : 3) {
                    for (Address source = 0; source < 8; ++source) {
                        for (Address destination = 0; destination < 8; destination += is_nbi ? 3 : 1) {
                            move_and_compare(pe, {name, 1, count, source, destination, 1, is_get, is_nbi});
                        }
                    }
                }
            });
        }
    }
}

TEST(ShmemTransfers, EveryWidthAndType) {
    for (const Move& move : moves()) {
        for (const bool is_nbi : {false, true}) {
            run_pes(3, [&](Pe& pe) {
                const std::string end = is_nbi ? "_nbi" : "";
                try_all_places(pe, {move.put + end, move.element_bytes, 0, 0, 0, 1, false, is_nbi}, 40);
                try_all_places(pe, {move.get + end, move.element_bytes, 0, 0, 0, 2, true, is_nbi}, 40);
            });
        }
    }
}

TEST(ShmemTransfers, ToEveryPeAndToItself) {
    for (int num_pes = 1; num_pes <= 16; ++num_pes) {
        run_pes(num_pes, [&](Pe& pe) {
            Chance chance(pe, 3);
            set_values(pe, kSource, source_of(pe.number()));
            for (int ahead = 0; ahead < num_pes; ++ahead) {
                for (const bool is_nbi : {false, true}) {
                    const std::string end = is_nbi ? "_nbi" : "";
                    chance.delay();
                    move_and_compare(pe, {"shmem_putmem" + end, 1, 77, 1, 3, ahead, false, is_nbi});
                    move_and_compare(pe, {"shmem_getmem" + end, 1, 200, 8, 16, ahead, true, is_nbi});
                }
            }
        });
    }
}

}  // namespace

}  // namespace nocbench::shmem
