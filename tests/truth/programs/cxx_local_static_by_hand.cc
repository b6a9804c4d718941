/*
 * A singleton that is made at first use without a guard is made twice.
 *
 * expect: 1
 * match: assertion failed
 */
#define BY_HAND
#include "cxx_local_static.cc"
