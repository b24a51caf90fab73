#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/compute/tile_arithmetic.h"
#include "device_model/tenstorrent/compute/tile_values.h"
#include "device_model/tenstorrent/compute/vector_functions.h"

namespace nocbench {
namespace {

TileValues counting() {
    TileValues values;
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
}

TileValues broadcast_of(TileValues values, Broadcast kind) {
    broadcast(values, kind);
    return values;
}

TileValues written_and_read(const TileValues& values, TileFormat format) {
    std::vector<std::byte> bytes(tile_bytes(format));
    write_tile(values, format, bytes);
    TileValues read;
    read_tile(bytes, format, read);
    return read;
}

TEST(TileValues, HaveTheSizesOfTilesOnTheDevice) {
    EXPECT_EQ(tile_bytes(TileFormat::float32), 4096U);
    EXPECT_EQ(tile_bytes(TileFormat::float16_b), 2048U);
    EXPECT_EQ(tile_bytes(TileFormat::bfp8_b), 1088U);
    EXPECT_EQ(tile_bytes(TileFormat::bfp4_b), 576U);
    EXPECT_EQ(tile_bytes(TileFormat::uint8), 1024U);
    EXPECT_FALSE(tile_format(0xFF).has_value());
}

TEST(TileValues, AreStoredAsFourFaces) {
    std::vector<std::byte> bytes(tile_bytes(TileFormat::float32));
    write_tile(counting(), TileFormat::float32, bytes);
    const auto at = [&](std::size_t index) {
        float value = 0;
        std::memcpy(&value, &bytes[index * sizeof(float)], sizeof(float));
        return value;
    };
    EXPECT_EQ(at(0), 0);
    EXPECT_EQ(at(16), 32);        // second row of the first face
    EXPECT_EQ(at(256), 16);       // right of it
    EXPECT_EQ(at(512), 16 * 32);  // below it
    EXPECT_EQ(at(1023), 1023);
}

TEST(TileValues, HaveTwoFacesIfATileHasFewerRows) {
    std::vector<std::byte> bytes(tile_bytes({TileFormat::float32, 4}));
    EXPECT_EQ(bytes.size(), 4 * kTileSide * sizeof(float));
    write_tile(counting(), {TileFormat::float32, 4}, bytes);
    float right_of_first_face = 0;
    std::memcpy(&right_of_first_face, &bytes[64 * sizeof(float)], sizeof(float));
    EXPECT_EQ(right_of_first_face, 16);
    TileValues read{};
    read_tile(bytes, {TileFormat::float32, 4}, read);
    EXPECT_EQ(read[3 * kTileSide + 31], 3 * 32 + 31);
    EXPECT_EQ(read[4 * kTileSide], 0);

    EXPECT_EQ(tile_bytes({TileFormat::bfp8_b, 16}), 512U + 32);
    EXPECT_EQ(tile_bytes({TileFormat::bfp8_b, 4}), 128U + 16);  // at least 16 bytes of exponents
    bytes.resize(tile_bytes({TileFormat::bfp8_b, 4}));
    write_tile(counting(), {TileFormat::bfp8_b, 4}, bytes);
    read_tile(bytes, {TileFormat::bfp8_b, 4}, read);
    EXPECT_EQ(read[3 * kTileSide + 31], 3 * 32 + 31);
}

TEST(TileValues, ComeBackWhereTheFormatHoldsThem) {
    TileValues values = counting();
    for (float& value : values) {
        value = std::fmod(value, 64.0F) - 32;
    }
    for (const TileFormat format : {TileFormat::float32, TileFormat::float16, TileFormat::float16_b, TileFormat::bfp8_b,
                                    TileFormat::bfp8, TileFormat::int32, TileFormat::uint32}) {
        EXPECT_EQ(written_and_read(values, format), values) << static_cast<int>(format);
    }
}

TEST(TileValues, AreRoundedToTheNearestAndToTheEvenOfTwo) {
    EXPECT_EQ(rounded_to_bfloat16(1.0F + 0x1p-8F), 1.0F);
    EXPECT_EQ(rounded_to_bfloat16(1.0F + 0x1.8p-8F), 1.0F + 0x1p-7F);
    EXPECT_EQ(rounded_to_bfloat16(1.0F + 0x1.8p-7F), 1.0F + 0x1p-6F);
    EXPECT_EQ(rounded_to_tf32(1.0F + 0x1p-11F), 1.0F);
    EXPECT_TRUE(std::isnan(rounded_to_bfloat16(std::nanf(""))));
    TileValues values{};
    values[0] = 65520;  // above the largest of 16 bits
    values[1] = 0x1p-24F;
    values[2] = -0x1p-15F;
    values[3] = 1.0F + 0x1p-11F;
    const TileValues read = written_and_read(values, TileFormat::float16);
    EXPECT_EQ(read[0], 65504);
    EXPECT_EQ(read[1], 0x1p-24F);
    EXPECT_EQ(read[2], -0x1p-15F);
    EXPECT_EQ(read[3], 1.0F);
}

TEST(TileValues, ShareAnExponentInBlocksOfSixteen) {
    TileValues values{};
    values[0] = 64;
    values[1] = 1.25;  // a unit of 1 remains
    values[2] = -0.25;
    values[16] = 1.25;  // of the next block
    const TileValues read = written_and_read(values, TileFormat::bfp8_b);
    EXPECT_EQ(read[0], 64);
    EXPECT_EQ(read[1], 1);
    EXPECT_EQ(read[2], 0);
    EXPECT_EQ(read[16], 1.25);
    values[1] = 20;  // a unit of 16 remains
    EXPECT_EQ(written_and_read(values, TileFormat::bfp4_b)[1], 16);
}

TEST(TileValues, OfAMatrixAreTilesRowByRow) {
    std::vector<float> matrix(std::size_t{64} * 96);
    std::iota(matrix.begin(), matrix.end(), 0.0F);
    const std::vector<std::byte> tiles = tiles_of(matrix, 96, TileFormat::float32);
    EXPECT_EQ(values_of(tiles, 96, TileFormat::float32), matrix);
    TileValues last;
    read_tile(std::span(tiles).last(tile_bytes(TileFormat::float32)), TileFormat::float32, last);
    EXPECT_EQ(last[0], 32 * 96 + 64);
    EXPECT_THROW(static_cast<void>(tiles_of(matrix, 48, TileFormat::float32)), InputError);
    EXPECT_THROW(static_cast<void>(values_of(std::span(tiles).first(100), 32, TileFormat::float32)), InputError);
}

TEST(TileArithmetic, MultipliesMatrices) {
    TileValues identity{};
    for (std::size_t i = 0; i < kTileSide; ++i) {
        identity[i * kTileSide + i] = 2;
    }
    TileValues sum = counting();
    add_product(counting(), identity, sum);
    for (std::size_t i = 0; i < kTileValues; ++i) {
        EXPECT_EQ(sum[i], 3.0F * static_cast<float>(i));
    }
    TileValues product{};
    TileValues columns = counting();
    transpose(columns);
    add_product(identity, columns, product);
    EXPECT_EQ(product[1], 2 * 32);
}

TEST(TileArithmetic, RepeatsParts) {
    EXPECT_EQ(broadcast_of(counting(), Broadcast::row)[kTileSide * 5 + 7], 7);
    EXPECT_EQ(broadcast_of(counting(), Broadcast::column)[kTileSide * 5 + 7], 5 * 32);
    EXPECT_EQ(broadcast_of(counting(), Broadcast::scalar)[kTileSide * 5 + 7], 0);
    EXPECT_EQ(broadcast_of(counting(), Broadcast::none), counting());
    TileValues rows = counting();
    broadcast(rows, Broadcast::row, 9);
    EXPECT_EQ(rows[7], 9 * 32 + 7);
    EXPECT_EQ(rows[kTileSide * 31 + 7], 9 * 32 + 7);
}

TEST(TileArithmetic, ReducesRowsColumnsAndAll) {
    const TileValues ones = broadcast_of(TileValues{1}, Broadcast::scalar);
    TileValues sums{};
    reduce(ones, 2, Pooling::sum, ReducedDimension::row, sums);
    EXPECT_EQ(sums[31 * kTileSide], 64);
    EXPECT_EQ(sums[1], 0);
    TileValues maxima{};
    reduce(counting(), 1, Pooling::maximum, ReducedDimension::column, maxima);
    EXPECT_EQ(maxima[3], 31 * 32 + 3);
    TileValues of_four_rows{};
    const TileValues counts = counting();
    reduce(std::span(counts).first<4 * kTileSide>(), 1, Pooling::maximum, ReducedDimension::column, of_four_rows);
    EXPECT_EQ(of_four_rows[3], 3 * 32 + 3);
    TileValues total{};
    reduce(ones, 1, Pooling::average, ReducedDimension::scalar, total);
    EXPECT_EQ(total[0], 1024);
}

TEST(VectorFunctions, HaveNumbersOfTheirOwn) {
    for (const char* const name : {"exp", "recip", "clamp", "fill_int", "int_to_float"}) {
        const UnaryFunction* const function = unary_function(function_number(name));
        ASSERT_NE(function, nullptr);
        EXPECT_EQ(function->name, name);
    }
    EXPECT_EQ(binary_function(function_number("add_binary"))->apply(1, 2, {}), 3);
    EXPECT_EQ(unary_function(1), nullptr);
    EXPECT_EQ(binary_function(function_number("exp")), nullptr);
}

TEST(VectorFunctions, OfIntegersActOnTheirBits) {
    const auto applied = [](const char* name, std::int32_t value, std::uint32_t parameter) {
        const float result = unary_function(function_number(name))->apply(std::bit_cast<float>(value), {parameter, 0});
        return std::bit_cast<std::int32_t>(result);
    };
    EXPECT_EQ(applied("right_shift", -16, 2), -4);
    EXPECT_EQ(applied("left_shift", 3, 32), 0);
    EXPECT_EQ(applied("bitwise_xor", 6, 3), 5);
    EXPECT_EQ(applied("abs_int32", -7, 0), 7);
    const auto minus_5 = static_cast<std::uint32_t>(-5);
    EXPECT_EQ(applied("unary_gt_int32", -4, minus_5), 1);
    EXPECT_EQ(applied("unary_le_int32", -4, minus_5), 0);
    EXPECT_EQ(applied("unary_max_int32", -7, minus_5), -5);
    EXPECT_EQ(applied("unary_max_uint32", 7, minus_5), -5);
    EXPECT_EQ(applied("relu_max_int32", 9, 6), 6);
    EXPECT_EQ(applied("relu_max_int32", -9, 6), 0);
    EXPECT_EQ(applied("relu_min_int32", 5, 6), 0);
    EXPECT_EQ(applied("rsub_int32", 3, 10), 7);
    EXPECT_EQ(applied("remainder_uint32", -1, 10), 5);
    EXPECT_TRUE(unary_function(function_number("float_to_int"))->is_exact);
    EXPECT_FALSE(unary_function(function_number("int_to_float"))->is_exact);
    EXPECT_EQ(unary_function(function_number("int_to_float"))->apply(std::bit_cast<float>(-7), {}), -7);
    EXPECT_EQ(std::bit_cast<std::int32_t>(unary_function(function_number("float_to_int"))->apply(-1.75F, {})), -1);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(unary_function(function_number("float_to_word"))->apply(5e9F, {})),
              0xFFFFFFFFU);
}

TEST(VectorFunctions, OfTwoIntegersActOnTheirBits) {
    const auto applied = [](const char* name, std::int32_t left, std::int32_t right) {
        return std::bit_cast<std::int32_t>(
            binary_function(function_number(name))->apply(std::bit_cast<float>(left), std::bit_cast<float>(right), {}));
    };
    EXPECT_EQ(applied("add_int", 2'000'000'000, 2'000'000'000), -294'967'296);
    EXPECT_EQ(applied("rsub_int", 3, 10), 7);
    EXPECT_EQ(applied("lt_int", -1, 1), 1);
    EXPECT_EQ(applied("div_int32_floor", -7, 2), -4);
    EXPECT_EQ(applied("div_int32_trunc", -7, 2), -3);
    EXPECT_EQ(applied("div_int32_trunc", 7, 0), 0);
    EXPECT_EQ(applied("fmod_int32", -7, 3), -1);
    EXPECT_EQ(applied("remainder_int32", -7, 3), 2);
    EXPECT_EQ(applied("remainder_uint32", -1, 10), 5);
    EXPECT_EQ(applied("gcd", -12, 18), 6);
    EXPECT_EQ(applied("lcm", 4, 6), 12);
    EXPECT_EQ(applied("binary_max_uint32", 1, -1), -1);
    EXPECT_EQ(applied("binary_right_shift", -16, 2), -4);
    EXPECT_EQ(applied("binary_logical_right_shift", -16, 28), 15);
    EXPECT_EQ(
        binary_function(function_number("div_int32"))->apply(std::bit_cast<float>(7), std::bit_cast<float>(2), {}),
        3.5F);
}

TEST(VectorFunctions, OfThreeTilesTakeThemInTheOrderOfTheCall) {
    const auto* const where = ternary_function(function_number("where"));
    EXPECT_EQ(where->apply(-2, 5, 7, 0), 5);
    EXPECT_EQ(where->apply(0, 5, 7, 0), 7);
    const auto half = std::bit_cast<std::uint32_t>(0.5F);
    EXPECT_EQ(ternary_function(function_number("addcmul"))->apply(1, 4, 6, half), 13);
    EXPECT_EQ(ternary_function(function_number("addcdiv"))->apply(1, 4, 8, half), 1.25F);
    EXPECT_EQ(ternary_function(function_number("lerp"))->apply(2, 10, 0.25F, 0), 4);
    EXPECT_EQ(ternary_function(function_number("mac"))->apply(2, 10, 3, 0), 23);
    const float integers = ternary_function(function_number("addcmul_int"))
                               ->apply(std::bit_cast<float>(5), std::bit_cast<float>(-3), std::bit_cast<float>(4), 2);
    EXPECT_EQ(std::bit_cast<std::int32_t>(integers), -19);
}

TEST(VectorFunctions, WithRandomNumbersFollowFromThem) {
    const UnaryFunction& rand = *unary_function(function_number("rand"));
    const UnaryFunction& dropout = *unary_function(function_number("dropout"));
    EXPECT_TRUE(rand.is_random && dropout.is_random);
    const auto two = std::bit_cast<std::uint32_t>(2.0F);
    EXPECT_EQ(rand.apply(7, {two, two, 0, 0}), 2);
    EXPECT_EQ(rand.apply(7, {two, two, 0, 0x8000'0000}), 3);
    EXPECT_LT(rand.apply(7, {0, two, 0, 0xFFFF'FFFF}), 2);
    const std::uint32_t quarter = 0x7FFF'FFFF / 4;
    EXPECT_EQ(dropout.apply(3, {quarter, two, 0, 0x3000'0000}), 0);
    EXPECT_EQ(dropout.apply(3, {quarter, two, 0, 0x5000'0000}), 6);
}

TEST(VectorFunctions, TakeParametersOfACall) {
    const auto word = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    const auto unary = [&](const char* name, float x, float first, float second = 0, float third = 0) {
        return unary_function(function_number(name))->apply(x, {word(first), word(second), word(third)});
    };
    EXPECT_FLOAT_EQ(unary("exp", 2, 0.5F), std::exp(1.0F));
    EXPECT_EQ(unary("softplus", 3, 2, 0.5F, 5), 3);
    EXPECT_FLOAT_EQ(unary("softplus", 3, 2, 0.5F, 7), std::log1p(std::exp(6.0F)) / 2);
    EXPECT_EQ(unary("xielu", 2, 0.25F, 8), 2);
    EXPECT_FLOAT_EQ(unary("xielu", -1, 0.25F, 8), 8 * std::exp(-1.0F) - 0.5F);
    const UnaryFunction& quotient = *unary_function(function_number("rdiv"));
    EXPECT_EQ(quotient.apply(-2, {word(7), 0}), -3.5F);
    EXPECT_EQ(quotient.apply(-2, {word(7), 1}), -3);
    EXPECT_EQ(quotient.apply(-2, {word(7), 2}), -4);

    const auto close = [&](const char* name, float a, float b) {
        return binary_function(function_number(name))->apply(a, b, {word(0.25F), word(0.5F)});
    };
    EXPECT_EQ(close("isclose_binary", 5.5F, 4), 1);
    EXPECT_EQ(close("isclose_binary", 5.75F, 4), 0);
    EXPECT_EQ(close("isclose_binary", std::nanf(""), std::nanf("")), 0);
    EXPECT_EQ(close("isclose_binary_equal_nan", std::nanf(""), std::nanf("")), 1);
    EXPECT_EQ(close("isclose_binary_equal_nan", std::nanf(""), 0), 0);
}

TEST(VectorFunctions, QuantizeToBytes) {
    const auto zero_point = std::bit_cast<std::uint32_t>(10.0F);
    const auto quantized = [&](const char* name, float value, std::int32_t lowest) {
        return std::bit_cast<std::int32_t>(binary_function(function_number(name))
                                               ->apply(value, 0.5F, {zero_point, static_cast<std::uint32_t>(lowest)}));
    };
    EXPECT_EQ(quantized("quant", 5, -127), 12);
    EXPECT_EQ(quantized("quant", 1000, -127), 127);
    EXPECT_EQ(quantized("quant", -1000, -127), -127);
    EXPECT_EQ(quantized("quant", -1000, -128), -128);
    EXPECT_EQ(quantized("quant", std::nanf(""), -127), -127);
    EXPECT_EQ(quantized("quant", 1000, 0), 255);
    EXPECT_EQ(quantized("quant", -1000, 0), 0);
    EXPECT_EQ(quantized("requant", std::bit_cast<float>(-60), -127), -20);
    EXPECT_EQ(quantized("requant_int8_in", std::bit_cast<float>(0xC4), -127), -20);
    const auto number = [&](const char* name, std::int32_t value) {
        return binary_function(function_number(name))->apply(std::bit_cast<float>(value), 0.5F, {zero_point, 0});
    };
    EXPECT_EQ(number("dequant", -61), -25.5F);
    EXPECT_EQ(number("dequant_int8", 0xC3), -25.5F);
}

}  // namespace
}  // namespace nocbench
