/*
 * The reader that does not look again.
 *
 * expect: 1
 * match: assertion failed
 */
#define ONCE
#include "spin_sequence.cc"
