/*
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "string_wide.c"
