/* Constructors and destructors of allocator<char>: nothing to do, so nothing to call. */
#ifndef HEDDLE_CXX_ALLOCATOR_H
#define HEDDLE_CXX_ALLOCATOR_H

#include <bits/c++config.h>

#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include_next <bits/allocator.h>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")

#endif
