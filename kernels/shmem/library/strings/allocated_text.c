/* SPDX-License-Identifier: Apache-2.0
 * Formatted texts in allocated blocks of matching size. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int vasprintf(char** text, const char* format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    *text = malloc(length + 1);
    return *text == NULL ? -1 : vsnprintf(*text, length + 1, format, arguments);
}
int asprintf(char** text, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}
