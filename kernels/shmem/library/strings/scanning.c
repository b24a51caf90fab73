/* SPDX-License-Identifier: Apache-2.0
 * Parsing of values, as by sscanf. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void store(void* to, int size, long long value) { memcpy(to, &value, size); }

/* Parses the number at `text`, of at most `width` characters. Returns its end, or null if there is none. */
static const char* number(const char* text, int width, int conversion, int size, void* to) {
    char digits[48];
    int length = strnlen(text, width < 47 ? width : 47);
    memcpy(digits, text, length);
    digits[length] = '\0';
    char* end;
    if (strchr("diuxXop", conversion) != NULL) {
        int base = conversion == 'd' || conversion == 'u' ? 10 : conversion == 'i' ? 0 : conversion == 'o' ? 8 : 16;
        long long value = conversion == 'd' || conversion == 'i' ? strtoll(digits, &end, base)
                                                                 : (long long)strtoull(digits, &end, base);
        if (end != digits && to != NULL) store(to, size, value);
    } else {
        double value = strtod(digits, &end);
        if (end != digits && to != NULL) {
            if (size == 4) {
                *(float*)to = value;
            } else if (size == 8) {
                *(double*)to = value;
            } else {
                *(long double*)to = value;
            }
        }
    }
    return end == digits ? NULL : text + (end - digits);
}

int vsscanf(const char* text, const char* format, va_list arguments) {
    const char* at = text;
    int count = 0;
    for (; *format != '\0'; ++format) {
        if (isspace((unsigned char)*format)) {
            while (isspace((unsigned char)*at)) ++at;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                ++format;
                while (isspace((unsigned char)*at)) ++at;
            }
            if (*at != *format) return *at == '\0' && count == 0 ? EOF : count;
            ++at;
            continue;
        }
        ++format;
        int is_dropped = *format == '*';
        if (is_dropped) ++format;
        int width = 0;
        for (; isdigit((unsigned char)*format); ++format) width = width * 10 + (*format - '0');
        int is_long = 0, is_short = 0;
        for (; strchr("hlLjztq", *format) != NULL && *format != '\0'; ++format) {
            is_short += *format == 'h';
            is_long += *format == 'l' ? 1 : *format == 'L' || *format == 'j' || *format == 'q' ? 2 : 0;
        }
        int conversion = *format;
        if (conversion != 'c' && conversion != '[' && conversion != 'n') {
            while (isspace((unsigned char)*at)) ++at;
        }
        if (conversion == 'n') {
            if (!is_dropped) *va_arg(arguments, int*) = at - text;
            continue;
        }
        char set[256];
        if (conversion == '[') {
            int is_inverted = format[1] == '^';
            if (is_inverted) ++format;
            memset(set, is_inverted, sizeof set);
            const char* first = ++format;
            for (; *format != '\0' && (*format != ']' || format == first); ++format) {
                unsigned char from = *format, until = from;
                if (format[1] == '-' && format[2] != ']' && format[2] != '\0') {
                    until = format[2];
                    format += 2;
                }
                for (int c = from; c <= until; ++c) set[c] = !is_inverted;
            }
        }
        if (*at == '\0') return count == 0 ? EOF : count;
        void* to = is_dropped ? NULL : va_arg(arguments, void*);
        if (conversion == 'c' || conversion == 's' || conversion == '[') {
            int most = width != 0 ? width : conversion == 'c' ? 1 : 0x7FFFFFFF, length = 0;
            while (length < most && at[length] != '\0' &&
                   (conversion == 'c' ||
                    (conversion == 's' ? !isspace((unsigned char)at[length]) : set[(unsigned char)at[length]]))) {
                ++length;
            }
            if (length == 0) return count;
            if (to != NULL) {
                memcpy(to, at, length);
                if (conversion != 'c') ((char*)to)[length] = '\0';
            }
            at += length;
        } else {
            int is_real = strchr("aAeEfFgG", conversion) != NULL;
            int size = is_real        ? is_long == 0   ? 4
                                        : is_long == 1 ? 8
                                                       : 16
                       : is_short     ? is_short == 1 ? 2 : 1
                       : is_long >= 2 ? 8
                                      : 4;
            const char* end = number(at, width != 0 ? width : 47, conversion, size, to);
            if (end == NULL) return count;
            at = end;
        }
        count += !is_dropped;
    }
    return count;
}

int sscanf(const char* text, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}
