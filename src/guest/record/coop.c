/*
 * Orders of accesses to shared elements (wire/coop.h), for programs of the flavour `coop'.
 *
 * Noting an access and the access itself are one step: who is between enter and leave holds the
 * lock of the element.  It is a lock that gives up: a thread that left its access by a jump out of
 * a signal handler, or died in it, must not stop the others for ever.  Then the order is lost, and
 * says so.
 *
 * Tolerates: signal handlers of the program (an access in a handler that interrupted one of the
 * same element is not noted), threads without a row (the order is lost), fork (the child notes
 * nothing).
 */
#include "guest/record/record.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "guest/os/fmt.h"
#include "guest/os/sys.h"
#include "wire/coop.h"

#define WINDOW (UINT64_C(1) << 33) /* of the file that is mapped */
#define STEP (UINT64_C(1) << 20)   /* bytes that are reserved at once */
#define SPINS 256u		   /* rounds before others are let go first */
#define PATIENCE_NS UINT64_C(2000000000)

static struct coop_area *area; /* NULL: nothing is noted */
static struct coop_slot *slots;
static char path[4096];
static uint32_t reserving;
/* Accesses under way that are not noted: the innermost ones. */
static __thread uint32_t refused __attribute__((tls_model("initial-exec")));

static bool reserve(uint64_t from, uint64_t bytes)
{
	long fd = sys_call(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0), rc;

	if (fd < 0)
		return false;
	do {
		rc = sys_call(SYS_fallocate, fd, 0, (long)from, (long)bytes, 0, 0);
	} while (rc == -EINTR);
	sys_close((int)fd);
	return rc == 0;
}

void rec_coop_init(const char *dir)
{
	long fd, at;

	if (strlen(dir) + sizeof(COOP_FILE) + 2 > sizeof(path))
		return;
	fmt_text(path, sizeof(path), "%s/%s", dir, COOP_FILE);
	fd = sys_call(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return;
	at = sys_call(SYS_mmap, 0, (long)WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
		      fd, 0);
	sys_close((int)fd);
	if (at < 0 && at > -4096)
		return;
	area = (struct coop_area *)at;
	if (area->magic != COOP_AREA_MAGIC || area->slots > COOP_MAX_SLOTS) {
		area = NULL;
		return;
	}
	slots = (struct coop_slot *)((char *)area + COOP_SLOTS_AT);
}

void rec_coop_stop(void)
{
	area = NULL;
}

RECORD_EXPORT void heddle_coop_begin(void);
RECORD_EXPORT void heddle_coop_begin(void)
{
	if (area)
		area->begun = 1;
}

/* ---- chunks ---- */

/* Only one thread asks for more at a time; the others wait for it. */
static bool make_room(uint64_t end)
{
	bool there;

	while (__atomic_exchange_n(&reserving, 1, __ATOMIC_ACQUIRE))
		sys_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
	there = end <= area->reserved;
	if (!there && end <= WINDOW && reserve(area->reserved, STEP)) {
		area->reserved += STEP;
		there = end <= area->reserved;
	}
	__atomic_store_n(&reserving, 0, __ATOMIC_RELEASE);
	return there;
}

/* A chunk behind the last one of the slot; NULL: there is no room. */
static struct coop_chunk *new_chunk(struct coop_slot *s)
{
	uint64_t at = __atomic_fetch_add(&area->used, COOP_CHUNK_BYTES, __ATOMIC_RELAXED);
	struct coop_chunk *c = (struct coop_chunk *)((char *)area + at);

	if (at + COOP_CHUNK_BYTES > __atomic_load_n(&area->reserved, __ATOMIC_ACQUIRE) &&
	    !make_room(at + COOP_CHUNK_BYTES))
		return NULL;
	c->next = 0;
	c->used = 0;
	if (s->last)
		((struct coop_chunk *)((char *)area + s->last))->next = at;
	else
		s->first = at;
	s->last = at;
	return c;
}

static bool keep(struct coop_slot *s, uint64_t entry)
{
	struct coop_chunk *c =
		s->last ? (struct coop_chunk *)((char *)area + s->last) : new_chunk(s);
	int saved = errno;

	if (c && c->used == COOP_CHUNK_ENTRIES)
		c = new_chunk(s);
	errno = saved;
	if (!c)
		return false;
	((uint64_t *)(c + 1))[c->used] = entry;
	__atomic_store_n(&c->used, c->used + 1, __ATOMIC_RELEASE);
	return true;
}

/* The lock of the slot is held. */
static void append(struct coop_slot *s)
{
	uint32_t self = rec_self.id;

	if (s->lost)
		return;
	if (!rec_self.row || self >> (64 - COOP_LENGTH_BITS)) {
		s->lost = 1;
	} else if (s->entry && s->entry >> COOP_LENGTH_BITS == self) {
		s->entry++;
	} else if (s->entry && !keep(s, s->entry)) {
		s->lost = 1;
	} else {
		s->entry = coop_entry(self, 1);
	}
}

/* ---- the lock ---- */

/* False: the thread holds it already, or nobody knows when it will be free. */
static bool take(struct coop_slot *s)
{
	uint32_t self = rec_self.id + 1, none = 0;
	uint64_t until = 0;

	for (uint32_t round = 1;; round++) {
		none = 0;
		if (__atomic_compare_exchange_n(&s->lock, &none, self, false, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return true;
		if (none == self || __atomic_load_n(&s->lost, __ATOMIC_RELAXED))
			return false;
		if (round % SPINS) {
			__builtin_ia32_pause();
			continue;
		}
		sys_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
		if (!until)
			until = sys_monotonic_ns() + PATIENCE_NS;
		if (sys_monotonic_ns() > until) {
			__atomic_store_n(&s->lost, 1, __ATOMIC_RELAXED);
			return false;
		}
	}
}

static void give(struct coop_slot *s)
{
	uint32_t self = rec_self.id + 1;

	__atomic_compare_exchange_n(&s->lock, &self, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* NULL: it is not noted. */
static struct coop_slot *slot_of(uint32_t number)
{
	if (!area || !area->begun || number >= area->slots || slots[number].lost)
		return NULL;
	return &slots[number];
}

RECORD_EXPORT void heddle_coop_enter(uint32_t number);
RECORD_EXPORT void heddle_coop_enter(uint32_t number)
{
	struct coop_slot *s = slot_of(number);

	if (s && take(s))
		append(s);
	else
		refused++;
}

RECORD_EXPORT void heddle_coop_leave(uint32_t number);
RECORD_EXPORT void heddle_coop_leave(uint32_t number)
{
	if (refused)
		refused--;
	else if (area && number < area->slots)
		give(&slots[number]);
}

RECORD_EXPORT void heddle_coop_note(uint32_t number);
RECORD_EXPORT void heddle_coop_note(uint32_t number)
{
	heddle_coop_enter(number);
	heddle_coop_leave(number);
}

RECORD_EXPORT void heddle_coop_taken(uint32_t number, uint32_t result);
RECORD_EXPORT void heddle_coop_taken(uint32_t number, uint32_t result)
{
	if (result == 0)
		heddle_coop_note(number);
}
