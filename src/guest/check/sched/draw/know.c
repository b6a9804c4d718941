#include "guest/check/sched/draw/know.h"

#include <string.h>

#include "guest/check/mem/buffer.h"
#include "guest/check/sched/state.h"

#define MAGIC UINT64_C(0x776f6e6b656c6464)
#define OBJECTS 4096
#define PLACES 8192
#define PAIRS 8192
#define USES 8192
#define THREADS WIRE_MAX_THREADS
#define SEEN 16384	/* sets of pairs that runs have shown */
#define LONGEST_LIST 64 /* places of one object that are compared with each other */
#define OWN_BYTES 16384

/* Slots of a hash table hold 1 + the index of an entry; twice as many as there are entries. */
struct know {
	uint64_t magic, run, length;
	uint64_t signature; /* of the pairs this run has shown */
	uint32_t new_pairs, news_due;
	struct know_news news;
	uint32_t objects, places, pairs, uses, threads, shared, dirty;
	uint32_t object_at[2 * OBJECTS], place_at[2 * PLACES], pair_at[2 * PAIRS], use_at[2 * USES];
	uint32_t thread_at[2 * THREADS];
	struct know_object object[OBJECTS];
	struct know_place place[PLACES];
	struct know_pair pair[PAIRS];
	struct know_use use[USES];
	struct know_thread thread[THREADS];
	uint32_t shared_at[OBJECTS];
	struct {
		uint64_t signature;
		uint32_t count;
	} seen[SEEN];
	unsigned char own[KNOW_OWNERS][OWN_BYTES] __attribute__((aligned(16)));
};

static struct know *know(void)
{
	return (struct know *)((char *)rt_ctl + rt_ctl->scratch.offset);
}

static bool has_room(void)
{
	return rt_ctl->scratch.bytes >= sizeof(struct know);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b + 1) * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);

	return h ^ h >> 32;
}

/* ---- tables ---- */

/* The slot of a table at which an entry that fits lies, or would. */
#define PROBE(slots, capacity, hash, fits)                                                         \
	({                                                                                         \
		uint32_t probe_at = (uint32_t)(hash) & (2 * (capacity)-1);                         \
		for (; (slots)[probe_at]; probe_at = (probe_at + 1) & (2 * (capacity)-1)) {        \
			uint32_t at = (slots)[probe_at] - 1;                                       \
			if (fits)                                                                  \
				break;                                                             \
		}                                                                                  \
		&(slots)[probe_at];                                                                \
	})

static uint32_t *object_slot(struct know *k, uint64_t addr)
{
	return PROBE(k->object_at, OBJECTS, mix(addr, 0), k->object[at].addr == addr);
}

uint32_t know_object_at(uint64_t addr)
{
	return *object_slot(know(), addr) - 1;
}

static uint32_t object_of(struct know *k, uint64_t addr, const struct rt_thread *t)
{
	uint32_t *slot = object_slot(k, addr);

	if (!*slot && k->objects < OBJECTS) {
		k->object[k->objects] = (struct know_object){
			.addr = addr, .places = KNOW_NOTHING, .first_tid = t->tid};
		*slot = ++k->objects;
	}
	return *slot - 1;
}

static struct know_pair *pair_of(struct know *k, uint32_t read, uint32_t write, bool make)
{
	uint32_t *slot = PROBE(k->pair_at, PAIRS, mix(read, write),
			       k->pair[at].read == read && k->pair[at].write == write);

	if (!*slot && make && k->pairs < PAIRS) {
		k->pair[k->pairs] = (struct know_pair){.read = read, .write = write};
		*slot = ++k->pairs;
	}
	return *slot ? &k->pair[*slot - 1] : NULL;
}

static struct know_use *use_of(struct know *k, uint32_t object, uint32_t thread)
{
	uint32_t *slot = PROBE(k->use_at, USES, mix(object, thread),
			       k->use[at].object == object && k->use[at].thread == thread);

	if (!*slot && k->uses < USES) {
		k->use[k->uses] = (struct know_use){.object = object, .thread = thread};
		*slot = ++k->uses;
	}
	return *slot ? &k->use[*slot - 1] : NULL;
}

static uint32_t thread_of(struct know *k, uint64_t key, bool make)
{
	uint32_t *slot = PROBE(k->thread_at, THREADS, mix(key, 1), k->thread[at].key == key);

	if (!*slot && make && k->threads < THREADS) {
		k->thread[k->threads] = (struct know_thread){.key = key, .parent = KNOW_NOTHING};
		*slot = ++k->threads;
	}
	return *slot - 1;
}

static void list_object(struct know *k, uint32_t o)
{
	struct know_object *x = &k->object[o];

	if (!x->is_dirty) {
		x->is_dirty = 1;
		x->dirty = k->dirty;
		k->dirty = o;
	}
	if (x->shared && x->written && !x->listed) {
		x->listed = 1;
		RT_ASSERT(k->shared < OBJECTS);
		k->shared_at[k->shared++] = o;
	}
}

/* The site comes to the object. */
static void note_place(struct know *k, uint32_t o, uint32_t site, uint32_t access)
{
	uint32_t *slot = PROBE(k->place_at, PLACES, mix(o, site),
			       k->place[at].object == o && k->place[at].site == site);
	struct know_place *p;

	if (!*slot) {
		if (k->places == PLACES)
			return;
		k->place[k->places] =
			(struct know_place){.object = o, .site = site, .next = k->object[o].places};
		k->object[o].places = k->places;
		*slot = ++k->places;
	}
	p = &k->place[*slot - 1];
	if ((p->access & access) != access) {
		p->access |= (uint8_t)access;
		list_object(k, o);
	}
}

/* ---- a run ---- */

/* Every read of an object may see every write of it, once several threads come there. */
static void pair_up(struct know *k, const struct know_object *o)
{
	uint32_t n = 0;

	for (uint32_t r = o->places; r != KNOW_NOTHING && n < LONGEST_LIST;
	     r = k->place[r].next, n++) {
		uint32_t m = 0;

		if (!(k->place[r].access & KNOW_READS))
			continue;
		pair_of(k, k->place[r].site, KNOW_BEFORE, true);
		for (uint32_t w = o->places; w != KNOW_NOTHING && m < LONGEST_LIST;
		     w = k->place[w].next, m++)
			if (k->place[w].access & KNOW_WRITES)
				pair_of(k, k->place[r].site, k->place[w].site, true);
	}
}

static void pair_up_all(struct know *k)
{
	uint32_t o = k->dirty;

	k->dirty = KNOW_NOTHING;
	while (o != KNOW_NOTHING) {
		struct know_object *x = &k->object[o];

		RT_ASSERT(o < k->objects && x->is_dirty);
		x->is_dirty = 0;
		if (x->shared && x->written)
			pair_up(k, x);
		o = x->dirty;
	}
}

void know_begin(void)
{
	struct know *k = know();
	bool anew = rt_ctl->result.runs == 0 && !(rt_ctl->job.flags & JOB_DFS_RESUME);

	if (sched.note)
		return;
	if (!has_room())
		rt_trouble("the strategy has too little memory");
	if (anew || k->magic != MAGIC) {
		memset(k, 0, sizeof(*k));
		k->magic = MAGIC;
		k->dirty = KNOW_NOTHING;
	}
	pair_up_all(k);
	k->run++;
	k->signature = 0;
	k->new_pairs = 0;
	k->news_due = 1;
	sched.note = know_note;
	sched.note_born = know_born;
}

uint64_t know_run(void)
{
	return know()->run;
}

uint64_t know_length(void)
{
	return know()->length;
}

void *know_own(enum know_owner owner, size_t bytes)
{
	RT_ASSERT(owner < KNOW_OWNERS && bytes <= OWN_BYTES);
	return know()->own[owner];
}

void know_born(struct rt_thread *t)
{
	struct know *k = know();
	const struct rt_thread *parent = t->parent == THREAD_NONE ? NULL : thread_by_tid(t->parent);
	struct know_thread *x, *p;

	t->known = thread_of(k, t->key, true);
	if (t->known == KNOW_NOTHING)
		return;
	x = &k->thread[t->known];
	x->left = x->total;
	if (!parent || parent->known == KNOW_NOTHING)
		return;
	/* What it will do was counted into its parent while it was not there. */
	x->parent = parent->known;
	p = &k->thread[parent->known];
	p->left -= p->left < x->total ? p->left : x->total;
}

uint32_t know_access(const struct rt_op *op)
{
	switch (op->kind) {
	case EVENT_READ:
	case EVENT_READ_RANGE:
		return KNOW_READS;
	case EVENT_WRITE:
	case EVENT_WRITE_RANGE:
	case EVENT_FREE:
	case EVENT_SEM_POST:
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
		return KNOW_WRITES;
	case EVENT_RMW:
	case EVENT_LOCK:
	case EVENT_TRYLOCK:
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_TRYWRLOCK:
	case EVENT_SPIN_LOCK:
	case EVENT_SPIN_TRYLOCK:
	case EVENT_COND_WAIT:
	case EVENT_SEM_WAIT:
	case EVENT_SEM_TRYWAIT:
	case EVENT_BARRIER_ARRIVE:
		return KNOW_READS | KNOW_WRITES;
	default:
		return 0;
	}
}

uint32_t know_last(uint32_t object)
{
	const struct know *k = know();
	const struct know_object *o = &k->object[object];

	RT_ASSERT(object < k->objects);
	return o->run == k->run ? o->last : KNOW_BEFORE;
}

/* The read sees what was written last. */
static void note_read(struct know *k, uint32_t o, uint32_t site)
{
	struct know_pair *p;

	if (!k->object[o].shared)
		return;
	p = pair_of(k, site, know_last(o), true);
	if (!p || p->run == k->run)
		return;
	k->new_pairs += p->seen == 0;
	p->seen++;
	p->run = k->run;
	k->signature += mix(mix(site, know_last(o)), 2);
}

static void note_use(struct know *k, uint32_t o, const struct rt_thread *t)
{
	struct know_use *u = t->known == KNOW_NOTHING ? NULL : use_of(k, o, t->known);
	struct know_thread *x;

	if (!u)
		return;
	if (u->run != k->run) {
		u->usual = u->now > u->usual ? u->now : u->usual - (u->usual - u->now) / 4;
		u->now = 0;
		u->run = k->run;
	}
	u->now++;
	x = &k->thread[t->known];
	if (k->object[o].chosen_run == k->run && x->left > 0)
		x->left--;
}

static void note_access(uint64_t addr, uint32_t site, uint32_t access, const struct rt_thread *t)
{
	struct know *k = know();
	uint32_t o = object_of(k, addr, t);
	struct know_object *x;

	if (o == KNOW_NOTHING)
		return;
	x = &k->object[o];
	if ((!x->shared && x->first_tid != t->tid) || (!x->written && (access & KNOW_WRITES))) {
		x->shared |= x->first_tid != t->tid;
		x->written |= (access & KNOW_WRITES) != 0;
		list_object(k, o);
	}
	note_place(k, o, site, access);
	note_use(k, o, t);
	if (access & KNOW_READS)
		note_read(k, o, site);
	if (access & KNOW_WRITES) {
		x->last = site;
		x->run = k->run;
	}
}

void know_note(const struct action *a)
{
	const struct rt_thread *t = a->thread;
	const struct buffer_entry *e;

	if (a->kind == CHOICE_FLUSH) {
		e = buffer_nth(t->buffer, (enum wire_model)sched.model, a->arg);
		note_access(e->store.at, e->site, KNOW_WRITES, t);
	} else if (a->kind == CHOICE_RUN && know_access(t->op)) {
		note_access(t->op->addr, t->op->site, know_access(t->op), t);
	}
}

struct know_news know_over(void)
{
	struct know *k = know();
	struct know_news news = {0, 0};
	uint32_t at;

	if (k->magic != MAGIC)
		return news;
	if (!k->news_due)
		return k->news;
	k->news_due = 0;
	k->length = rt_ctl->result.steps;
	news.pairs = k->new_pairs;
	at = (uint32_t)mix(k->signature, 3) % SEEN;
	/* One that falls on another's place counts as rare again: that costs a little energy only.
	 */
	if (k->seen[at].signature != k->signature) {
		k->seen[at].signature = k->signature;
		k->seen[at].count = 0;
	}
	news.how_rare = k->seen[at].count++;
	k->news = news;
	return news;
}

/* ---- what strategies ask ---- */

uint32_t know_pair_count(void)
{
	return know()->pairs;
}

struct know_pair *know_pair_nth(uint32_t n)
{
	RT_ASSERT(n < know()->pairs);
	return &know()->pair[n];
}

uint32_t know_pair_of(uint32_t read, uint32_t write)
{
	struct know *k = know();
	const struct know_pair *p = pair_of(k, read, write, false);

	return p ? (uint32_t)(p - k->pair) : KNOW_NOTHING;
}

uint32_t know_shared_count(void)
{
	return know()->shared;
}

void know_choose(uint32_t nth)
{
	struct know *k = know();

	RT_ASSERT(nth < k->shared && k->shared_at[nth] < k->objects);
	k->object[k->shared_at[nth]].chosen_run = k->run;
}

bool know_is_chosen(const struct rt_op *op)
{
	const struct know *k = know();
	uint32_t o = know_access(op) ? know_object_at(op->addr) : KNOW_NOTHING;

	return o != KNOW_NOTHING && k->object[o].chosen_run == k->run;
}

void know_count_uses(void)
{
	struct know *k = know();

	for (uint32_t i = 0; i < k->threads; i++)
		k->thread[i].total = 0;
	for (uint32_t i = 0; i < k->uses; i++) {
		const struct know_use *u = &k->use[i];

		if (k->object[u->object].chosen_run == k->run)
			k->thread[u->thread].total += u->now > u->usual ? u->now : u->usual;
	}
	/* Parents come before their children. */
	for (uint32_t i = k->threads; i-- > 0;)
		if (k->thread[i].parent != KNOW_NOTHING) {
			RT_ASSERT(k->thread[i].parent < i);
			k->thread[k->thread[i].parent].total += k->thread[i].total;
		}
}

struct know_thread *know_thread_of(const struct rt_thread *t)
{
	return t->known == KNOW_NOTHING ? NULL : &know()->thread[t->known];
}
