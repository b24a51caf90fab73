#include "device_model/tenstorrent/compute/vector_functions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include "device_model/sim/error.h"

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
double gelu_by_tanh(double x) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}
double gelu_derivative(double x) {
    return 0.5 * (1 + std::erf(x / std::numbers::sqrt2)) + x * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
}
double hardmish(double x) { return x / 2 * std::clamp(x + 2, 0.0, 2.0); }
double tanhshrink(double x) { return x - std::tanh(x); }
/// Sum of the series of a modified Bessel function.
double bessel(double x, double first, int order) {
    double sum = 0;
    double term = first;
    for (int k = 1; sum + term != sum; ++k) {
        sum += term;
        term *= x * x / 4 / (k * (k + order));
    }
    return sum;
}
double bessel_0(double x) { return bessel(x, 1, 0); }
double bessel_1(double x) { return bessel(x, x / 2, 1); }
/// Returns the logarithm of the gamma function of x, or of 1 - x below 0.5.
double log_gamma(double x) { return std::lgamma(x < 0.5 ? 1 - x : x); }
/// Returns the sum of (x + k)^-order over all k from 0 on, by the formula of Euler and Maclaurin after ten terms.
double zeta_of_order(double x, double order) {
    double sum = 0;
    for (int k = 0; k < 10; ++k, ++x) {
        sum += std::pow(x, -order);
    }
    const double power = std::pow(x, -order);
    return sum + power * x / (order - 1) + power / 2 + order * power / (12 * x) -
           order * (order + 1) * (order + 2) * power / (720 * x * x * x);
}
/// Returns the derivative of the logarithm of the gamma function.
double digamma(double x) {
    double sum = 0;
    while (x < 10) {
        sum -= 1 / x;
        x += 1;
    }
    const double square = 1 / (x * x);
    return sum + std::log(x) - 0.5 / x - square * (1.0 / 12 - square * (1.0 / 120 - square / 252));
}
/// Returns the inverse of erf, by Newton's method.
double inverse_of_erf(double y) {
    if (!(std::fabs(y) < 1)) {
        return y * std::numeric_limits<double>::infinity();
    }
    double x = 0;
    for (int step = 0; step < 100; ++step) {
        x -= std::clamp((std::erf(x) - y) * std::sqrt(std::numbers::pi) / 2 * std::exp(x * x), -0.5, 0.5);
    }
    return x;
}
double logsigmoid(double x) { return -std::log1p(std::exp(-x)); }

/// Standard functions are overloaded: these are of double.
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

float exponential_unit(float x, float alpha) { return alpha * static_cast<float>(std::expm1(static_cast<double>(x))); }

/// Returns a number from 0 to below 1.
float unit_interval(std::uint32_t random) { return static_cast<float>(random >> 8) * 0x1p-24F; }

template <bool (*holds)(std::int32_t, std::int32_t)>
float compared(float value, const Parameters& its) {
    return bits_of(static_cast<std::int32_t>(holds(integer(value), static_cast<std::int32_t>(its.first))));
}
template <bool (*holds)(std::int32_t, std::int32_t)>
float compared_integers(float left, float right, const Parameters& /*parameters*/) {
    return bits_of(static_cast<std::int32_t>(holds(integer(left), integer(right))));
}
bool equal(std::int32_t a, std::int32_t b) { return a == b; }
bool unequal(std::int32_t a, std::int32_t b) { return a != b; }
bool greater(std::int32_t a, std::int32_t b) { return a > b; }
bool at_least(std::int32_t a, std::int32_t b) { return a >= b; }
bool less(std::int32_t a, std::int32_t b) { return a < b; }
bool at_most(std::int32_t a, std::int32_t b) { return a <= b; }

/// Returns the quotient, without a trap.
std::int32_t quotient(std::int32_t a, std::int32_t b) {
    return b == 0 ? 0 : static_cast<std::int32_t>(std::int64_t{a} / b);
}
std::int32_t floor_quotient(std::int32_t a, std::int32_t b) {
    const std::int32_t whole = quotient(a, b);
    return b != 0 && static_cast<std::int64_t>(whole) * b != a && (a < 0) != (b < 0) ? whole - 1 : whole;
}

/// Returns whether values are close. Parameters: bits of the relative and of the absolute tolerance.
template <bool nan_is_close_to_nan>
float is_close(float a, float b, const Parameters& its) {
    if (std::isnan(a) || std::isnan(b)) {
        return truth(nan_is_close_to_nan && std::isnan(a) && std::isnan(b));
    }
    return truth(a == b || std::fabs(a - b) <= number(its.second) + number(its.first) * std::fabs(b));
}

// Parameters of quantization: bits of the zero point, and the lowest result.

/// Returns the whole number of a value with the zero point added, within the range of a byte.
float quantized(float scaled, const Parameters& its) {
    const auto lowest = static_cast<float>(static_cast<std::int32_t>(its.second));
    const float whole = std::nearbyint(scaled + number(its.first));
    return bits_of(static_cast<std::int32_t>(std::min(std::max(lowest, whole), lowest == 0 ? 255.0F : 127.0F)));
}

template <std::int32_t (*integer_of)(float)>
float requantized(float a, float scale, const Parameters& its) {
    return quantized(static_cast<float>(integer_of(a)) * scale, its);
}

template <std::int32_t (*integer_of)(float)>
float dequantized(float a, float scale, const Parameters& its) {
    return (static_cast<float>(integer_of(a)) + number(its.first)) * scale;
}

std::int32_t signed_byte(float value) { return static_cast<std::int8_t>(word(value)); }

constexpr std::uint32_t kIndexOfKey = 0xFFFF;
std::uint32_t index_mask(float key, const Parameters& its) {
    return std::signbit(key) == (its.first == 0) ? kIndexOfKey : 0;
}

/// Returns a function whose results Dst takes as they are.
template <typename Function = UnaryFunction>
constexpr Function exact(Function function) {
    function.is_exact = true;
    return function;
}

constexpr std::array kUnary{
    UnaryFunction{"exp", polynomial,
                  [](float x, const Parameters& its) {
                      return static_cast<float>(std::exp(static_cast<double>(x * number(its.first))));
                  }},
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
    UnaryFunction{"gelu_tanh", polynomial, rounded<gelu_by_tanh>},
    UnaryFunction{"gelu_derivative", polynomial, rounded<gelu_derivative>},
    UnaryFunction{"hardmish", simple, rounded<hardmish>},
    UnaryFunction{"tanhshrink", polynomial, rounded<tanhshrink>},
    UnaryFunction{"erfinv", iterative, rounded<inverse_of_erf>},
    UnaryFunction{"i0", polynomial, rounded<bessel_0>},
    UnaryFunction{"i1", polynomial, rounded<bessel_1>},
    UnaryFunction{"lgamma_stirling", iterative, rounded<log_gamma>},
    UnaryFunction{"digamma", iterative, rounded<digamma>},
    UnaryFunction{"polygamma", iterative,
                  [](float x, const Parameters& its) {
                      const double order = static_cast<double>(number(its.first)) + 1;
                      return number(its.second) * static_cast<float>(zeta_of_order(static_cast<double>(x), order));
                  }},
    UnaryFunction{"mish", iterative, rounded<mish>},
    UnaryFunction{"softsign", iterative, rounded<softsign>},
    UnaryFunction{"hardsigmoid", simple, rounded<hardsigmoid>},
    UnaryFunction{"softplus", polynomial,
                  [](float x, const Parameters& its) {
                      const auto beta = static_cast<double>(number(its.first));
                      const double product = beta * static_cast<double>(x);
                      return product > static_cast<double>(number(its.third)) ? x : static_cast<float>(std::log1p(std::exp(product)) / beta);
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
    UnaryFunction{"rdiv", iterative,
                  [](float x, const Parameters& its) {
                      enum Rounding : std::uint32_t { none, truncated, floored };
                      const float quotient = number(its.first) / x;
                      return its.second == none        ? quotient
                             : its.second == truncated ? std::trunc(quotient)
                                                       : std::floor(quotient);
                  }},
    UnaryFunction{"xielu", iterative,
                  [](float x, const Parameters& its) {
                      // The exponential ends a millionth below 0.
                      const auto number_of_x = static_cast<double>(x);
                      const double below = std::expm1(std::min(number_of_x, -1e-6)) - number_of_x;
                      const double curve = x > 0 ? static_cast<double>(number(its.first)) * number_of_x * number_of_x
                                                 : static_cast<double>(number(its.second)) * below;
                      return static_cast<float>(curve + number_of_x / 2);
                  }},
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
    UnaryFunction{"celu", polynomial,
                  [](float x, const Parameters& its) {
                      return x < 0 ? exponential_unit(x * number(its.second), number(its.first)) : x;
                  }},
    UnaryFunction{"selu", polynomial,
                  [](float x, const Parameters& its) {
                      return number(its.first) * (x < 0 ? exponential_unit(x, number(its.second)) : x);
                  }},
    UnaryFunction{"hardshrink", simple,
                  [](float x, const Parameters& its) { return std::fabs(x) > number(its.first) ? x : 0.0F; }},
    UnaryFunction{"softshrink", simple,
                  [](float x, const Parameters& its) {
                      const float distance = std::fabs(x) - number(its.first);
                      return distance > 0 ? std::copysign(distance, x) : 0.0F;
                  }},
    UnaryFunction{"softcap", polynomial,
                  [](float x, const Parameters& its) {
                      const auto beta = static_cast<double>(number(its.first));
                      return static_cast<float>(beta * std::tanh(static_cast<double>(x) / beta));
                  }},
    UnaryFunction{"round", simple,
                  [](float x, const Parameters& its) {
                      const double scale = std::pow(10.0, static_cast<double>(static_cast<std::int32_t>(its.first)));
                      return static_cast<float>(std::nearbyint(static_cast<double>(x) * scale) / scale);
                  }},
    UnaryFunction{"rand", simple,
                  [](float, const Parameters& its) {
                      return number(its.first) + number(its.second) * unit_interval(its.random);
                  },
                  true},
    UnaryFunction{"dropout", simple,
                  [](float x, const Parameters& its) {
                      // The probability is a share of the largest integer.
                      return its.random >> 1 < its.first ? 0.0F : x * number(its.second);
                  },
                  true},
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
    exact({"identity_int", simple, [](float x, const Parameters&) { return x; }}),
    exact({"fill_int", simple, [](float, const Parameters& its) { return bits_of_word(its.first); }}),
    exact({"bitwise_not", simple, [](float x, const Parameters&) { return bits_of_word(~word(x)); }}),
    exact({"bitwise_and", simple,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) & its.first); }}),
    exact({"bitwise_or", simple,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) | its.first); }}),
    exact({"bitwise_xor", simple,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) ^ its.first); }}),
    exact({
        "left_shift", simple,
        [](float x, const Parameters& its) { return bits_of_word(its.first > 31 ? 0 : word(x) << its.first); }}),
    exact({"right_shift", simple,
                  [](float x, const Parameters& its) { return bits_of(integer(x) >> std::min(its.first, 31U)); }}),
    exact({
        "right_shift_word", simple,
        [](float x, const Parameters& its) { return bits_of_word(word(x) >> std::min(its.first, 31U)); }}),
    exact({"add_unary_int32", simple,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) + its.first); }}),
    exact({"negative_int32", simple, [](float x, const Parameters&) { return bits_of_word(0U - word(x)); }}),
    exact({"abs_int32", simple,
                  [](float x, const Parameters&) { return integer(x) < 0 ? bits_of_word(0U - word(x)) : x; }}),
    exact({"unary_eq_int32", simple, compared<equal>}),
    exact({"unary_ne_int32", simple, compared<unequal>}),
    exact({"unary_gt_int32", simple, compared<greater>}),
    exact({"unary_ge_int32", simple, compared<at_least>}),
    exact({"unary_lt_int32", simple, compared<less>}),
    exact({"unary_le_int32", simple, compared<at_most>}),
    exact({"unary_max_int32", simple,
                  [](float x, const Parameters& its) {
                      return bits_of(std::max(integer(x), static_cast<std::int32_t>(its.first)));
                  }}),
    exact({"unary_min_int32", simple,
                  [](float x, const Parameters& its) {
                      return bits_of(std::min(integer(x), static_cast<std::int32_t>(its.first)));
                  }}),
    exact({"unary_max_uint32", simple,
                  [](float x, const Parameters& its) { return bits_of_word(std::max(word(x), its.first)); }}),
    exact({"unary_min_uint32", simple,
                  [](float x, const Parameters& its) { return bits_of_word(std::min(word(x), its.first)); }}),
    exact({"clamp_int32", simple,
                  [](float x, const Parameters& its) {
                      return bits_of(std::min(std::max(integer(x), static_cast<std::int32_t>(its.first)),
                                              static_cast<std::int32_t>(its.second)));
                  }}),
    exact({"relu_max_int32", simple,
                  [](float x, const Parameters& its) {
                      return bits_of(std::max(std::min(integer(x), static_cast<std::int32_t>(its.first)), 0));
                  }}),
    exact({"relu_min_int32", simple,
                  [](float x, const Parameters& its) {
                      return integer(x) > static_cast<std::int32_t>(its.first) ? x : bits_of(0);
                  }}),
    exact({"rsub_int32", simple,
                  [](float x, const Parameters& its) { return bits_of_word(its.first - word(x)); }}),
    exact({"sub_unary_int32", simple,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) - its.first); }}),
    exact({"mul_unary_int32", iterative,
                  [](float x, const Parameters& its) { return bits_of_word(word(x) * its.first); }}),
    exact({"remainder_uint32", iterative,
                  [](float x, const Parameters& its) {
                      return bits_of_word(its.first == 0 ? 0 : word(x) % its.first);
                  }}),
    exact({"int8_to_int", simple, [](float x, const Parameters&) { return bits_of(signed_byte(x)); }}),
    UnaryFunction{"int8_to_float", simple,
                  [](float x, const Parameters&) { return static_cast<float>(signed_byte(x)); }},
    UnaryFunction{"int_to_float", simple, [](float x, const Parameters&) { return static_cast<float>(integer(x)); }},
    UnaryFunction{"word_to_float", simple, [](float x, const Parameters&) { return static_cast<float>(word(x)); }},
    exact({"float_to_int", simple,
                  [](float x, const Parameters&) {
                      constexpr float kEnd = 2147483648.0F;
                      return std::isnan(x) ? bits_of(0)
                             : x >= kEnd   ? bits_of(std::numeric_limits<std::int32_t>::max())
                             : x < -kEnd   ? bits_of(std::numeric_limits<std::int32_t>::min())
                                           : bits_of(static_cast<std::int32_t>(x));
                  }}),
    exact({"float_to_word", simple,
                  [](float x, const Parameters&) {
                      constexpr float kEnd = 4294967296.0F;
                      return !(x > 0)    ? bits_of_word(0)
                             : x >= kEnd ? bits_of_word(std::numeric_limits<std::uint32_t>::max())
                                         : bits_of_word(static_cast<std::uint32_t>(x));
                  }}),
};

constexpr std::array kBinary{
    BinaryFunction{"add_binary", simple, [](float a, float b, const Parameters&) { return a + b; }},
    BinaryFunction{"sub_binary", simple, [](float a, float b, const Parameters&) { return a - b; }},
    BinaryFunction{"rsub_binary", simple, [](float a, float b, const Parameters&) { return b - a; }},
    BinaryFunction{"mul_binary", simple, [](float a, float b, const Parameters&) { return a * b; }},
    BinaryFunction{"div_binary", iterative, [](float a, float b, const Parameters&) { return a / b; }},
    BinaryFunction{"power_binary", iterative,
                   [](float a, float b, const Parameters&) {
                       return static_cast<float>(std::pow(static_cast<double>(a), static_cast<double>(b)));
                   }},
    BinaryFunction{"binary_max", simple, [](float a, float b, const Parameters&) { return std::max(a, b); }},
    BinaryFunction{"binary_min", simple, [](float a, float b, const Parameters&) { return std::min(a, b); }},
    BinaryFunction{"eq_binary", simple, [](float a, float b, const Parameters&) { return truth(a == b); }},
    BinaryFunction{"ne_binary", simple, [](float a, float b, const Parameters&) { return truth(a != b); }},
    BinaryFunction{"gt_binary", simple, [](float a, float b, const Parameters&) { return truth(a > b); }},
    BinaryFunction{"ge_binary", simple, [](float a, float b, const Parameters&) { return truth(a >= b); }},
    BinaryFunction{"lt_binary", simple, [](float a, float b, const Parameters&) { return truth(a < b); }},
    BinaryFunction{"le_binary", simple, [](float a, float b, const Parameters&) { return truth(a <= b); }},
    exact(BinaryFunction{"copy_dest_values", simple, [](float, float b, const Parameters&) { return b; }}),
    exact(BinaryFunction{"add_int", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) + word(b)); }}),
    exact(BinaryFunction{"sub_int", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) - word(b)); }}),
    exact(BinaryFunction{"rsub_int", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(b) - word(a)); }}),
    exact(BinaryFunction{"mul_int", iterative,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) * word(b)); }}),
    exact(BinaryFunction{"binary_max_int32", simple,
                   [](float a, float b, const Parameters&) { return bits_of(std::max(integer(a), integer(b))); }}),
    exact(BinaryFunction{"binary_min_int32", simple,
                   [](float a, float b, const Parameters&) { return bits_of(std::min(integer(a), integer(b))); }}),
    exact(BinaryFunction{"bitwise_and_binary", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) & word(b)); }}),
    exact(BinaryFunction{"bitwise_or_binary", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) | word(b)); }}),
    exact(BinaryFunction{"bitwise_xor_binary", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) ^ word(b)); }}),
    exact(BinaryFunction{
        "binary_left_shift", simple,
        [](float a, float b, const Parameters&) { return bits_of_word(word(b) > 31 ? 0 : word(a) << word(b)); }}),
    exact(BinaryFunction{"binary_right_shift", simple,
                   [](float a, float b, const Parameters&) { return bits_of(integer(a) >> std::min(word(b), 31U)); }}),
    BinaryFunction{
        "lgamma_stirling_float", iterative,
        [](float a, float, const Parameters&) { return static_cast<float>(log_gamma(static_cast<double>(a))); }},
    BinaryFunction{"fmod_binary", iterative, [](float a, float b, const Parameters&) { return std::fmod(a, b); }},
    BinaryFunction{"remainder_binary", iterative,
                   [](float a, float b, const Parameters&) { return a - b * std::floor(a / b); }},
    BinaryFunction{"xlogy_binary", polynomial,
                   [](float a, float b, const Parameters&) {
                       return a == 0 ? 0.0F
                                     : static_cast<float>(static_cast<double>(a) * std::log(static_cast<double>(b)));
                   }},
    BinaryFunction{"atan2_binary", polynomial,
                   [](float a, float b, const Parameters&) {
                       return static_cast<float>(std::atan2(static_cast<double>(a), static_cast<double>(b)));
                   }},
    BinaryFunction{"logaddexp_binary", polynomial,
                   [](float a, float b, const Parameters&) {
                       const auto larger = static_cast<double>(std::max(a, b));
                       const auto smaller = static_cast<double>(std::min(a, b));
                       return static_cast<float>(larger + std::log1p(std::exp(smaller - larger)));
                   }},
    BinaryFunction{"logaddexp2_binary", polynomial,
                   [](float a, float b, const Parameters&) {
                       const auto larger = static_cast<double>(std::max(a, b));
                       const auto smaller = static_cast<double>(std::min(a, b));
                       return static_cast<float>(larger + std::log2(1 + std::exp2(smaller - larger)));
                   }},
    BinaryFunction{"nextafter_binary", simple,
                   [](float a, float b, const Parameters&) { return std::nextafter(a, b); }},
    exact(BinaryFunction{"mask", simple, [](float a, float b, const Parameters&) { return b == 0 ? 0.0F : a; }}),
    BinaryFunction{
        "mask_posinf", simple,
        [](float a, float b, const Parameters&) { return b == 0 ? std::numeric_limits<float>::infinity() : a; }},
    exact(BinaryFunction{"eq_int", simple, compared_integers<equal>}),
    exact(BinaryFunction{"ne_int", simple, compared_integers<unequal>}),
    exact(BinaryFunction{"gt_int", simple, compared_integers<greater>}),
    exact(BinaryFunction{"ge_int", simple, compared_integers<at_least>}),
    exact(BinaryFunction{"lt_int", simple, compared_integers<less>}),
    exact(BinaryFunction{"le_int", simple, compared_integers<at_most>}),
    exact(BinaryFunction{"gt_word", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) > word(b) ? 1 : 0); }}),
    exact(BinaryFunction{"ge_word", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) >= word(b) ? 1 : 0); }}),
    exact(BinaryFunction{"lt_word", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) < word(b) ? 1 : 0); }}),
    exact(BinaryFunction{"le_word", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) <= word(b) ? 1 : 0); }}),
    exact(BinaryFunction{"right_shift_word", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(word(a) >> std::min(word(b), 31U)); }}),
    BinaryFunction{"div_int32", iterative,
                   [](float a, float b, const Parameters&) {
                       return static_cast<float>(static_cast<double>(integer(a)) / static_cast<double>(integer(b)));
                   }},
    exact(BinaryFunction{"div_int32_floor", iterative,
                   [](float a, float b, const Parameters&) { return bits_of(floor_quotient(integer(a), integer(b))); }}),
    exact(BinaryFunction{"div_int32_trunc", iterative,
                   [](float a, float b, const Parameters&) { return bits_of(quotient(integer(a), integer(b))); }}),
    exact(BinaryFunction{"fmod_int32", iterative,
                   [](float a, float b, const Parameters&) {
                       return bits_of_word(word(a) -
                                           word(b) * static_cast<std::uint32_t>(quotient(integer(a), integer(b))));
                   }}),
    exact(BinaryFunction{"remainder_int32", iterative,
                   [](float a, float b, const Parameters&) {
                       return bits_of_word(
                           word(a) - word(b) * static_cast<std::uint32_t>(floor_quotient(integer(a), integer(b))));
                   }}),
    exact(BinaryFunction{"gcd", iterative,
                   [](float a, float b, const Parameters&) {
                       return bits_of_word(
                           static_cast<std::uint32_t>(std::gcd(std::int64_t{integer(a)}, std::int64_t{integer(b)})));
                   }}),
    exact(BinaryFunction{"lcm", iterative,
                   [](float a, float b, const Parameters&) {
                       return bits_of_word(
                           static_cast<std::uint32_t>(std::lcm(std::int64_t{integer(a)}, std::int64_t{integer(b)})));
                   }}),
    exact(BinaryFunction{"binary_max_uint32", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(std::max(word(a), word(b))); }}),
    exact(BinaryFunction{"binary_min_uint32", simple,
                   [](float a, float b, const Parameters&) { return bits_of_word(std::min(word(a), word(b))); }}),
    exact(BinaryFunction{
        "binary_logical_right_shift", simple,
        [](float a, float b, const Parameters&) { return bits_of_word(word(b) > 31 ? 0 : word(a) >> word(b)); }}),
    exact(BinaryFunction{
        "remainder_uint32", iterative,
        [](float a, float b, const Parameters&) { return bits_of_word(word(b) == 0 ? 0 : word(a) % word(b)); }}),
    BinaryFunction{"isclose_binary", polynomial, is_close<false>},
    BinaryFunction{"isclose_binary_equal_nan", polynomial, is_close<true>},
    BinaryFunction{"situ_glu", iterative,
                   [](float gate, float up, const Parameters&) {
                       // The bounds of the two halves are those of the one model that has this function.
                       const auto bounded = [](double x, double bound) { return bound * std::tanh(x / bound); };
                       const auto x = static_cast<double>(gate);
                       return static_cast<float>(bounded(x, 4) * sigmoid(x) * bounded(static_cast<double>(up), 25));
                   }},
    BinaryFunction{"clamped_silu_glu", iterative,
                   [](float gate, float up, const Parameters&) {
                       constexpr float kLimit = 10;  // of the one model that has this function
                       return static_cast<float>(silu(static_cast<double>(std::min(gate, kLimit)))) *
                              std::clamp(up, -kLimit, kLimit);
                   }},
    // Keys that topk sorts: bfloat16 in the upper half, an index in the lower one. The first index of equal values is
    // the largest key where the largest values come first, and the smallest one otherwise. Parameter: 1 for the former.
    exact(BinaryFunction{"topk_key", simple,
                   [](float value, float index, const Parameters& its) {
                       return bits_of_word(word(value) | (word(index) ^ index_mask(value, its)));
                   }}),
    exact(BinaryFunction{"topk_index", simple,
                   [](float key, float, const Parameters& its) {
                       return bits_of_word((word(key) & kIndexOfKey) ^ index_mask(key, its));
                   }}),
    exact(BinaryFunction{"quant", polynomial,
                   [](float a, float scale, const Parameters& its) { return quantized(a * scale, its); }}),
    exact(BinaryFunction{"requant", polynomial, requantized<integer>}),
    exact(BinaryFunction{"requant_int8_in", polynomial, requantized<signed_byte>}),
    BinaryFunction{"dequant", polynomial, dequantized<integer>},
    BinaryFunction{"dequant_int8", polynomial, dequantized<signed_byte>},
};

constexpr std::array kTernary{
    exact(TernaryFunction{"where", simple, [](float a, float b, float c, std::uint32_t) { return a != 0 ? b : c; }}),
    TernaryFunction{"addcmul", simple,
                    [](float a, float b, float c, std::uint32_t value) { return a + number(value) * b * c; }},
    exact(TernaryFunction{"addcmul_int", iterative,
                          [](float a, float b, float c, std::uint32_t value) {
                              return bits_of_word(word(a) + value * word(b) * word(c));
                          }}),
    TernaryFunction{"addcdiv", iterative,
                    [](float a, float b, float c, std::uint32_t value) { return a + number(value) * b / c; }},
    TernaryFunction{"lerp", simple, [](float a, float b, float c, std::uint32_t) { return a + c * (b - a); }},
    TernaryFunction{"mac", simple, [](float a, float b, float c, std::uint32_t) { return a * b + c; }},
    TernaryFunction{"lgamma_adjusted", simple,
                    [](float stirling, float log_sine, float x, std::uint32_t) {
                        const auto log_pi = static_cast<float>(std::log(std::numbers::pi));
                        return x < 0.5F ? log_pi - log_sine - stirling : stirling;
                    }},
    TernaryFunction{"snake_beta", polynomial,
                    [](float x, float alpha, float beta, std::uint32_t) {
                        const double sine = std::sin(static_cast<double>(alpha) * static_cast<double>(x));
                        return static_cast<float>(static_cast<double>(x) + sine * sine / static_cast<double>(beta));
                    }},
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

template <typename Function>
const Function& required(const Function* function) {
    if (function == nullptr) {
        throw InputError("a function of the vector unit that is not modeled");
    }
    return *function;
}

}  // namespace

const UnaryFunction* unary_function(std::uint32_t number) { return find(kUnary, number); }
const BinaryFunction* binary_function(std::uint32_t number) { return find(kBinary, number); }
const TernaryFunction* ternary_function(std::uint32_t number) { return find(kTernary, number); }
const UnaryFunction& unary_of(const ComputeCommand& command) { return required(unary_function(command.words[1])); }
const BinaryFunction& binary_of(const ComputeCommand& command) { return required(binary_function(command.words[3])); }
const TernaryFunction& ternary_of(const ComputeCommand& command) {
    return required(ternary_function(command.words[4]));
}

}  // namespace nocbench
