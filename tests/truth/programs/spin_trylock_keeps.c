/*
 * The one that keeps what it has.
 *
 * expect: 1
 * match: deadlock
 */
#define KEEPS
#include "spin_trylock.c"
