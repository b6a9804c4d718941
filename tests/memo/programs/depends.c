/* Branches without synchronisation that decide about some all the same: argv is a way, two numbers.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

static pthread_mutex_t locks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				   PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct node nodes[8];
static int flag, table[8];
static int way, n, k;

static void once(int which)
{
	pthread_mutex_lock(&locks[which]);
	pthread_mutex_unlock(&locks[which]);
}

static int classify(int v)
{
	if (v < 3)
		return 0;
	return v < 10 ? 1 : 2;
}

static void *worker(void *arg)
{
	int sum = 0, local[8] = {0};
	struct node *p = &nodes[0];

	switch (way) {
	case 0: /* a sum of a loop */
		for (int i = 0; i < n; i++)
			sum += i;
		if (sum % 2)
			once(1);
		break;
	case 1: /* memory of the thread's own, written at a place that depends */
		for (int i = 0; i < n % 8; i++)
			local[i] = 1;
		if (local[k % 8 < 0 ? 0 : k % 8])
			once(1);
		break;
	case 2: /* links followed */
		for (int i = 0; i < n % 8; i++)
			p = p->next;
		p->value = 1;
		if (nodes[3].value)
			once(2);
		break;
	case 3: /* what main wrote before */
		if (flag)
			once(3);
		break;
	case 4: /* the number of the lock */
		once(classify(n));
		break;
	case 5: /* a table */
		if (table[4])
			once(1);
		break;
	case 6: /* nothing of it matters */
		for (int i = 0; i < n; i++)
			sum += i % 7 == k ? 3 : 1;
		if (sum > 100)
			printf("much\n");
		break;
	default:
		if (n > k ? n > 2 * k : n + 3 > k)
			sum = 4;
		for (int i = 0; i < sum; i++)
			once(i);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	if (argc != 4)
		return 2;
	way = atoi(argv[1]);
	n = atoi(argv[2]);
	k = atoi(argv[3]);
	for (int i = 0; i < 8; i++)
		nodes[i].next = &nodes[(i + 1) % 8];
	if (n > 5)
		flag = 1;
	for (int i = k; i < n && i < 8; i++)
		if (i >= 0)
			table[i] = 1;
	for (int i = 0; i < 1 + (way != 2); i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 1 + (way != 2); i++)
		pthread_join(t[i], NULL);
	printf("%d %d %d\n", way, n, k);
	return 0;
}
