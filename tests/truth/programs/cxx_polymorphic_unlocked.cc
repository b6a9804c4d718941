/*
 * The object is replaced while the other thread asks what it is.
 *
 * expect: 1
 * match: assertion failed|after free
 */
#define UNLOCKED
#include "cxx_polymorphic.cc"
