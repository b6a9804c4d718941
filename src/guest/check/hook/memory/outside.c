#include "guest/check/hook/memory/outside.h"

#include <string.h>
#include <time.h>

#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/rec.h"
#include "guest/os/real.h"
#include "guest/check/sched/memory.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/state.h"

#define NO_LIMIT OUTSIDE_NO_LIMIT
#define PAGE OUTSIDE_FIRST_PAGE
#define HASHED 4096	/* bytes of a read that go into the hash of it */
#define STRING_BYTES 32 /* of a std::string */
#define SAVED_WRITES (OUTSIDE_SCRATCH / 2)

/* ---- accesses ---- */

static uint64_t hash_bytes(uint64_t h, const unsigned char *at, uint64_t n)
{
	for (uint64_t i = 0; i < n && i < HASHED; i++)
		h = (h ^ at[i]) * UINT64_C(0x100000001b3);
	return hidden_mix(h, n);
}

void outside_reads(struct outside_call *k, uint64_t addr, uint64_t bytes, uint32_t flags)
{
	if (addr < PAGE || bytes == 0)
		return;
	heap_check((void *)addr, bytes, k->site, false);
	rec_event(EVENT_READ_RANGE, k->site, addr, bytes, EVENT_GLUED | flags);
	rec_data((void *)addr, bytes);
	spin_read_range(rt_current, addr, bytes);
	k->read = hash_bytes(k->read, (const unsigned char *)addr, bytes);
}

void outside_wrote(struct outside_call *k, uint64_t addr, uint64_t bytes)
{
	if (addr < PAGE || bytes == 0)
		return;
	heap_check((void *)addr, bytes, k->site, true);
	spin_wrote(rt_current);
	rec_event(EVENT_WRITE_RANGE, k->site, addr, bytes, EVENT_GLUED);
	rec_data((void *)addr, bytes);
	memory_changed();
}

uint64_t outside_string(const struct outside_call *k, uint64_t addr, uint64_t limit)
{
	uint64_t room = limit, n = 0;
	bool freed = false;
	const struct heap_block *b =
		heap_owns((void *)addr) ? heap_block_around(addr, &freed) : NULL;

	if (addr < PAGE || limit == 0)
		return 0;
	if (b && !freed && addr >= (uint64_t)(b + 1) && b->size - (addr - (uint64_t)(b + 1)) < room)
		room = b->size - (addr - (uint64_t)(b + 1));
	while (n < room && ((const char *)addr)[n])
		n++;
	if (n < room)
		return n + 1;
	/* No NUL before the end of the block: the function goes on behind it. */
	if (room < limit)
		heap_check((void *)addr, room + 1, k->site, false);
	return n;
}

void outside_reads_string(struct outside_call *k, uint64_t addr, uint64_t limit)
{
	uint32_t flags = EVENT_STRING;

	if (limit < EVENT_LIMIT_MAX)
		flags |= (uint32_t)limit << 12;
	outside_reads(k, addr, outside_string(k, addr, limit), flags);
}

/* ---- words of the effects ---- */

static uint64_t view_arg(void *call, unsigned n)
{
	return outside_arg(call, n);
}

static uint8_t view_byte(void *call, uint64_t addr)
{
	return *(const uint8_t *)addr;
}

static uint64_t view_word(void *call, uint64_t addr)
{
	return *(const uint32_t *)addr;
}

static uint64_t view_string(void *call, uint64_t addr, uint64_t limit)
{
	return outside_string(call, addr, limit);
}

static void view_reads(void *call, uint64_t addr, uint64_t bytes)
{
	outside_reads(call, addr, bytes, 0);
}

static void view_reads_string(void *call, uint64_t addr, uint64_t limit)
{
	outside_reads_string(call, addr, limit);
}

static struct outside_view view_of(struct outside_call *k)
{
	return (struct outside_view){k,		k->result,   view_arg,	 view_byte,
				     view_word, view_string, view_reads, view_reads_string};
}

/* The length that `at' says, of what lies at addr. */
static uint64_t length(struct outside_call *k, const char *at, uint64_t addr)
{
	struct outside_view v = view_of(k);

	return outside_length(&v, at, addr);
}

static void read_word(struct outside_call *k, const char *word)
{
	struct outside_view v = view_of(k);

	outside_read_word(&v, word);
}

/* Memory of the library that programs look at; 0 for other words. */
static uint64_t own_memory(char word)
{
	uint64_t at = 0;

	rt_inside++;
	if (word == 'L') /* the call is about to write there anyway */
		at = (uint64_t)gmtime(&(time_t){0});
	else if (word == 'G')
		at = (uint64_t)real_find("signgam");
	rt_inside--;
	return at;
}

/*
 * Before the call: where it will write, as far as that can be told, so that it can be undone; the
 * result lies behind the arguments until the call is over.
 */
static void save_write(struct outside_call *k, const char *word, uint32_t index)
{
	bool behind = word[1] == '+', later = word[1] == 'R' || word[1] == '*';
	uint64_t *saved = &k->args[k->count + index * 2], n;
	const char *len = strchr(word, ':') + 1;

	if (index >= SAVED_WRITES || later)
		return;
	saved[0] = own_memory(word[1]);
	if (!saved[0])
		saved[0] = outside_arg(k, outside_digit(word[behind ? 2 : 1]));
	saved[1] = 0;
	if (saved[0] < PAGE)
		return;
	if (behind) {
		n = outside_string(k, saved[0], NO_LIMIT);
		saved[0] += n ? n - 1 : 0;
	}
	if (!outside_known_before(len))
		return;
	saved[1] = length(k, len, saved[0]);
	if (!saved[1])
		return;
	heap_check((void *)saved[0], saved[1], k->site, true);
	undo_touch((void *)saved[0], saved[1]);
}

/* Where the word says that something was written; 0 when nothing was. */
static uint64_t written_at(const struct outside_call *k, const char *word, const uint64_t *saved)
{
	uint64_t holder;

	switch (word[1]) {
	case 'R':
		return (uint64_t)k->result;
	case '*': /* a failed call leaves the pointer as it likes */
		holder = outside_arg(k, outside_digit(word[2]));
		return holder < PAGE || k->result < 0 ? 0 : *(const uint64_t *)holder;
	default:
		return saved ? saved[0] : 0;
	}
}

static void write_word(struct outside_call *k, const char *word, uint32_t index)
{
	const char *len = strchr(word, ':') + 1;
	const uint64_t *saved = index < SAVED_WRITES ? &k->args[k->count + index * 2] : NULL;
	uint64_t addr = written_at(k, word, saved);
	bool later = word[1] == 'R' || word[1] == '*';
	uint64_t bytes;

	if (addr < PAGE)
		return;
	bytes = !later && outside_known_before(len) ? saved[1] : length(k, len, addr);
	if (*len != 'k') {
		outside_wrote(k, addr, bytes);
		return;
	}
	for (uint64_t at = OUTSIDE_REVENTS; at < bytes; at += OUTSIDE_POLLFD)
		outside_wrote(k, addr + at, OUTSIDE_REVENTS_BYTES);
}

static void outside_reads_range(struct outside_call *k, uint64_t addr, uint64_t bytes)
{
	outside_reads(k, addr, bytes, 0);
}

/* A std::string: where its characters are, how many, and 16 bytes for few; then the characters. */
static void string_object(struct outside_call *k, uint64_t addr,
			  void (*touch)(struct outside_call *k, uint64_t addr, uint64_t bytes))
{
	const uint64_t *s = (const uint64_t *)addr;

	if (addr < PAGE)
		return;
	touch(k, addr, STRING_BYTES);
	if (s[0] - addr >= STRING_BYTES)
		touch(k, s[0], s[1] + 1);
}

/* ---- the call ---- */

static const char *next_word(const char *word)
{
	while (*word && *word != ' ')
		word++;
	while (*word == ' ')
		word++;
	return word;
}

bool outside_has(const char *effects, char c)
{
	for (const char *w = effects; *w; w = next_word(w))
		if (*w == c)
			return true;
	return false;
}

static bool has_state(const char *effects)
{
	return outside_has(effects, 'h') || outside_has(effects, 'H') || outside_has(effects, 'g');
}

/* Whether all that it writes can be told before; otherwise memory is copied back as a whole. */
static bool can_undo(const char *effects)
{
	for (const char *w = effects; *w; w = next_word(w)) {
		if (*w == 'x' || *w == 'c' || *w == 'C')
			return false;
		if (*w == 'w' && w[1] != 'R' && w[1] != '*' &&
		    !outside_known_before(strchr(w, ':') + 1) && !outside_has(effects, 'u'))
			return false;
	}
	return true;
}

/* What is written by failing calls only is told when it is written. */
static bool only_reads(const char *effects)
{
	const char *harmless = outside_has(effects, 'Z') ? "r@Zwu" : "r@";

	for (const char *w = effects; *w; w = next_word(w))
		if (!strchr(harmless, *w))
			return false;
	return true;
}

static void touch_word(struct outside_call *k, const char *word)
{
	uint64_t addr = outside_arg(k, outside_digit(word[1]));

	if (addr >= PAGE)
		undo_touch((void *)addr, length(k, word + 3, addr));
}

static void before(struct outside_call *k)
{
	uint32_t writes = 0;

	for (const char *w = k->effects; *w; w = next_word(w))
		if (*w == 'r')
			read_word(k, w);
		else if (*w == 't')
			string_object(k, outside_arg(k, outside_digit(w[1])), outside_reads_range);
		else if (*w == 'p' || *w == 'P')
			outside_printf(k, outside_digit(w[1]), *w == 'P');
		else if (*w == 'c' || *w == 'C')
			outside_reads_string(k, outside_arg(k, outside_digit(w[1])), NO_LIMIT);
	for (const char *w = k->effects; *w; w = next_word(w))
		if (*w == 'w')
			save_write(k, w, writes++);
		else if (*w == 'u')
			touch_word(k, w);
	for (const char *w = k->effects; *w; w = next_word(w))
		if (*w == 'h' || *w == 'H' || *w == 'g') {
			outside_state(k, w);
			if (!strncmp(w, "g:environ", 9))
				outside_environ_reads(k);
			if (!strncmp(w + 1, ":tz", 3))
				outside_zone_before(k);
		}
}

static void after(struct outside_call *k)
{
	/* What its own functions change is seen there. */
	bool calls_back = outside_has(k->effects, 'q');
	uint32_t writes = 0;

	if ((outside_has(k->effects, 'z') && k->result != 0) ||
	    (outside_has(k->effects, 'Z') && k->result == 0))
		return;
	for (const char *w = k->effects; *w; w = next_word(w))
		if (*w == 'w')
			write_word(k, w, writes++);
		else if (*w == 'T')
			string_object(k, outside_arg(k, outside_digit(w[1])), outside_wrote);
		else if ((*w == 'h' || *w == 'H') && (w[1] == '^' || w[1] == '~') && !calls_back)
			outside_stream_wrote(k, w);
		else if (!strncmp(w + 1, ":tz", 3))
			outside_zone_wrote(k);
		else if (!strncmp(w, "H:environ", 9))
			outside_environ_wrote(k);
		else if (*w == 'p' || *w == 'P')
			outside_printf(k, outside_digit(w[1]), *w == 'P');
		else if (*w == 'c' || *w == 'C')
			outside_scanf(k, outside_digit(w[1]), *w == 'C');
}

static void stand(uint32_t site, bool needless)
{
	struct rt_op op = {.kind = EVENT_OUTSIDE, .site = site};

	sched_drain(site);
	rec_drain(site, needless);
	sched_step(&op);
	rec_marker(EVENT_OUTSIDE, site, 0, 0);
}

void outside_stand(uint32_t site)
{
	stand(site, false);
}

void outside_stand_light(uint32_t site)
{
	stand(site, true);
}

/* Streams have locks, and who reads from outside enters the kernel. */
static bool waits_for_stores(const char *effects)
{
	for (const char *w = effects; *w; w = next_word(w))
		if (*w == 'i' || ((*w == 'h' || *w == 'H' || *w == 'g') && w[1] != ':'))
			return true;
	return false;
}

/* A step of its own, unless the guest's model of the function makes one. */
static void stand_at(const struct outside_call *k)
{
	if (!only_reads(k->effects))
		rt_current->spin_on = 0;
	stand(k->site, !waits_for_stores(k->effects));
	if (outside_has(k->effects, 'i'))
		rec_event(EVENT_IO, k->site, 0, 0, IO_READ);
}

static void begin(const char *effects, uint64_t *args, uint32_t count, uint32_t site)
{
	struct outside_call k = {.effects = effects, .args = args, .count = count, .site = site};
	bool modelled = outside_has(effects, '@');

	if (!modelled || outside_has(effects, 'r') || has_state(effects))
		stand_at(&k);
	before(&k);
	if (!modelled && !can_undo(effects))
		undo_opaque();
	undo_doubt(site);
	rt_current->at_site = modelled || outside_has(effects, 'm') ? site : SITE_NONE;
	rt_current->at_sp = 0;
}

/* The effects of a call that is not one of instrumented code; NULL when there is nothing to do. */
static const char *effects_of(const void *target, const char *effects)
{
	if (!rt_controlled() || rec_is_instrumented(target))
		return NULL;
	if (effects)
		return outside_is_library(target) ? effects : NULL;
	effects = outside_find(target);
	/* The model of a function finds its own way. */
	return effects && !outside_has(effects, '@') ? effects : NULL;
}

RT_EXPORT void heddle_hook_outside(const void *target, const char *effects, uint64_t *args,
				   uint32_t count, heddle_site_ref where)
{
	const char *known = effects_of(target, effects);

	if (known && *known)
		begin(known, args, count, rec_site(where));
	else if (effects ? !outside_is_library(target) : !outside_find(target))
		heddle_hook_call(target, where);
}

RT_EXPORT void heddle_hook_outside_done(const void *target, const char *effects, uint64_t *args,
					uint32_t count, int64_t result, heddle_site_ref where)
{
	struct outside_call k = {.args = args, .count = count, .after = true, .result = result};

	k.effects = effects_of(target, effects);
	if (!k.effects || !*k.effects)
		return;
	k.site = rec_site(where);
	after(&k);
}
