#include "collect/writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "collect/say.h"

#define BATCH 256

struct collect_writer {
	struct store_logs *store;
	const struct store_quota *quota;
	struct collect_counts *counts;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t some;
	struct collect_job *first, **last;
	bool ends, broken;
};

/* Waits until there is something; 0 when it is over. */
static size_t take(struct collect_writer *w, struct collect_job **jobs)
{
	size_t n = 0;

	pthread_mutex_lock(&w->lock);
	while (!w->first && !w->ends)
		pthread_cond_wait(&w->some, &w->lock);
	while (w->first && n < BATCH) {
		jobs[n++] = w->first;
		w->first = w->first->next;
	}
	if (!w->first)
		w->last = &w->first;
	pthread_mutex_unlock(&w->lock);
	return n;
}

static void count(struct collect_writer *w, enum store_added added)
{
	switch (added) {
	case STORE_FRESH:
		COLLECT_COUNT(w->counts, uploads_fresh, 1);
		break;
	case STORE_KNOWN:
		COLLECT_COUNT(w->counts, uploads_known, 1);
		break;
	case STORE_FULL:
		COLLECT_COUNT(w->counts, refused_quota, 1);
		break;
	case STORE_ODD:
		COLLECT_COUNT(w->counts, refused_odd, 1);
		break;
	}
}

static void note(struct collect_writer *w, int rc, const struct err *e)
{
	COLLECT_COUNT(w->counts, commits, 1);
	if (rc) {
		COLLECT_COUNT(w->counts, store_errors, 1);
		collect_say("%s", e->text);
	}
	pthread_mutex_lock(&w->lock);
	w->broken = rc != 0;
	pthread_mutex_unlock(&w->lock);
}

static void *write_all(void *arg)
{
	struct collect_writer *w = arg;
	struct collect_job *jobs[BATCH];
	const struct store_log *logs[BATCH];
	enum store_added added[BATCH];
	size_t n;

	while ((n = take(w, jobs)) > 0) {
		struct err e = ERR_INIT;
		uint64_t now = (uint64_t)time(NULL);
		int rc;

		for (size_t i = 0; i < n; i++) {
			jobs[i]->upload.log.time = now;
			logs[i] = &jobs[i]->upload.log;
		}
		rc = store_logs_add(w->store, logs, n, w->quota, added, &e);
		note(w, rc, &e);
		for (size_t i = 0; i < n; i++) {
			jobs[i]->rc = rc;
			if (!rc) {
				jobs[i]->added = added[i];
				count(w, added[i]);
			}
			jobs[i]->done(jobs[i]);
		}
	}
	return NULL;
}

int collect_writer_new(struct collect_writer **out, const char *store,
		       const struct store_quota *quota, struct collect_counts *counts,
		       struct err *e)
{
	struct collect_writer *w = xcalloc(1, sizeof(*w));
	int rc = store_logs_open(store, &w->store, e);

	*out = NULL;
	w->quota = quota;
	w->counts = counts;
	w->last = &w->first;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->some, NULL);
	if (!rc && pthread_create(&w->thread, NULL, write_all, w) != 0)
		rc = err_set(e, ERR_IO, "cannot start a thread");
	if (rc) {
		store_logs_close(w->store);
		free(w);
		return rc;
	}
	*out = w;
	return 0;
}

void collect_writer_add(struct collect_writer *w, struct collect_job *job)
{
	job->next = NULL;
	pthread_mutex_lock(&w->lock);
	*w->last = job;
	w->last = &job->next;
	pthread_cond_signal(&w->some);
	pthread_mutex_unlock(&w->lock);
}

bool collect_writer_works(struct collect_writer *w)
{
	bool works;

	pthread_mutex_lock(&w->lock);
	works = !w->broken;
	pthread_mutex_unlock(&w->lock);
	return works;
}

void collect_writer_free(struct collect_writer *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->ends = true;
	pthread_cond_signal(&w->some);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->some);
	store_logs_close(w->store);
	free(w);
}
