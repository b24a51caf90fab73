/* SPDX-License-Identifier: Apache-2.0
 * Only declarations needed by the C++ library: programs on a core have no wide text. */
#ifndef NOCBENCH_WCHAR_H
#define NOCBENCH_WCHAR_H

#include <stdarg.h>
#include <stddef.h>

#define WEOF ((wint_t) - 1)
#ifndef WCHAR_MIN
#define WCHAR_MIN __WCHAR_MIN__
#define WCHAR_MAX __WCHAR_MAX__
#endif

typedef __WINT_TYPE__ wint_t;
typedef struct {
    int nothing;
} mbstate_t;

#ifdef __cplusplus
extern "C" {
#endif

size_t wcslen(const wchar_t* text);
wchar_t* wmemchr(const wchar_t* where, wchar_t value, size_t size);
int wmemcmp(const wchar_t* one, const wchar_t* other, size_t size);
wchar_t* wmemcpy(wchar_t* to, const wchar_t* from, size_t size);
wchar_t* wmemmove(wchar_t* to, const wchar_t* from, size_t size);
wchar_t* wmemset(wchar_t* to, wchar_t value, size_t size);

#ifdef __cplusplus
}
#endif

#endif
