/*
 * expect: 1
 * match: assertion failed
 */
#define ALWAYS
#include "cxx_stop_callback.cc"
