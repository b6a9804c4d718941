#include "explore/learn/foot.h"

#include <assert.h>

#define MEMO 4096
#define ROOM ((size_t)16 << 20)
/* What is still told apart when there is no room for more. */
#define SMALL 64

void foot_init(struct foot *f)
{
	memset(f, 0, sizeof(*f));
	intern_init(&f->sets);
	intern_init(&f->prints);
	f->memo = xcalloc(MEMO, sizeof(*f->memo));
	f->met = xcalloc(MEMO, sizeof(*f->met));
	f->room = ROOM;
}

void foot_fini(struct foot *f)
{
	for (size_t i = 0; i < f->masks.count; i++)
		free(f->masks.items[i].words);
	vec_free(&f->masks);
	vec_free(&f->classes);
	vec_free(&f->index);
	free(f->memo);
	free(f->met);
	intern_fini(&f->sets);
	intern_fini(&f->prints);
}

static uint64_t hash_of(const struct foot_class *c)
{
	uint64_t h = intern_hash(c->thread, c->object);

	h = intern_hash(h, c->kind);
	h = intern_hash(h, c->locks);
	return intern_hash(h, c->joined);
}

static void index_class(struct foot *f, uint32_t id)
{
	size_t at = hash_of(&f->classes.items[id]) & (f->index.count - 1);

	while (f->index.items[at])
		at = (at + 1) & (f->index.count - 1);
	f->index.items[at] = id + 1;
}

static void grow(struct foot *f)
{
	size_t capacity = f->index.count ? f->index.count * 2 : 256;

	vec_free(&f->index);
	f->index.items = xcalloc(capacity, sizeof(uint32_t));
	f->index.count = f->index.capacity = capacity;
	for (uint32_t i = 0; i < f->classes.count; i++)
		index_class(f, i);
}

uint32_t foot_class(struct foot *f, const struct foot_class *c)
{
	struct foot_mask empty = {NULL, 0, 0};
	size_t at;

	assert(c->kind < FOOT_KINDS && f->classes.count == f->masks.count);
	if (f->classes.count * 2 >= f->index.count)
		grow(f);
	for (at = hash_of(c) & (f->index.count - 1); f->index.items[at];
	     at = (at + 1) & (f->index.count - 1)) {
		if (!memcmp(&f->classes.items[f->index.items[at] - 1], c, sizeof(*c)))
			return f->index.items[at] - 1;
	}
	vec_push(&f->classes, *c);
	vec_push(&f->masks, empty);
	f->index.items[at] = (uint32_t)f->classes.count;
	return (uint32_t)f->classes.count - 1;
}

uint32_t foot_union(struct foot *f, uint32_t a, uint32_t b)
{
	struct foot_memo *m;
	uint32_t n = 0, i = 0, j = 0, na, nb;
	uint32_t *both;

	assert(a != FOOT_ALL && b != FOOT_ALL);
	if (a == b || b == 0)
		return a;
	if (a == 0)
		return b;
	m = &f->memo[intern_hash(a, b) & (MEMO - 1)];
	if (m->used && m->a == a && m->b == b)
		return m->result;
	na = intern_count(&f->prints, a);
	nb = intern_count(&f->prints, b);
	both = xcalloc(na + nb, sizeof(*both));
	while (i < na || j < nb) {
		const uint32_t *ea = intern_elements(&f->prints, a);
		const uint32_t *eb = intern_elements(&f->prints, b);
		uint32_t next = j == nb || (i < na && ea[i] <= eb[j]) ? ea[i] : eb[j];

		i += i < na && ea[i] == next;
		j += j < nb && eb[j] == next;
		both[n++] = next;
	}
	assert(n >= na && n >= nb && n <= na + nb);
	*m = (struct foot_memo){a, b, intern_set(&f->prints, both, n), 1};
	free(both);
	return m->result;
}

uint32_t foot_future(struct foot *f, uint32_t a, uint32_t b)
{
	if (a == FOOT_ALL || b == FOOT_ALL)
		return FOOT_ALL;
	if (a && b && a != b && f->prints.data.count > f->room &&
	    intern_count(&f->prints, a) + intern_count(&f->prints, b) > SMALL)
		return FOOT_ALL;
	return foot_union(f, a, b);
}

bool foot_covers(const struct foot *f, uint32_t print, uint32_t classes)
{
	const uint32_t *some, *all;
	uint32_t at = 0, n, count;

	if (print == FOOT_ALL)
		return true;
	some = intern_elements(&f->prints, classes);
	all = intern_elements(&f->prints, print);
	count = intern_count(&f->prints, classes);
	n = intern_count(&f->prints, print);
	for (uint32_t i = 0; i < count; i++) {
		while (at < n && all[at] < some[i])
			at++;
		if (at == n || all[at] != some[i])
			return false;
	}
	return true;
}

/* Kinds whose order matters when they meet on one object. */
static bool kinds_conflict(uint32_t a, uint32_t b)
{
#define BIT(kind) (1u << (kind))
	static const uint32_t with[FOOT_KINDS] = {
		[FOOT_READ] = BIT(FOOT_WRITE),
		[FOOT_WRITE] = BIT(FOOT_READ) | BIT(FOOT_WRITE),
		[FOOT_LOCK] = BIT(FOOT_LOCK) | BIT(FOOT_SHARE) | BIT(FOOT_TRY),
		[FOOT_SHARE] = BIT(FOOT_LOCK) | BIT(FOOT_TRY),
		[FOOT_TRY] = BIT(FOOT_LOCK) | BIT(FOOT_SHARE) | BIT(FOOT_TRY) | BIT(FOOT_UNLOCK) |
			     BIT(FOOT_TAKE) | BIT(FOOT_GIVE),
		/* What waits for it to be given back cannot happen before. */
		[FOOT_UNLOCK] = BIT(FOOT_TRY),
		[FOOT_SLEEP] = BIT(FOOT_WAKE),
		[FOOT_WAKE] = BIT(FOOT_SLEEP) | BIT(FOOT_WAKE) | BIT(FOOT_EXPIRE),
		[FOOT_EXPIRE] = BIT(FOOT_WAKE),
		[FOOT_TAKE] = BIT(FOOT_TAKE) | BIT(FOOT_TRY),
		[FOOT_GIVE] = BIT(FOOT_TRY),
		[FOOT_MEET] = BIT(FOOT_MEET),
		[FOOT_PASS] = 0,
		[FOOT_ANY] = 0,
	};

	assert(a < FOOT_KINDS && b < FOOT_KINDS);
	assert(!(with[a] & BIT(b)) == !(with[b] & BIT(a))); /* conflicts are mutual */
	return a == FOOT_ANY || b == FOOT_ANY || (with[a] & BIT(b));
#undef BIT
}

/* Both hold a lock, one of them for itself: they cannot happen side by side. */
static bool kept_apart(const struct foot *f, const struct foot_class *a, const struct foot_class *b)
{
	const uint32_t *held = intern_elements(&f->sets, a->locks);

	for (uint32_t i = 0; i < intern_count(&f->sets, a->locks); i++) {
		uint32_t object = held[i] / 2;

		if (intern_has(&f->sets, b->locks, FOOT_EXCLUSIVE(object)))
			return true;
		if (held[i] == FOOT_EXCLUSIVE(object) &&
		    intern_has(&f->sets, b->locks, FOOT_SHARED(object)))
			return true;
	}
	return intern_has(&f->sets, b->joined, a->thread) ||
	       intern_has(&f->sets, a->joined, b->thread);
}

static bool classes_conflict(const struct foot *f, uint32_t a, uint32_t b)
{
	const struct foot_class *x = &f->classes.items[a], *y = &f->classes.items[b];

	return x->object == y->object && x->thread != y->thread &&
	       kinds_conflict(x->kind, y->kind) && !kept_apart(f, x, y);
}

/* Classes come up while masks are in use: each is completed when it is looked at. */
static const uint64_t *mask_of(struct foot *f, uint32_t c)
{
	struct foot_mask *m = &f->masks.items[c];
	size_t words = (f->classes.count + 63) / 64;

	if (m->count < words) {
		m->words = xrealloc(m->words, words, sizeof(*m->words));
		memset(m->words + m->count, 0, (words - m->count) * sizeof(*m->words));
		m->count = words;
	}
	for (; m->judged < f->classes.count; m->judged++)
		if (classes_conflict(f, c, (uint32_t)m->judged))
			m->words[m->judged / 64] |= UINT64_C(1) << m->judged % 64;
	assert(m->judged == f->classes.count && m->judged <= m->count * 64);
	return m->words;
}

bool foot_conflicts(struct foot *f, uint32_t c, uint32_t print)
{
	const uint32_t *e;
	const uint64_t *mask;
	uint32_t n;

	if (print == FOOT_ALL)
		return true;
	e = intern_elements(&f->prints, print);
	n = intern_count(&f->prints, print);
	mask = mask_of(f, c);
	for (uint32_t i = 0; i < n; i++)
		if (mask[e[i] / 64] >> e[i] % 64 & 1)
			return true;
	return false;
}

/* A search asks this of the same sets all the time; sets stay what they are. */
bool foot_meets(struct foot *f, uint32_t classes, uint32_t print)
{
	struct foot_memo *m = &f->met[intern_hash(classes, print) & (MEMO - 1)];
	bool meets = false;

	if (m->used && m->a == classes && m->b == print)
		return m->result;
	for (uint32_t i = 0; !meets && i < intern_count(&f->prints, classes); i++)
		meets = foot_conflicts(f, intern_elements(&f->prints, classes)[i], print);
	*m = (struct foot_memo){classes, print, meets, 1};
	return meets;
}

bool foot_touches(const struct foot *f, uint32_t print, uint32_t object, enum foot_kind kind)
{
	const uint32_t *e;

	if (print == FOOT_ALL)
		return true;
	e = intern_elements(&f->prints, print);
	for (uint32_t i = 0; i < intern_count(&f->prints, print); i++) {
		const struct foot_class *c = &f->classes.items[e[i]];

		if (c->object == object && (c->kind == kind || c->kind == FOOT_ANY))
			return true;
	}
	return false;
}

bool foot_names(const struct foot *f, uint32_t print, uint32_t object)
{
	const uint32_t *e = intern_elements(&f->prints, print);

	for (uint32_t i = 0; i < intern_count(&f->prints, print); i++)
		if (f->classes.items[e[i]].object == object)
			return true;
	return false;
}
