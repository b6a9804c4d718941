/*
 * The answer is never given.
 *
 * expect: 1
 * match: deadlock
 */
#define LOSE
#include "cxx_binary_semaphore.cc"
