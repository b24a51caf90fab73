// SPDX-License-Identifier: Apache-2.0
// Configuration of the host's C++ library, without features that need an operating system.
#pragma once
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_HAS_GTHREADS
#undef _GLIBCXX_HAVE_LINUX_FUTEX
#undef _GLIBCXX_USE_C99_COMPLEX
#undef _GLIBCXX_HAVE_AT_QUICK_EXIT
#undef _GLIBCXX_HAVE_QUICK_EXIT
#undef _GLIBCXX_HAVE_ALIGNED_ALLOC
#undef _GLIBCXX_HAVE_TIMESPEC_GET
#undef _GLIBCXX_USE_DUAL_ABI
#define _GLIBCXX_USE_DUAL_ABI 0
