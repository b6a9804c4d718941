/*
 * An object is looked up, another thread frees it, then it is used; N other threads only look.
 * Bug: use after free.
 * expect: use-after-free
 * found: --strategy=mix --runs=20000
 * flags: -DN=1
 * trial: -DN=1 | SURW 11 RFF 39
 * trial: -DN=6 |
 */
#include "../bench.h"

struct session {
	int refs, data;
};

static struct session *_Atomic current;

static void *user(void *arg)
{
	struct session *s = current;

	if (s && arg == NULL)
		s->data++;
	return arg;
}

static void *closer(void *arg)
{
	struct session *s = current;

	current = NULL;
	free(s);
	return arg;
}

int main(void)
{
	current = calloc(1, sizeof(struct session));
	for (intptr_t i = 0; i < N; i++)
		start(user, i);
	start(closer, 1);
	join_all();
	return 0;
}
