#include "cli/near.h"

#include <assert.h>
#include <string.h>

#define LONGEST 80

/*
 * Insertions, deletions, changes and swaps of neighbours that make b of a (Damerau, restricted to
 * one edit of each place).
 */
static unsigned edits(const char *a, size_t n, const char *b, size_t m)
{
	unsigned rows[3][LONGEST + 1];

	assert(n <= LONGEST && m <= LONGEST);
	for (size_t k = 0; k <= m; k++)
		rows[0][k] = (unsigned)k;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = rows[i % 3], *before = rows[(i - 1) % 3],
			 *older = rows[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t k = 1; k <= m; k++) {
			unsigned best = before[k - 1] + (a[i - 1] != b[k - 1]);

			if (before[k] + 1 < best)
				best = before[k] + 1;
			if (now[k - 1] + 1 < best)
				best = now[k - 1] + 1;
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
			    older[k - 2] + 1 < best)
				best = older[k - 2] + 1;
			now[k] = best;
		}
	}
	return rows[n % 3][m];
}

void cli_near_try(struct cli_near *n, const char *word)
{
	size_t length = n->length ? n->length : strlen(n->to), other = strlen(word);
	unsigned distance;

	if (!length || length > LONGEST || other > LONGEST)
		return;
	distance = edits(n->to, length, word, other);
	/* A third may be wrong; what begins as the word does is near, too ("rep" for "replay"). */
	if (length >= 3 && other > length && strncmp(n->to, word, length) == 0)
		distance = 1;
	if (distance > (length < 3 ? 1 : length / 3) || distance >= other)
		return;
	if (n->best && n->distance <= distance)
		return;
	n->best = word;
	n->distance = distance;
}
