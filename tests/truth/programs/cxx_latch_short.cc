/*
 * A latch for one where two are to be waited for.
 *
 * expect: 1
 * match: assertion failed
 */
#define SHORT
#include "cxx_latch.cc"
