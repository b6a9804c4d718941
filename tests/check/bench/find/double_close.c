/*
 * Two threads close what they found open, N others use it.
 * Bug: it is freed twice.
 * expect: double-free
 * found: --strategy=mix --runs=20000
 * flags: -DN=0
 * trial: -DN=0 | SURW - RFF 36
 * trial: -DN=3 |
 */
#include "../bench.h"

static _Atomic int open_now = 1;
static void *resource;
static int uses;

static void *closer(void *arg)
{
	if (open_now) {
		open_now = 0;
		free(resource);
	}
	return arg;
}

static void *user(void *arg)
{
	if (open_now)
		uses++;
	return arg;
}

int main(void)
{
	resource = malloc(16);
	for (int i = 0; i < N; i++)
		start(user, i);
	start(closer, 0);
	start(closer, 1);
	join_all();
	return 0;
}
