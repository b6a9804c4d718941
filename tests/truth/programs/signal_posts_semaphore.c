/*
 * The handler of an alarm gives the token that main waits for: no deadlock.
 *
 * expect: 4
 * match: may interrupt a thread
 * drawn
 */
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t tokens;

static void give(int number)
{
	sem_post(&tokens);
}

int main(void)
{
	struct sigaction action = {.sa_handler = give};

	sem_init(&tokens, 0, 0);
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	while (sem_wait(&tokens) == -1 && errno == EINTR)
		continue;
	return 0;
}
