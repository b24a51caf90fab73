// SPDX-License-Identifier: Apache-2.0
// Locale types that the host's C++ library declares functions with. Kernels have no locales.
#pragma once
#pragma GCC system_header
namespace std {
using __c_locale = void*;
}
