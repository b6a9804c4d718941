/* The stack of a thread runs over. */
#include <pthread.h>
volatile int on = 1;
static int deep(int k) { volatile char room[4096]; room[k % 4096] = 1; return on ? deep(k + 1) + room[0] : 0; }
static void *worker(void *arg) { return (void *)(long)deep(0); }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return 0; }
