/*
 * Two locks in two orders.
 *
 * expect: 1
 * match: deadlock
 */
#define ONE_BY_ONE
#include "cxx_scoped_lock.cc"
