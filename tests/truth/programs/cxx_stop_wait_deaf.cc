/*
 * A wait that does not look at the request.
 *
 * expect: 1
 * match: deadlock
 */
#define DEAF
#include "cxx_stop_wait.cc"
