/*
 * Lines are counted around a print without the lock.
 *
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "cxx_iostream.cc"
