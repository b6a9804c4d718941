/*
 * The digits are read after they were written, the point before.
 *
 * expect: 1
 * match: assertion failed
 */
#define UNLOCKED
#include "number_ecvt.c"
