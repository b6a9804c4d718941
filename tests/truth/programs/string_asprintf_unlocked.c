/*
 * expect: 1
 * match: assertion failed|double free|heap
 */
#define UNLOCKED
#include "string_asprintf.c"
