/*
 * State inside the library, as cells of hidden state (rec/hidden.h): what a call does to a named
 * thing, to a stream, and to the file behind a stream.
 */
#include <stdio.h>
#include <string.h>

#include "guest/check/hook/system/file.h"
#include "guest/check/hook/memory/outside.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/thread.h"

#define PAGE 4096
#define STREAM_USER_BUFFER 1 /* glibc: somebody gave the stream its buffer */
#define STREAM_BUFFER 232    /* of a pointer in std::basic_ios<char> */
#define FILEBUF_FILE 104     /* of the FILE in std::basic_filebuf<char> */

/*
 * A C++ stream is known by its buffer, which the parts of a stream and the buffer's own functions
 * share.  Where it is follows from the ABI: the part that all streams have is found through the
 * table of virtual functions, and the pointer to the buffer lies behind what ios_base has.
 */
static uint64_t buffer_of(uint64_t ios)
{
	uint64_t buffer = *(const uint64_t *)(ios + STREAM_BUFFER);

	return buffer ? buffer : ios;
}

static uint64_t ios_of(uint64_t stream)
{
	const int64_t *table = *(const int64_t *const *)stream;

	return stream + (uint64_t)table[-3];
}

static uint64_t object_key(const struct outside_call *k, const char *word)
{
	bool stream = word[1] == '^', ios = word[1] == '~';
	uint64_t at = outside_arg(k, outside_digit(word[stream || ios ? 2 : 1]));

	if (at < PAGE || !(stream || ios))
		return at;
	return buffer_of(stream ? ios_of(at) : at);
}

/* The stream of that name, if it is one. */
static FILE *standard_of(const char *name)
{
	if (!strncmp(name, "stdin", 5))
		return stdin;
	if (!strncmp(name, "stdout", 6))
		return stdout;
	return strncmp(name, "stderr", 6) ? NULL : stderr;
}

static uint64_t state_cell(const struct outside_call *k, const char *word)
{
	FILE *standard;

	if (word[1] != ':')
		return hidden_cell(HIDDEN_FILE, object_key(k, word));
	standard = standard_of(word + 2);
	return standard ? hidden_cell(HIDDEN_FILE, (uint64_t)standard) : hidden_named(word + 2);
}

/*
 * What is done to it: the function (by the place that calls it; many have the same effects), what
 * it read, and its numbers.
 */
static uint64_t operation(const struct outside_call *k)
{
	uint64_t h = hidden_mix(k->read, (uint64_t)k->effects ^ k->site);

	for (uint32_t i = 0; i < k->count && i < OUTSIDE_ARGS; i++)
		h = hidden_mix(h, k->args[i]);
	return h;
}

/* ---- the file behind a stream ---- */

/* The FILE that the word means, also that of a C++ stream on a file; NULL when it is another kind.
 */
static FILE *file_of(const struct outside_call *k, const char *word)
{
	uint64_t key;

	if (word[1] == ':')
		return standard_of(word + 2);
	key = object_key(k, word);
	if (key < PAGE)
		return NULL;
	if (word[1] != '^' && word[1] != '~')
		return real_is_stream_buffer((void *)key) ? NULL : (FILE *)key;
	if (!real_is_file_buffer((void *)key))
		return NULL;
	return *(FILE *const *)(key + FILEBUF_FILE);
}

/* Such memory changes with the stream, or decides what comes out of it, and nobody sees that. */
static void note_memory(const FILE *f, uint32_t site)
{
	const char *base = f->_IO_buf_base;
	bool own = (f->_flags & STREAM_USER_BUFFER) && base && base != f->_shortbuf;

	if (own)
		rt_unseen(site, "a stream whose buffer is memory of the program");
	else if (!real_is_descriptor_stream(f))
		rt_unseen(site, "a stream that is not on a file but on memory or functions");
}

/*
 * What a stream holds back is written some time or other, and whoever reads the file by another
 * stream or descriptor may see it: each call counts as a change or as a look at the file.
 */
static void touch_file(struct outside_call *k, const char *word)
{
	FILE *f = file_of(k, word);
	int fd = f ? fileno_unlocked(f) : -1;

	if (f && rt_thread_count > 1)
		note_memory(f, k->site);
	if (fd > 2)
		file_used(fd,
			  outside_has(k->effects, 'i') || word[0] == 'g' ? FILE_READ_AT
									 : FILE_WRITE_AT,
			  k->site);
}

/* ---- what inline functions see of a C++ stream ---- */

/* Precision, width, flags with exceptions, state, fill: of std::ios_base and basic_ios<char>. */
static const struct {
	uint16_t at, bytes;
} fields[] = {{8, 8}, {16, 8}, {24, 8}, {32, 4}, {224, 2}};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

_Static_assert(FIELDS <= OUTSIDE_SCRATCH / 2, "written ranges keep what they need");

static uint64_t field_value(uint64_t ios, size_t i)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)(ios + fields[i].at), fields[i].bytes);
	return value;
}

static uint64_t ios_word(const struct outside_call *k, const char *word)
{
	uint64_t at = outside_arg(k, outside_digit(word[2]));

	return at < PAGE ? 0 : word[1] == '^' ? ios_of(at) : at;
}

/* Where the values from before the call are kept. */
static uint64_t *fields_before(const struct outside_call *k)
{
	return &k->args[k->count + OUTSIDE_SCRATCH - FIELDS];
}

/* The library does nothing about races on streams, and promises that some have none. */
static void fields_read(struct outside_call *k, const char *word)
{
	uint64_t ios = ios_word(k, word);

	for (size_t i = 0; ios && i < FIELDS; i++) {
		uint64_t value = field_value(ios, i);

		rec_access(EVENT_READ, (uint8_t)fields[i].bytes, k->site, ios + fields[i].at, value,
			   ORDER_SEQ_CST | EVENT_GLUED);
		fields_before(k)[i] = value;
		k->read = hidden_mix(k->read, value);
	}
}

void outside_stream_wrote(struct outside_call *k, const char *word)
{
	uint64_t ios = ios_word(k, word);

	for (size_t i = 0; ios && i < FIELDS; i++) {
		uint64_t value = field_value(ios, i);

		if (value != fields_before(k)[i])
			rec_access(EVENT_WRITE, (uint8_t)fields[i].bytes, k->site,
				   ios + fields[i].at, value, ORDER_SEQ_CST | EVENT_GLUED);
	}
}

/* ---- words ---- */

/*
 * Time zones are what the environment said when somebody last set them: always for some functions,
 * once for others.  The call has looked at the environment.
 */
static void zone_state(struct outside_call *k, uint64_t cell, bool always)
{
	uint64_t *state = hidden_state(cell), from = *state;
	uint64_t to = hidden_mix(*hidden_state(hidden_named("environ")), 1);

	if (from == to || (from && !always)) {
		hidden_look(cell, k->site);
		return;
	}
	undo_touch(state, sizeof(*state));
	*state = to;
	hidden_update(cell, from, to, true, k->site);
}

/* What is known of a cell goes into whatever else the call changes. */
static void plain_state(struct outside_call *k, const char *word, uint64_t cell)
{
	uint64_t from = *hidden_state(cell);

	if (word[0] == 'g')
		hidden_look(cell, k->site);
	else
		hidden_do(cell, operation(k), word[0] == 'h', k->site);
	if (word[0] != 'H')
		k->read = hidden_mix(k->read, from);
}

/* fflush(NULL): every stream. */
static void all_streams(struct outside_call *k)
{
	uint64_t first = k->args[0];
	FILE *const *list;

	rt_inside++;
	list = (FILE *const *)real_find("_IO_list_all");
	rt_inside--;
	for (FILE *f = list ? *list : NULL; f; f = f->_chain) {
		k->args[0] = (uint64_t)f;
		plain_state(k, "H0", hidden_cell(HIDDEN_FILE, (uint64_t)f));
		touch_file(k, "H0");
	}
	k->args[0] = first;
}

/*
 * A stream that was closed is not there any more.  Whoever uses one gets to know that it is, so that
 * both orders are tried; most functions tell nothing else.
 */
static void use_stream(const struct outside_call *k, const char *word)
{
	uint64_t stream = object_key(k, word);
	uint64_t cell = hidden_cell(HIDDEN_CLOSED, stream);

	if (stream < PAGE)
		return;
	heap_check((const void *)stream, 1, k->site, false);
	if (outside_has(k->effects, 'e'))
		hidden_update(cell, 0, 1, true, k->site);
	else
		hidden_read(cell, 0, k->site);
}

void outside_state(struct outside_call *k, const char *word)
{
	bool zone = !strncmp(word + 1, ":tz", 3);

	if (zone) {
		zone_state(k, hidden_named("tz"), word[0] == 'h');
		return;
	}
	if (!strncmp(word, "H0", 2) && !k->args[0]) {
		all_streams(k);
		return;
	}
	if (word[1] == '^' || word[1] == '~')
		fields_read(k, word);
	else if (word[1] != ':')
		use_stream(k, word);
	plain_state(k, word, state_cell(k, word));
	if (!strncmp(word, "h:names", 7))
		file_number_moved(k->site);
	touch_file(k, word);
}
