/*
 * After the meeting the other thread may already have gone on.
 *
 * expect: 1
 * match: assertion failed
 */
#define ONE_PHASE
#include "cxx_barrier.cc"
