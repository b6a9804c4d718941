#include "explore/nested/loose.h"

#include <sys/wait.h>

#include "stable/symbols.h"
#include "stable/text.h"

static const char *const whys[] = {
	"a thread waited for the world (a pipe, a socket, a process, a signal)",
	"a deadline came while sections were open, and when is a matter of time",
	"a signal had a choice of waiters, of which the first was taken",
	"an operation in a section is not modelled",
	"there are more threads than can be told apart",
	"an operation in a section had a time limit",
};

static void add(struct strbuf *to, const char *text)
{
	strbuf_add(to, to->length ? "; " : "");
	strbuf_add(to, text);
}

/* Flags that say so of runs that nobody decided. */
static void add_flags(const struct stable_ctl *ctl, bool sections, struct strbuf *to)
{
	if (!sections && (ctl->flags & STABLE_FLAG_NONDET) && !(ctl->flags & STABLE_FLAG_PCS))
		add(to, whys[0]);
	if (ctl->flags & STABLE_FLAG_BASE_TIME)
		add(to, "a deadline was measured against the clock");
	if (ctl->flags & STABLE_FLAG_SIGNALS)
		add(to, "the program sends itself signals, which come when they come");
	if (ctl->child_count || ctl->programs)
		add(to, "the program started processes, which are in no order with it");
	if (ctl->flags & STABLE_FLAG_ISOLATION)
		add(to, "an object is used in sections and outside of them");
}

void nested_loose_of(const struct nested_run *run, bool sections, struct strbuf *to)
{
	struct stable_ctl *ctl = run->launch.ctl;

	add_flags(ctl, sections, to);
	if (run->end == NESTED_ENDED && WIFEXITED(run->status) &&
	    !(ctl->flags & STABLE_FLAG_COMPLETE))
		add(to, "the program ended without telling what it did");
	for (size_t i = 0; i < sizeof(whys) / sizeof(whys[0]); i++) {
		if (!(run->reasons & (1u << i)))
			continue;
		add(to, whys[i]);
		if (!run->why_pc[i])
			continue;
		strbuf_add(to, " at ");
		stable_symbols_pc(ctl, run->why_pc[i], to);
	}
	if (stable_text_is_partial(ctl)) {
		struct strbuf list = STRBUF_INIT;

		stable_text_loose_list(ctl, sections ? STABLE_LOOSE_SECTION : STABLE_LOOSE_COUNT,
				       &list);
		if (list.length) {
			add(to, "not scheduled: ");
			strbuf_add(to, list.text);
		}
		strbuf_free(&list);
	}
}
