/* Decisions on what was read, and one on what another thread writes. */
#include <pthread.h>
#include <unistd.h>
static int flag;
static void *setter(void *arg) { flag = 1; return arg; }
int main(void)
{
	pthread_t t;
	char c = 'x';
	int n;
	pthread_create(&t, NULL, setter, NULL);
	while (read(0, &c, 1) == 1)
		if (c == 'q') break;
	n = flag ? 1 : 0;
	if (flag == 2) n++;
	pthread_join(t, NULL);
	return n > 5;
}
