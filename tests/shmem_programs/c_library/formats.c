// pes: 2
// expect: PASS formats
// Output of printf for all kinds of values, by snprintf and vsnprintf, compared with expected texts.
#include <inttypes.h>
#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int wrong;

static void expect(const char *expected, const char *format, ...) {
    char text[64];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (strcmp(text, expected) || length != (int)strlen(expected)) {
        wrong++;
        printf("expected '%s', found '%s'\n", expected, text);
    }
}

int main(void) {
    shmem_init();
    expect("-7 4294967289 fffffff9 37777777771", "%d %u %x %o", -7, -7, -7, -7);
    expect("9000000000 -9000000000", "%lld %" PRId64, 9000000000LL, (int64_t)-9000000000LL);
    expect("  1.50|1.5000|1.5|0x1.8p+0", "%6.2f|%.4f|%g|%a", 1.5, 1.5, 1.5, 1.5);
    expect("1e+20 1e-05 0.0001 123457", "%g %g %g %g", 1e20, 1e-5, 1e-4, 123456.789);
    expect("inf -inf nan", "%f %f %f", 1e308 * 10, -1e308 * 10, 0.0 / 0.0 * -1.0 > 0 ? 1.0 : __builtin_nan(""));
    expect("+5| 5|00005|5    |0x5", "%+d|% d|%05d|%-5d|%#x", 5, 5, 5, 5, 5);
    expect("x|abc|ab|   ab", "%c|%s|%.2s|%*.*s", 'x', "abc", "abc", 5, 2, "abc");
    expect("255 -1 65535 -1", "%hhu %hhd %hu %hd", 255, 255, 65535, 65535);
    expect("12 3.25", "%zu %.2Lf", sizeof(char[12]), 3.25L);
    expect("1 2.5 3 4.5 5 6.5 7 8.5 9", "%d %.1f %d %.1f %d %.1f %d %.1f %lld", 1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9LL);
    expect("(null)?", "%s?", (char *)0);
    expect("100%", "%d%%", 100);
    if (shmem_my_pe() == 0) puts(wrong ? "FAIL formats" : "PASS formats");
    shmem_finalize();
    return wrong;
}
