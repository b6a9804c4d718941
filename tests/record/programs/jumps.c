/* longjmp through recorded functions. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
static int n;
static __thread jmp_buf back;
static void deep(int k) { if (k > 20 + n) longjmp(back, k); deep(k + 1); }
static void *worker(void *arg) { volatile int s = 0; for (int i = 0; i < 1000; i++) { int k = setjmp(back); if (k) s += k; else deep(0); n = i % 3; } return (void *)(long)(s > 0); }
int main(void) { pthread_t t[3]; void *v; long s = 0; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0); for (int i = 0; i < 3; i++) { pthread_join(t[i], &v); s += (long)v; } printf("%ld\n", s); return 0; }
