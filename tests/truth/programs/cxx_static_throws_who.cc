/*
 * Which thread meets the exception of a local static is not determined.
 *
 * expect: 1
 * match: assertion failed
 */
#define OPTIMIST
#include "cxx_static_throws.cc"
