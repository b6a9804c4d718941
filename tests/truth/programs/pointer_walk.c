/*
 * Comparing the addresses of objects that live, or of an end, is nothing special.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static int sum(const int *p, const int *end)
{
	int s = 0;

	for (; p != end; p++)
		s += *p;
	return s;
}

static void *adds(void *arg)
{
	int *numbers = malloc(2 * sizeof(int));
	struct node *n;

	numbers[0] = *(int *)arg;
	numbers[1] = 1;
	pthread_mutex_lock(&lock);
	n = malloc(sizeof(*n));
	n->value = sum(numbers, numbers + 2);
	n->next = head;
	head = n;
	pthread_mutex_unlock(&lock);
	free(numbers);
	return NULL;
}

int main(void)
{
	struct node *last;
	int one = 1, two = 2, s = 0;
	pthread_t a, b;

	pthread_create(&a, NULL, adds, &one);
	pthread_create(&b, NULL, adds, &two);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	for (last = head; last->next; last = last->next)
		;
	for (struct node *n = head;; n = n->next) {
		s += n->value;
		if (n == last)
			break;
	}
	assert(s == 5);
	while (head) {
		last = head->next;
		free(head);
		head = last;
	}
	return 0;
}
