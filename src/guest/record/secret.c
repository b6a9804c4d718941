/* What looks like a secret in the environment is not written, wherever the program reads it. */
#include <string.h>

#include "guest/record/record.h"
#include "wire/secret.h"

#define MAX_SECRETS 64
#define POOL_BYTES 16384

extern char **environ;

/* Copies: the program may change its environment.  Written before there are threads. */
static char pool[POOL_BYTES];
static const char *values[MAX_SECRETS];
static size_t count, used;

static void add(const char *value)
{
	size_t bytes = wire_secret_length(value) + 1;

	if (count == MAX_SECRETS || bytes > POOL_BYTES - used) {
		/* Better no inputs than inputs with secrets in them. */
		__atomic_fetch_and(&rec_ctl->flags, ~(uint32_t)RECORD_INPUTS, __ATOMIC_RELAXED);
		rec_note("inputs are not recorded: too many secrets in the environment");
		return;
	}
	memcpy(pool + used, value, bytes);
	values[count++] = pool + used;
	used += bytes;
}

void rec_secret_init(void)
{
	for (char **entry = environ; entry && *entry; entry++) {
		const char *value = strchr(*entry, '=');

		if (value && wire_secret_entry(*entry))
			add(value + 1);
	}
}

static bool write_stand_in(size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		char c = wire_secret_stand_in(i);

		if (!rec_stream_add(&rec_self, RECORD_STREAM_INPUTS, &c, 1))
			return false;
	}
	return true;
}

bool rec_secret_write(const void *data, uint32_t bytes)
{
	const char *text = data;
	uint32_t from = 0, at = 0;

	while (count && at < bytes) {
		size_t m = wire_secret_at(values, count, text + at, bytes - at);

		if (!m) {
			at++;
			continue;
		}
		if (!rec_stream_add(&rec_self, RECORD_STREAM_INPUTS, text + from, at - from) ||
		    !write_stand_in(m))
			return false;
		at += (uint32_t)m;
		from = at;
	}
	return rec_stream_add(&rec_self, RECORD_STREAM_INPUTS, text + from, bytes - from);
}
