/*
 * The exception is looked at before the thread has ended.
 *
 * expect: 1
 * match: assertion failed
 */
#define EARLY
#include "cxx_exception_ptr.cc"
