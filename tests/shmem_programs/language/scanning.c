// pes: 1
// args: 3x4 --scale=2.5 [core-7]
// expect: PASS scanning
#include <math.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    int rows, columns, n = 0, used;
    short small;
    long long large;
    unsigned mask;
    float f;
    double scale, d;
    char name[16], c, rest[8];
    int ok = argc == 4;
    ok &= sscanf(argv[1], "%dx%d", &rows, &columns) == 2 && rows == 3 && columns == 4;
    ok &= sscanf(argv[2], "--scale=%lf", &scale) == 1 && scale == 2.5;
    ok &= sscanf(argv[3], "[%[a-z]-%d%c", name, &n, &c) == 3 && !strcmp(name, "core") && n == 7 && c == ']';
    ok &= sscanf("  -5 123456789012 ff 1e3 0.1 end%", "%hd%lld %x %f %lf %3s%%%n", &small, &large, &mask, &f, &d, rest,
                 &used) == 6;
    ok &= small == -5 && large == 123456789012LL && mask == 255 && f == 1000 && d == 0.1 && !strcmp(rest, "end") &&
          used == 33;
    ok &= sscanf("", "%d", &n) == EOF && sscanf("x", "%d", &n) == 0 && sscanf("12", "%1d%*d", &n) == 1 && n == 1;
    ok &= fabs(erf(0.5) - 0.520499877813046538) < 1e-15 && fabs(erfc(3) / 2.20904969985854414e-5 - 1) < 1e-13;
    ok &= tgamma(5) == 24 && fabs(lgamma(10.5) - 13.9406252194037636) < 1e-13;
    puts(ok ? "PASS scanning" : "FAIL");
    return 0;
}
