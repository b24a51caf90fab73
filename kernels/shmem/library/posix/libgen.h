/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_LIBGEN_H
#define NOCBENCH_LIBGEN_H

#ifdef __cplusplus
extern "C" {
#endif

char* basename(char* path);
char* dirname(char* path);

#ifdef __cplusplus
}
#endif

#endif
