/* SPDX-License-Identifier: Apache-2.0
 * Separate file: only programs that use strndup are charged for the routine that it calls. */
#include <stdlib.h>
#include <string.h>

char* strndup(const char* text, size_t size) {
    size_t length = strnlen(text, size);
    char* copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}
char* strdup(const char* text) { return strndup(text, strlen(text)); }
