// pes: 1
// exit: 4
// expect: main
// expect: second
// expect: first
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first"); }
static void second(void) { puts("second"); }

int main(void) {
    atexit(first);
    atexit(second);
    puts("main");
    exit(4);
}
