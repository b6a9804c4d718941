/* A part that is loaded later; built with -DPART as a library of its own. */
#include <assert.h>
#ifdef PART
int visit(int n); int visit(int n) { static volatile int seen; return ++seen > 3 + n ? -1 : seen; }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static int (*call)(int);
static void *worker(void *arg) { for (int i = 0; i < 5; i++) if (call(0) < 0) return arg; return 0; }
int main(int argc, char **argv)
{
	void *part = dlopen(argv[1], RTLD_NOW);
	pthread_t t;
	if (!part) { puts(dlerror()); return 1; }
	call = (int (*)(int))dlsym(part, "visit");
	pthread_create(&t, 0, worker, 0);
	pthread_join(t, 0);
	assert(call(0) > 0);
	return 0;
}
#endif
