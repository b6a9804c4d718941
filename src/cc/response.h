/* Response files: @FILE on a command line stands for the words in FILE. */
#ifndef HEDDLE_CC_RESPONSE_H
#define HEDDLE_CC_RESPONSE_H

#include <stddef.h>

#include "base/err.h"
#include "base/vec.h"

struct response_words {
	VEC_FIELDS(char *);
};

/*
 * Appends word, or the words of the file it names.  Words are separated by white space; quotes and
 * backslashes keep what they protect together, as in the GNU tools.  Files may name files.  A word
 * "@x" without a readable file x stands for itself.  The words are the caller's to free.
 */
int response_expand(const char *word, struct response_words *out, struct err *e);

#endif
