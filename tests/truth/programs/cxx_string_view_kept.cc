/*
 * A view is kept over a change of its string.
 *
 * expect: 1
 * match: assertion failed|after free
 */
#define KEPT
#include "cxx_string_view.cc"
