/*
 * The other thread keeps a plain pointer to an object whose last owner goes.
 *
 * expect: 1
 * match: after free
 */
#define RAW
#include "cxx_shared_ptr.cc"
