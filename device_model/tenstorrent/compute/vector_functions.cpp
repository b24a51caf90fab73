#include "device_model/tenstorrent/compute/vector_functions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace nocbench {

namespace {

using enum FunctionLength;
using Parameters = FunctionParameters;

float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }
float truth(bool value) { return value ? 1.0F : 0.0F; }
std::int32_t integer(float value) { return std::bit_cast<std::int32_t>(value); }
std::uint32_t word(float value) { return std::bit_cast<std::uint32_t>(value); }
float bits_of(std::int32_t value) { return std::bit_cast<float>(value); }
float bits_of_word(std::uint32_t value) { return std::bit_cast<float>(value); }

/// Returns a function of double precision, rounded: the same on every host.
template <double (*function)(double)>
float rounded(float value, const Parameters& /*parameters*/) {
    return static_cast<float>(function(static_cast<double>(value)));
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double silu(double x) { return x * sigmoid(x); }
double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); }
double softsign(double x) { return x / (1 + std::fabs(x)); }
double mish(double x) { return x * std::tanh(std::log1p(std::exp(x))); }
double reciprocal(double x) { return 1 / x; }
double reciprocal_root(double x) { return 1 / std::sqrt(x); }
double square(double x) { return x * x; }
double hardsigmoid(double x) { return std::clamp(x / 6 + 0.5, 0.0, 1.0); }
double fraction(double x) { return x - std::trunc(x); }
double logsigmoid(double x) { return -std::log1p(std::exp(-x)); }

/// Standard functions are overloaded: these are of double.
double exp_of(double x) { return std::exp(x); }
double exp2_of(double x) { return std::exp2(x); }
double expm1_of(double x) { return std::expm1(x); }
double log_of(double x) { return std::log(x); }
double log1p_of(double x) { return std::log1p(x); }
double sqrt_of(double x) { return std::sqrt(x); }
double cbrt_of(double x) { return std::cbrt(x); }
double sin_of(double x) { return std::sin(x); }
double cos_of(double x) { return std::cos(x); }
double tan_of(double x) { return std::tan(x); }
double asin_of(double x) { return std::asin(x); }
double acos_of(double x) { return std::acos(x); }
double atan_of(double x) { return std::atan(x); }
double sinh_of(double x) { return std::sinh(x); }
double cosh_of(double x) { return std::cosh(x); }
double asinh_of(double x) { return std::asinh(x); }
double acosh_of(double x) { return std::acosh(x); }
double atanh_of(double x) { return std::atanh(x); }
double tanh_of(double x) { return std::tanh(x); }
double erf_of(double x) { return std::erf(x); }
double erfc_of(double x) { return std::erfc(x); }
double floor_of(double x) { return std::floor(x); }
double ceil_of(double x) { return std::ceil(x); }
double trunc_of(double x) { return std::trunc(x); }
double abs_of(double x) { return std::fabs(x); }

float power(float value, const Parameters& its) {
    return static_cast<float>(std::pow(static_cast<double>(value), static_cast<double>(number(its.first))));
}

constexpr std::array kUnary{
    UnaryFunction{"exp", polynomial, rounded<exp_of>},
    UnaryFunction{"exp2", polynomial, rounded<exp2_of>},
    UnaryFunction{"expm1", polynomial, rounded<expm1_of>},
    UnaryFunction{"log", polynomial, rounded<log_of>},
    UnaryFunction{"log1p", polynomial, rounded<log1p_of>},
    UnaryFunction{"log_with_base", polynomial,
                  [](float x, const Parameters& its) {
                      return static_cast<float>(std::log(static_cast<double>(x)) *
                                                static_cast<double>(number(its.first)));
                  }},
    UnaryFunction{"sqrt", iterative, rounded<sqrt_of>},
    UnaryFunction{"rsqrt", iterative, rounded<reciprocal_root>},
    UnaryFunction{"recip", iterative, rounded<reciprocal>},
    UnaryFunction{"cbrt", iterative, rounded<cbrt_of>},
    UnaryFunction{"sin", polynomial, rounded<sin_of>},
    UnaryFunction{"cos", polynomial, rounded<cos_of>},
    UnaryFunction{"tan", polynomial, rounded<tan_of>},
    UnaryFunction{"asin", polynomial, rounded<asin_of>},
    UnaryFunction{"acos", polynomial, rounded<acos_of>},
    UnaryFunction{"atan", polynomial, rounded<atan_of>},
    UnaryFunction{"sinh", iterative, rounded<sinh_of>},
    UnaryFunction{"cosh", iterative, rounded<cosh_of>},
    UnaryFunction{"asinh", iterative, rounded<asinh_of>},
    UnaryFunction{"acosh", iterative, rounded<acosh_of>},
    UnaryFunction{"atanh", iterative, rounded<atanh_of>},
    UnaryFunction{"tanh", polynomial, rounded<tanh_of>},
    UnaryFunction{"erf", polynomial, rounded<erf_of>},
    UnaryFunction{"erfc", polynomial, rounded<erfc_of>},
    UnaryFunction{"gelu", polynomial, rounded<gelu>},
    UnaryFunction{"sigmoid", iterative, rounded<sigmoid>},
    UnaryFunction{"logsigmoid", iterative, rounded<logsigmoid>},
    UnaryFunction{"silu", iterative, rounded<silu>},
    UnaryFunction{"mish", iterative, rounded<mish>},
    UnaryFunction{"softsign", iterative, rounded<softsign>},
    UnaryFunction{"hardsigmoid", simple, rounded<hardsigmoid>},
    UnaryFunction{"softplus", polynomial,
                  [](float x, const Parameters& its) {
                      const auto beta = static_cast<double>(number(its.first));
                      const double product = beta * static_cast<double>(x);
                      return product > 20 ? x : static_cast<float>(std::log1p(std::exp(product)) / beta);
                  }},
    UnaryFunction{"square", simple, rounded<square>},
    UnaryFunction{"abs", simple, rounded<abs_of>},
    UnaryFunction{"floor", simple, rounded<floor_of>},
    UnaryFunction{"ceil", simple, rounded<ceil_of>},
    UnaryFunction{"trunc", simple, rounded<trunc_of>},
    UnaryFunction{"frac", simple, rounded<fraction>},
    UnaryFunction{"negative", simple, [](float x, const Parameters&) { return -x; }},
    UnaryFunction{"identity", simple, [](float x, const Parameters&) { return x; }},
    UnaryFunction{"relu", simple, [](float x, const Parameters&) { return std::max(x, 0.0F); }},
    UnaryFunction{
        "relu_max", simple,
        [](float x, const Parameters& its) { return std::clamp(x, 0.0F, std::max(number(its.first), 0.0F)); }},
    UnaryFunction{"relu_min", simple, [](float x, const Parameters& its) { return x > number(its.first) ? x : 0.0F; }},
    UnaryFunction{"leaky_relu", simple,
                  [](float x, const Parameters& its) { return x < 0 ? x * number(its.first) : x; }},
    UnaryFunction{"prelu", simple, [](float x, const Parameters& its) { return x < 0 ? x * number(its.first) : x; }},
    UnaryFunction{"elu", polynomial,
                  [](float x, const Parameters& its) {
                      return x < 0 ? number(its.first) * static_cast<float>(std::expm1(static_cast<double>(x))) : x;
                  }},
    UnaryFunction{"sign", simple, [](float x, const Parameters&) { return truth(x > 0) - truth(x < 0); }},
    UnaryFunction{"signbit", simple, [](float x, const Parameters&) { return truth(std::signbit(x)); }},
    UnaryFunction{"heaviside", simple,
                  [](float x, const Parameters& its) { return x == 0 ? number(its.first) : truth(x > 0); }},
    UnaryFunction{"eqz", simple, [](float x, const Parameters&) { return truth(x == 0); }},
    UnaryFunction{"nez", simple, [](float x, const Parameters&) { return truth(x != 0); }},
    UnaryFunction{"ltz", simple, [](float x, const Parameters&) { return truth(x < 0); }},
    UnaryFunction{"gtz", simple, [](float x, const Parameters&) { return truth(x > 0); }},
    UnaryFunction{"lez", simple, [](float x, const Parameters&) { return truth(x <= 0); }},
    UnaryFunction{"gez", simple, [](float x, const Parameters&) { return truth(x >= 0); }},
    UnaryFunction{"logical_not_unary", simple, [](float x, const Parameters&) { return truth(x == 0); }},
    UnaryFunction{"logical_not", simple, [](float x, const Parameters&) { return truth(x == 0); }},
    UnaryFunction{"isnan", simple, [](float x, const Parameters&) { return truth(std::isnan(x)); }},
    UnaryFunction{"isinf", simple, [](float x, const Parameters&) { return truth(std::isinf(x)); }},
    UnaryFunction{"isposinf", simple, [](float x, const Parameters&) { return truth(std::isinf(x) && x > 0); }},
    UnaryFunction{"isneginf", simple, [](float x, const Parameters&) { return truth(std::isinf(x) && x < 0); }},
    UnaryFunction{"isfinite", simple, [](float x, const Parameters&) { return truth(std::isfinite(x)); }},
    UnaryFunction{"fill", simple, [](float, const Parameters& its) { return number(its.first); }},
    UnaryFunction{"add_unary", simple, [](float x, const Parameters& its) { return x + number(its.first); }},
    UnaryFunction{"sub_unary", simple, [](float x, const Parameters& its) { return x - number(its.first); }},
    UnaryFunction{"rsub_unary", simple, [](float x, const Parameters& its) { return number(its.first) - x; }},
    UnaryFunction{"mul_unary", simple, [](float x, const Parameters& its) { return x * number(its.first); }},
    UnaryFunction{"div_unary", simple, [](float x, const Parameters& its) { return x * number(its.first); }},
    UnaryFunction{"rdiv", iterative, [](float x, const Parameters& its) { return number(its.first) / x; }},
    UnaryFunction{"unary_max", simple, [](float x, const Parameters& its) { return std::max(x, number(its.first)); }},
    UnaryFunction{"unary_min", simple, [](float x, const Parameters& its) { return std::min(x, number(its.first)); }},
    UnaryFunction{"unary_eq", simple, [](float x, const Parameters& its) { return truth(x == number(its.first)); }},
    UnaryFunction{"unary_ne", simple, [](float x, const Parameters& its) { return truth(x != number(its.first)); }},
    UnaryFunction{"unary_gt", simple, [](float x, const Parameters& its) { return truth(x > number(its.first)); }},
    UnaryFunction{"unary_ge", simple, [](float x, const Parameters& its) { return truth(x >= number(its.first)); }},
    UnaryFunction{"unary_lt", simple, [](float x, const Parameters& its) { return truth(x < number(its.first)); }},
    UnaryFunction{"unary_le", simple, [](float x, const Parameters& its) { return truth(x <= number(its.first)); }},
    UnaryFunction{
        "clamp", simple,
        [](float x, const Parameters& its) { return std::min(std::max(x, number(its.first)), number(its.second)); }},
    UnaryFunction{
        "hardtanh", simple,
        [](float x, const Parameters& its) { return std::min(std::max(x, number(its.first)), number(its.second)); }},
    UnaryFunction{"threshold", simple,
                  [](float x, const Parameters& its) { return x > number(its.first) ? x : number(its.second); }},
    UnaryFunction{"fmod", iterative, [](float x, const Parameters& its) { return std::fmod(x, number(its.first)); }},
    UnaryFunction{
        "remainder", iterative,
        [](float x, const Parameters& its) { return x - number(its.first) * std::floor(x / number(its.first)); }},
    UnaryFunction{"power", iterative, power},
    UnaryFunction{"power_iterative", iterative,
                  [](float x, const Parameters& its) {
                      return static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(its.first)));
                  }},
    UnaryFunction{"rpow", iterative,
                  [](float x, const Parameters& its) {
                      return static_cast<float>(
                          std::pow(static_cast<double>(number(its.first)), static_cast<double>(x)));
                  }},
    UnaryFunction{"tanh_derivative", polynomial,
                  [](float x, const Parameters&) {
                      const double tanh = std::tanh(static_cast<double>(x));
                      return static_cast<float>(1 - tanh * tanh);
                  }},
    // Functions of integers, which are the bits of values.
    UnaryFunction{"fill_int", simple, [](float, const Parameters& its) { return bits_of_word(its.first); }},
    UnaryFunction{"bitwise_not", simple, [](float x, const Parameters&) { return bits_of_word(~word(x)); }},
    UnaryFunction{"bitwise_and", simple,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) & its.first); }},
    UnaryFunction{"bitwise_or", simple,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) | its.first); }},
    UnaryFunction{"bitwise_xor", simple,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) ^ its.first); }},
    UnaryFunction{
        "left_shift", simple,
        [](float x, const Parameters& its) { return bits_of_word(its.first > 31 ? 0 : word(x) << its.first); }},
    UnaryFunction{"right_shift", simple,
                  [](float x, const Parameters& its) { return bits_of(integer(x) >> std::min(its.first, 31U)); }},
    UnaryFunction{"add_unary_int32", simple,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) + its.first); }},
    UnaryFunction{"negative_int32", simple, [](float x, const Parameters&) { return bits_of_word(0U - word(x)); }},
    UnaryFunction{"abs_int32", simple,
                  [](float x, const Parameters&) { return integer(x) < 0 ? bits_of_word(0U - word(x)) : x; }},
    UnaryFunction{"int_to_float", simple, [](float x, const Parameters&) { return static_cast<float>(integer(x)); }},
    UnaryFunction{"word_to_float", simple, [](float x, const Parameters&) { return static_cast<float>(word(x)); }},
    UnaryFunction{"float_to_int", simple,
                  [](float x, const Parameters&) {
                      constexpr float kEnd = 2147483648.0F;
                      return std::isnan(x) ? bits_of(0)
                             : x >= kEnd   ? bits_of(std::numeric_limits<std::int32_t>::max())
                             : x < -kEnd   ? bits_of(std::numeric_limits<std::int32_t>::min())
                                           : bits_of(static_cast<std::int32_t>(x));
                  }},
    UnaryFunction{"float_to_word", simple,
                  [](float x, const Parameters&) {
                      constexpr float kEnd = 4294967296.0F;
                      return !(x > 0)    ? bits_of_word(0)
                             : x >= kEnd ? bits_of_word(std::numeric_limits<std::uint32_t>::max())
                                         : bits_of_word(static_cast<std::uint32_t>(x));
                  }},
};

constexpr std::array kBinary{
    BinaryFunction{"add_binary", simple, [](float a, float b) { return a + b; }},
    BinaryFunction{"sub_binary", simple, [](float a, float b) { return a - b; }},
    BinaryFunction{"rsub_binary", simple, [](float a, float b) { return b - a; }},
    BinaryFunction{"mul_binary", simple, [](float a, float b) { return a * b; }},
    BinaryFunction{"div_binary", iterative, [](float a, float b) { return a / b; }},
    BinaryFunction{
        "power_binary", iterative,
        [](float a, float b) { return static_cast<float>(std::pow(static_cast<double>(a), static_cast<double>(b))); }},
    BinaryFunction{"binary_max", simple, [](float a, float b) { return std::max(a, b); }},
    BinaryFunction{"binary_min", simple, [](float a, float b) { return std::min(a, b); }},
    BinaryFunction{"eq_binary", simple, [](float a, float b) { return truth(a == b); }},
    BinaryFunction{"ne_binary", simple, [](float a, float b) { return truth(a != b); }},
    BinaryFunction{"gt_binary", simple, [](float a, float b) { return truth(a > b); }},
    BinaryFunction{"ge_binary", simple, [](float a, float b) { return truth(a >= b); }},
    BinaryFunction{"lt_binary", simple, [](float a, float b) { return truth(a < b); }},
    BinaryFunction{"le_binary", simple, [](float a, float b) { return truth(a <= b); }},
    BinaryFunction{"copy_dest_values", simple, [](float, float b) { return b; }},
    BinaryFunction{"add_int", simple, [](float a, float b) { return bits_of_word(word(a) + word(b)); }},
    BinaryFunction{"sub_int", simple, [](float a, float b) { return bits_of_word(word(a) - word(b)); }},
    BinaryFunction{"rsub_int", simple, [](float a, float b) { return bits_of_word(word(b) - word(a)); }},
    BinaryFunction{"mul_int", iterative, [](float a, float b) { return bits_of_word(word(a) * word(b)); }},
    BinaryFunction{"binary_max_int32", simple,
                   [](float a, float b) { return bits_of(std::max(integer(a), integer(b))); }},
    BinaryFunction{"binary_min_int32", simple,
                   [](float a, float b) { return bits_of(std::min(integer(a), integer(b))); }},
    BinaryFunction{"bitwise_and_binary", simple, [](float a, float b) { return bits_of_word(word(a) & word(b)); }},
    BinaryFunction{"bitwise_or_binary", simple, [](float a, float b) { return bits_of_word(word(a) | word(b)); }},
    BinaryFunction{"bitwise_xor_binary", simple, [](float a, float b) { return bits_of_word(word(a) ^ word(b)); }},
    BinaryFunction{"binary_left_shift", simple,
                   [](float a, float b) { return bits_of_word(word(b) > 31 ? 0 : word(a) << word(b)); }},
    BinaryFunction{"binary_right_shift", simple,
                   [](float a, float b) { return bits_of(integer(a) >> std::min(word(b), 31U)); }},
};

template <typename Function, std::size_t count>
const Function* find(const std::array<Function, count>& functions, std::uint32_t number) {
    static const auto by_number = [&] {
        std::map<std::uint32_t, const Function*> numbers;
        for (const Function& function : functions) {
            numbers[function_number(function.name)] = &function;
        }
        return numbers;
    }();
    const auto found = by_number.find(number);
    return found == by_number.end() ? nullptr : found->second;
}

}  // namespace

const UnaryFunction* unary_function(std::uint32_t number) { return find(kUnary, number); }
const BinaryFunction* binary_function(std::uint32_t number) { return find(kBinary, number); }

}  // namespace nocbench
