/*
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "pipe_dprintf.c"
