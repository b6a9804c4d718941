#include "coop/log.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/fs.h"

static void vector_fini(struct coop_vector *v)
{
	vec_free(&v->runs);
	free(v->provenance);
}

void coop_log_fini(struct coop_log *l)
{
	for (size_t i = 0; i < l->threads.count; i++)
		free(l->threads.items[i]);
	for (size_t i = 0; i < l->vectors.count; i++)
		vector_fini(&l->vectors.items[i]);
	vec_free(&l->threads);
	vec_free(&l->vectors);
	free(l->signature);
	memset(l, 0, sizeof(*l));
}

bool coop_thread_name_is(const char *name)
{
	if (*name != '0' || (name[1] && name[1] != ':'))
		return false;
	for (name++; *name;) {
		if (*name++ != ':' || *name < '1' || *name > '9')
			return false;
		while (isdigit((unsigned char)*name))
			name++;
	}
	return true;
}

uint32_t coop_log_thread(struct coop_log *l, const char *name)
{
	assert(coop_thread_name_is(name));
	for (size_t i = 0; i < l->threads.count; i++)
		if (!strcmp(l->threads.items[i], name))
			return (uint32_t)i;
	vec_push(&l->threads, xstrdup(name));
	return (uint32_t)l->threads.count - 1;
}

struct coop_vector *coop_log_add(struct coop_log *l, uint32_t element)
{
	assert(element < l->elements);
	assert(!l->vectors.count || vec_last(&l->vectors).element < element);
	vec_push(&l->vectors, ((struct coop_vector){.element = element}));
	return &vec_last(&l->vectors);
}

const struct coop_vector *coop_log_vector(const struct coop_log *l, uint32_t element)
{
	size_t low = 0, high = l->vectors.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->vectors.items[middle].element < element)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == l->vectors.count || l->vectors.items[low].element != element)
		return NULL;
	return &l->vectors.items[low];
}

void coop_vector_push(struct coop_vector *v, uint32_t thread, uint64_t times)
{
	assert(times > 0 && times <= UINT64_MAX - v->accesses);
	v->accesses += times;
	if (v->runs.count && vec_last(&v->runs).thread == thread)
		vec_last(&v->runs).length += times;
	else
		vec_push(&v->runs, ((struct coop_run){thread, times}));
}

void coop_vector_seal(const struct coop_log *l, struct coop_vector *v)
{
	v->hash = FS_HASH_START;
	for (size_t i = 0; i < v->runs.count; i++) {
		const struct coop_run *r = &v->runs.items[i];
		const char *name = l->threads.items[r->thread];

		assert(r->thread < l->threads.count);
		/* The end of the name belongs to it: "0:1", 2 is not "0:12". */
		v->hash = fs_hash(v->hash, name, strlen(name) + 1);
		v->hash = fs_hash(v->hash, &r->length, sizeof(r->length));
	}
}

bool coop_vector_equal(const struct coop_log *a, const struct coop_vector *u,
		       const struct coop_log *b, const struct coop_vector *v)
{
	if (u->hash != v->hash || u->accesses != v->accesses || u->runs.count != v->runs.count)
		return false;
	for (size_t i = 0; i < u->runs.count; i++)
		if (u->runs.items[i].length != v->runs.items[i].length ||
		    strcmp(a->threads.items[u->runs.items[i].thread],
			   b->threads.items[v->runs.items[i].thread]) != 0)
			return false;
	return true;
}

void coop_log_cut(struct coop_log *l, const bool *wanted)
{
	size_t to = 0;

	for (size_t i = 0; i < l->vectors.count; i++) {
		struct coop_vector *v = &l->vectors.items[i];

		assert(v->element < l->elements);
		if (wanted[v->element])
			l->vectors.items[to++] = *v;
		else
			vector_fini(v);
	}
	l->vectors.count = to;
}

static const char *const outcomes[COOP_OUTCOMES] = {"ok", "failed", "hung", "wrong result"};

void coop_log_text(const struct coop_log *l, const char *const *names, struct strbuf *to)
{
	strbuf_addf(to, "run %016" PRIx64 ": %s%s%s; %zu of %u elements, %zu threads\n", l->run_id,
		    outcomes[l->outcome], *l->signature ? ", " : "", l->signature, l->vectors.count,
		    l->elements, l->threads.count);
	for (size_t i = 0; i < l->vectors.count; i++) {
		const struct coop_vector *v = &l->vectors.items[i];

		if (names)
			strbuf_addf(to, "%s: [", names[v->element]);
		else
			strbuf_addf(to, "#%u: [", v->element);
		for (size_t k = 0; k < v->runs.count; k++)
			strbuf_addf(to, "%sT%s x%" PRIu64, k ? ", " : "",
				    l->threads.items[v->runs.items[k].thread],
				    v->runs.items[k].length);
		strbuf_add(to, "]");
		if (v->provenance)
			strbuf_addf(to, " from %s", v->provenance);
		strbuf_add(to, "\n");
	}
}
