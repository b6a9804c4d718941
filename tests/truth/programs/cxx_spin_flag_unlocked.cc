/*
 * Two threads append to one string; one letter is lost.
 *
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "cxx_spin_flag.cc"
