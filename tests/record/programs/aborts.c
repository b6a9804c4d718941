/* abort() in a thread. */
#include <pthread.h>
#include <stdlib.h>
static void *worker(void *arg) { abort(); }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return 0; }
