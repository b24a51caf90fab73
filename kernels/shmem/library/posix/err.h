/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_ERR_H
#define NOCBENCH_ERR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

void err(int status, const char* format, ...) __attribute__((noreturn, format(printf, 2, 3)));
void errx(int status, const char* format, ...) __attribute__((noreturn, format(printf, 2, 3)));
void warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
void warnx(const char* format, ...) __attribute__((format(printf, 1, 2)));
void verr(int status, const char* format, va_list arguments) __attribute__((noreturn, format(printf, 2, 0)));
void verrx(int status, const char* format, va_list arguments) __attribute__((noreturn, format(printf, 2, 0)));
void vwarn(const char* format, va_list arguments) __attribute__((format(printf, 1, 0)));
void vwarnx(const char* format, va_list arguments) __attribute__((format(printf, 1, 0)));

#ifdef __cplusplus
}
#endif

#endif
