/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_LOCALE_H
#define NOCBENCH_LOCALE_H

#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_ALL 6

struct lconv {
    char* decimal_point;
    char* thousands_sep;
};

#ifdef __cplusplus
extern "C" {
#endif

char* setlocale(int category, const char* locale);
struct lconv* localeconv(void);

#ifdef __cplusplus
}
#endif

#endif
