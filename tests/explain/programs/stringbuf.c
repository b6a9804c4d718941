/* append() takes the length of the other buffer, and copies later; another thread erases in between. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct buffer {
	pthread_mutex_t lock;
	int count;
	char text[64];
};

static struct buffer sb = {PTHREAD_MUTEX_INITIALIZER, 8, "abcdefg"};
static struct buffer to = {PTHREAD_MUTEX_INITIALIZER, 0, ""};
static int rounds = 1;

static int length(struct buffer *b)
{
	pthread_mutex_lock(&b->lock);
	int n = b->count;
	pthread_mutex_unlock(&b->lock);
	return n;
}

static void erase(struct buffer *b)
{
	pthread_mutex_lock(&b->lock);
	b->count = 0;
	pthread_mutex_unlock(&b->lock);
}

static void append(struct buffer *b, struct buffer *from)
{
	int len = length(from);

	pthread_mutex_lock(&from->lock);
	assert(len <= from->count);
	for (int i = 0; i < len; i++)
		b->text[i] = from->text[i];
	b->count = len;
	pthread_mutex_unlock(&from->lock);
}

static void *appender(void *arg)
{
	for (int i = 0; i < rounds; i++)
		append(&to, &sb);
	return arg;
}

static void *eraser(void *arg)
{
	erase(&sb);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	pthread_create(&a, NULL, appender, NULL);
	pthread_create(&b, NULL, eraser, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
