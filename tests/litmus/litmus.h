/*
 * The words litmus programs are written in.  Accesses are relaxed atomics unless they say more.
 * A thread hands its registers back as its result, so that nothing but the shape itself touches
 * shared memory.
 */
#ifndef HEDDLE_TESTS_LITMUS_H
#define HEDDLE_TESTS_LITMUS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define VAR(name) static atomic_int name
#define W(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define W_REL(x, v) atomic_store_explicit(&(x), v, memory_order_release)
#define W_SC(x, v) atomic_store_explicit(&(x), v, memory_order_seq_cst)
#define R(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define XCHG(x, v) atomic_exchange_explicit(&(x), v, memory_order_relaxed)
#define ADD(x, v) atomic_fetch_add_explicit(&(x), v, memory_order_relaxed)
#define FENCE() atomic_thread_fence(memory_order_seq_cst)

#define THREAD(name) static long name(void)
typedef long (*litmus_fn)(void);

static inline void *litmus_enter(void *arg)
{
	return (void *)(*(litmus_fn *)arg)();
}

/* Runs the threads to their ends and stores what each returned. */
static inline void litmus_run(litmus_fn *fns, int n, long *results)
{
	pthread_t t[8];
	void *result;

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, litmus_enter, &fns[i]);
	for (int i = 0; i < n; i++) {
		pthread_join(t[i], &result);
		results[i] = (long)result;
	}
}

#define RUN(results, ...)                                                                          \
	do {                                                                                       \
		static litmus_fn litmus_fns[] = {__VA_ARGS__};                                     \
		litmus_run(litmus_fns, (int)(sizeof(litmus_fns) / sizeof(litmus_fns[0])), results);\
	} while (0)

/* The exit status says the outcome; 0 is not an outcome. */
#define END(code) return (int)(1 + (code))

#endif
