/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <unistd.h>

size_t strlen(const char* text) {
    const char* end = text;
    while (*end != '\0') ++end;
    return end - text;
}
size_t strnlen(const char* text, size_t size) {
    size_t length = 0;
    while (length < size && text[length] != '\0') ++length;
    return length;
}
char* stpcpy(char* __restrict to, const char* __restrict from) {
    while ((*to = *from++) != '\0') ++to;
    return to;
}
char* strcpy(char* __restrict to, const char* __restrict from) {
    stpcpy(to, from);
    return to;
}
char* strncpy(char* __restrict to, const char* __restrict from, size_t size) {
    size_t at = 0;
    for (; at < size && from[at] != '\0'; ++at) to[at] = from[at];
    for (; at < size; ++at) to[at] = '\0';
    return to;
}
char* strcat(char* __restrict to, const char* __restrict from) {
    stpcpy(to + strlen(to), from);
    return to;
}
char* strncat(char* __restrict to, const char* __restrict from, size_t size) {
    char* end = to + strlen(to);
    for (; size != 0 && *from != '\0'; --size) *end++ = *from++;
    *end = '\0';
    return to;
}
size_t strlcpy(char* __restrict to, const char* __restrict from, size_t size) {
    size_t length = strlen(from);
    if (size != 0) {
        size_t kept = length < size ? length : size - 1;
        memcpy(to, from, kept);
        to[kept] = '\0';
    }
    return length;
}
size_t strlcat(char* __restrict to, const char* __restrict from, size_t size) {
    size_t length = strnlen(to, size);
    return length + strlcpy(to + length, from, size - length);
}
int strcmp(const char* one, const char* other) {
    for (; *one == *other; ++one, ++other) {
        if (*one == '\0') return 0;
    }
    return (unsigned char)*one - (unsigned char)*other;
}
int strncmp(const char* one, const char* other, size_t size) {
    for (; size != 0; --size, ++one, ++other) {
        if (*one != *other) return (unsigned char)*one - (unsigned char)*other;
        if (*one == '\0') return 0;
    }
    return 0;
}
int strcoll(const char* one, const char* other) { return strcmp(one, other); }
size_t strxfrm(char* to, const char* from, size_t size) { return strlcpy(to, from, size); }
char* strchr(const char* text, int c) {
    for (;; ++text) {
        if (*text == (char)c) return (char*)text;
        if (*text == '\0') return NULL;
    }
}
char* strrchr(const char* text, int c) {
    const char* last = NULL;
    for (;; ++text) {
        if (*text == (char)c) last = text;
        if (*text == '\0') return (char*)last;
    }
}
char* index(const char* text, int c) { return strchr(text, c); }
char* rindex(const char* text, int c) { return strrchr(text, c); }
char* strstr(const char* text, const char* what) {
    size_t size = strlen(what);
    for (;; ++text) {
        if (strncmp(text, what, size) == 0) return (char*)text;
        if (*text == '\0') return NULL;
    }
}
size_t strspn(const char* text, const char* any) {
    size_t length = 0;
    while (text[length] != '\0' && strchr(any, text[length]) != NULL) ++length;
    return length;
}
size_t strcspn(const char* text, const char* any) {
    size_t length = 0;
    while (strchr(any, text[length]) == NULL) ++length; /* strchr also finds the terminator */
    return length;
}
char* strpbrk(const char* text, const char* any) {
    text += strcspn(text, any);
    return *text == '\0' ? NULL : (char*)text;
}
char* strtok_r(char* text, const char* any, char** rest) {
    if (text == NULL) text = *rest;
    text += strspn(text, any);
    if (*text == '\0') {
        *rest = text;
        return NULL;
    }
    char* end = text + strcspn(text, any);
    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return text;
}
char* strtok(char* text, const char* any) {
    static char* rest;
    return strtok_r(text, any, &rest);
}
char* strsep(char** text, const char* any) {
    char* begin = *text;
    if (begin == NULL) return NULL;
    char* end = begin + strcspn(begin, any);
    *text = *end == '\0' ? NULL : end + 1;
    *end = '\0';
    return begin;
}

char* strchrnul(const char* text, int c) {
    while (*text != '\0' && *text != (char)c) ++text;
    return (char*)text;
}
char* stpncpy(char* __restrict to, const char* __restrict from, size_t size) {
    size_t length = strnlen(from, size);
    memcpy(to, from, length);
    memset(to + length, '\0', size - length);
    return to + length;
}
char* strcasestr(const char* text, const char* what) {
    size_t length = strlen(what);
    for (;; ++text) {
        if (strncasecmp(text, what, length) == 0) return (char*)text;
        if (*text == '\0') return NULL;
    }
}
void swab(const void* from, void* to, ssize_t size) {
    const char* f = from;
    char* t = to;
    for (; size > 1; size -= 2, f += 2, t += 2) {
        char first = f[0];
        t[0] = f[1];
        t[1] = first;
    }
}
