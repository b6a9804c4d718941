#include "coop/orders.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"

#define FIRST_BYTES (UINT64_C(1) << 20) /* for chunks, to begin with */
#define MAX_DEPTH 64			/* of threads that create threads */

static uint32_t slots_of(const struct coop_profile *p, bool all)
{
	return all ? p->elements : (uint32_t)p->chosen.count;
}

/* All that were not chosen are as if they were lost: the first test of the runtime. */
static bool switch_off(int fd, const struct coop_profile *p)
{
	struct coop_slot *slots = xcalloc(p->elements + 1, sizeof(*slots));
	size_t bytes = p->elements * sizeof(*slots);
	bool fine;

	for (uint32_t i = 0; i < p->elements; i++)
		slots[i].lost = 1;
	for (size_t i = 0; i < p->chosen.count; i++)
		slots[p->chosen.items[i].element].lost = 0;
	fine = pwrite(fd, slots, bytes, COOP_SLOTS_AT) == (ssize_t)bytes;
	free(slots);
	return fine;
}

int coop_orders_make(const char *dir, const struct coop_profile *p, bool all, struct err *e)
{
	uint64_t slots = COOP_SLOTS_AT + slots_of(p, all) * sizeof(struct coop_slot);
	struct coop_area area = {.magic = COOP_AREA_MAGIC, .slots = slots_of(p, all)};
	char *path = fs_join(dir, COOP_FILE);
	int fd = -1, rc = 0;

	area.used = (slots + COOP_CHUNK_BYTES - 1) / COOP_CHUNK_BYTES * COOP_CHUNK_BYTES;
	area.reserved = area.used + FIRST_BYTES;
	if (area.slots > COOP_MAX_SLOTS)
		rc = err_set(e, ERR_LIMIT, "the profile has more than %u elements", COOP_MAX_SLOTS);
	if (!rc)
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/* Space that is there: a full disk must not kill the program that writes into the mapping.
	 */
	if (!rc && (fd < 0 || (errno = posix_fallocate(fd, 0, (off_t)area.reserved)) != 0 ||
		    pwrite(fd, &area, sizeof(area), 0) != (ssize_t)sizeof(area) ||
		    (all && !switch_off(fd, p))))
		rc = err_errno(e, ERR_IO, "cannot make %s", path);
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}

struct reading {
	const struct record_ctl *ctl;
	const uint8_t *bytes;
	size_t count;
	uint32_t threads;
	uint32_t *known; /* by thread: its index in the log, plus 1 */
	struct coop_log *log;
};

/* ---- names of threads ---- */

static const struct record_thread *row_of(const struct reading *r, uint32_t id)
{
	const struct record_thread *all =
		(const struct record_thread *)((const char *)r->ctl + RECORD_THREADS_AT);

	return id < r->threads ? &all[id] : NULL;
}

/* The index of the thread in the log; false: it is none, or its creators are not known. */
static bool thread_index(struct reading *r, uint32_t id, uint32_t *index)
{
	uint32_t way[MAX_DEPTH], depth = 0;
	const struct record_thread *row = row_of(r, id);
	struct strbuf name = STRBUF_INIT;

	while (row && row->creator != RECORD_NO_THREAD && depth < MAX_DEPTH) {
		if (row->state == RECORD_THREAD_HANDLER || row->creator >= id)
			return false;
		way[depth++] = row->index + 1;
		id = row->creator;
		row = row_of(r, id);
	}
	if (!row || depth == MAX_DEPTH || row->state == RECORD_THREAD_HANDLER)
		return false;
	strbuf_add(&name, "0");
	while (depth)
		strbuf_addf(&name, ":%u", way[--depth]);
	*index = coop_log_thread(r->log, name.text);
	strbuf_free(&name);
	return true;
}

/* ---- orders ---- */

static bool push(struct reading *r, struct coop_vector *v, uint64_t entry)
{
	uint64_t length = entry & ((UINT64_C(1) << COOP_LENGTH_BITS) - 1);
	uint32_t id = (uint32_t)(entry >> COOP_LENGTH_BITS), thread;

	if (length == 0 || id >= r->threads)
		return false;
	if (r->known[id])
		thread = r->known[id] - 1;
	else if (!thread_index(r, id, &thread))
		return false;
	r->known[id] = thread + 1;
	coop_vector_push(v, thread, length);
	return true;
}

static bool read_chunks(struct reading *r, struct coop_vector *v, uint64_t at)
{
	/* No chain is longer than the file. */
	for (size_t n = 0; at && n <= r->count / COOP_CHUNK_BYTES; n++) {
		struct coop_chunk c;

		if (at % COOP_CHUNK_BYTES || at > r->count || r->count - at < COOP_CHUNK_BYTES)
			return false;
		memcpy(&c, r->bytes + at, sizeof(c));
		if (c.used > COOP_CHUNK_ENTRIES)
			return false;
		for (uint32_t i = 0; i < c.used; i++) {
			uint64_t entry;

			memcpy(&entry, r->bytes + at + sizeof(c) + i * sizeof(entry),
			       sizeof(entry));
			if (!push(r, v, entry))
				return false;
		}
		at = c.next;
	}
	return at == 0;
}

/* False: the order is not complete. */
static bool read_slot(struct reading *r, uint32_t number, struct coop_vector *v)
{
	struct coop_slot s;

	memcpy(&s, r->bytes + COOP_SLOTS_AT + (size_t)number * sizeof(s), sizeof(s));
	if (s.lost || !read_chunks(r, v, s.first))
		return false;
	return !s.entry || push(r, v, s.entry);
}

static int map(const struct coop_orders *o, struct reading *r, struct err *e)
{
	uint32_t slots = slots_of(o->profile, o->all);
	char *path = fs_join(o->dir, COOP_FILE);
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
	const struct coop_area *area;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		rc = err_errno(e, ERR_IO, "cannot open %s", path);
	} else if ((size_t)st.st_size < COOP_SLOTS_AT + slots * sizeof(struct coop_slot)) {
		rc = err_set(e, ERR_INCOMPLETE, "%s is truncated", path);
	} else {
		r->count = (size_t)st.st_size;
		r->bytes = mmap(NULL, r->count, PROT_READ, MAP_PRIVATE, fd, 0);
		if (r->bytes == MAP_FAILED)
			rc = err_errno(e, ERR_IO, "cannot map %s", path);
	}
	if (fd >= 0)
		close(fd);
	area = (const struct coop_area *)(const void *)r->bytes;
	if (!rc && (area->magic != COOP_AREA_MAGIC || area->slots != slots)) {
		munmap((void *)r->bytes, r->count);
		rc = err_set(e, ERR_FORMAT, "%s is damaged", path);
	}
	free(path);
	return rc;
}

int coop_orders_read(struct coop_orders *o, struct coop_log *l, struct err *e)
{
	const struct coop_profile *p = o->profile;
	struct reading r = {.ctl = o->ctl, .log = l};
	int rc = map(o, &r, e);

	o->lost = 0;
	if (rc)
		return rc;
	r.threads = o->ctl->threads < RECORD_MAX_THREADS ? o->ctl->threads : RECORD_MAX_THREADS;
	r.known = xcalloc(r.threads + 1, sizeof(*r.known));
	memcpy(l->build, p->build, sizeof(l->build));
	l->flavour = (uint16_t)p->flavour;
	l->elements = p->elements;
	for (uint32_t i = 0; i < p->chosen.count; i++) {
		uint32_t element = p->chosen.items[i].element;
		struct coop_vector *v = coop_log_add(l, element);

		if (read_slot(&r, o->all ? element : i, v)) {
			coop_vector_seal(l, v);
			continue;
		}
		vec_free(&v->runs);
		l->vectors.count--;
		o->lost++;
	}
	free(r.known);
	munmap((void *)r.bytes, r.count);
	return 0;
}
