// pes: 1
// expect: [   42|42   |00042|+42|2a|0X2A|52]
// expect: [-1 255 -1 65535 -9000000000 ffffffffffffffff]
// expect: [1.500000 1.5e+00 1.5 0x1.8p+0 2.50 inf nan]
// expect: [abc|  abc|abc  |ab|x|%]
// expect: [1.25 7]
// expect: 11
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <stdarg.h>

static void log_line(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void) {
    char text[32];
    printf("[%5d|%-5d|%05d|%+d|%x|%#X|%o]\n", 42, 42, 42, 42, 42, 42, 42);
    printf("[%hhd %hhu %hd %hu %lld %llx]\n", (signed char)-1, 255, (short)-1, 65535, -9000000000LL, -1LL);
    printf("[%f %.1e %g %a %.*f %f %f]\n", 1.5, 1.5, 1.5, 1.5, 2, 2.5, INFINITY, NAN);
    printf("[%s|%5s|%-5s|%.2s|%c|%%]\n", "abc", "abc", "abc", "abc", 'x');
    log_line("[%Lg %zu]\n", 1.25L, sizeof("123456"));
    int n = snprintf(text, 6, "%s", "hello world");
    printf("%d\n", n);
    if (strcmp(text, "hello") != 0) puts("FAIL");
    sprintf(text, "%d/%c", 7, 'y');
    if (strcmp(text, "7/y") != 0) puts("FAIL");
    return 0;
}
