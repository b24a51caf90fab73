// SPDX-License-Identifier: Apache-2.0
// Thread primitives for a core with one single-threaded program.
#pragma once
#pragma GCC system_header
using __gthread_mutex_t = int;
using __gthread_recursive_mutex_t = int;
#define __GTHREAD_MUTEX_INIT 0
#define __GTHREAD_RECURSIVE_MUTEX_INIT 0
inline int __gthread_active_p() { return 0; }
inline int __gthread_mutex_lock(__gthread_mutex_t*) { return 0; }
inline int __gthread_mutex_unlock(__gthread_mutex_t*) { return 0; }
inline int __gthread_mutex_destroy(__gthread_mutex_t*) { return 0; }
inline int __gthread_recursive_mutex_lock(__gthread_recursive_mutex_t*) { return 0; }
inline int __gthread_recursive_mutex_unlock(__gthread_recursive_mutex_t*) { return 0; }
inline int __gthread_recursive_mutex_destroy(__gthread_recursive_mutex_t*) { return 0; }
