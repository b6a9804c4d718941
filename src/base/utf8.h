/* Text that may be any bytes. */
#ifndef HEDDLE_BASE_UTF8_H
#define HEDDLE_BASE_UTF8_H

#include <stddef.h>

/*
 * Length of the valid UTF-8 sequence at text, 0 when it is none.  Overlong forms, surrogates and
 * numbers above 0x10ffff are invalid; a NUL ends every sequence early, so reading stays inside.
 */
size_t utf8_length(const unsigned char *text);

#endif
