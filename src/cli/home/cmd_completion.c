/* heddle completion: what shells need to complete our words, from the tables of options. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exit.h"

static const struct cli_option table[] = {
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "completion",
	.operands = "bash|zsh|fish",
	.about = "Prints the completion of heddle for a shell; packages install it. For one "
		 "session: "
		 "source <(heddle completion bash).",
	.table = table,
};

/* One script under way. */
struct script {
	struct strbuf to;
	const char *command;
};

typedef void (*option_fn)(struct script *s, const struct cli_option *o);

static void each_option(const struct cli_options *spec, struct script *s, option_fn fn)
{
	s->command = spec->command;
	for (const struct cli_option *o = spec->table; o->name; o++)
		fn(s, o);
	for (const struct cli_option *o = cli_options_common; o->name; o++)
		fn(s, o);
}

static void each_command(struct script *s, cli_options_visitor_fn visitor)
{
	char flag[] = "--help";

	cli_options_visit(visitor, s);
	for (const struct cli_command *c = cli_commands; c->name; c++) {
		char *words[] = {(char *)c->name, flag, NULL};

		if (!c->is_compiler)
			c->run(2, words);
	}
	cli_options_visit(NULL, NULL);
}

/* Text of ours within the single quotes of a shell. */
static void add_quoted(struct strbuf *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_add(to, "'\\''");
		else
			strbuf_add_char(to, *text);
	}
}

static bool is_file(const struct cli_option *o)
{
	return o->type == OPTION_STRING && o->arg &&
	       (strstr(o->arg, "FILE") || strstr(o->arg, "DIR") || strstr(o->arg, "NAME."));
}

/* "a|b|c" as words. */
static void add_words(struct strbuf *to, const char *words, char between)
{
	for (; *words; words++)
		strbuf_add_char(to, *words == '|' ? between : *words);
}

/* ---- bash ---- */

static void bash_name(struct script *s, const struct cli_option *o)
{
	strbuf_addf(&s->to, " --%s%s", o->name, o->type == OPTION_FLAG ? "" : "=");
}

static void bash_values(struct script *s, const struct cli_option *o)
{
	if (o->type != OPTION_CHOICE)
		return;
	strbuf_addf(&s->to, "\t%s:--%s) words='", s->command, o->name);
	add_words(&s->to, o->arg, ' ');
	strbuf_add(&s->to, "' ;;\n");
}

static void bash_names_of(const struct cli_options *spec, void *arg)
{
	struct script *s = arg;

	strbuf_addf(&s->to, "\t%s) words='", spec->command);
	each_option(spec, s, bash_name);
	strbuf_add(&s->to, "' ;;\n");
}

static void bash_values_of(const struct cli_options *spec, void *arg)
{
	each_option(spec, arg, bash_values);
}

static void add_commands(struct strbuf *to)
{
	for (const struct cli_command *c = cli_commands; c->name; c++)
		strbuf_addf(to, "%s ", c->name);
}

/* "=" separates words for readline: "--model=s" is three of them. */
static void write_bash(struct script *s)
{
	strbuf_add(&s->to,
		   "# heddle for bash; made by heddle completion bash\n"
		   "_heddle()\n{\n"
		   "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		   "\tlocal command=${COMP_WORDS[1]-} words='' option='' i\n"
		   "\tCOMPREPLY=()\n"
		   "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
		   "\t\tCOMPREPLY=($(compgen -W '");
	add_commands(&s->to);
	strbuf_add(&s->to, "help --help --version' -- \"$cur\"))\n\t\treturn\n\tfi\n"
			   "\tif [ \"$command\" = help ]; then\n\t\tCOMPREPLY=($(compgen -W '");
	add_commands(&s->to);
	strbuf_add(&s->to, "--all' -- \"$cur\"))\n\t\treturn\n\tfi\n"
			   "\t# Behind the program its own words begin.\n"
			   "\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
			   "\t\tcase ${COMP_WORDS[i]} in\n"
			   "\t\t-* | =) ;;\n"
			   "\t\t*) [ \"${COMP_WORDS[i-1]}\" = = ] || return ;;\n"
			   "\t\tesac\n\tdone\n"
			   "\t[ \"$cur\" = = ] && { cur=''; option=$prev; }\n"
			   "\t[ \"$prev\" = = ] && option=${COMP_WORDS[COMP_CWORD-2]}\n"
			   "\tif [ -n \"$option\" ]; then\n\t\tcase $command:$option in\n");
	each_command(s, bash_values_of);
	strbuf_add(
		&s->to,
		"\t\tesac\n"
		"\t\tif [ -n \"$words\" ]; then\n"
		"\t\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
		"\t\telse\n\t\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n\t\tfi\n\t\treturn\n\tfi\n"
		"\tif [ \"$command:${cur:0:1}\" != completion: ] && [ \"${cur:0:1}\" != - ]; then\n"
		"\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n\t\treturn\n\tfi\n"
		"\tcase $command in\n");
	each_command(s, bash_names_of);
	strbuf_add(&s->to, "\tesac\n"
			   "\t[ \"$command:$cur\" = completion: ] && words='bash zsh fish'\n"
			   "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
			   "\t[ \"${#COMPREPLY[@]}\" -eq 1 ] && [ \"${COMPREPLY[0]: -1}\" = = ] && "
			   "compopt -o nospace\n}\n"
			   "complete -o filenames -F _heddle heddle\n");
}

/* ---- zsh ---- */

/* What has a meaning in a specification of _arguments is quoted. */
static void add_zsh_text(struct strbuf *to, const char *text)
{
	for (; *text; text++) {
		if (strchr("[]:\\", *text))
			strbuf_add_char(to, '\\');
		if (*text == '\'')
			strbuf_add(to, "'\\''");
		else
			strbuf_add_char(to, *text);
	}
}

static void zsh_option(struct script *s, const struct cli_option *o)
{
	strbuf_addf(&s->to, "\t\t'--%s%s[", o->name, o->type == OPTION_FLAG ? "" : "=");
	add_zsh_text(&s->to, o->help);
	strbuf_add_char(&s->to, ']');
	if (o->type == OPTION_CHOICE) {
		strbuf_addf(&s->to, ":%s:(", o->name);
		add_words(&s->to, o->arg, ' ');
		strbuf_add_char(&s->to, ')');
	} else if (o->type != OPTION_FLAG) {
		strbuf_addf(&s->to, ":%s:%s", o->name, is_file(o) ? "_files" : " ");
	}
	strbuf_add(&s->to, "' \\\n");
}

static void zsh_command(const struct cli_options *spec, void *arg)
{
	struct script *s = arg;

	strbuf_addf(&s->to, "\t%s) _arguments -S \\\n", spec->command);
	each_option(spec, s, zsh_option);
	if (strcmp(spec->command, "completion") == 0)
		strbuf_add(&s->to, "\t\t'1:shell:(bash zsh fish)' ;;\n");
	else
		strbuf_add(&s->to, "\t\t'*:file:_files' ;;\n");
}

static void write_zsh(struct script *s)
{
	strbuf_add(&s->to, "#compdef heddle\n# heddle for zsh; made by heddle completion zsh\n"
			   "local -a commands\ncommands=(\n");
	for (const struct cli_command *c = cli_commands; c->name; c++) {
		strbuf_addf(&s->to, "\t'%s:", c->name);
		add_zsh_text(&s->to, c->summary);
		strbuf_add(&s->to, "'\n");
	}
	strbuf_add(&s->to, "\t'help:help on a command'\n)\n"
			   "if ((CURRENT == 2)); then\n\t_describe command commands\n\treturn\nfi\n"
			   "local command=$words[2]\nshift words\n((CURRENT--))\n"
			   "case $command in\n\thelp) _describe command commands ;;\n");
	each_command(s, zsh_command);
	strbuf_add(&s->to, "\t*) _files ;;\nesac\n");
}

/* ---- fish ---- */

static void fish_option(struct script *s, const struct cli_option *o)
{
	strbuf_addf(&s->to, "complete -c heddle -n '__fish_seen_subcommand_from %s' -l %s",
		    s->command, o->name);
	if (o->letter)
		strbuf_addf(&s->to, " -s %c", o->letter);
	if (o->type == OPTION_CHOICE) {
		strbuf_add(&s->to, " -x -a '");
		add_words(&s->to, o->arg, ' ');
		strbuf_add_char(&s->to, '\'');
	} else if (o->type != OPTION_FLAG) {
		strbuf_add(&s->to, is_file(o) ? " -r -F" : " -x");
	}
	strbuf_add(&s->to, " -d '");
	add_quoted(&s->to, o->help);
	strbuf_add(&s->to, "'\n");
}

static void fish_command(const struct cli_options *spec, void *arg)
{
	each_option(spec, arg, fish_option);
}

static void write_fish(struct script *s)
{
	strbuf_add(&s->to, "# heddle for fish; made by heddle completion fish\n");
	for (const struct cli_command *c = cli_commands; c->name; c++) {
		strbuf_addf(&s->to, "complete -c heddle -n __fish_use_subcommand -f -a '%s' -d '",
			    c->name);
		add_quoted(&s->to, c->summary);
		strbuf_add(&s->to, "'\n");
	}
	strbuf_add(&s->to,
		   "complete -c heddle -n __fish_use_subcommand -f -a help -d 'help on a command'\n"
		   "complete -c heddle -n '__fish_seen_subcommand_from completion' -f "
		   "-a 'bash zsh fish'\n");
	each_command(s, fish_command);
}

int cmd_completion_run(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*write)(struct script *s);
	} shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
	struct script s = {.to = STRBUF_INIT};
	struct err e = ERR_INIT;
	int nothing, rest, rc = cli_options_parse(&options, &nothing, argc, argv, &rest, &e);

	if (rc == 0 && rest + 1 != argc)
		rc = err_set(&e, ERR_USAGE, "one shell: bash, zsh or fish");
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (strcmp(argv[rest], shells[i].name) == 0)
			shells[i].write(&s);
	if (!s.to.length) {
		err_set(&e, ERR_USAGE, "'%s' is not bash, zsh or fish", argv[rest]);
		return cli_exit_options(&options, ERR_USAGE, &e);
	}
	fputs(s.to.text, stdout);
	strbuf_free(&s.to);
	return CLI_CLEAN;
}
