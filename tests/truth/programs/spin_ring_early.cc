/*
 * The place is given out before the item is in it.
 *
 * expect: 1
 * match: assertion failed
 */
#define EARLY
#include "spin_ring.cc"
