/*
 * Main spins until a child process sets a flag in shared memory: no livelock.
 *
 * expect: 4
 * match: not all
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	volatile int *flag =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child = fork();

	if (child == 0) {
		usleep(2000);
		*flag = 1;
		_exit(0);
	}
	while (!*flag)
		continue;
	waitpid(child, NULL, 0);
	return 0;
}
