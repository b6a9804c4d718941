/*
 * The string ends for a moment where strtok goes on.
 *
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "token_strtok.c"
