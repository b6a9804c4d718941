/*
 * One of the two is not waited for.
 *
 * expect: 1
 * match: assertion failed
 */
#define HASTY
#include "spin_attempts.c"
