/*
 * The queue of cxx_map_queue.cc whose producer forgets to say that there is something.
 *
 * expect: 1
 * match: deadlock
 */
#define LOSE_WAKEUP
#include "cxx_map_queue.cc"
