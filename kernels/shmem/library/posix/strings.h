/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_STRINGS_H
#define NOCBENCH_STRINGS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

int strcasecmp(const char* one, const char* other);
int strncasecmp(const char* one, const char* other, size_t size);
char* index(const char* text, int c);
char* rindex(const char* text, int c);
int bcmp(const void* one, const void* other, size_t size);
void bcopy(const void* from, void* to, size_t size);
void bzero(void* to, size_t size);
void explicit_bzero(void* to, size_t size);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);

#ifdef __cplusplus
}
#endif

#endif
