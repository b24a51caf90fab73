/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_COMPLEX_H
#define NOCBENCH_COMPLEX_H

#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#define CMPLXF(real, imaginary) __builtin_complex((float)(real), (float)(imaginary))
#define CMPLXL(real, imaginary) __builtin_complex((long double)(real), (long double)(imaginary))

#ifdef __cplusplus
extern "C" {
#endif

double cabs(double _Complex z);
double carg(double _Complex z);
double creal(double _Complex z);
double cimag(double _Complex z);
double _Complex conj(double _Complex z);
double _Complex cproj(double _Complex z);
double _Complex cexp(double _Complex z);
double _Complex clog(double _Complex z);
double _Complex csqrt(double _Complex z);
double _Complex cpow(double _Complex z, double _Complex exponent);
float cabsf(float _Complex z);
float cargf(float _Complex z);
float crealf(float _Complex z);
float cimagf(float _Complex z);
float _Complex conjf(float _Complex z);
float _Complex cprojf(float _Complex z);
float _Complex cexpf(float _Complex z);
float _Complex clogf(float _Complex z);
float _Complex csqrtf(float _Complex z);
float _Complex cpowf(float _Complex z, float _Complex exponent);

#ifdef __cplusplus
}
#endif

#endif
