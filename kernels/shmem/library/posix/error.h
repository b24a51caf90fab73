/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_ERROR_H
#define NOCBENCH_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

void error(int status, int number, const char* format, ...) __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
