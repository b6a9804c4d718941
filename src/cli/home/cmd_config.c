/* heddle config: the settings of the project, and whether they make sense. */
#include <stdio.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/commands.h"
#include "cli/conf.h"
#include "cli/exit.h"
#include "cli/near.h"

struct config_opts {
	bool json, all;
};

#define AT(field) offsetof(struct config_opts, field)

static const struct cli_option table[] = {
	{'a', "all", OPTION_FLAG, AT(all), NULL, 0, 0, NULL,
	 "every option of the commands, with its default where the file says nothing"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "print as JSON"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "config",
	.operands = "[COMMAND...]",
	.about = "Shows which heddle.conf is in force here and what it says, in its own form, and "
		 "whether the commands and options in it exist.",
	.table = table,
};

struct config {
	struct config_opts o;
	const struct cli_conf *conf;
	const struct cli_options *command; /* under way */
	char **wanted;			   /* names; empty: all */
	struct strbuf text;
	struct json_out json;
	struct err *e;
};

static bool is_wanted(const struct config *c, const char *name)
{
	if (!c->wanted[0])
		return true;
	for (char **w = c->wanted; *w; w++)
		if (strcmp(*w, name) == 0)
			return true;
	return false;
}

/* The last line of a file that names an option is the one that counts. */
static const struct cli_conf_entry *entry_of(const struct config *c, const char *command,
					     const char *name)
{
	const struct cli_conf_entry *found = NULL;

	for (size_t i = 0; i < c->conf->entries.count; i++) {
		const struct cli_conf_entry *entry = &c->conf->entries.items[i];

		if (strcmp(entry->command, command) == 0 && strcmp(entry->name, name) == 0)
			found = entry;
	}
	return found;
}

static void add_option(struct config *c, const struct cli_options *spec, const struct cli_option *o)
{
	const struct cli_conf_entry *entry = entry_of(c, spec->command, o->name);
	const char *value = entry ? entry->value : o->fallback ? o->fallback : "";

	if (!entry && !c->o.all)
		return;
	if (!entry && o->type == OPTION_FLAG)
		value = "no";
	if (c->o.json) {
		json_out_object_begin(&c->json, NULL);
		json_out_string(&c->json, "command", spec->command);
		json_out_string(&c->json, "option", o->name);
		json_out_string(&c->json, "value", value);
		json_out_uint(&c->json, "line", entry ? entry->line : 0);
		json_out_object_end(&c->json);
		return;
	}
	if (c->command != spec)
		strbuf_addf(&c->text, "%s[%s]\n", c->command ? "\n" : "", spec->command);
	c->command = spec;
	/* What only shows how it would be set stands as a comment. */
	if (entry)
		strbuf_addf(&c->text, "%s = %s\n", o->name, value);
	else
		strbuf_addf(&c->text, "#%s = %s\n", o->name, value);
}

static void visit(const struct cli_options *spec, void *arg)
{
	struct config *c = arg;

	if (!is_wanted(c, spec->command))
		return;
	for (const struct cli_option *o = spec->table; o->name; o++)
		add_option(c, spec, o);
}

/* Whether the file's entries for this command are what its options take. */
static void check(const struct cli_options *spec, void *arg)
{
	struct config *c = arg;

	for (size_t i = 0; c->e->code == 0 && i < c->conf->entries.count; i++) {
		const struct cli_conf_entry *entry = &c->conf->entries.items[i];

		if (strcmp(entry->command, spec->command) == 0 &&
		    !cli_options_find(spec, entry->name))
			err_set(c->e, ERR_USAGE, "%s:%u: heddle %s has no option --%s",
				c->conf->path, entry->line, spec->command, entry->name);
	}
}

static int check_commands(struct config *c)
{
	for (size_t i = 0; i < c->conf->entries.count; i++) {
		const struct cli_conf_entry *entry = &c->conf->entries.items[i];
		const struct cli_command *found = cli_command_find(entry->command);
		struct cli_near near = {.to = entry->command};

		if (found && !found->is_compiler)
			continue;
		for (const struct cli_command *k = cli_commands; k->name; k++)
			if (!k->is_compiler)
				cli_near_try(&near, k->name);
		return err_set(c->e, ERR_USAGE, "%s:%u: no command [%s] with options%s%s%s",
			       c->conf->path, entry->line, entry->command,
			       near.best ? "; did you mean [" : "", near.best ? near.best : "",
			       near.best ? "]?" : "");
	}
	return 0;
}

/* Every command's table in turn. */
static void walk(struct config *c, cli_options_visitor_fn visitor)
{
	char flag[] = "--help";

	cli_options_visit(visitor, c);
	for (const struct cli_command *k = cli_commands; k->name; k++) {
		char *words[] = {(char *)k->name, flag, NULL};

		if (!k->is_compiler && k->run != cmd_config_run)
			k->run(2, words);
	}
	cli_options_visit(NULL, NULL);
}

static void print(struct config *c)
{
	if (c->o.json) {
		json_out_init(&c->json, &c->text);
		json_out_object_begin(&c->json, NULL);
		json_out_string(&c->json, "file", c->conf->path);
		json_out_array_begin(&c->json, "settings");
		walk(c, visit);
		json_out_array_end(&c->json);
		json_out_object_end(&c->json);
		strbuf_add_char(&c->text, '\n');
	} else {
		strbuf_addf(&c->text, "# %s\n",
			    c->conf->path ? c->conf->path : "no heddle.conf here or above");
		walk(c, visit);
	}
	fputs(c->text.text, stdout);
	strbuf_free(&c->text);
}

int cmd_config_run(int argc, char **argv)
{
	struct err e = ERR_INIT;
	struct config c = {.e = &e};
	int rest, rc = cli_options_parse(&options, &c.o, argc, argv, &rest, &e);

	if (rc == 0)
		rc = cli_conf_get(NULL, &c.conf, &e);
	for (int i = rest; rc == 0 && i < argc; i++)
		if (!cli_command_find(argv[i]))
			rc = err_set(&e, ERR_USAGE, "there is no command '%s'", argv[i]);
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	c.wanted = argv + rest;
	rc = check_commands(&c);
	if (rc == 0) {
		walk(&c, check);
		rc = e.code;
	}
	if (rc != 0)
		return cli_exit_error("config", &e);
	print(&c);
	return CLI_CLEAN;
}
