#include <inttypes.h>
#include <stdio.h>

#include "base/fs.h"
#include "base/json_out.h"
#include "cli/coop/merge.h"
#include "coop/signature.h"
#include "cli/exit.h"
#include "cli/print.h"
#include "report/json.h"
#include "report/term.h"

static int code_of(const struct merge *m)
{
	return m->is_kept && m->replayed == m->replays ? CLI_FINDINGS : CLI_INCONCLUSIVE;
}

/* Elements that some log has the order of. */
static uint32_t covered(const struct merge *m)
{
	uint32_t n = 0;

	for (uint32_t i = 0; m->failed.count && i < m->set.elements; i++)
		n += m->set.first[i] < m->set.first[i + 1];
	return n;
}

static void say_others(const struct merge *m, struct strbuf *to)
{
	if (m->groups.count < 2)
		return;
	strbuf_addf(to, "; %zu other %s kept apart (see --failure):", m->groups.count - 1,
		    m->groups.count == 2 ? "failure was" : "failures were");
	for (size_t i = 0; i < m->groups.count; i++)
		if (m->groups.items[i].signature != m->signature)
			strbuf_addf(to, " [%s, %" PRIu64 " log%s]", m->groups.items[i].signature,
				    m->groups.items[i].logs,
				    m->groups.items[i].logs == 1 ? "" : "s");
}

static void say_why(const struct merge *m, struct strbuf *to)
{
	enum limit_reason over = m->begun ? limit_reached(&m->exec.limit) : LIMIT_NONE;

	if (!m->failed.count) {
		strbuf_add(to, "no log is of a failing run");
		return;
	}
	coop_signature_say(m->signature, to);
	strbuf_add(to, " was not reproduced: ");
	if (m->is_kept)
		strbuf_addf(to,
			    "a schedule that fails like that failed in %" PRIu64 " of %" PRIu64
			    " replays only",
			    m->replayed, m->replays);
	else if (m->reason[0])
		strbuf_add(to, m->reason);
	else
		strbuf_addf(to, "%" PRIu64 " attempts did not fail like that%s%s", m->attempts,
			    over != LIMIT_NONE ? " before " : "",
			    over != LIMIT_NONE ? limit_text(over) : "");
}

static void say(const struct merge *m, struct strbuf *to)
{
	uint32_t some = covered(m);

	if (code_of(m) == CLI_FINDINGS) {
		strbuf_addf(to, "reproduced at attempt %" PRIu64 " (%s) from %zu partial log%s in ",
			    m->attempts, m->heuristic, m->failed.count,
			    m->failed.count == 1 ? "" : "s");
		strbuf_add_seconds(to, limit_now() - m->begin_ns);
		strbuf_addf(to, " s; replayed %" PRIu64 " of %" PRIu64, m->replayed, m->replays);
	} else {
		strbuf_add(to, "inconclusive: ");
		say_why(m, to);
	}
	if (m->attempts)
		strbuf_addf(to, "; %" PRIu64 " failed, %" PRIu64 " passed, %" PRIu64 " stuck",
			    m->fails, m->passes, m->stuck);
	if (m->limits)
		strbuf_addf(to, " (%" PRIu64 " by the limit of steps)", m->limits);
	if (m->failed.count && some < m->set.elements)
		strbuf_addf(to, "; no failing log has %u of the %u elements",
			    m->set.elements - some, m->set.elements);
	say_others(m, to);
}

static void print_json(const struct merge *m, const struct cli_answer *answer)
{
	struct strbuf to = STRBUF_INIT;
	struct json_out j;
	bool good = code_of(m) == CLI_FINDINGS;

	json_out_init(&j, &to);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "command", "coop merge");
	json_out_string(&j, "program", m->program);
	json_out_bool(&j, "reproduced", good);
	json_out_uint(&j, "attempts", m->attempts);
	json_out_string(&j, "bundle", good ? m->kept.path : NULL);
	json_out_string(&j, "heuristic", m->heuristic);
	json_out_uint(&j, "logs", m->failed.count);
	json_out_uint(&j, "logs_passed", m->passed.count);
	json_out_uint(&j, "elements", m->elements.names.count);
	json_out_uint(&j, "elements_logged", covered(m));
	json_out_object_begin(&j, "verdicts");
	json_out_uint(&j, "failed", m->fails);
	json_out_uint(&j, "passed", m->passes);
	json_out_uint(&j, "stuck", m->stuck);
	json_out_object_end(&j);
	json_out_string(&j, "signature", m->signature);
	json_out_array_begin(&j, "failures");
	for (size_t i = 0; i < m->groups.count; i++) {
		json_out_object_begin(&j, NULL);
		json_out_string(&j, "signature", m->groups.items[i].signature);
		json_out_uint(&j, "logs", m->groups.items[i].logs);
		json_out_object_end(&j);
	}
	json_out_array_end(&j);
	if (good)
		report_json_failure(&j, "failure", &m->kept.bundle);
	cli_print_json_end(answer, &j, &to);
	fputs(to.text, stdout);
	strbuf_free(&to);
}

int cli_coop_merge_say(const struct merge *m)
{
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	struct cli_answer answer = {
		.command = "coop", .exit_code = code_of(m), .begin_ns = m->begin_ns};
	const struct cli_kept *kept = &m->kept;

	say(m, &text);
	answer.text = text.text;
	if (m->o->json)
		print_json(m, &answer);
	else
		cli_print_answer(&answer, &kept, answer.exit_code == CLI_FINDINGS);
	strbuf_free(&text);
	if (fs_finish_output(stdout, "standard output", &e) != 0)
		return cli_exit_error("coop", &e);
	return code_of(m);
}
