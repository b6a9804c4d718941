/* Functions of the table by their addresses, and functions that nobody knows. */
#include <string.h>

#include "guest/check/hook/memory/outside.h"
#include "guest/os/real.h"
#include "guest/check/sched/state.h"

static const struct {
	const char *name, *effects;
} rows[] = {
#define X(name, effects) {#name, effects},
#include "wire/outside.def"
#undef X
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))
#define SLOTS 4096
#define LAST 1024

_Static_assert(ROWS * 2 < SLOTS, "the table of addresses has room");

static struct {
	const void *address;
	const char *effects;
} table[SLOTS];
static bool filled;

static uint32_t slot_of(const void *address)
{
	uint32_t at = (uint32_t)((uint64_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 52);

	while (table[at].address && table[at].address != address)
		at = (at + 1) % SLOTS;
	return at;
}

/* When the program first calls through a pointer what is not instrumented; the same in every run.
 */
static void fill(void)
{
	filled = true;
	rt_inside++;
	for (size_t i = 0; i < ROWS; i++) {
		const void *address = real_find(rows[i].name);

		if (address && real_is_library(address)) {
			uint32_t at = slot_of(address);

			table[at].address = address;
			table[at].effects = rows[i].effects;
		}
	}
	rt_inside--;
}

const char *outside_find(const void *function)
{
	if (!filled)
		fill();
	return table[slot_of(function)].effects;
}

/*
 * A name says nothing about who has defined it: a program or a library of its own may have a
 * crc32() or an index() that does something else.  Looking up objects is slow; the last answers are
 * kept.
 */
bool outside_is_library(const void *function)
{
	static struct {
		const void *function;
		bool is;
	} last[LAST];
	uint32_t at = (uint32_t)((uint64_t)function * UINT64_C(0x9e3779b97f4a7c15) >> 54);

	if (last[at].function != function) {
		rt_inside++;
		last[at].is = real_is_library(function);
		last[at].function = function;
		rt_inside--;
	}
	return last[at].is;
}

/* The name in the site is the function's own, for C++ with its parameters behind it. */
static bool is_trusted(const char *name)
{
	size_t n = strcspn(name, "(");

	for (const char *t = rt_ctl->trust; *t; t += strlen(t) + 1)
		if (strlen(t) == n && !strncmp(t, name, n))
			return true;
	return false;
}

/*
 * The place says what the source calls.  Of what was called through a pointer that is the pointer's
 * name, if anything: the function's own is better, unless it is one that nobody reads.
 */
static const char *name_of(const void *function, heddle_site_ref where)
{
	const char *name = where->name ? (const char *)where + where->name : NULL;
	const char *real = function ? real_name(function) : NULL;

	if (real && (!name || strncmp(real, "_Z", 2) != 0))
		name = real;
	return name ? name : "code";
}

void outside_opaque(uint32_t site, heddle_site_ref where, const void *function)
{
	const char *name = name_of(function, where);

	/* While there is one thread, what it does is the same every time. */
	if (rt_thread_count < 2 || is_trusted(name))
		return;
	if (!strcmp(name, "asm"))
		rt_unseen(site, "assembly that is not understood");
	else
		rt_unseen(site,
			  "%s is not instrumented and its effects are not known (build it with "
			  "heddle "
			  "cc, or say --trust=%s)",
			  name, name);
}
