/*
 * An element leaves a std::set without the lock that the other thread holds.
 *
 * expect: 1
 * match: assertion failed|fatal signal|outside|after free
 */
#define UNLOCKED
#include "cxx_set_erase.cc"
