/*
 * With NUDGE in the environment real threads take the order that fails: who comes to nudge_wait(i)
 * waits until somebody came to nudge_pass(i).  Through pipes at fixed descriptors, so that there is
 * no shared memory in it.  Without NUDGE nothing happens.
 */
#ifndef NUDGE_H
#define NUDGE_H

#include <stdlib.h>
#include <unistd.h>

#define NUDGE_FD 100

static inline int nudge_on(void)
{
	return getenv("NUDGE") != NULL;
}

static inline void nudge_init(int n)
{
	int fds[2];

	for (int i = 0; nudge_on() && i < n; i++) {
		if (pipe(fds) || dup2(fds[0], NUDGE_FD + 2 * i) < 0 ||
		    dup2(fds[1], NUDGE_FD + 2 * i + 1) < 0)
			_exit(99);
		close(fds[0]);
		close(fds[1]);
	}
}

static inline void nudge_wait(int i)
{
	char c;

	if (nudge_on() && read(NUDGE_FD + 2 * i, &c, 1) != 1)
		_exit(98);
}

static inline void nudge_pass(int i)
{
	if (nudge_on() && write(NUDGE_FD + 2 * i + 1, "", 1) != 1)
		_exit(97);
}

#endif
