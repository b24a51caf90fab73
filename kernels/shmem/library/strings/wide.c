/* SPDX-License-Identifier: Apache-2.0
 * Conversion between bytes and wide characters, which have equal values in the C locale. */
#include <errno.h>
#include <stdlib.h>

int mbtowc(wchar_t* wide, const char* text, size_t size) {
    if (text == NULL) return 0;
    if (size == 0) return -1;
    if (wide != NULL) *wide = (unsigned char)*text;
    return *text != '\0';
}
int mblen(const char* text, size_t size) { return mbtowc(NULL, text, size); }
int wctomb(char* text, wchar_t wide) {
    if (text == NULL) return 0;
    if ((unsigned long)wide > 0xFF) {
        errno = EILSEQ;
        return -1;
    }
    *text = (char)wide;
    return 1;
}
size_t mbstowcs(wchar_t* wide, const char* text, size_t size) {
    size_t count = 0;
    for (; wide == NULL || count < size; ++count) {
        if (wide != NULL) wide[count] = (unsigned char)text[count];
        if (text[count] == '\0') break;
    }
    return count;
}
size_t wcstombs(char* text, const wchar_t* wide, size_t size) {
    size_t count = 0;
    for (; text == NULL || count < size; ++count) {
        char c;
        if (wctomb(&c, wide[count]) < 0) return (size_t)-1;
        if (text != NULL) text[count] = c;
        if (c == '\0') break;
    }
    return count;
}
