/* heddle-hunt: paths and orders that fail, computed.  For heddle hunt, not for people. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "hunt/message.h"
#include "hunt/search.h"
#include "store/store.h"

#define MAX_BYTES (UINT64_C(4) << 30)

static volatile uint64_t stopped_ns;

static void stop(int signal)
{
	(void)signal;
	stopped_ns = limit_now();
}

struct talk {
	struct store *store;
	uint64_t build;
	bool broken; /* nobody listens, or the store does not take any more */
};

static bool say(struct talk *t, const struct hunt_message *m, const struct wire_choice *choices)
{
	if (fwrite(m, sizeof(*m), 1, stdout) != 1 ||
	    fwrite(choices, sizeof(*choices), m->choices, stdout) != m->choices ||
	    fflush(stdout) != 0)
		t->broken = true;
	return !t->broken;
}

static bool confirm(void *arg, const struct hunt_found *f)
{
	struct talk *t = arg;
	struct hunt_message m = {.magic = HUNT_MAGIC,
				 .says = HUNT_SAYS_FOUND,
				 .site = f->site,
				 .flips = f->flips,
				 .tries = f->tries,
				 .synthesised = f->synthesised,
				 .choices = f->schedule->count};
	char answer = 0;
	ssize_t n;

	snprintf(m.what, sizeof(m.what), "%s", f->what);
	if (!say(t, &m, f->schedule->items))
		return false;
	do
		n = read(0, &answer, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 && answer == 1;
}

static void passes(void *arg, const struct model_schedule *schedule)
{
	struct hunt_message m = {
		.magic = HUNT_MAGIC, .says = HUNT_SAYS_PASSES, .choices = schedule->count};

	(void)say(arg, &m, schedule->items);
}

static bool known(void *arg, const struct hunt_key *pair)
{
	struct talk *t = arg;

	return t->store && store_proof_has(t->store, t->build, pair->bytes);
}

static void proved(void *arg, const struct hunt_key *pair, const char *place)
{
	struct talk *t = arg;
	struct err e = ERR_INIT;

	/* A proof that cannot be kept is a proof all the same. */
	if (t->store && store_proof_add(t->store, t->build, pair->bytes, place, &e) != 0) {
		fprintf(stderr, "heddle-hunt: %s\n", e.text);
		store_close(t->store);
		t->store = NULL;
	}
}

static void tried(void *arg, const char *what)
{
	struct hunt_message m = {.magic = HUNT_MAGIC, .says = HUNT_SAYS_TRIED};

	snprintf(m.what, sizeof(m.what), "%s", what);
	(void)say(arg, &m, NULL);
}

static int add_runs(struct hunt_search *s, struct trace_recording *r, char **names, int n,
		    struct err *e)
{
	int rc = 0;

	for (int i = 0; i < n && rc == 0; i++) {
		rc = trace_recording_read(names[i], &r[i], e);
		if (rc == 0)
			rc = hunt_search_add(s, &r[i], e);
	}
	return rc;
}

static int hunt(struct talk *t, char **argv, int runs, struct hunt_counts *counts, struct err *e)
{
	struct trace_recording *r = xcalloc((size_t)runs + 1, sizeof(*r));
	struct limit limit = {.stopped_ns = &stopped_ns};
	struct hunt_search_opts o = {.program = argv[1],
				     .max_flips = (uint32_t)strtoul(argv[3], NULL, 10),
				     .max_traces = (uint32_t)strtoul(argv[4], NULL, 10),
				     .limit = &limit,
				     .jobs = (unsigned)strtoul(argv[8], NULL, 10),
				     .confirm = confirm,
				     .passes = passes,
				     .known = known,
				     .proved = proved,
				     .published = strcmp(argv[7], "published") == 0,
				     .arg = t};
	struct hunt_search *s = NULL;
	int rc = 0;

	if (o.published)
		o.tried = tried;
	limit = limit_within(&limit, strtoull(argv[5], NULL, 10));
	limit.max_bytes = MAX_BYTES;
	t->build = strtoull(argv[6], NULL, 16);
	if (argv[2][0])
		rc = store_open(argv[2], true, &t->store, e);
	if (rc == 0)
		rc = hunt_search_new(&o, &s, e);
	if (rc == 0)
		rc = add_runs(s, r, argv + 9, runs, e);
	if (rc == 0)
		hunt_search_run(s, counts);
	store_close(t->store);
	hunt_search_free(s);
	for (int i = 0; i < runs; i++)
		trace_recording_fini(&r[i]);
	free(r);
	return rc;
}

/*
 * heddle-hunt PROGRAM STORE FLIPS TRACES NANOSECONDS BUILD ORDER JOBS RECORDING...; STORE may be
 * empty, BUILD is what proofs are kept under: the program with all that it is given.
 */
int main(int argc, char **argv)
{
	struct hunt_message m = {.magic = HUNT_MAGIC, .says = HUNT_SAYS_DONE};
	struct talk t = {.store = NULL};
	struct err e = ERR_INIT;

	if (argc < 10) {
		fprintf(stderr, "heddle-hunt: this is a part of heddle hunt\n");
		return 2;
	}
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	signal(SIGPIPE, SIG_IGN);
	if (hunt(&t, argv, argc - 9, &m.counts, &e) != 0) {
		m.failed = 1;
		snprintf(m.what, sizeof(m.what), "%s", e.text);
	}
	return say(&t, &m, NULL) ? 0 : 3;
}
