#include "record/live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"

#define LARGEST_CHUNK (64u << 20) /* no runtime makes larger ones */
#define CTL_BYTES (RECORD_CHUNKS_AT + (size_t)RECORD_MAX_CHUNKS * sizeof(struct record_chunk))

static int map_control(struct record_live *l, int fd, struct err *e)
{
	l->bytes = CTL_BYTES;
	l->ctl = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (l->ctl == MAP_FAILED) {
		l->ctl = NULL;
		return err_errno(e, ERR_IO, "cannot map the control file in %s", l->dir);
	}
	return 0;
}

/* Space that is there: a full disk must not kill the program that writes into the mapping. */
static int make_file(const char *dir, const char *name, size_t bytes, struct err *e)
{
	char *path = fs_join(dir, name);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), error = 0;

	if (fd < 0) {
		err_errno(e, ERR_IO, "cannot create %s", path);
	} else if (bytes && (error = posix_fallocate(fd, 0, (off_t)bytes))) {
		errno = error;
		err_errno(e, ERR_IO, "no room for a recording of %zu bytes at least in %s", bytes,
			  dir);
		close(fd);
		fd = -1;
	}
	free(path);
	return fd;
}

int record_live_new(struct record_live *l, const char *target, const struct record_live_opts *o,
		    struct err *e)
{
	int control, data, rc = ERR_IO;

	memset(l, 0, sizeof(*l));
	l->dir = xasprintf("%s.live-XXXXXX", target);
	if (!mkdtemp(l->dir)) {
		err_errno(e, ERR_IO, "cannot write to the directory of %s", target);
		free(l->dir);
		l->dir = NULL;
		return ERR_IO;
	}
	control = make_file(l->dir, RECORD_CTL_FILE, CTL_BYTES, e);
	data = control >= 0 ? make_file(l->dir, RECORD_DATA_FILE, 0, e) : -1;
	if (data >= 0)
		rc = map_control(l, control, e);
	if (control >= 0)
		close(control);
	if (data >= 0)
		close(data);
	if (rc) {
		record_live_close(l, true);
		return rc;
	}
	l->ctl->magic = RECORD_MAGIC;
	l->ctl->version = RECORD_VERSION;
	l->ctl->backend = o->backend;
	l->ctl->flags = o->flags;
	l->ctl->ring = o->ring;
	l->ctl->failure.thread = RECORD_NO_THREAD;
	return 0;
}

int record_live_open(struct record_live *l, const char *dir, struct err *e)
{
	char *path = fs_join(dir, RECORD_CTL_FILE);
	int fd = open(path, O_RDWR | O_CLOEXEC), rc = 0;
	struct stat st;

	memset(l, 0, sizeof(*l));
	l->dir = xstrdup(dir);
	if (fd < 0)
		rc = err_errno(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot open %s", path);
	else if (fstat(fd, &st) || (size_t)st.st_size < CTL_BYTES)
		rc = err_set(e, ERR_INCOMPLETE, "%s is truncated", path);
	else
		rc = map_control(l, fd, e);
	if (fd >= 0)
		close(fd);
	if (!rc && (l->ctl->magic != RECORD_MAGIC || l->ctl->version != RECORD_VERSION))
		rc = err_set(e, ERR_FORMAT, "%s is no control file of this heddle", path);
	free(path);
	if (rc)
		record_live_close(l, false);
	return rc;
}

void record_live_close(struct record_live *l, bool remove)
{
	if (l->ctl)
		munmap(l->ctl, l->bytes);
	if (remove && l->dir)
		fs_remove_flat_dir(l->dir, NULL);
	free(l->dir);
	memset(l, 0, sizeof(*l));
}

/* ---- reading ---- */

struct reading {
	const struct record_live *l;
	const uint8_t *data;
	size_t data_bytes;
	const struct record_chunk *chunks;
	uint32_t chunk_count;
	struct trace_recording *r;
};

static int map_data(struct reading *x, struct err *e)
{
	char *path = fs_join(x->l->dir, RECORD_DATA_FILE);
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		rc = err_errno(e, ERR_IO, "cannot open %s", path);
	} else if (st.st_size > 0) {
		x->data_bytes = (size_t)st.st_size;
		x->data = mmap(NULL, x->data_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
		if (x->data == MAP_FAILED) {
			x->data = NULL;
			rc = err_errno(e, ERR_IO, "cannot map %s", path);
		}
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}

/* Copies: the file may change while it is looked at. */
static bool chunk_at(const struct reading *x, uint32_t i, struct record_chunk *c)
{
	*c = x->chunks[i];
	return c->ready == 1 && c->thread < x->r->tasks.count && c->stream < RECORD_STREAMS &&
	       c->bytes <= LARGEST_CHUNK && c->at % 8 == 0 && c->at <= x->data_bytes &&
	       c->bytes <= x->data_bytes - c->at;
}

/* Chunks of one stream of one thread, in order. */
struct piece {
	uint32_t seq, thread, stream;
	uint64_t at;
	uint32_t bytes, used;
};

struct pieces {
	VEC_FIELDS(struct piece);
};

static int by_place(const void *a, const void *b)
{
	const struct piece *p = a, *q = b;

	if (p->thread != q->thread)
		return p->thread < q->thread ? -1 : 1;
	if (p->stream != q->stream)
		return p->stream < q->stream ? -1 : 1;
	return p->seq < q->seq ? -1 : p->seq > q->seq;
}

static void add_bits(struct trace_task *t, const uint64_t *words, uint32_t count)
{
	for (uint32_t i = 0; i < count && words[i]; i++) {
		unsigned bits = 63u - (unsigned)__builtin_clzll(words[i]);

		for (unsigned k = bits; k-- > 0;)
			trace_task_push(t, words[i] >> k & 1);
		/* A word that is not full is the last one. */
		if (bits < RECORD_WORD_BITS)
			return;
	}
}

static void add_inputs(struct trace_task *t, const uint8_t *bytes, size_t n)
{
	for (size_t at = 0; n - at >= sizeof(struct record_input);) {
		struct trace_input in = {.data = NULL};

		memcpy(&in.head, bytes + at, sizeof(in.head));
		/* What is not there as a whole was cut off with the program. */
		if (in.head.bytes < sizeof(in.head) || in.head.bytes % 8 ||
		    in.head.bytes > n - at || in.head.data > in.head.bytes - sizeof(in.head) ||
		    !trace_input_name(in.head.kind))
			return;
		if (in.head.data) {
			in.data = xmalloc(in.head.data);
			memcpy(in.data, bytes + at + sizeof(in.head), in.head.data);
		}
		vec_push(&t->inputs, in);
		at += in.head.bytes;
	}
}

static void add_stamps(struct trace_task *t, const uint8_t *bytes, size_t n)
{
	for (size_t at = 0; n - at >= sizeof(struct record_stamp);
	     at += sizeof(struct record_stamp)) {
		struct record_stamp s;

		memcpy(&s, bytes + at, sizeof(s));
		if (!s.kind || s.kind >= RECORD_AT_MAX)
			return;
		vec_push(&t->stamps, s);
	}
}

/* A hole in the sequence of chunks: what follows it has no place any more. */
static void add_stream(struct reading *x, const struct pieces *p, size_t from, size_t to)
{
	struct trace_task *t = &x->r->tasks.items[p->items[from].thread];
	struct strbuf all = STRBUF_INIT;

	for (size_t i = from; i < to; i++) {
		const struct piece *c = &p->items[i];
		const uint8_t *bytes = x->data + c->at;

		if (i > from && c->seq != c[-1].seq + 1)
			break;
		if (c->stream == RECORD_STREAM_BITS)
			add_bits(t, (const uint64_t *)bytes, c->bytes / 8);
		else
			strbuf_add_bytes(&all, bytes, c->used);
	}
	if (p->items[from].stream == RECORD_STREAM_STAMPS)
		add_stamps(t, (const uint8_t *)all.text, all.length);
	else if (p->items[from].stream == RECORD_STREAM_INPUTS)
		add_inputs(t, (const uint8_t *)all.text, all.length);
	strbuf_free(&all);
}

static void read_streams(struct reading *x)
{
	struct pieces p = {NULL, 0, 0};

	for (uint32_t i = 0; i < x->chunk_count; i++) {
		struct record_chunk c;
		struct piece piece;

		if (!chunk_at(x, i, &c))
			continue;
		piece = (struct piece){c.seq, c.thread, c.stream,
				       c.at,  c.bytes,	c.used < c.bytes ? c.used : c.bytes};
		vec_push(&p, piece);
	}
	if (p.count)
		qsort(p.items, p.count, sizeof(*p.items), by_place);
	for (size_t i = 0, k; i < p.count; i = k) {
		for (k = i + 1; k < p.count && p.items[k].thread == p.items[i].thread &&
				p.items[k].stream == p.items[i].stream;)
			k++;
		add_stream(x, &p, i, k);
	}
	vec_free(&p);
}

static void read_tasks(struct reading *x)
{
	const struct record_ctl *c = x->l->ctl;
	const struct record_thread *rows =
		(const struct record_thread *)((const char *)c + RECORD_THREADS_AT);
	uint32_t n = c->threads < RECORD_MAX_THREADS ? c->threads : RECORD_MAX_THREADS;

	for (uint32_t i = 0; i < n; i++) {
		struct trace_task t = {.row = rows[i], .entry = xstrdup("")};

		memset(t.row.spare, 0, sizeof(t.row.spare));
		t.row.spare[1] = rows[i].spare[1];
		if (t.row.state > RECORD_THREAD_HANDLER)
			t.row.state = RECORD_THREAD_UNUSED;
		if (t.row.waits_at >= RECORD_AT_MAX)
			t.row.waits_at = 0;
		if (i == 0)
			t.row.creator = RECORD_NO_THREAD;
		else if (t.row.creator >= i)
			t.row.creator = 0;
		vec_push(&x->r->tasks, t);
	}
}

static void read_head(struct reading *x)
{
	const struct record_ctl *c = x->l->ctl;
	struct trace_recording *r = x->r;

	r->backend = c->backend <= RECORD_SIM ? c->backend : RECORD_BITS;
	r->flags = c->flags;
	r->ring = c->ring;
	r->loss = c->loss;
	r->forked = c->forked;
	r->failure = c->failure;
	r->failure.text[RECORD_TEXT_BYTES - 1] = 0;
	if (r->failure.depth > RECORD_MAX_STACK)
		r->failure.depth = RECORD_MAX_STACK;
	if (r->failure.kind > RECORD_FAIL_KILLED)
		r->failure.kind = RECORD_FAIL_NONE;
	for (uint32_t i = 0; i < c->note_count && i < RECORD_MAX_NOTES; i++)
		vec_push(&r->notes, xstrndup(c->notes[i], RECORD_TEXT_BYTES));
}

int record_live_read(const struct record_live *l, struct trace_recording *r, struct err *e)
{
	struct reading x = {.l = l, .r = r};
	int rc = map_data(&x, e);

	if (rc)
		return rc;
	x.chunks = (const struct record_chunk *)((const char *)l->ctl + RECORD_CHUNKS_AT);
	x.chunk_count = l->ctl->chunks < RECORD_MAX_CHUNKS ? l->ctl->chunks : RECORD_MAX_CHUNKS;
	read_head(&x);
	read_tasks(&x);
	if (x.data)
		read_streams(&x);
	if (r->failure.thread >= r->tasks.count)
		r->failure.thread = RECORD_NO_THREAD;
	if (x.data)
		munmap((void *)x.data, x.data_bytes);
	return 0;
}
