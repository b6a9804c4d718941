/* What a recording is reproduced with: its program under control, its standard input. */
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "cli/reproduce/run.h"
#include "run/guest/rebuild.h"

#define INPUT_LIMIT (256u << 20)

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int cli_reproduce_program(const struct trace_recording *r, const char *dir, char **path,
			  struct err *e)
{
	const char *program = r->meta.executable.path ? r->meta.executable.path : r->meta.program;
	int rc = trace_meta_check_binaries(&r->meta, e);

	*path = NULL;
	if (rc == ERR_MISMATCH)
		return err_wrap(e, "the program is not the recorded one");
	if (rc == ERR_NOT_FOUND)
		return err_wrap(e, "the recorded program cannot be found");
	if (rc != 0)
		return rc;
	if (r->flags & RECORD_CHECK_FLAVOR) {
		*path = xstrdup(program);
		return 0;
	}
	rc = fs_make_dirs(dir, e);
	if (rc != 0)
		return rc;
	*path = xasprintf("%s/%s.check", dir, base_name(program));
	rc = run_rebuild(program, "check", *path, "run under control", e);
	if (rc == 0) {
		char *whole = realpath(*path, NULL);

		free(*path);
		*path = whole;
	}
	return rc;
}

/*
 * What standard input has to hold: the file that it was; or what streams of the C library took out
 * of it, each piece at its place; or what calls read, which are answered from the log anyway.
 */
struct input {
	const struct trace_input *whole;
	struct strbuf streams, calls;
};

static void add_piece(struct strbuf *to, uint64_t at, const void *bytes, size_t n)
{
	if (at > INPUT_LIMIT || n > INPUT_LIMIT - at)
		return;
	while (to->length < at + n)
		strbuf_add_bytes(to, "", 1);
	memcpy(to->text + at, bytes, n);
}

/* A line has the zero that ends it in the log. */
static void add_stream(struct input *x, const struct trace_input *in)
{
	const struct record_input *h = &in->head;
	unsigned char character = (unsigned char)h->result;

	if (h->detail == RECORD_STREAM_OTHER || h->result < 0)
		return;
	if (h->kind == RECORD_IN_FGETC)
		add_piece(&x->streams, h->detail, &character, 1);
	else if (h->data)
		add_piece(&x->streams, h->detail, in->data, h->data - (h->kind != RECORD_IN_FREAD));
}

static void add_input(struct input *x, const struct trace_input *in)
{
	const struct record_input *h = &in->head;

	if (h->kind == RECORD_IN_FILE && h->data && !*in->data)
		x->whole = in;
	else if (h->kind >= RECORD_IN_FREAD && h->kind <= RECORD_IN_GETLINE)
		add_stream(x, in);
	else if ((h->kind == RECORD_IN_READ || h->kind == RECORD_IN_READV) && h->detail == 0 &&
		 h->result > 0)
		strbuf_add_bytes(&x->calls, in->data, h->data);
}

static int write_input(const struct input *x, const char *dir, const char *program, char **path,
		       struct err *e)
{
	const struct strbuf *text = x->streams.length ? &x->streams : &x->calls;
	const char *bytes = x->whole ? (const char *)x->whole->data + 1 : text->text;
	size_t n = x->whole ? x->whole->head.data - 1 : text->length;
	int rc = n ? fs_make_dirs(dir, e) : 0;

	*path = NULL;
	if (!n || rc != 0)
		return rc;
	*path = xasprintf("%s/%s.stdin", dir, base_name(program));
	return fs_write_file(*path, bytes, n, e);
}

int cli_reproduce_stdin(const struct trace_recording *r, const char *dir, char **path,
			struct err *e)
{
	struct input x = {NULL, STRBUF_INIT, STRBUF_INIT};
	int rc;

	for (size_t i = 0; i < r->tasks.count; i++)
		for (size_t k = 0; k < r->tasks.items[i].inputs.count; k++)
			add_input(&x, &r->tasks.items[i].inputs.items[k]);
	rc = write_input(&x, dir, r->meta.program, path, e);
	strbuf_free(&x.streams);
	strbuf_free(&x.calls);
	return rc;
}
