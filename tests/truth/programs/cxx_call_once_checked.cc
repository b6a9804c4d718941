/*
 * Initialisation guarded by a plain bool that is set before the work is done.
 *
 * expect: 1
 * match: assertion failed
 */
#define DOUBLE_CHECKED
#include "cxx_call_once.cc"
