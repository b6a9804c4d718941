/*
 * The flag is set and nobody is told.
 *
 * expect: 1
 * match: deadlock
 */
#define LOSE
#include "cxx_condition_any.cc"
