/* Handlers of the program run as without a recorder, in the middle of anything. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
static volatile sig_atomic_t ticks;
static volatile int shared;
static sigjmp_buf back;
static void on_tick(int n) { for (int i = 0; i < 5; i++) if (shared >= 0) ticks++; }
static void on_fault(int n, siginfo_t *info, void *context) { siglongjmp(back, 1); }
static void on_plain(int n) { (void)n; shared++; }
static void *worker(void *arg) { for (int i = 0; i < 3000000; i++) if (shared < 0) return arg; return NULL; }
int main(void)
{
	struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_RESTART}, fault, old;
	struct itimerval every = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	pthread_t t[2];
	memset(&fault, 0, sizeof(fault));
	fault.sa_sigaction = on_fault;
	fault.sa_flags = SA_SIGINFO;
	sigaction(SIGALRM, &tick, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGSEGV, &fault, NULL);
	if (sigsetjmp(back, 1) == 0) *(volatile int *)8 = 1;
	puts("recovered");
	sigaction(SIGSEGV, NULL, &old);
	puts(old.sa_sigaction == on_fault ? "mine" : "not mine");
	puts(signal(SIGUSR1, on_plain) == SIG_DFL ? "default" : "not default");
	raise(SIGUSR1);
	puts(signal(SIGUSR1, SIG_DFL) == on_plain ? "mine" : "not mine");
	printf("%d\n", shared);
	return ticks > 0 ? 3 : 4;
}
