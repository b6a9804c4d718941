/*
 * Two threads take the first item of a list, add to it and put it back at the end.  Taking and
 * putting back are locked, the pair of them is not atomic: the order of the items is lost.  Nodes
 * come from a pool with a lock of its own.  The number of an item is changed outside of the list,
 * without a lock, while the item belongs to the thread.
 *
 * expect thr 3 lks 2 cvs 0 vars 38 evs 208 lkevs 56 coevs 0 reads 60 writes 80
 * expect r-p 43 r-hb 1 r-ucg 2 r-csr 2 r-poly 1 r-cp 1 syncp 1
 *
 * The published row has the same figures (it has none for r-hb, r-csr and syncp).
 *
 * r-p: what main sets up without locks meets what the threads do with it: head 4, tail 4, left 8,
 * moved 3, rounds 4, step 2, verbose 6, the two items 4; main's last looks at head and left meet
 * their writes (2 and 4); one thread's note in moved meets the two looks of the other (2).  Fork
 * and join decide all but the last two.  The second look comes after the list was read as the first
 * thread left it, so the note is written by then, though no lock says so; nothing orders the first
 * look.
 */
#include <stdio.h>

#include "../program.h"

#define ITEMS 10

struct node {
	struct node *next;
	int num;
};

static struct node nodes[ITEMS];
static struct node *stock[ITEMS] = {nodes,     nodes + 1, nodes + 2, nodes + 3, nodes + 4,
				    nodes + 5, nodes + 6, nodes + 7, nodes + 8, nodes + 9};
static int left;
static struct node *head, *tail;
static int rounds, step, verbose, progress, moved;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *node_new(int num)
{
	struct node *n;
	int at;

	pthread_mutex_lock(&pool_lock);
	at = left - 1;
	left = at;
	n = stock[at];
	pthread_mutex_unlock(&pool_lock);
	n->num = num;
	return n;
}

static int node_free(struct node *n)
{
	int num = n->num, at;

	pthread_mutex_lock(&pool_lock);
	at = left;
	stock[at] = n;
	left = at + 1;
	pthread_mutex_unlock(&pool_lock);
	return num;
}

static void push(struct node *n)
{
	struct node *last;

	pthread_mutex_lock(&list_lock);
	n->next = NULL;
	last = tail;
	if (last)
		last->next = n;
	else
		head = n;
	tail = n;
	pthread_mutex_unlock(&list_lock);
}

static struct node *pop(void)
{
	struct node *n;

	pthread_mutex_lock(&list_lock);
	n = head;
	head = n->next;
	pthread_mutex_unlock(&list_lock);
	return n;
}

/* Says, when asked to, how far it is. */
static void say(const char *text)
{
	if (verbose)
		puts(text);
}

static void move(void)
{
	for (int i = 0; i < rounds; i++) {
		int num;

		say("take");
		num = node_free(pop());
		say("put");
		push(node_new(num + step));
		say("done");
	}
}

static void *first(void *arg)
{
	moved = 1;
	move();
	return arg;
}

static void *second(void *arg)
{
	int before = moved;

	move();
	return before > moved ? arg : NULL;
}

int main(void)
{
	pthread_t t[2];

	head = NULL;
	tail = NULL;
	left = ITEMS;
	rounds = 1;
	step = 10;
	verbose = 0;
	moved = 0;
	progress = 0;
	for (int i = 0; i < ITEMS; i++) {
		push(node_new(i));
		if (i % 2)
			progress = i;
	}
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	join_all(t, 2);
	return head == NULL || left != 0;
}
