/*
 * Variables of callers, arrays of their own size, frames left by longjmp and entered again: alive.
 *
 * expect: 0
 */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	volatile int *numbers = arg;

	pthread_mutex_lock(&lock);
	numbers[0]++;
	numbers[3]++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

__attribute__((noinline)) static void deep(volatile int *numbers, jmp_buf *back, int depth)
{
	volatile int own[4] = {depth};

	numbers[1] += own[0];
	if (depth < 3)
		deep(depth == 1 ? own : numbers, back, depth + 1);
	else
		longjmp(*back, 1);
}

__attribute__((noinline)) static int around(int n)
{
	volatile int *numbers = alloca((unsigned long)n * sizeof(int));
	jmp_buf back;
	pthread_t t;

	for (int i = 0; i < n; i++)
		numbers[i] = 0;
	pthread_create(&t, NULL, worker, (void *)numbers);
	if (!setjmp(back))
		deep(numbers, &back, 1);
	pthread_mutex_lock(&lock);
	numbers[0]++;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return numbers[0];
}

int main(void)
{
	assert(around(8) == 2);
	assert(around(9) == 2);
	return 0;
}
