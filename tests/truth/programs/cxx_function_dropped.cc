/*
 * A worker that leaves with tasks still in the queue.
 *
 * expect: 1
 * match: assertion failed
 */
#define DROP
#include "cxx_function.cc"
