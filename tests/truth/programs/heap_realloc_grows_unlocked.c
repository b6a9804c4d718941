/*
 * expect: 1
 * match: free|assertion failed|outside
 */
#define UNLOCKED
#include "heap_realloc_grows.c"
