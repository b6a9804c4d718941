#include "memo/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/fs.h"

#define MAGIC "HDLMEMO\n"
#define VERSION 2
#define HEADER_BYTES                                                                               \
	88 /* magic, version, slicing, build, next plan, nodes, checksum of the rest               \
	    */
#define CHECKSUM_AT 56

/* ---- writing ---- */

static void put(struct strbuf *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		strbuf_add_char(to, (char)(v | 0x80));
	strbuf_add_char(to, (char)v);
}

static void put_u32(struct strbuf *to, uint32_t v)
{
	uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};

	strbuf_add_bytes(to, bytes, sizeof(bytes));
}

static void put_terms(struct strbuf *to, const struct memo_terms *t)
{
	put(to, t->inputs.count);
	for (size_t i = 0; i < t->inputs.count; i++) {
		const struct memo_input *in = &t->inputs.items[i];

		put(to, in->kind);
		put(to, in->function);
		put(to, in->base);
		put(to, in->width);
		put(to, in->a);
		put(to, in->b);
		put(to, strnlen(in->name, MEMO_NAME - 1));
		strbuf_add_bytes(to, in->name, strnlen(in->name, MEMO_NAME - 1));
	}
	put(to, t->terms.count);
	for (size_t i = 0; i < t->terms.count; i++) {
		const struct memo_term *x = &t->terms.items[i];

		put(to, x->op);
		put(to, x->width);
		put(to, x->aux);
		if (x->op == EXPR_CONST) {
			put(to, x->low);
			put(to, x->high);
		}
		for (unsigned k = 0; k < (x->op == EXPR_READ ? 1 : memo_arity(x->op)); k++)
			put(to, x->arg[k]);
	}
	put(to, t->roots.count);
	for (size_t i = 0; i < t->roots.count; i++)
		put(to, t->roots.items[i]);
}

static void put_entry(struct strbuf *to, const struct memo_entry *e)
{
	put(to, e->child == MEMO_NONE ? 0 : e->child);
	put(to, e->id);
	put(to, e->hits);
	put(to, e->successes);
	put(to, e->label);
	put(to, e->scheduler);
	put(to, e->races);
	put_terms(to, &e->conditions);
	put(to, e->schedule.count);
	for (size_t i = 0; i < e->schedule.count; i++) {
		const struct memo_element *x = &e->schedule.items[i];

		put(to, x->tid);
		put(to, x->op);
		put(to, x->res);
		put(to, x->obj);
		put(to, x->hold);
	}
}

void memo_file_put(const struct memo_cache *c, struct strbuf *to)
{
	uint8_t sum[SHA256_BYTES] = {0};
	size_t start = to->length;

	strbuf_add_bytes(to, MAGIC, 8);
	put_u32(to, VERSION);
	put_u32(to, c->slicing);
	strbuf_add_bytes(to, c->build, sizeof(c->build));
	put_u32(to, c->next_id);
	put_u32(to, (uint32_t)c->nodes.count);
	strbuf_add_bytes(to, sum, sizeof(sum));
	for (size_t n = 0; n < c->nodes.count; n++) {
		put(to, c->nodes.items[n].entries.count);
		for (size_t i = 0; i < c->nodes.items[n].entries.count; i++)
			put_entry(to, &c->nodes.items[n].entries.items[i]);
	}
	sha256(to->text + start, to->length - start, sum);
	memcpy(to->text + start + CHECKSUM_AT, sum, sizeof(sum));
}

/* ---- reading ---- */

struct reader {
	const uint8_t *at, *end;
	bool bad;
};

static uint64_t get(struct reader *r)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		if (r->at == r->end)
			break;
		byte = *r->at++;
		if (shift == 63 && byte > 1)
			break;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	r->bad = true;
	r->at = r->end;
	return 0;
}

static uint32_t get_below(struct reader *r, uint64_t limit)
{
	uint64_t v = get(r);

	if (v < limit)
		return (uint32_t)v;
	r->bad = true;
	return 0;
}

/* Of things that take at least so many bytes each. */
static size_t get_count(struct reader *r, size_t bytes)
{
	uint64_t n = get(r);

	if (n <= (size_t)(r->end - r->at) / bytes)
		return (size_t)n;
	r->bad = true;
	return 0;
}

static uint32_t get_u32(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void get_term(struct reader *r, struct memo_term *x)
{
	x->op = (uint8_t)get_below(r, EXPR_OPS);
	x->width = (uint8_t)get_below(r, EXPR_MAX_WIDTH + 1);
	x->aux = (uint16_t)get_below(r, 1 << 16);
	if (x->op == EXPR_CONST) {
		x->low = get(r);
		x->high = get(r);
	}
	for (unsigned k = 0; k < (x->op == EXPR_READ ? 1 : memo_arity(x->op)); k++)
		x->arg[k] = get_below(r, UINT32_MAX);
}

static void get_name(struct reader *r, char name[MEMO_NAME])
{
	uint32_t n = get_below(r, MEMO_NAME);

	if (n > (size_t)(r->end - r->at)) {
		r->bad = true;
		return;
	}
	memcpy(name, r->at, n);
	r->at += n;
}

static void get_terms(struct reader *r, struct memo_terms *t)
{
	for (size_t n = get_count(r, 7); n && !r->bad; n--) {
		struct memo_input in = {0};

		in.kind = (uint8_t)get_below(r, 256);
		in.function = (uint8_t)get_below(r, 256);
		in.base = (uint8_t)get_below(r, 256);
		in.width = (uint8_t)get_below(r, 256);
		in.a = get_below(r, UINT32_MAX);
		in.b = get_below(r, UINT32_MAX);
		get_name(r, in.name);
		vec_push(&t->inputs, in);
	}
	for (size_t n = get_count(r, 4); n && !r->bad; n--) {
		struct memo_term x = {0};

		get_term(r, &x);
		vec_push(&t->terms, x);
	}
	for (size_t n = get_count(r, 1); n && !r->bad; n--)
		vec_push(&t->roots, get_below(r, UINT32_MAX));
}

static void get_entry(struct reader *r, struct memo_entry *e)
{
	uint32_t child = get_below(r, UINT32_MAX);

	e->child = child ? child : MEMO_NONE;
	e->id = get_below(r, UINT32_MAX);
	e->hits = get(r);
	e->successes = get(r);
	e->label = (uint8_t)get_below(r, MEMO_LABELS);
	e->scheduler = (uint8_t)get_below(r, 256);
	e->races = get_below(r, UINT32_MAX);
	get_terms(r, &e->conditions);
	for (size_t n = get_count(r, 5); n && !r->bad; n--) {
		struct memo_element x = {0};

		x.tid = get_below(r, UINT32_MAX);
		x.op = (uint16_t)get_below(r, 1 << 16);
		x.res = (uint16_t)get_below(r, 1 << 16);
		x.obj = get_below(r, UINT64_C(1) << 32);
		x.hold = get_below(r, UINT32_MAX);
		vec_push(&e->schedule, x);
	}
}

static int parse_body(struct reader *r, uint32_t nodes, struct memo_cache *c, struct err *e)
{
	if (nodes > (size_t)(r->end - r->at))
		return err_set(e, ERR_FORMAT, "more nodes than bytes");
	for (uint32_t n = 0; n < nodes && !r->bad; n++) {
		struct memo_node node = {VEC_INIT};

		for (size_t i = get_count(r, 11); i && !r->bad; i--) {
			struct memo_entry x = {0};

			get_entry(r, &x);
			vec_push(&node.entries, x);
		}
		vec_push(&c->nodes, node);
	}
	if (r->bad)
		return err_set(e, ERR_INCOMPLETE, "cut short, or a number out of range");
	if (r->at != r->end)
		return err_set(e, ERR_FORMAT, "%zu bytes too many", (size_t)(r->end - r->at));
	return memo_cache_check(c, e);
}

static int check_sum(const uint8_t *b, size_t n, struct err *e)
{
	uint8_t *copy = xmalloc(n), sum[SHA256_BYTES];

	memcpy(copy, b, n);
	memset(copy + CHECKSUM_AT, 0, SHA256_BYTES);
	sha256(copy, n, sum);
	free(copy);
	return memcmp(sum, b + CHECKSUM_AT, SHA256_BYTES)
		       ? err_set(e, ERR_CHECKSUM, "the checksum does not fit: cut short or changed")
		       : 0;
}

int memo_file_parse(const void *bytes, size_t n, struct memo_cache *out, struct err *e)
{
	const uint8_t *b = bytes;
	struct reader r = {b + HEADER_BYTES, b + n, false};
	int rc;

	memo_cache_init(out);
	if (n < HEADER_BYTES || memcmp(b, MAGIC, 8))
		return err_set(e, ERR_FORMAT, "no cache of schedules");
	if (get_u32(b + 8) != VERSION)
		return err_set(e, ERR_VERSION, "version %u, known is %d", get_u32(b + 8), VERSION);
	rc = check_sum(b, n, e);
	if (rc)
		return rc;
	out->slicing = (uint8_t)(get_u32(b + 12) < MEMO_SLICINGS ? get_u32(b + 12) : MEMO_SLICINGS);
	memcpy(out->build, b + 16, SHA256_BYTES);
	out->next_id = get_u32(b + 48);
	rc = parse_body(&r, get_u32(b + 52), out, e);
	if (rc)
		memo_cache_free(out);
	return rc;
}

int memo_file_read(const char *path, struct memo_cache *out, struct err *e)
{
	char *bytes;
	size_t n;
	int rc = fs_read_file(path, MEMO_FILE_MAX, &bytes, &n, e);

	if (rc)
		return rc;
	rc = memo_file_parse(bytes, n, out, e);
	free(bytes);
	return rc ? err_wrap(e, "%s", path) : 0;
}

int memo_file_read_for(const char *path, const uint8_t build[SHA256_BYTES], struct memo_cache *out,
		       struct err *e)
{
	int rc = memo_file_read(path, out, e);

	if (rc)
		return rc;
	if (!memcmp(out->build, build, SHA256_BYTES))
		return 0;
	memo_cache_free(out);
	return err_set(e, ERR_MISMATCH,
		       "%s has schedules of another build of the program; remove it, or name "
		       "another file",
		       path);
}

int memo_file_build(const char *program, uint8_t build[SHA256_BYTES], struct err *e)
{
	char *bytes;
	size_t n;
	int rc = fs_read_file(program, MEMO_FILE_MAX, &bytes, &n, e);

	if (rc)
		return rc;
	sha256(bytes, n, build);
	free(bytes);
	return 0;
}

/* ---- changing ---- */

/* The lock stays when the writer is done: removing it would let two in. */
static int lock(const char *path, int *fd, struct err *e)
{
	char *name = xasprintf("%s.lock", path);
	int rc = 0;

	*fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (*fd < 0)
		rc = err_errno(e, ERR_IO, "cannot lock %s", path);
	while (!rc && flock(*fd, LOCK_EX) != 0)
		if (errno != EINTR)
			rc = err_errno(e, ERR_IO, "cannot lock %s", path);
	free(name);
	return rc;
}

static int change_locked(const char *path, const uint8_t build[SHA256_BYTES],
			 int (*change)(void *arg, struct memo_cache *c, struct err *e), void *arg,
			 struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct memo_cache c;
	int rc = 0;

	if (fs_exists(path)) {
		rc = memo_file_read_for(path, build, &c, e);
	} else {
		memo_cache_init(&c);
		memcpy(c.build, build, SHA256_BYTES);
	}
	if (rc)
		return rc;
	rc = change(arg, &c, e);
	if (!rc) {
		memo_file_put(&c, &text);
		rc = fs_write_file(path, text.text, text.length, e);
	}
	strbuf_free(&text);
	memo_cache_free(&c);
	return rc;
}

int memo_file_update(const char *path, const uint8_t build[SHA256_BYTES],
		     int (*change)(void *arg, struct memo_cache *c, struct err *e), void *arg,
		     struct err *e)
{
	int fd = -1, rc = lock(path, &fd, e);

	if (!rc)
		rc = change_locked(path, build, change, arg, e);
	if (fd >= 0)
		close(fd);
	return rc;
}
