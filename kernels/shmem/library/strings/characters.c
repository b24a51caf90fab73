/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <strings.h>

static inline int between(int c, int first, int last) { return (unsigned)c - first <= (unsigned)(last - first); }

int isdigit(int c) { return between(c, '0', '9'); }
int isupper(int c) { return between(c, 'A', 'Z'); }
int islower(int c) { return between(c, 'a', 'z'); }
int isalpha(int c) { return between(c | 0x20, 'a', 'z'); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isspace(int c) { return c == ' ' || between(c, '\t', '\r'); }
int iscntrl(int c) { return between(c, 0, 0x1F) || c == 0x7F; }
int isprint(int c) { return between(c, ' ', '~'); }
int isgraph(int c) { return between(c, '!', '~'); }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || between(c | 0x20, 'a', 'f'); }
int isascii(int c) { return between(c, 0, 0x7F); }
int toascii(int c) { return c & 0x7F; }
int tolower(int c) { return isupper(c) ? c | 0x20 : c; }
int toupper(int c) { return islower(c) ? c & ~0x20 : c; }

int strncasecmp(const char* one, const char* other, size_t size) {
    for (; size != 0; --size, ++one, ++other) {
        int difference = tolower((unsigned char)*one) - tolower((unsigned char)*other);
        if (difference != 0 || *one == '\0') return difference;
    }
    return 0;
}
int strcasecmp(const char* one, const char* other) { return strncasecmp(one, other, (size_t)-1); }

int ffsll(long long value) { return value == 0 ? 0 : __builtin_ctzll(value) + 1; }
int ffsl(long value) { return value == 0 ? 0 : __builtin_ctzl(value) + 1; }
int ffs(int value) { return value == 0 ? 0 : __builtin_ctz(value) + 1; }
