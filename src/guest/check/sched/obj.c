#include "guest/check/sched/obj.h"

#include <string.h>

#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"

#define OBJ_BITS 14
#define OBJ_MAX (1u << OBJ_BITS)
#define NO_OBJ 0 /* entry 0 is never used */

static struct rt_obj objects[OBJ_MAX];
static uint32_t buckets[OBJ_MAX];
static RT_RUN uint32_t object_count;
static RT_RUN uint32_t free_list;

static uint32_t *bucket_of(uint64_t addr)
{
	return &buckets[(addr * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - OBJ_BITS)];
}

struct rt_obj *obj_find(uint64_t addr)
{
	for (uint32_t at = *bucket_of(addr); at != NO_OBJ; at = objects[at].next)
		if (objects[at].addr == addr)
			return &objects[at];
	return NULL;
}

void obj_touch(struct rt_obj *o)
{
	undo_touch(o, sizeof(*o));
}

/* Static initialisers have no counterpart: what lay in freed memory is forgotten here. */
static void sweep(void)
{
	for (uint32_t at = 1; at <= object_count; at++) {
		struct rt_obj *o = &objects[at];
		bool freed = true;

		if (o->addr && heap_owns((void *)o->addr) &&
		    (!heap_block_around(o->addr, &freed) || freed))
			obj_remove(o);
	}
}

static uint32_t take_entry(void)
{
	uint32_t at;

	if (free_list == NO_OBJ && object_count + 1 >= OBJ_MAX)
		sweep();
	at = free_list;
	if (at != NO_OBJ) {
		RT_ASSERT(at <= object_count && objects[at].addr == 0);
		free_list = objects[at].next;
		return at;
	}
	if (object_count + 1 >= OBJ_MAX)
		rt_trouble("more than %u synchronisation objects", OBJ_MAX);
	return ++object_count;
}

static void obj_clear(struct rt_obj *o, uint64_t addr, enum wire_obj kind, uint32_t next)
{
	obj_touch(o);
	memset(o, 0, sizeof(*o));
	o->addr = addr;
	o->kind = (uint8_t)kind;
	o->site = o->init_site = SITE_NONE;
	o->next = next;
}

struct rt_obj *obj_get(const void *addr, enum wire_obj kind)
{
	struct rt_obj *o = obj_find((uint64_t)addr);
	uint32_t *bucket, at;

	if (o) {
		if (o->kind != kind)
			obj_clear(o, (uint64_t)addr, kind, o->next);
		return o;
	}
	/* The C library would look at it, too: the program fails here, not we. */
	if (unlikely(!addr))
		(void)*(const volatile char *)addr;
	bucket = bucket_of((uint64_t)addr);
	at = take_entry();
	obj_clear(&objects[at], (uint64_t)addr, kind, *bucket);
	undo_touch(bucket, sizeof(*bucket));
	*bucket = at;
	return &objects[at];
}

void obj_remove(struct rt_obj *o)
{
	uint32_t *link = bucket_of(o->addr), index = (uint32_t)(o - objects);

	RT_ASSERT(o->addr != 0 && index != NO_OBJ && index <= object_count);
	while (*link != index) {
		RT_ASSERT(*link != NO_OBJ);
		link = &objects[*link].next;
	}
	undo_touch(link, sizeof(*link));
	*link = o->next;
	obj_touch(o);
	o->addr = 0;
	o->next = free_list;
	free_list = index;
}
