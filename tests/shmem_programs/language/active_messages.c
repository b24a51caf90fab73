// pes: 8
// expect: PASS active_messages
// Active messages implemented by equal function addresses on all PEs; recursion, varargs, setjmp.
#include <setjmp.h>
#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>

typedef int (*handler)(int);
static struct { handler volatile run; int volatile argument; } mailbox;
static int answer;
static jmp_buf out;

static int square(int v) { return v * v; }
static int fibonacci(int v) { return v < 2 ? v : fibonacci(v - 1) + fibonacci(v - 2); }
static int fails(int v) { longjmp(out, v); }
static handler const handlers[3] = {square, fibonacci, fails};

static int sum(int count, ...) {
    va_list list;
    int total = 0;
    va_start(list, count);
    while (count--) total += (int)va_arg(list, double) + va_arg(list, int);
    va_end(list);
    return total;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, last = (me + n - 1) % n;
    shmem_int_p((int *)&mailbox.argument, me + 3, next);
    shmem_fence();
    shmem_putmem((void *)&mailbox.run, &handlers[me % 3], sizeof(handler), next);
    while (!mailbox.run) {}
    int caught = setjmp(out);
    int result = caught ? -caught : mailbox.run(mailbox.argument);
    shmem_int_p(&answer, result, last);
    shmem_barrier_all();
    static const int fibonaccis[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    int v = me + 3, expected = me % 3 == 0 ? v * v : me % 3 == 1 ? fibonaccis[v] : -v;
    int wrong = answer != expected;
    wrong += sum(3, 1.5, 10, 2.5, 20, 3.5, 30) != 66;
    if (wrong) printf("PE %d: %d instead of %d\n", me, answer, expected);
    if (me == 0 && !wrong) printf("PASS active_messages\n");
    shmem_finalize();
    return wrong;
}
