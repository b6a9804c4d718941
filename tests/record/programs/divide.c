/* Division by a shared zero. */
#include <pthread.h>
volatile int zero;
static void *worker(void *arg) { return (void *)(long)(10 / zero); }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return 0; }
