/*
 * expect: 1
 * match: assertion failed
 */
#define BLIND
#include "cxx_atomic_shared_swap.cc"
