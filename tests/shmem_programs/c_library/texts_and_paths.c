// Common routines of POSIX and other C libraries.
// pes: 2
// expect: program: no such thing: Invalid argument
// expect: program: 1 left
// expect: PASS
#define _GNU_SOURCE
#include <byteswap.h>
#include <endian.h>
#include <err.h>
#include <errno.h>
#include <libgen.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <unistd.h>

#define CHECK(condition)                     \
    do {                                     \
        if (!(condition)) {                  \
            printf("FAIL %s\n", #condition); \
            failures++;                      \
        }                                    \
    } while (0)

int main(void) {
    int failures = 0;
    char path[] = "/usr/lib//", name[] = "ring.c", text[16], *made = NULL;
    wchar_t wide[8];
    void* block = NULL;
    struct rusage usage;
    struct tms spent;

    shmem_init();
    CHECK(strcmp(basename(path), "lib") == 0);
    CHECK(strcmp(dirname(path), "/usr") == 0 && strcmp(dirname(name), ".") == 0);
    CHECK(strcmp(strchrnul("key=value", '='), "=value") == 0 && *strchrnul("key", '=') == '\0');
    CHECK(strcmp(strcasestr("An OpenSHMEM program", "shmem"), "SHMEM program") == 0);
    CHECK(strcasestr("short", "longer text") == NULL);
    CHECK(memrchr("abcabc", 'b', 6) == (void*)(strrchr("abcabc", 'b')) || *(char*)memrchr("abcabc", 'b', 5) == 'b');
    CHECK(memccpy(text, "one,two", ',', 7) == text + 4 && stpncpy(text, "ab", 4) == text + 2 && text[3] == '\0');
    CHECK(strerror_r(ERANGE, text, sizeof text) == ERANGE || text[0] == 'N');
    swab("badc", text, 4);
    CHECK(memcmp(text, "abcd", 4) == 0);
    CHECK(asprintf(&made, "%s-%03d", "pe", 7) == 6 && strcmp(made, "pe-007") == 0);
    free(made);
    CHECK(mbstowcs(wide, "abc", 8) == 3 && wide[2] == L'c' && wcstombs(text, wide, sizeof text) == 3);
    CHECK(mblen("x", 1) == 1 && mbtowc(wide, "", 1) == 0 && wctomb(text, L'y') == 1 && *text == 'y');
    CHECK(bswap_32(0x01020304) == 0x04030201 && be16toh(htobe16(0x1234)) == 0x1234 && le32toh(5U) == 5);
    CHECK(posix_memalign(&block, 128, 100) == 0 && (uintptr_t)block % 128 == 0);
    CHECK(posix_memalign(&block, 3, 100) == EINVAL);
    free(block);
    block = aligned_alloc(256, 512);
    CHECK(block != NULL && (uintptr_t)block % 256 == 0);
    free(block);
    CHECK(reallocarray(NULL, SIZE_MAX / 2, 4) == NULL);
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_stime.tv_usec == 0);
    CHECK(times(&spent) >= spent.tms_utime && spent.tms_stime == 0);
    CHECK(geteuid() == getuid() && getegid() == getgid());
    CHECK(getline(&made, &(size_t){0}, stdin) == -1);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        errno = EINVAL;
        warn("no such thing");
        warnx("%d left", 1);
        puts(failures ? "FAIL" : "PASS");
    }
    shmem_finalize();
    return failures;
}
