/*
 * Bug: a ticket is sold twice.
 * Cause: the C11 mutex protects the test but not the sale.
 * expect: assert
 */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static mtx_t lock;
static int tickets = 1;
static atomic_int sold;

static int seller(void *arg)
{
	(void)arg;
	mtx_lock(&lock);
	int available = tickets > 0;
	mtx_unlock(&lock);
	if (available) {
		mtx_lock(&lock);
		tickets--;
		mtx_unlock(&lock);
		atomic_fetch_add(&sold, 1);
	}
	return 0;
}

int main(void)
{
	thrd_t a, b;

	mtx_init(&lock, mtx_plain);
	thrd_create(&a, seller, NULL);
	thrd_create(&b, seller, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	assert(atomic_load(&sold) == 1);
	mtx_destroy(&lock);
	return 0;
}
