/*
 * Two threads write a number into one buffer.
 *
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "cxx_to_chars.cc"
