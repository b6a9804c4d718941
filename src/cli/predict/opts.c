#include "cli/predict/opts.h"

#include <stddef.h>
#include <string.h>

#include "cli/exec.h"

#define AT(field) offsetof(struct cli_predict_opts, field)

static const struct cli_option table[] = {
	{'m', "model", OPTION_CHOICE, AT(model), "auto", 0, 0, "csr|cdsr|branch|auto",
	 "widest model that counts: cdsr (every read keeps its writer), branch (only reads a "
	 "branch may depend on), csr (synchronisation only), auto (branch when branches are "
	 "recorded, cdsr otherwise)"},
	{'f', "find", OPTION_STRING, AT(find), NULL, 0, 0, "LIST",
	 "race, deadlock, atomicity or none, separated by commas [all, none when questions are "
	 "asked]"},
	{'q', "ask", OPTION_STRING, AT(ask), NULL, 0, 0, "FILE", "questions to decide"},
	{0, "all", OPTION_FLAG, AT(all), NULL, 0, 0, NULL,
	 "every combination of events, not one per combination of source places"},
	{'T', "table", OPTION_FLAG, AT(table), NULL, 0, 0, NULL,
	 "every race candidate or question under every method, side by side"},
	{0, "stages", OPTION_STRING, AT(stages), NULL, 0, 0, "LIST",
	 "stages to use: sync, closure, trace, cp, late, lookahead, search [all]"},
	{0, "lookahead", OPTION_UINT, AT(lookahead), "2", 0, 16, "N", "depth of the look-ahead"},
	{0, "budget", OPTION_UINT, AT(budget), "100000", 1, UINT64_C(1000000000000), "N",
	 "propagations of the search per question"},
	{0, "question-time", OPTION_DURATION, AT(question_ns), "10", 0, 0, "TIME",
	 "limit per question"},
	{'t', "time", OPTION_DURATION, AT(time_ns), NULL, 0, 0, "TIME",
	 "end after so long, whatever is under way; what is not decided then is unknown"},
	{0, "limit", OPTION_UINT, AT(limit), "1000000", 1, UINT64_C(1000000000), "N",
	 "candidates looked at per location; more are unknown"},
	{0, "strict-targets", OPTION_FLAG, AT(strict_targets), NULL, 0, 0, NULL,
	 "a racing read must be about to see the write it saw"},
	{0, "atomic-distance", OPTION_UINT, AT(distance), "0", 0, 1000000, "N",
	 "take a read and the next write of a location as atomic when at most N events apart"},
	{0, "suppressions", OPTION_STRING, AT(suppressions), NULL, 0, 0, "FILE",
	 "findings to leave out, lines kind:pattern"},
	{0, "confirm", OPTION_FLAG, AT(confirm), NULL, 0, 0, NULL,
	 "run the program along each witness and say whether it got there"},
	{0, "seed", OPTION_STRING, AT(seed), "1", 0, 0, "N|random", "of the run of a PROGRAM"},
	CLI_EXEC_ENV(AT(env)),
	{0, "format", OPTION_CHOICE, AT(format), "auto", 0, 0, "auto|native|std|speedygo|rapid",
	 "of trace files"},
	{0, "strict", OPTION_FLAG, AT(strict), NULL, 0, 0, NULL,
	 "what would be repaired in a trace is an error"},
	{0, "convert", OPTION_CHOICE, AT(convert), "no", 0, 0, "no|native|std",
	 "write the trace in this format instead of analysing it"},
	{'o', "output", OPTION_STRING, AT(output), NULL, 0, 0, "FILE",
	 "where the result goes [standard output]"},
	{'n', "show", OPTION_UINT, AT(show), "10", 0, UINT64_C(1000000000), "N",
	 "findings of a kind written out in text; 0 = all"},
	{'w', "witness", OPTION_FLAG, AT(witness), NULL, 0, 0, NULL,
	 "print every event of the witnesses"},
	{0, "save-witness", OPTION_STRING, AT(save), NULL, 0, 0, "DIR",
	 "write each witness as a trace of its own"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "report as JSON"},
#define X(word, help) CLI_FORMAT_OPTION(word, help)
#include "report/formats.def"
#undef X
	{0, "versus", OPTION_CHOICE, AT(versus), "no", 0, 0, "no|z3|order",
	 "put the race questions to a general solver too; compare answers and time"},
	{0, "questions", OPTION_UINT, AT(questions), "200", 1, UINT64_C(1000000000), "N",
	 "of --versus, spread evenly over the candidates"},
	{0, "stats", OPTION_FLAG, AT(stats), NULL, 0, 0, NULL,
	 "figures of the trace and of the stages"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

const struct cli_options cli_predict_options = {
	.command = "predict",
	.operands = "FILE... | PROGRAM [ARGUMENT...]",
	.about = "Decides from one execution whether another order of the same events has a data "
		 "race, a deadlock or an atomicity violation. FILE is a bundle of heddle run or a "
		 "trace (RAPID STD, SpeedyGo log, heddle-trace(5)); a PROGRAM built with heddle cc "
		 "is run once. Every finding has a witness that was checked.",
	.table = table,
};

/* Length of the word at the start of the list; *next is what follows its comma, or NULL. */
static size_t cut_word(const char *list, const char **next)
{
	size_t n = strcspn(list, ",");

	*next = list[n] == ',' ? list + n + 1 : NULL;
	return n;
}

static int set_stages(const char *list, unsigned *stages, struct err *e)
{
	const char *next = list;

	*stages = list ? 0 : PREDICT_ALL_STAGES;
	for (; list; list = next) {
		size_t n = cut_word(list, &next);
		int found = -1;

		for (int i = 0; i < PREDICT_STAGE_COUNT; i++) {
			const char *word = predict_stage_word((enum predict_stage)i);

			if (strlen(word) == n && strncmp(word, list, n) == 0)
				found = i;
		}
		if (found < 0)
			return err_set(e, ERR_USAGE, "--stages: there is no stage '%.*s'", (int)n,
				       list);
		*stages |= 1u << found;
	}
	return 0;
}

static int set_kinds(const char *list, struct predict_opts *opts, struct err *e)
{
	const char *next = list;

	if (!list)
		return 0;
	opts->races = opts->deadlocks = opts->atomicity = false;
	for (; list; list = next) {
		size_t n = cut_word(list, &next);

		if (n == 4 && strncmp(list, "race", n) == 0)
			opts->races = true;
		else if (n == 8 && strncmp(list, "deadlock", n) == 0)
			opts->deadlocks = true;
		else if (n == 9 && strncmp(list, "atomicity", n) == 0)
			opts->atomicity = true;
		else if (n != 4 || strncmp(list, "none", n) != 0)
			return err_set(e, ERR_USAGE,
				       "--find: '%.*s' is none of race, deadlock, atomicity, none",
				       (int)n, list);
	}
	return 0;
}

int cli_predict_configure(const struct cli_predict_opts *o, struct predict_opts *a, struct err *e)
{
	int rc;

	*a = (struct predict_opts)PREDICT_OPTS_INIT;
	a->model = o->model == CLI_PREDICT_MODEL_AUTO ? MODEL_BRANCH : (enum predict_model)o->model;
	a->all = o->all;
	a->strict_targets = o->strict_targets;
	a->distance = (uint32_t)o->distance;
	a->pair_limit = o->limit;
	a->limits.lookahead = (uint32_t)o->lookahead;
	a->limits.nodes = o->budget;
	a->limits.seconds = (double)o->question_ns * 1e-9;
	rc = set_stages(o->stages, &a->limits.stages, e);
	return rc ? rc : set_kinds(o->find, a, e);
}
