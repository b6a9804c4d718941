/* Use after free: reader walks a list while the writer frees nodes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct node {
	struct node *next;
	int key;
};
static struct node *volatile head;
static void *reader(void *a)
{
	long sum = 0;
	for (int r = 0; r < 50; r++)
		for (struct node *n = head; n; n = n->next)
			sum += n->key;
	return (void *)sum;
}
static void *writer(void *a)
{
	for (int r = 0; r < 50; r++) {
		struct node *n = head;
		if (!n)
			break;
		head = n->next;
		n->next = (struct node *)8;
		free(n);
	}
	return 0;
}
int main(void)
{
	pthread_t r, w;
	for (int i = 0; i < 60; i++) {
		struct node *n = malloc(sizeof *n);
		n->next = head;
		n->key = i;
		head = n;
	}
	pthread_create(&r, 0, reader, 0);
	pthread_create(&w, 0, writer, 0);
	pthread_join(r, 0);
	pthread_join(w, 0);
	return 0;
}
