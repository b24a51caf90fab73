/* SPDX-License-Identifier: Apache-2.0
 * Output functions of programs for COPRTHR-2. On the board, the host executes them. */
#ifndef NOCBENCH_HOST_STDIO_H
#define NOCBENCH_HOST_STDIO_H

#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

int host_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
int host_vprintf(const char* format, va_list arguments) __attribute__((format(printf, 1, 0)));

#ifdef __cplusplus
}
#endif

#endif
