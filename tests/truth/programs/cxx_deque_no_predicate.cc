/*
 * A reader that waits without looking first: it sleeps through the only signal.
 *
 * expect: 1
 * match: deadlock
 */
#define NO_PREDICATE
#include "cxx_deque.cc"
