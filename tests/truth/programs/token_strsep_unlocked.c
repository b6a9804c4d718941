/*
 * The string ends for a moment where strsep goes on.
 *
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "token_strsep.c"
