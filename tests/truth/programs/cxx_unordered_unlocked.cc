/*
 * Two threads insert into one unordered_map without a lock.
 *
 * expect: 1
 * match: assertion failed|fatal signal|outside|after free|abort
 */
#define UNLOCKED
#include "cxx_unordered.cc"
