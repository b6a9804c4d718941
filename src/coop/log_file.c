/* Logs as bytes, heddle-coop(5).  See log.h. */
#include <assert.h>
#include <string.h>

#include "base/fs.h"
#include "coop/log.h"
#include "trace/codec.h"

#define MAGIC "CREP"
#define VERSION 1
#define IS_MERGED 1u /* vectors have a provenance */
#define MAX_BYTES ((size_t)1 << 30)
#define VARINT_BYTES 10

/* CRC-32C (Castagnoli), reflected. */
static uint32_t crc32c(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	return ~crc;
}

static void put_varint(struct strbuf *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		trace_put_u8(to, (uint8_t)(value | 0x80));
	trace_put_u8(to, (uint8_t)value);
}

/* Fails when it is longer than it must be: one number has one form. */
static uint64_t get_varint(struct trace_get *g)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < VARINT_BYTES; i++) {
		uint8_t byte = trace_get_u8(g);

		if (i == VARINT_BYTES - 1 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte & 0x80)
			continue;
		if (byte == 0 && i > 0)
			break;
		return value;
	}
	g->bad = true;
	return 0;
}

static void put_vector(const struct coop_vector *v, bool merged, struct strbuf *to)
{
	trace_put_u32(to, v->element);
	trace_put_u64(to, v->accesses);
	trace_put_u64(to, v->runs.count);
	trace_put_u64(to, v->hash);
	if (merged)
		trace_put_string(to, v->provenance);
	for (size_t i = 0; i < v->runs.count; i++) {
		put_varint(to, v->runs.items[i].thread);
		put_varint(to, v->runs.items[i].length);
	}
}

void coop_log_encode(const struct coop_log *l, struct strbuf *to)
{
	bool merged = l->vectors.count && l->vectors.items[0].provenance;
	size_t start = to->length;

	strbuf_add(to, MAGIC);
	trace_put_u16(to, VERSION);
	trace_put_u16(to, (uint16_t)(l->flavour | (merged ? IS_MERGED << 8 : 0)));
	strbuf_add_bytes(to, l->build, sizeof(l->build));
	trace_put_u64(to, l->run_id);
	trace_put_u64(to, l->time_ns);
	trace_put_u8(to, l->outcome);
	trace_put_string(to, l->signature);
	trace_put_u32(to, (uint32_t)l->threads.count);
	for (size_t i = 0; i < l->threads.count; i++)
		trace_put_string(to, l->threads.items[i]);
	trace_put_u32(to, l->elements);
	trace_put_u32(to, (uint32_t)l->vectors.count);
	for (size_t i = 0; i < l->vectors.count; i++)
		put_vector(&l->vectors.items[i], merged, to);
	trace_put_u32(to, crc32c(to->text + start, to->length - start));
}

static int bad(struct err *e, const char *what)
{
	return err_set(e, ERR_FORMAT, "damaged log: %s", what);
}

static int get_head(struct coop_log *l, struct trace_get *g, bool *merged, struct err *e)
{
	const char *magic = trace_get_bytes(g, 4);
	const void *build;
	uint16_t version, flavour;

	if (!magic || memcmp(magic, MAGIC, 4) != 0)
		return err_set(e, ERR_FORMAT, "not a log of accesses");
	version = trace_get_u16(g);
	flavour = trace_get_u16(g);
	if (!g->bad && version != VERSION)
		return err_set(e, ERR_VERSION, "log of version %u; this heddle reads %u", version,
			       VERSION);
	build = trace_get_bytes(g, sizeof(l->build));
	if (!build)
		return bad(e, "it ends too early");
	memcpy(l->build, build, sizeof(l->build));
	*merged = flavour >> 8 & IS_MERGED;
	l->flavour = flavour & 0xff;
	l->run_id = trace_get_u64(g);
	l->time_ns = trace_get_u64(g);
	l->outcome = trace_get_u8(g);
	l->signature = trace_get_string(g);
	if (g->bad || flavour >> 9 || l->flavour >= COOP_FLAVOURS ||
	    (l->flavour && l->build[COOP_BUILD_FLAVOUR] != l->flavour) ||
	    l->outcome >= COOP_OUTCOMES)
		return bad(e, "its head");
	return 0;
}

static int get_threads(struct coop_log *l, struct trace_get *g, struct err *e)
{
	uint32_t n = trace_get_count(g, 5);

	for (uint32_t i = 0; i < n; i++) {
		char *name = trace_get_string(g);

		if (!name || !coop_thread_name_is(name)) {
			free(name);
			return bad(e, "the name of a thread");
		}
		vec_push(&l->threads, name);
	}
	return g->bad ? bad(e, "its threads") : 0;
}

static int get_runs(struct coop_log *l, struct coop_vector *v, struct trace_get *g, uint64_t n,
		    struct err *e)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t thread = get_varint(g), length = get_varint(g);

		if (g->bad || thread >= l->threads.count || length == 0 ||
		    length > UINT64_MAX - v->accesses ||
		    (v->runs.count && vec_last(&v->runs).thread == thread))
			return bad(e, "the accesses of an element");
		coop_vector_push(v, (uint32_t)thread, length);
	}
	return 0;
}

static int get_vector(struct coop_log *l, struct trace_get *g, bool merged, struct err *e)
{
	uint32_t element = trace_get_u32(g);
	uint64_t accesses = trace_get_u64(g), runs = trace_get_u64(g), hash = trace_get_u64(g);
	struct coop_vector *v;
	int rc;

	if (g->bad || element >= l->elements || runs > (size_t)(g->end - g->at) / 2 ||
	    (l->vectors.count && vec_last(&l->vectors).element >= element))
		return bad(e, "the head of an element");
	v = coop_log_add(l, element);
	if (merged && !(v->provenance = trace_get_string(g)))
		return bad(e, "where an element comes from");
	rc = get_runs(l, v, g, runs, e);
	if (rc)
		return rc;
	coop_vector_seal(l, v);
	if (v->accesses != accesses || v->hash != hash)
		return err_set(e, ERR_CHECKSUM, "damaged log: the accesses of element %u", element);
	return 0;
}

static int decode(struct coop_log *l, struct trace_get *g, struct err *e)
{
	uint32_t logged;
	bool merged = false;
	int rc = get_head(l, g, &merged, e);

	if (!rc)
		rc = get_threads(l, g, e);
	if (rc)
		return rc;
	l->elements = trace_get_u32(g);
	logged = trace_get_count(g, 28);
	if (g->bad || logged > l->elements)
		return bad(e, "the number of its elements");
	for (uint32_t i = 0; !rc && i < logged; i++)
		rc = get_vector(l, g, merged, e);
	if (!rc && !trace_get_finished(g))
		rc = bad(e, "bytes are left over");
	return rc;
}

int coop_log_decode(struct coop_log *l, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;
	int rc;

	assert(!l->threads.count && !l->vectors.count);
	if (n < 8 || memcmp(bytes, MAGIC, 4) != 0)
		return err_set(e, ERR_FORMAT, "not a log of accesses");
	if (trace_load_u32((const uint8_t *)bytes + n - 4) != crc32c(bytes, n - 4))
		return err_set(e, ERR_CHECKSUM, "damaged or truncated log");
	trace_get_init(&g, bytes, n - 4);
	rc = decode(l, &g, e);
	if (rc)
		coop_log_fini(l);
	return rc;
}

int coop_log_read(const char *path, struct coop_log *l, struct err *e)
{
	char *bytes = NULL;
	size_t n;
	int rc = fs_read_file(path, MAX_BYTES, &bytes, &n, e);

	if (!rc)
		rc = coop_log_decode(l, bytes, n, e);
	if (rc && bytes)
		err_wrap(e, "%s", path);
	free(bytes);
	return rc;
}
