/*
 * A time limit that is said never to expire.
 *
 * expect: 1
 * match: assertion failed
 */
#define NEVER
#include "cxx_timed_mutex.cc"
