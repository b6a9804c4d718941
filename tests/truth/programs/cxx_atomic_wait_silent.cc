/*
 * A store that nobody is told about: the waiter sleeps on.
 *
 * expect: 1
 * match: deadlock
 */
#define SILENT
#include "cxx_atomic_wait.cc"
