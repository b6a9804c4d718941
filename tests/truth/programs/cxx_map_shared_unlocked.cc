/*
 * Two threads insert into one std::map without a lock: an element is lost inside the library.
 *
 * expect: 1
 * match: assertion failed|fatal signal|outside|after free
 */
#define UNLOCKED
#include "cxx_map_shared.cc"
