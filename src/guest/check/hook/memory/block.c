/*
 * Block operations: odd-sized accesses, memcpy, memmove, memset.
 *
 * Up to SMALL bytes a copy is a read and a write with a scheduling point before each; larger ones
 * are one step, since they could not be held back in between.  Under TSO and PSO small ones are loads
 * and stores of words, which go through the store buffers like any others; larger ones wait for the
 * thread's stores and write through.
 */
#include <string.h>

#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/frame.h"
#include "guest/check/sched/memory.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/thread.h"

#define SMALL 64

static void stand_at(enum event_kind kind, const void *addr, size_t n, uint32_t site)
{
	struct rt_op op = { .kind = (uint8_t)kind, .site = site, .addr = (uint64_t)addr,
			    .value = n };

	sched_step(&op);
}

static void note_read(const void *addr, size_t n, uint32_t site)
{
	heap_check(addr, n, site, false);
	frame_check((uint64_t)addr, n, site, false);
	rec_event(EVENT_READ_RANGE, site, (uint64_t)addr, n, 0);
	rec_data(addr, n);
	spin_read_range(rt_current, (uint64_t)addr, n);
}

static void note_write(void *addr, size_t n, uint32_t site)
{
	heap_check(addr, n, site, true);
	frame_check((uint64_t)addr, n, site, true);
	undo_touch(addr, n);
	spin_store_range(rt_current, (uint64_t)addr, n);
	rec_event(EVENT_WRITE_RANGE, site, (uint64_t)addr, n, 0);
}

/* ---- word by word ---- */

static bool by_words(size_t n)
{
	return n <= SMALL && wire_model_buffers(rt_ctl->job.model);
}

/* The widest word that lies naturally there. */
static size_t word_at(const void *at, size_t left)
{
	size_t word = sizeof(uint64_t);

	while (word > left || ((uintptr_t)at & (word - 1)))
		word /= 2;
	return word;
}

static uint64_t load_word(const void *at, size_t size, heddle_site_ref where)
{
	switch (size) {
	case 1:
		return heddle_hook_load1(at, where);
	case 2:
		return heddle_hook_load2(at, where);
	case 4:
		return heddle_hook_load4(at, where);
	default:
		return heddle_hook_load8(at, where);
	}
}

static void store_word(void *at, uint64_t value, size_t size, heddle_site_ref where)
{
	switch (size) {
	case 1:
		heddle_hook_store1(at, (uint8_t)value, where);
		break;
	case 2:
		heddle_hook_store2(at, (uint16_t)value, where);
		break;
	case 4:
		heddle_hook_store4(at, (uint32_t)value, where);
		break;
	default:
		heddle_hook_store8(at, value, where);
	}
}

static void load_words(char *copy, const char *from, size_t n, heddle_site_ref where)
{
	for (size_t at = 0, word; at < n; at += word) {
		word = word_at(from + at, n - at);
		uint64_t value = load_word(from + at, word, where);

		memcpy(copy + at, &value, word);
	}
}

static void store_words(char *to, const char *copy, size_t n, heddle_site_ref where)
{
	for (size_t at = 0, word; at < n; at += word) {
		uint64_t value = 0;

		word = word_at(to + at, n - at);
		memcpy(&value, copy + at, word);
		store_word(to + at, value, word, where);
	}
}

/* ---- at once ---- */

RT_EXPORT void heddle_hook_load_n(void *copy, const void *addr, size_t n, heddle_site_ref where)
{
	if (rt_controlled() && by_words(n)) {
		load_words(copy, addr, n, where);
		return;
	}
	if (rt_controlled()) {
		uint32_t site = rec_site(where);

		stand_at(EVENT_READ_RANGE, addr, n, site);
		note_read(addr, n, site);
	}
	memcpy(copy, addr, n);
}

RT_EXPORT void heddle_hook_store_n(void *addr, const void *copy, size_t n, heddle_site_ref where)
{
	if (rt_controlled() && by_words(n)) {
		store_words(addr, copy, n, where);
		return;
	}
	if (rt_controlled()) {
		uint32_t site = rec_site(where);

		stand_at(EVENT_WRITE_RANGE, addr, n, site);
		note_write(addr, n, site);
	}
	memcpy(addr, copy, n);
	if (rt_controlled()) {
		rec_data(addr, n);
		memory_changed();
	}
}

static void move_words(void *to, const void *from, size_t n, heddle_site_ref where)
{
	char bounce[SMALL];

	load_words(bounce, from, n, where);
	store_words(to, bounce, n, where);
}

static void move_small(void *to, const void *from, size_t n, uint32_t site)
{
	char bounce[SMALL];

	stand_at(EVENT_READ_RANGE, from, n, site);
	note_read(from, n, site);
	memcpy(bounce, from, n);
	stand_at(EVENT_WRITE_RANGE, to, n, site);
	note_write(to, n, site);
	memcpy(to, bounce, n);
	rec_data(to, n);
}

RT_EXPORT void *heddle_hook_memmove(void *to, const void *from, size_t n, heddle_site_ref where)
{
	uint32_t site = rec_site(where);

	if (!rt_controlled() || n == 0)
		return memmove(to, from, n);
	if (by_words(n)) {
		move_words(to, from, n, where);
		return to;
	}
	if (n <= SMALL) {
		move_small(to, from, n, site);
	} else {
		stand_at(EVENT_WRITE_RANGE, to, n, site);
		note_read(from, n, site);
		note_write(to, n, site);
		memmove(to, from, n);
		rec_data(to, n);
	}
	memory_changed();
	return to;
}

RT_EXPORT void *heddle_hook_memcpy(void *to, const void *from, size_t n, heddle_site_ref where)
{
	return heddle_hook_memmove(to, from, n, where);
}

RT_EXPORT void *heddle_hook_memset(void *to, int byte, size_t n, heddle_site_ref where)
{
	uint32_t site = rec_site(where);

	if (!rt_controlled() || n == 0)
		return memset(to, byte, n);
	if (by_words(n)) {
		char bytes[SMALL];

		memset(bytes, byte, n);
		store_words(to, bytes, n, where);
		return to;
	}
	stand_at(EVENT_WRITE_RANGE, to, n, site);
	note_write(to, n, site);
	memset(to, byte, n);
	rec_data(to, n);
	memory_changed();
	return to;
}
