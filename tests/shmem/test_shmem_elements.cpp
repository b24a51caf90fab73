// Strided transfers and single values, for every type and width.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kSource = kData;
constexpr Address kDestination = kData + 0x1000;
constexpr std::uint32_t kRoom = 0x800;

struct StridedMove {
    std::string put;
    std::string get;
    std::uint32_t element_bytes;
};

std::vector<StridedMove> strided_moves() {
    std::vector<StridedMove> all;
    for (const std::uint32_t bits : {8U, 16U, 32U, 64U, 128U}) {
        all.push_back({fmt::format("shmem_iput{}", bits), fmt::format("shmem_iget{}", bits), bits / 8});
    }
    for (const auto& [type, bytes] : std::map<std::string, std::uint32_t>{{"char", 1},
                                                                          {"short", 2},
                                                                          {"int", 4},
                                                                          {"long", 4},
                                                                          {"longlong", 8},
                                                                          {"float", 4},
                                                                          {"double", 8},
                                                                          {"longdouble", 16}}) {
        all.push_back({fmt::format("shmem_{}_iput", type), fmt::format("shmem_{}_iget", type), bytes});
    }
    return all;
}

TEST(ShmemElements, StridedTransfersOfEveryWidthAndType) {
    for (const StridedMove& move : strided_moves()) {
        run_pes(3, [&](Pe& pe) {
            Chance chance(pe, 11);
            set_values(pe, kSource, nocbench::test::distinct_bytes(kRoom, static_cast<unsigned>(pe.number())));
            for (std::uint32_t turn = 0; turn < 40; ++turn) {
                const bool is_get = turn % 2 != 0;
                const std::uint32_t count = turn * 7 % 11;
                const std::uint32_t to_stride = 1 + turn % 5;
                const std::uint32_t from_stride = 1 + turn % 3;
                const Address shift = turn % 4 == 3 ? 1 : 0;
                const int ahead = static_cast<int>(turn) % 3;
                const int with = (pe.number() + ahead) % 3;
                const int from = is_get ? with : (pe.number() + 3 - ahead) % 3;
                const std::vector<std::byte> source =
                    nocbench::test::distinct_bytes(kRoom, static_cast<unsigned>(from));
                std::vector<std::byte> expected(kRoom);
                for (std::uint32_t element = 0; element < count; ++element) {
                    for (std::uint32_t byte = 0; byte < move.element_bytes; ++byte) {
                        expected[shift + element * to_stride * move.element_bytes + byte] =
                            source[element * from_stride * move.element_bytes + byte];
                    }
                }
                set_values(pe, kDestination, std::vector<std::byte>(kRoom));
                call(pe, "shmem_barrier_all");
                chance.delay();
                call(pe, is_get ? move.get : move.put, kDestination + shift, kSource, to_stride, from_stride, count,
                     with);
                call(pe, "shmem_barrier_all");
                EXPECT_EQ(values_at<std::byte>(pe, kDestination, kRoom), expected) << move.put << ", turn " << turn;
            }
        });
    }
}

/// Each PE puts `values` one by one into the next PE's array, and gets them back.
template <class Value>
void put_and_get_values(const std::string& type, const std::vector<Value>& values) {
    for (const int num_pes : {1, 2, 5, 16}) {
        run_pes(num_pes, [&](Pe& pe) {
            Chance chance(pe, 5);
            const int next = (pe.number() + 1) % num_pes;
            const auto place = [](std::size_t index) {
                return kDestination + static_cast<Address>(index * sizeof(Value));
            };
            for (std::size_t index = 0; index < values.size(); ++index) {
                chance.delay();
                call(pe, "shmem_" + type + "_p", place(index), values[index], next);
            }
            call(pe, "shmem_barrier_all");
            EXPECT_EQ(values_at<Value>(pe, kDestination, values.size()), values) << type;
            for (std::size_t index = 0; index < values.size(); ++index) {
                EXPECT_EQ(call<Value>(pe, "shmem_" + type + "_g", place(index), next), values[index]) << type;
            }
            call(pe, "shmem_finalize");
        });
    }
}

TEST(ShmemElements, ValuesOfEveryType) {
    put_and_get_values<std::uint8_t>("char", {0, 1, 127, 128, 255});
    put_and_get_values<std::int8_t>("schar", {0, 1, 127, -128, -1});
    put_and_get_values<std::int16_t>("short", {0, 1, 32767, -32768, -1});
    put_and_get_values<std::uint16_t>("ushort", {0, 1, 32767, 32768, 65535});
    put_and_get_values<std::int32_t>("int", {0, 1, INT32_MAX, INT32_MIN, -1});
    put_and_get_values<std::int32_t>("long", {0, 1, INT32_MAX, INT32_MIN, -1});
    put_and_get_values<std::int64_t>("longlong", {0, 1, INT64_MAX, INT64_MIN, -1, std::int64_t{1} << 33U});
    put_and_get_values<float>("float", {0.0F, 1.5F, -3.25e30F});
    put_and_get_values<double>("double", {0.0, 1.5, -3.25e300, 1e-300});
}

TEST(ShmemElements, NarrowResultsFillTheirRegister) {
    run_pes(1, [](Pe& pe) {
        set_value<std::int16_t>(pe, kData, -2);
        EXPECT_EQ(call<std::uint32_t>(pe, "shmem_short_g", kData, 0), 0xfffffffeU);
        EXPECT_EQ(call<std::uint32_t>(pe, "shmem_ushort_g", kData, 0), 0xfffeU);
        EXPECT_EQ(call<std::uint32_t>(pe, "shmem_char_g", kData, 0), 0xfeU);
        EXPECT_EQ(call<std::uint32_t>(pe, "shmem_schar_g", kData, 0), 0xfffffffeU);
    });
}

TEST(ShmemElements, LongDoubles) {
    run_pes(2, [](Pe& pe) {
        const std::vector<std::byte> value = nocbench::test::distinct_bytes(16, 4);
        set_values(pe, kSource, value);
        // The value is passed as the address of a copy.
        call(pe, "shmem_longdouble_p", kDestination, kSource, 1 - pe.number());
        call(pe, "shmem_barrier_all");
        EXPECT_EQ(values_at<std::byte>(pe, kDestination, 16), value);
        call(pe, "shmem_longdouble_g", kDestination + 32, kDestination, 1 - pe.number());
        EXPECT_EQ(values_at<std::byte>(pe, kDestination + 32, 16), value);
        call(pe, "shmem_barrier_all");
    });
}

TEST(ShmemElements, WhatWasPutInOrderArrivesInOrder) {
    run_pes(4, [](Pe& pe) {
        constexpr std::uint32_t kBytes = 96;
        constexpr Address kFlag = kData + 0x800;
        Chance chance(pe, 2);
        const int next = (pe.number() + 1) % 4;
        for (std::uint32_t turn = 1; turn < 50; ++turn) {
            set_values(pe, kSource, nocbench::test::distinct_bytes(kBytes, turn));
            chance.delay();
            call(pe, turn % 2 == 0 ? "shmem_putmem" : "shmem_putmem_nbi", kDestination, kSource, kBytes, next);
            call(pe, "shmem_fence");
            call(pe, "shmem_int_p", kFlag, turn, next);
            call(pe, "shmem_int_wait_until", kFlag, 0, turn);
            EXPECT_EQ(values_at<std::byte>(pe, kDestination, kBytes), nocbench::test::distinct_bytes(kBytes, turn));
            call(pe, "shmem_barrier_all");
        }
    });
}

}  // namespace

}  // namespace nocbench::shmem
