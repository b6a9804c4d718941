/*
 * The string ends for a moment where strtok_r goes on.
 *
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "token_strtok_r.c"
