/* Lock-free stack with ABA. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
	struct node *next;
	_Atomic int owned;
};
static _Atomic(struct node *) top;
static struct node nodes[3];
static struct node *pop(void)
{
	struct node *n = atomic_load(&top);
	while (n && !atomic_compare_exchange_weak(&top, &n, n->next))
		;
	return n;
}
static void push(struct node *n)
{
	n->next = atomic_load(&top);
	while (!atomic_compare_exchange_weak(&top, &n->next, n))
		;
}
static void *work(void *a)
{
	for (int i = 0; i < 15; i++) {
		struct node *n = pop(), *o = pop();
		if (n) {
			assert(atomic_exchange(&n->owned, 1) == 0);
			atomic_store(&n->owned, 0);
			push(n);
		}
		if (o) {
			assert(atomic_exchange(&o->owned, 1) == 0);
			atomic_store(&o->owned, 0);
			push(o);
		}
	}
	return 0;
}
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		push(&nodes[i]);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
