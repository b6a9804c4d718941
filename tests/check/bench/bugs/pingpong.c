/*
 * Five threads play with one ball: each uses it, takes it away and puts it back.
 * Bug: a null pointer is dereferenced.
 * Cause: while one holds the ball, the shared pointer is null.
 * expect: signal
 * found: --strategy=random --runs=100
 */
#include "../bench.h"

#define PLAYERS 5

struct player {
	int hits;
};

static struct player one;
static struct player *player = &one;

static void *play(void *arg)
{
	struct player *mine;

	player->hits++;
	mine = player;
	player = NULL;
	player = mine;
	return arg;
}

int main(void)
{
	for (int i = 0; i < PLAYERS; i++)
		start(play, i);
	join_all();
	return 0;
}
