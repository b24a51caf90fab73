// pes: 1
// expect: PASS strings
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char a[40] = "one", *end;
    strcat(a, " two");
    strncat(a, " three", 3);
    assert(strcmp(a, "one two th") == 0 && strlen(a) == 10);
    assert(strchr(a, 't') == a + 4 && strrchr(a, 't') == a + 8 && strstr(a, "wo t") == a + 5 && !strstr(a, "x"));
    assert(strncmp("abc", "abd", 2) == 0 && strcmp("abc", "abd") < 0 && strcasecmp("HeLLo", "hEllO") == 0);
    assert(strspn("aabc", "ab") == 3 && strcspn("xyz1", "0123") == 3);
    char words[] = "a,b;;c";
    assert(!strcmp(strtok(words, ",;"), "a") && !strcmp(strtok(NULL, ",;"), "b") && !strcmp(strtok(NULL, ",;"), "c") &&
           !strtok(NULL, ",;"));
    memmove(a + 1, a, 5);
    assert(memcmp(a, "oone t", 6) == 0);
    assert(memchr(a, 'n', 9) == a + 2);
    assert(strtol("-0x1Fz", &end, 0) == -31 && *end == 'z');
    assert(strtol("99999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
    assert(strtoull("18446744073709551615", NULL, 10) == ULLONG_MAX && strtoul("777", NULL, 8) == 511);
    assert(strtod("  -12.5e2x", &end) == -1250 && *end == 'x' && atof("0.1") == 0.1 && strtod("0x1.8p1", NULL) == 3);
    assert(strtod("1e-320", NULL) == 1e-320 && strtod("123456789012345678", NULL) == 123456789012345678.0);
    assert(isalpha('q') && !isalpha('1') && toupper('z') == 'Z' && isspace('\n') && isxdigit('F') && ispunct('!'));
    assert(abs(-3) == 3 && div(17, 5).rem == 2 && llabs(-5000000000LL) == 5000000000LL);
    puts("PASS strings");
    return 0;
}
