/* More pipes than are followed: that the others are not in the schedule is said. */
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

static void *nothing(void *unused)
{
	return unused;
}

int main(void)
{
	struct rlimit limit = {4000, 4000};
	pthread_t t;
	int ends[2];

	EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	pthread_create(&t, NULL, nothing, NULL);
	for (int i = 0; i < 1030; i++)
		EXPECT(pipe(ends) == 0);
	pthread_join(t, NULL);
	return 0;
}
