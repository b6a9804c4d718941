/*
 * bugs/point.c under sequential consistency.
 * No bug: the fields are written before the pointer.
 * expect: clean
 * found: --strategy=random --runs=2000
 */
#include "point.c"
