/* heddle doctor: what this machine can do, what it cannot, and how to mend it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_out.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/home/machine.h"

struct doctor_opts {
	bool json;
};

static const struct cli_option table[] = {
	{0, "json", OPTION_FLAG, offsetof(struct doctor_opts, json), NULL, 0, 0, NULL,
	 "print as JSON"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "doctor",
	.operands = "",
	.about =
		"Tries what heddle needs and what it can use: its own parts, the compiler, a small "
		"program from compiling to replay, the kernel's features, gdb, Z3, perf and Intel "
		"PT. "
		"Says how to mend what is missing. Exit code 0: everything that is needed works; "
		"3: "
		"it does not.",
	.table = table,
};

static void print_row(const struct machine_fact *f, bool color)
{
	static const char *const words[] = {"ok", "no", "MISSING"};
	static const char *const colors[] = {"32", "33", "1;31"};

	if (color)
		printf("\033[%sm%-8s\033[0m", colors[f->state], words[f->state]);
	else
		printf("%-8s", words[f->state]);
	printf("%-12s %s\n", f->name, f->text);
	if (f->state != MACHINE_OK && f->mend)
		printf("%20s -> %s\n", "", f->mend);
}

static void print_json(const struct machine *m, bool fit)
{
	static const char *const words[] = {"ok", "no", "missing"};
	struct strbuf text = STRBUF_INIT;
	struct json_out j;

	json_out_init(&j, &text);
	json_out_object_begin(&j, NULL);
	json_out_bool(&j, "fit", fit);
	json_out_array_begin(&j, "facts");
	for (size_t i = 0; i < m->facts.count; i++) {
		const struct machine_fact *f = &m->facts.items[i];

		json_out_object_begin(&j, NULL);
		json_out_string(&j, "name", f->name);
		json_out_string(&j, "state", words[f->state]);
		json_out_string(&j, "text", f->text);
		json_out_string(&j, "mend", f->state == MACHINE_OK ? NULL : f->mend);
		json_out_object_end(&j);
	}
	json_out_array_end(&j);
	json_out_object_end(&j);
	printf("%s\n", text.text);
	strbuf_free(&text);
}

int cmd_doctor_run(int argc, char **argv)
{
	const char *no_color = getenv("NO_COLOR");
	bool color = isatty(1) && !(no_color && no_color[0]), fit = true;
	struct doctor_opts o = {.json = false};
	struct machine m = {.facts = VEC_INIT};
	struct err e = ERR_INIT;
	int rest, rc = cli_options_parse(&options, &o, argc, argv, &rest, &e);

	if (rc == 0 && rest < argc)
		rc = err_set(&e, ERR_USAGE, "'%s' is one word too many", argv[rest]);
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	machine_look(&m);
	for (size_t i = 0; i < m.facts.count; i++)
		fit &= m.facts.items[i].state != MACHINE_MISSING;
	if (o.json) {
		print_json(&m, fit);
	} else {
		for (size_t i = 0; i < m.facts.count; i++)
			print_row(&m.facts.items[i], color);
		printf("\ndoctor: %s\n",
		       fit ? "heddle can do its work here" : "something that is needed is missing");
	}
	machine_fini(&m);
	return fit ? CLI_CLEAN : CLI_FAILURE;
}
