/*
 * A writer that takes the lock for reading.
 *
 * expect: 1
 * match: assertion failed|after free
 */
#define SHARED_WRITER
#include "cxx_shared_mutex.cc"
