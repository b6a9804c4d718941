#include "report/words.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "model/memory_model.h"
#include "wire/ctl.h"

#define LOOKUP(table, index)                                                                       \
	((index) < sizeof(table) / sizeof((table)[0]) && (table)[index] ? (table)[index] : "?")

const char *report_word_failure(uint32_t kind)
{
	static const char *const words[] = {
		[FAILURE_NONE] = "no failure",
		[FAILURE_ASSERT] = "assertion failed",
		[FAILURE_ABORT] = "abort",
		[FAILURE_SIGNAL] = "fatal signal",
		[FAILURE_DEADLOCK] = "deadlock",
		[FAILURE_LIVELOCK] = "livelock",
		[FAILURE_DOUBLE_FREE] = "double free",
		[FAILURE_INVALID_FREE] = "invalid free",
		[FAILURE_USE_AFTER_FREE] = "use after free",
		[FAILURE_HEAP_RANGE] = "access outside every heap block",
		[FAILURE_EXIT] = "non-zero exit status",
		[FAILURE_SYNC_MISUSE] = "misuse of a synchronisation object",
	};

	return LOOKUP(words, kind);
}

const char *report_word_failure_id(uint32_t kind)
{
	static const char *const words[] = {
		[FAILURE_NONE] = "none",
		[FAILURE_ASSERT] = "assert",
		[FAILURE_ABORT] = "abort",
		[FAILURE_SIGNAL] = "signal",
		[FAILURE_DEADLOCK] = "deadlock",
		[FAILURE_LIVELOCK] = "livelock",
		[FAILURE_DOUBLE_FREE] = "double-free",
		[FAILURE_INVALID_FREE] = "invalid-free",
		[FAILURE_USE_AFTER_FREE] = "use-after-free",
		[FAILURE_HEAP_RANGE] = "heap-range",
		[FAILURE_EXIT] = "exit",
		[FAILURE_SYNC_MISUSE] = "sync-misuse",
	};

	return LOOKUP(words, kind);
}

const char *report_word_object(uint32_t kind)
{
	static const char *const words[] = {
		[OBJ_MUTEX] = "mutex",	  [OBJ_RWLOCK] = "rwlock", [OBJ_SPIN] = "spin lock",
		[OBJ_COND] = "condition", [OBJ_SEM] = "semaphore", [OBJ_BARRIER] = "barrier",
		[OBJ_ONCE] = "once",	  [OBJ_FUTEX] = "futex",   [OBJ_THREAD] = "thread",
	};

	return LOOKUP(words, kind);
}

const char *report_word_event(uint32_t kind)
{
	static const char *const words[EVENT_KIND_MAX] = {
#define X(name, number, text, class) [number] = text,
#include "wire/events.def"
#undef X
	};

	return LOOKUP(words, kind);
}

const char *report_word_outcome(uint32_t outcome)
{
	static const char *const words[] = {
		[OUTCOME_NONE] = "none",	 [OUTCOME_CLEAN] = "clean",
		[OUTCOME_FAILURE] = "failure",	 [OUTCOME_LIMIT] = "step limit reached",
		[OUTCOME_DIVERGED] = "diverged", [OUTCOME_STEPDOWN] = "engine stepped down",
		[OUTCOME_TROUBLE] = "trouble",	 [OUTCOME_ASSUME] = "assumption does not hold",
	};

	return LOOKUP(words, outcome);
}

const char *report_word_engine(uint32_t engine)
{
	static const char *const words[] = {"auto", "reset", "fork", "threads"};

	return LOOKUP(words, engine);
}

const char *report_word_strategy(uint32_t strategy)
{
	static const char *const words[] = {"random", "pct",   "rr",   "dfs",      "replay",
					    "batch",  "cores", "surw", "pos", "feedback", "mix"};

	return LOOKUP(words, strategy);
}

const char *report_word_model(uint32_t model)
{
	const struct model_memory *m = model_memory_get(model);

	return m ? m->word : "?";
}

const char *report_word_thread_state(uint32_t state)
{
	static const char *const words[] = {
		[THREAD_UNUSED] = "unused",	[THREAD_PARKED] = "could go on",
		[THREAD_BLOCKED] = "blocked",	[THREAD_SPINNING] = "spinning",
		[THREAD_FINISHED] = "finished", [THREAD_GONE] = "gone",
	};

	return LOOKUP(words, state);
}

const char *report_word_signal(uint64_t number)
{
	static _Thread_local char name[16];
	const char *abbreviation = number < 65 ? sigabbrev_np((int)number) : NULL;

	snprintf(name, sizeof(name), "SIG%s", abbreviation ? abbreviation : "?");
	return name;
}
