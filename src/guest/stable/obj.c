#include "guest/stable/obj.h"

#include "guest/stable/conf.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"

#include <stddef.h>

/* Open addressing with linear probing; a removed entry moves its followers back. */
static struct obj *table;
static size_t capacity, used;
static uint32_t next_ordinal[OBJ_KINDS];

/* Addresses used outside the schedule.  Insert-only, so that lookups need no lock. */
#define OUTSIDE 8192
static struct {
	void *addr;
	uintptr_t site;
} outside[OUTSIDE];
static uint32_t outside_count;

static size_t slot_of(enum obj_kind kind, void *addr, size_t size)
{
	uint64_t h =
		((uint64_t)(uintptr_t)addr ^ ((uint64_t)kind << 56)) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(h >> 20) & (size - 1);
}

static struct obj *probe(enum obj_kind kind, void *addr)
{
	size_t i = slot_of(kind, addr, capacity);
	while (table[i].addr && (table[i].addr != addr || table[i].kind != kind))
		i = (i + 1) & (capacity - 1);
	return &table[i];
}

static void grow(void)
{
	struct obj *old = table;
	size_t count = capacity;
	capacity = capacity ? 2 * capacity : 1024;
	table = os_pages(capacity * sizeof(*table));
	for (size_t i = 0; i < count; i++) {
		if (old[i].addr)
			*probe(old[i].kind, old[i].addr) = old[i];
	}
	if (old)
		os_unmap(old, count * sizeof(*old));
}

struct obj *obj_find(enum obj_kind kind, void *addr)
{
	if (!capacity)
		return NULL;
	struct obj *o = probe(kind, addr);
	return o->addr ? o : NULL;
}

struct obj *obj_get(enum obj_kind kind, void *addr)
{
	struct obj *o = obj_find(kind, addr);
	if (o)
		return o;
	if (2 * (used + 1) > capacity)
		grow();
	o = probe(kind, addr);
	*o = (struct obj){.addr = addr, .kind = (uint8_t)kind, .ordinal = next_ordinal[kind]++};
	used++;
	return o;
}

struct obj *obj_new(enum obj_kind kind, void *addr)
{
	obj_forget(kind, addr);
	return obj_get(kind, addr);
}

void obj_forget(enum obj_kind kind, void *addr)
{
	struct obj *o = obj_find(kind, addr);
	if (!o)
		return;
	used--;
	size_t hole = (size_t)(o - table), i = hole;
	for (;;) {
		i = (i + 1) & (capacity - 1);
		if (!table[i].addr)
			break;
		size_t home = slot_of(table[i].kind, table[i].addr, capacity);
		/* The entry may fill the hole unless its home lies cyclically in (hole, i]. */
		bool stays = hole <= i ? hole < home && home <= i : hole < home || home <= i;
		if (stays)
			continue;
		table[hole] = table[i];
		hole = i;
	}
	table[hole].addr = NULL;
}

static size_t outside_slot(void *addr)
{
	size_t i = slot_of(OBJ_NONE, addr, OUTSIDE);
	for (;;) {
		void *seen = __atomic_load_n(&outside[i].addr, __ATOMIC_ACQUIRE);
		if (!seen || seen == addr)
			return i;
		i = (i + 1) & (OUTSIDE - 1);
	}
}

void obj_used_outside(void *addr, uintptr_t site)
{
	if (conf.iso == CONF_ISO_OFF)
		return;
	size_t i = outside_slot(addr);
	if (outside[i].addr == addr || outside_count > OUTSIDE / 2)
		return;
	void *empty = NULL;
	outside[i].site = site;
	if (__atomic_compare_exchange_n(&outside[i].addr, &empty, addr, false, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED))
		__atomic_add_fetch(&outside_count, 1, __ATOMIC_RELAXED);
	else if (empty != addr)
		obj_used_outside(addr, site);
}

void obj_check_isolation(struct obj *o, uintptr_t site)
{
	if (!o->site)
		o->site = site;
	if (o->warned || conf.iso == CONF_ISO_OFF)
		return;
	size_t i = outside_slot(o->addr);
	if (outside[i].addr != o->addr)
		return;
	o->warned = 1;
	ctl->flags |= STABLE_FLAG_ISOLATION;
	msg_say("isolation: object %p is used in the schedule at @%lx and outside it at @%lx",
		o->addr, (unsigned long)site, (unsigned long)outside[i].site);
	if (conf.iso == CONF_ISO_ABORT)
		sys_exit_group(1);
}
