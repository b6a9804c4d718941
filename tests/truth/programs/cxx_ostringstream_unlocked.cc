/*
 * Two threads append to one string without a lock.
 *
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "cxx_ostringstream.cc"
