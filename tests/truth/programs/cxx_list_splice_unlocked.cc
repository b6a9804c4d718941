/*
 * Two threads take the first node of a list without the lock.
 *
 * expect: 1
 * match: assertion failed|fatal signal|outside|after free|invalid free|double free
 */
#define UNLOCKED
#include "cxx_list_splice.cc"
