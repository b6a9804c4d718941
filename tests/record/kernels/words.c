/* A shared hash table of words under striped locks: the branches on it are recorded. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; unsigned hash; int count; char word[16]; };
static struct node *table[4096];
static pthread_mutex_t locks[64];
static char text[4 << 20];
static int threads;
static void count(const char *w, size_t n, unsigned h)
{
	unsigned slot = h % 4096;
	struct node *p;
	pthread_mutex_lock(&locks[slot % 64]);
	for (p = table[slot]; p; p = p->next)
		if (p->hash == h && !strncmp(p->word, w, n) && !p->word[n]) break;
	if (!p) { p = calloc(1, sizeof(*p)); p->hash = h; memcpy(p->word, w, n); p->next = table[slot]; table[slot] = p; }
	p->count++;
	pthread_mutex_unlock(&locks[slot % 64]);
}
static void *worker(void *arg)
{
	long id = (long)arg, part = (long)sizeof(text) / threads;
	const char *p = text + id * part, *end = p + part;
	while (p < end) {
		const char *w = p; unsigned h = 5381;
		while (p < end && *p != ' ') { h = h * 33 + (unsigned char)*p; p++; }
		if (p > w && p - w < 16) count(w, (size_t)(p - w), h);
		p++;
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t t[16]; unsigned s = 7;
	threads = argc > 1 ? atoi(argv[1]) : 2;
	for (int i = 0; i < 64; i++) pthread_mutex_init(&locks[i], NULL);
	for (size_t i = 0; i < sizeof(text); i++) { s = s * 1103515245 + 12345; text[i] = (s >> 20) % 6 == 0 ? ' ' : (char)('a' + (s >> 16) % 4); }
	for (int i = 0; i < threads; i++) pthread_create(&t[i], NULL, worker, (void *)(long)i);
	for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
	int n = 0; for (int i = 0; i < 4096; i++) for (struct node *p = table[i]; p; p = p->next) n++;
	printf("%d\n", n);
	return 0;
}
