// pes: 5
// expect: PASS text
// Text composed by snprintf and strtok, sent between PEs, and joined.
#include <ctype.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char names[5][24];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    char text[24];
    int length = snprintf(text, sizeof text, "pe-%02d:%+d:%x", me, -me, me + 250);
    bad += length != (int)strlen(text);
    shmem_putmem(names[me], text, length + 1, 0);
    shmem_barrier_all();
    if (me == 0) {
        char all[128] = "";
        for (int pe = 0; pe < n; pe++) {
            strcat(all, names[pe]);
            strcat(all, pe + 1 < n ? "," : "");
        }
        bad += strcmp(all, "pe-00:+0:fa,pe-01:-1:fb,pe-02:-2:fc,pe-03:-3:fd,pe-04:-4:fe") != 0;
        int words = 0;
        long sum = 0;
        for (char *word = strtok(all, ","); word; word = strtok(NULL, ",")) {
            char *hex = strrchr(word, ':');
            sum += strtol(hex + 1, NULL, 16);
            words++;
            for (char *c = word; *c; c++) *c = toupper((unsigned char)*c);
            bad += strncmp(word, "PE-", 3) != 0;
        }
        bad += words != n || sum != 5 * 250 + 10;
        char *rest;
        bad += strtod("2.5e3 apples", &rest) != 2500.0 || strcmp(rest, " apples") != 0 || strtoul("0x1f", NULL, 0) != 31;
        bad += strcmp(strerror(0), "") == 0;
        char small[6];
        bad += snprintf(small, sizeof small, "%s", "truncated") != 9 || strcmp(small, "trunc") != 0;
        printf("[%5d|%-5d|%05d|%5.2f|%e|%c|%s|%%|%10s|%-4s|%p]\n", 42, 42, 42, 3.14159, 12345.678, 'c', "str", "right", "l", (void *)0x10);
        puts(bad ? "FAIL text" : "PASS text");
    }
    shmem_finalize();
    return bad;
}
