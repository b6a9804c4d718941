/*
 * Memory of the C library that programs know by name.
 *
 * The environment is memory that programs may change without asking the library: the variable
 * `environ', the pointers it points to, and strings that came in by putenv().
 */
#include <string.h>

#include "guest/check/hook/memory/outside.h"
#include "guest/check/rec/rec.h"
#include "guest/os/real.h"

/* Where the variable is: the program may have the only copy that counts. */
static char ***variable(void)
{
	static char ***at;

	rt_inside++;
	if (!at)
		at = (char ***)real_find("environ");
	rt_inside--;
	return at;
}

static uint64_t slots_bytes(char **slots)
{
	uint64_t n = 0;

	while (slots && slots[n])
		n++;
	return slots ? (n + 1) * sizeof(*slots) : 0;
}

/* What the kernel put there lies above everything on the first stack; nobody changes that. */
static bool is_first(const char *string)
{
	static void *const *end;

	rt_inside++;
	if (!end)
		end = (void *const *)real_find("__libc_stack_end");
	rt_inside--;
	return end && string > (const char *)*end;
}

void outside_environ_reads(struct outside_call *k)
{
	char ***at = variable();

	if (!at)
		return;
	outside_reads(k, (uint64_t)at, sizeof(*at), 0);
	outside_reads(k, (uint64_t)*at, slots_bytes(*at), 0);
	for (char **slot = *at; slot && *slot; slot++)
		if (!is_first(*slot))
			outside_reads_string(k, (uint64_t)*slot, OUTSIDE_NO_LIMIT);
}

/* The library never changes a string, so it is new or as it was. */
void outside_environ_wrote(struct outside_call *k)
{
	const char *name = (const char *)outside_arg(k, 0);
	char ***at = variable();
	size_t n = name ? strcspn(name, "=") : 0;

	if (!at)
		return;
	outside_wrote(k, (uint64_t)at, sizeof(*at));
	outside_wrote(k, (uint64_t)*at, slots_bytes(*at));
	for (char **slot = *at; slot && *slot && name; slot++)
		if (*slot != name && !is_first(*slot) && !strncmp(*slot, name, n) &&
		    (*slot)[n] == '=')
			outside_wrote(k, (uint64_t)*slot, strlen(*slot) + 1);
}

/* ---- time zones ---- */

/* What tzset() and its like leave: two names in tzname[]. */
static const struct {
	const char *name;
	uint16_t at, bytes;
} zones[] = {{"timezone", 0, 8}, {"daylight", 0, 4}, {"tzname", 0, 8}, {"tzname", 8, 8}};

#define ZONES (sizeof(zones) / sizeof(zones[0]))

static uint64_t zone_address(size_t i)
{
	static uint64_t found[ZONES];

	rt_inside++;
	if (!found[i])
		found[i] = (uint64_t)real_find(zones[i].name);
	rt_inside--;
	return found[i] ? found[i] + zones[i].at : 0;
}

static uint64_t zone_value(size_t i)
{
	uint64_t value = 0;

	if (zone_address(i))
		memcpy(&value, (const void *)zone_address(i), zones[i].bytes);
	return value;
}

static uint64_t *zones_before(const struct outside_call *k)
{
	return &k->args[k->count + OUTSIDE_SCRATCH - ZONES];
}

void outside_zone_before(struct outside_call *k)
{
	for (size_t i = 0; i < ZONES; i++)
		zones_before(k)[i] = zone_value(i);
}

/* The library has a lock around them: its own calls do not race. */
void outside_zone_wrote(struct outside_call *k)
{
	for (size_t i = 0; i < ZONES; i++)
		if (zone_value(i) != zones_before(k)[i])
			rec_access(EVENT_WRITE, (uint8_t)zones[i].bytes, k->site, zone_address(i),
				   zone_value(i), ORDER_SEQ_CST | EVENT_GLUED);
}
