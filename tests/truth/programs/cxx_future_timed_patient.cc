/*
 * expect: 0
 */
#define PATIENT
#include "cxx_future_timed.cc"
