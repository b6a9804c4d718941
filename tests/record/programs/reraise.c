/* A handler that prints and lets the signal have its way. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static void on_fault(int n) { write(1, "handler\n", 8); signal(n, SIG_DFL); raise(n); }
static int *volatile where;
static void *worker(void *arg) { *where = 1; return arg; }
int main(void) { pthread_t t; signal(SIGSEGV, on_fault); pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return 0; }
