/*
 * Threads build, look up and tear down a shared binary tree; every key is a block of its own.
 * Bug: a node is used after it was freed.
 * Cause: lookups do not take the lock.
 * expect: use-after-free
 * found: --strategy=random --runs=20000
 */
#include <stdio.h>
#include <string.h>

#include "../bench.h"

#define KEYS 6

struct node {
	char *key;
	struct node *left, *right;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *root;

static struct node *insert(struct node *n, const char *key)
{
	if (!n) {
		n = calloc(1, sizeof(*n));
		n->key = strdup(key);
	} else if (strcmp(key, n->key) < 0) {
		n->left = insert(n->left, key);
	} else {
		n->right = insert(n->right, key);
	}
	return n;
}

static void drop(struct node *n)
{
	if (!n)
		return;
	drop(n->left);
	drop(n->right);
	free(n->key);
	free(n);
}

static void *builder(void *arg)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < KEYS; i++) {
		char key[8];

		snprintf(key, sizeof(key), "k%d", i * 5 % KEYS);
		root = insert(root, key);
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *seeker(void *arg)
{
	const struct node *n = root;

	while (n) {
		int order = n->key[1] - '3';

		n = order == 0 ? NULL : order > 0 ? n->left : n->right;
	}
	return arg;
}

static void *cleaner(void *arg)
{
	pthread_mutex_lock(&lock);
	drop(root);
	root = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	start(builder, 0);
	start(seeker, 0);
	start(cleaner, 0);
	join_all();
	drop(root);
	return 0;
}
