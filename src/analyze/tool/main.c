/*
 * heddle-analyze BINARY [all|races|slice=FILE:LINE] [NANOSECONDS] [LOG]: what may go wrong in a
 * program, or a slice of it, as lines (model/analysis.h).  For heddle analyze, not for people.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/cycles.h"
#include "analyze/flow.h"
#include "analyze/races.h"
#include "analyze/slice/slice.h"
#include "analyze/words.h"

static volatile uint64_t stopped_ns;

static void stop(int signal)
{
	(void)signal;
	stopped_ns = limit_now();
}

static void take_notes(struct whole *w, struct analysis *to)
{
	for (size_t i = 0; i < w->notes.count; i++)
		analysis_note(to, w->notes.items[i].kind, w->notes.items[i].what,
			      words_place(w, w->notes.items[i].at));
	to->functions = w->codes.count;
	to->contexts = w->bodies.count;
	to->threads = w->threads.count;
	to->objects = w->points.locs.objects.count;
}

static int look(struct flow *f, const struct schedule *s, const char *what, struct analysis *to,
		struct err *e)
{
	if (!strncmp(what, "slice=", 6))
		return slice_find(f, s, what + 6, to, e);
	races_find(f, s, !strcmp(what, "all"), to);
	/* Under one schedule locks are taken in one order. */
	if (!s)
		cycles_find(f, to);
	return 0;
}

static int analyze(struct whole *w, const char *what, const char *log, struct analysis *to,
		   struct err *e)
{
	struct schedule *s = NULL;
	struct flow f;
	int rc = 0;

	whole_solve(w);
	if (w->threads.count && !w->stopped) {
		flow_init(&f, w);
		flow_solve(&f);
		if (log)
			rc = schedule_new(&f, log, &s, e);
		if (rc == 0)
			rc = look(&f, s, what, to, e);
		schedule_free(s);
		flow_fini(&f);
	}
	take_notes(w, to);
	return rc;
}

int main(int argc, char **argv)
{
	struct limit limit = {.stopped_ns = &stopped_ns};
	struct strbuf text = STRBUF_INIT;
	struct analysis a = {0};
	struct err e = ERR_INIT;
	struct whole w;
	int rc;

	if (argc < 2 || !strcmp(argv[1], "--help")) {
		fprintf(stderr, "usage: heddle-analyze BINARY [all|races|slice=FILE:LINE] "
				"[NANOSECONDS] [LOG]\n");
		return 2;
	}
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	if (argc > 3 && strtoull(argv[3], NULL, 10))
		limit.end_ns = limit_now() + strtoull(argv[3], NULL, 10);
	rc = whole_init(&w, argv[1], &limit, &e);
	if (rc == 0)
		rc = analyze(&w, argc > 2 ? argv[2] : "races", argc > 4 ? argv[4] : NULL, &a, &e);
	if (rc == 0) {
		analysis_write(&a, &text);
		if (fwrite(text.text, 1, text.length, stdout) != text.length || fflush(stdout))
			rc = err_set(&e, ERR_IO, "cannot write the answer: %s", strerror(errno));
	}
	if (rc != 0 && rc != ERR_USAGE)
		fprintf(stderr, "heddle-analyze: %s\n", e.text);
	whole_fini(&w);
	analysis_fini(&a);
	strbuf_free(&text);
	return rc == 0 ? 0 : rc == ERR_USAGE ? 2 : 3;
}
