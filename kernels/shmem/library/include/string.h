/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_STRING_H
#define NOCBENCH_STRING_H

#include <stddef.h>
#include <strings.h>

#ifdef __cplusplus
extern "C" {
#endif

void* memcpy(void* __restrict to, const void* __restrict from, size_t size);
void* mempcpy(void* __restrict to, const void* __restrict from, size_t size);
void* memmove(void* to, const void* from, size_t size);
void* memset(void* to, int value, size_t size);
int memcmp(const void* one, const void* other, size_t size);
void* memchr(const void* where, int value, size_t size);
void* memrchr(const void* where, int value, size_t size);
void* memccpy(void* __restrict to, const void* __restrict from, int value, size_t size);
void* memmem(const void* where, size_t size, const void* what, size_t what_size);
char* strcpy(char* __restrict to, const char* __restrict from);
char* strncpy(char* __restrict to, const char* __restrict from, size_t size);
char* stpcpy(char* __restrict to, const char* __restrict from);
char* stpncpy(char* __restrict to, const char* __restrict from, size_t size);
char* strcat(char* __restrict to, const char* __restrict from);
char* strncat(char* __restrict to, const char* __restrict from, size_t size);
size_t strlcpy(char* __restrict to, const char* __restrict from, size_t size);
size_t strlcat(char* __restrict to, const char* __restrict from, size_t size);
int strcmp(const char* one, const char* other);
int strncmp(const char* one, const char* other, size_t size);
int strcoll(const char* one, const char* other);
size_t strxfrm(char* to, const char* from, size_t size);
size_t strlen(const char* text);
size_t strnlen(const char* text, size_t size);
char* strchr(const char* text, int c);
char* strchrnul(const char* text, int c);
char* strrchr(const char* text, int c);
char* strcasestr(const char* text, const char* what);
char* strstr(const char* text, const char* what);
char* strpbrk(const char* text, const char* any);
size_t strspn(const char* text, const char* any);
size_t strcspn(const char* text, const char* any);
char* strtok(char* text, const char* any);
char* strtok_r(char* text, const char* any, char** rest);
char* strsep(char** text, const char* any);
char* strdup(const char* text);
char* strndup(const char* text, size_t size);
char* strerror(int number);
int strerror_r(int number, char* text, size_t size);
char* strsignal(int number);

#ifdef __cplusplus
}
#endif

#endif
