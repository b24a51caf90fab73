/* SPDX-License-Identifier: Apache-2.0 */
/* No guard: each inclusion redefines assert according to the current NDEBUG. */
#undef assert

#ifdef __cplusplus
extern "C" {
#endif

void __assert_func(const char* file, int line, const char* function, const char* expression)
    __attribute__((noreturn, cold));

#ifdef __cplusplus
}
#endif

#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) ((expression) ? (void)0 : __assert_func(__FILE__, __LINE__, __func__, #expression))
#endif

#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif
