#include "record/files.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "wire/secret.h"

extern char **environ;

void record_files_begin(struct record_files *f)
{
	struct stat st;

	*f = (struct record_files){.has_input = false};
	clock_gettime(CLOCK_REALTIME_COARSE, &f->began);
	if (fstat(STDIN_FILENO, &st) || !S_ISREG(st.st_mode))
		return;
	f->input_at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	f->has_input = f->input_at >= 0;
}

/* ---- names ---- */

/* A name that was opened. */
struct name {
	const char *given; /* by the program */
	char *leads;	   /* to the file, absolute */
	bool dropped;	   /* written to, or it led elsewhere another time */
};

struct names {
	VEC_FIELDS(struct name);
};

static bool is_written(const struct record_input *in)
{
	return in->kind == RECORD_IN_FOPEN
		       ? in->detail != 0
		       : (in->detail & O_ACCMODE) != O_RDONLY || (in->detail & (O_TRUNC | O_CREAT));
}

/* Who writes under one name must not be given the old contents under another. */
static void drop_others(struct names *all, const char *leads)
{
	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->items[i].leads, leads))
			all->items[i].dropped = true;
}

static void add_name(struct names *all, const struct trace_input *in)
{
	const char *text = (const char *)in->data;
	size_t given = strnlen(text, in->head.data);
	struct name new = {.given = text};
	struct name *old = NULL;

	if (given == 0 || given == in->head.data || in->head.flags & RECORD_INPUT_CUT)
		return;
	new.leads = xstrndup(text + given + 1, in->head.data - given - 1);
	new.dropped = is_written(&in->head);
	for (size_t i = 0; i < all->count && !old; i++)
		if (!strcmp(all->items[i].given, text))
			old = &all->items[i];
	if (old && strcmp(old->leads, new.leads) != 0)
		old->dropped = new.dropped = true;
	/* A row for every open: what is written to is known by where it leads. */
	vec_push(all, new);
}

static void find_names(const struct trace_recording *r, struct names *all)
{
	for (size_t i = 0; i < r->tasks.count; i++)
		for (size_t k = 0; k < r->tasks.items[i].inputs.count; k++) {
			const struct trace_input *in = &r->tasks.items[i].inputs.items[k];

			if (in->head.result >= 0 && in->head.data &&
			    (in->head.kind == RECORD_IN_OPEN || in->head.kind == RECORD_IN_FOPEN))
				add_name(all, in);
		}
	for (size_t i = 0; i < all->count; i++)
		if (all->items[i].dropped)
			drop_others(all, all->items[i].leads);
}

/* ---- contents ---- */

static bool is_after(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

/* A file as it was when the run began; why not otherwise. */
static const char *read_contents(const struct record_files *f, int fd, int64_t from,
				 struct strbuf *to)
{
	size_t before = to->length;
	char part[1 << 16];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return "it is no regular file";
	if (is_after(&st.st_mtim, &f->began) || is_after(&st.st_ctim, &f->began))
		return "it has changed since the program began";
	while ((n = pread(fd, part, sizeof(part), from + (int64_t)(to->length - before))) > 0) {
		strbuf_add_bytes(to, part, (size_t)n);
		if (to->length > RECORD_FILES_LIMIT)
			return "it is too large";
	}
	return n < 0 ? "it cannot be read" : NULL;
}

/* The rule of the runtime: what looks like a secret in the environment has a stand-in everywhere.
 */
static void hide_secrets(char *text, size_t bytes)
{
	VEC(const char *) secrets = VEC_INIT;

	for (char **entry = environ; *entry; entry++) {
		const char *value = strchr(*entry, '=');

		if (value && wire_secret_entry(*entry))
			vec_push(&secrets, value + 1);
	}
	for (size_t at = 0; secrets.count && at < bytes;) {
		size_t m = wire_secret_at(secrets.items, secrets.count, text + at, bytes - at);

		for (size_t i = 0; i < m; i++)
			text[at + i] = wire_secret_stand_in(i);
		at += m ? m : 1;
	}
	vec_free(&secrets);
}

struct keeping {
	const struct record_files *f;
	struct trace_recording *r;
	size_t bytes; /* of all files so far */
	VEC(struct trace_input) inputs;
};

static void say(struct keeping *k, const char *name, const char *why)
{
	vec_push(&k->r->notes,
		 xasprintf("%s is not in the recording: %s", *name ? name : "standard input", why));
}

static void keep_one(struct keeping *k, const char *name, int fd, int64_t from)
{
	struct strbuf data = STRBUF_INIT;
	struct trace_input in = {.head = {.kind = RECORD_IN_FILE}};
	size_t head = strlen(name) + 1;
	const char *why;

	strbuf_add_bytes(&data, name, head);
	why = read_contents(k->f, fd, from, &data);
	if (!why && k->bytes + data.length > RECORD_FILES_LIMIT)
		why = "there are too many files";
	if (why) {
		say(k, name, why);
		strbuf_free(&data);
		return;
	}
	assert(data.length >= head);
	hide_secrets(data.text + head, data.length - head);
	k->bytes += data.length;
	in.head.data = (uint32_t)data.length;
	in.head.result = (int64_t)(data.length - head);
	in.head.bytes = (uint32_t)((sizeof(in.head) + data.length + 7) & ~(size_t)7);
	in.data = xmalloc(data.length);
	memcpy(in.data, data.text, data.length);
	strbuf_free(&data);
	vec_push(&k->inputs, in);
}

static bool is_device(const char *path)
{
	return !strncmp(path, "/proc/", 6) || !strncmp(path, "/dev/", 5) ||
	       !strncmp(path, "/sys/", 5);
}

static bool was_before(const struct names *all, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(all->items[k].given, all->items[i].given))
			return true;
	return false;
}

static void keep_names(struct keeping *k, const struct names *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct name *n = &all->items[i];
		int fd;

		if (n->dropped || *n->leads != '/' || is_device(n->leads) || was_before(all, i))
			continue;
		fd = open(n->leads, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd < 0) {
			say(k, n->given, strerror(errno));
			continue;
		}
		keep_one(k, n->given, fd, 0);
		close(fd);
	}
}

/* They stand before everything else of the first thread: readers need not look further. */
static void put_first(struct trace_task *t, struct keeping *k)
{
	for (size_t i = 0; i < t->inputs.count; i++)
		vec_push(&k->inputs, t->inputs.items[i]);
	vec_free(&t->inputs);
	t->inputs.items = k->inputs.items;
	t->inputs.count = k->inputs.count;
	t->inputs.capacity = k->inputs.capacity;
}

void record_files_keep(const struct record_files *f, struct trace_recording *r)
{
	struct keeping k = {.f = f, .r = r};
	struct names all = {NULL, 0, 0};

	if (!r->tasks.count)
		return;
	find_names(r, &all);
	if (f->has_input)
		keep_one(&k, "", STDIN_FILENO, f->input_at);
	keep_names(&k, &all);
	for (size_t i = 0; i < all.count; i++)
		free(all.items[i].leads);
	vec_free(&all);
	put_first(&r->tasks.items[0], &k);
}
