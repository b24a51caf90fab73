// pes: 1
// expect: out
// expect: err
// expect: abcd
// expect: error: Invalid argument
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    FILE *where = stdout;
    fprintf(where, "%s\n", "out");
    where = stderr;
    fprintf(where, "err%c", '\n');
    putchar('a');
    putc('b', stdout);
    fputc('c', stdout);
    fputs("d", stdout);
    fwrite("\n\n", 1, 1, stdout);
    write(1, "w\n", 2);
    fflush(stdout);
    fflush(NULL);
    errno = EINVAL;
    perror("error");
    return fileno(stderr) != 2;
}
