// SPDX-License-Identifier: Apache-2.0
// Configuration for programs on a core, whose C library has less than that of kernels: no wide characters, for example.
#pragma once
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_USE_WCHAR_T
#undef _GLIBCXX_USE_C11_UCHAR_CXX11
#undef _GLIBCXX_HAVE_POSIX_MEMALIGN
#undef _GLIBCXX_HAVE_MEMALIGN
// The C++ library is header-only.
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
// Available to programs, unlike to kernels.
#define _GLIBCXX_HAVE_AT_QUICK_EXIT 1
#define _GLIBCXX_HAVE_QUICK_EXIT 1
#define _GLIBCXX_HAVE_ALIGNED_ALLOC 1
#define _GLIBCXX_HAVE_TIMESPEC_GET 1
