/*
 * String buffers with a lock each; append copies another buffer.
 * Bug: characters beyond the end of the other buffer are copied.
 * Cause: its length is read in one critical section, its characters are copied in another.
 * expect: assert
 * found: --strategy=random --runs=1000
 */
#include <string.h>

#include "../bench.h"

struct buffer {
	pthread_mutex_t lock;
	size_t length;
	char text[64];
};

static struct buffer shared = { .lock = PTHREAD_MUTEX_INITIALIZER, .length = 3, .text = "abc" };
static struct buffer target = { .lock = PTHREAD_MUTEX_INITIALIZER };

static size_t length_of(struct buffer *b)
{
	size_t length;

	pthread_mutex_lock(&b->lock);
	length = b->length;
	pthread_mutex_unlock(&b->lock);
	return length;
}

static void get_characters(struct buffer *b, size_t count, char *to)
{
	pthread_mutex_lock(&b->lock);
	assert(count <= b->length);
	memcpy(to, b->text, count);
	pthread_mutex_unlock(&b->lock);
}

static void append(struct buffer *to, struct buffer *from)
{
	pthread_mutex_lock(&to->lock);
	size_t length = length_of(from);

	get_characters(from, length, to->text + to->length);
	to->length += length;
	pthread_mutex_unlock(&to->lock);
}

static void delete_all(struct buffer *b)
{
	pthread_mutex_lock(&b->lock);
	b->length = 0;
	pthread_mutex_unlock(&b->lock);
}

static void *appender(void *arg)
{
	append(&target, &shared);
	return arg;
}

static void *deleter(void *arg)
{
	delete_all(&shared);
	return arg;
}

int main(void)
{
	start(appender, 0);
	start(deleter, 0);
	join_all();
	return 0;
}
