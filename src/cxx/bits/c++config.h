/*
 * The library's strings are compiled with the user's code, so that what they do to memory is seen.
 * -1 is the library's own setting for that (it is what -D_GLIBCXX_ASSERTIONS chooses): std::string
 * is instantiated where it is used, streams and locales stay in the shared library.
 */
#include_next <bits/c++config.h>

#if defined(_GLIBCXX_EXTERN_TEMPLATE) && _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
