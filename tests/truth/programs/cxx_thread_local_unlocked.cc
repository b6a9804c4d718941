/*
 * Destructors of thread_local objects race for the total.
 *
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "cxx_thread_local.cc"
