/*
 * Sentences about an explanation: what happened, what would have been all right, what to do.  The
 * same in every form.
 */
#ifndef HEDDLE_REPORT_EXPLAIN_STORY_H
#define HEDDLE_REPORT_EXPLAIN_STORY_H

#include "base/strbuf.h"
#include "model/explanation.h"
#include "report/names/names.h"

struct report_story {
	const struct explanation *x;
	struct report_names *failing, *passing; /* passing NULL: there is none */
};

void report_story_init(struct report_story *s, const struct explanation *x);
void report_story_fini(struct report_story *s);

/* Names of the side: 0 failing, 1 passing. */
struct report_names *report_story_names(const struct report_story *s, int side);
const struct explanation_side *report_story_side(const struct report_story *s, int side);

/* "assertion failed at q.c:19 in get, thread T2 (get)". */
void report_story_headline(const struct report_story *s, struct strbuf *to);
/* What happened, one sentence a line. */
void report_story_lines(const struct report_story *s, struct strbuf *to);
/*
 * The same in a few lines, for a report that says the rest itself: who holds which lock, which
 * stores were late.  Nothing when it is not known what decides.
 */
void report_story_brief(const struct explanation *x, struct strbuf *to);
/* "proved …" or "tested on N schedules …": how far it is known. */
void report_story_proof(const struct report_story *s, struct strbuf *to);
/* One advice in a sentence, and what its test showed. */
void report_story_advice(const struct report_story *s, const struct explanation_advice *a,
			 struct strbuf *to);
/* A place of advice. */
void report_story_site(const struct report_story *s, uint32_t site, struct strbuf *to);
/* What a row says: "reads filled = 0". */
void report_story_row(const struct report_story *s, int side, const struct explanation_row *row,
		      struct strbuf *to);
/* Where: "q.c:19". */
void report_story_place(const struct report_story *s, int side, const struct explanation_row *row,
			struct strbuf *to);
/* What a flow is about, and where it arrives in the failing execution. */
void report_story_subject(const struct report_story *s, const struct explanation_flow *f,
			  struct strbuf *to);
void report_story_at(const struct report_story *s, const struct explanation_flow *f,
		     struct strbuf *to);
/* How the passing execution ends. */
void report_story_end(const struct report_story *s, struct strbuf *to);

#endif
