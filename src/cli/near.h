/* "Did you mean": of several words the one nearest to what was typed. */
#ifndef HEDDLE_CLI_NEAR_H
#define HEDDLE_CLI_NEAR_H

#include <stddef.h>

struct cli_near {
	const char *to;	  /* what was typed */
	size_t length;	  /* of it; 0: all of it */
	const char *best; /* of those tried, NULL: none is near */
	unsigned distance;
};

/* Keeps the word, borrowed, when it is near, and nearer than those before. */
void cli_near_try(struct cli_near *n, const char *word);

#endif
