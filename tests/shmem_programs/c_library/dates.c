// Dates of each PE's run, and normalization of calendar fields outside their ranges.
// pes: 1 4 16
// expect: 1970-01-01 00:00:00 UTC
// expect: PASS
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int failures;

static void expect(const char* format, time_t when, const char* expected) {
    char text[120];
    size_t length = strftime(text, sizeof(text), format, gmtime(&when));
    if (length != strlen(expected) || strcmp(text, expected) != 0) {
        printf("FAIL %s of %ld: %s, not %s\n", format, (long)when, text, expected);
        failures++;
    }
}

int main(void) {
    time_t now;
    char buffer[64];

    shmem_init();
    now = time(NULL);
    if (strftime(buffer, sizeof(buffer), "%Y-%m-%d %H:%M:%S %Z", localtime(&now)) == 0) strcpy(buffer, "FAIL");
    printf("PE %d of %d at %s\n", shmem_my_pe(), shmem_n_pes(), buffer);

    struct tm fields = {0};
    fields.tm_year = 100;
    fields.tm_mon = 1;
    fields.tm_mday = 30;
    fields.tm_hour = 25;
    time_t when = mktime(&fields);
    if (when != 951958800 || fields.tm_mon != 2 || fields.tm_mday != 2 || fields.tm_hour != 1 || fields.tm_wday != 4) {
        printf("FAIL mktime: %ld\n", (long)when);
        failures++;
    }
    if (difftime(when, 951958799) != 1.0) failures++;
    expect("%a %A %b %B %e %d %j", 951958800, "Thu Thursday Mar March  2 02 062");
    expect("%c|%D|%F|%r|%R|%T|%x|%X", 951958800,
           "Thu Mar  2 01:00:00 2000|03/02/00|2000-03-02|01:00:00 AM|01:00|01:00:00|03/02/00|01:00:00");
    expect("%C %y %I %p %u %w %U %W %s %n%t%%", 951958800, "20 00 01 AM 4 4 09 09 951958800 \n\t%");
    expect("%G-W%V-%u %g", 1230768000, "2009-W01-4 09");
    expect("%G-W%V-%u", 1104537600, "2004-W53-6");
    expect("%G-W%V-%u", 1230681600, "2009-W01-3");
    expect("%F %T", -1, "1969-12-31 23:59:59");
    if (strftime(buffer, 4, "%Y", gmtime(&when)) != 0) failures++;
    if (strcmp(ctime(&when), "Thu Mar  2 01:00:00 2000\n") != 0) failures++;

    shmem_barrier_all();
    if (shmem_my_pe() == 0) puts(failures == 0 ? "PASS" : "FAIL");
    shmem_finalize();
    return failures;
}
