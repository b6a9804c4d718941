/*
 * The sale of bugs/airline.c with the lock.
 * No bug.
 * expect: clean
 * found: --strategy=random --runs=2000
 */
#define LOCKED
#include "airline.c"
