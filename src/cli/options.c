#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/conf.h"
#include "cli/near.h"

#define HELP_COLUMN 26
#define HELP_WIDTH 96

/* Options every command has; their values go to no struct. */
const struct cli_option cli_options_common[] = {
	{0, "config", OPTION_STRING, 0, NULL, 0, 0, "FILE|none",
	 "defaults of the project [the nearest heddle.conf; also HEDDLE_CONF]"},
	{0, "log", OPTION_STRING, 0, NULL, 0, 0, "DOMAIN:LEVEL,...",
	 "diagnostics of heddle itself on stderr (also HEDDLE_LOG)"},
	{'h', "help", OPTION_FLAG, 0, NULL, 0, 0, NULL, "this text"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

int cli_options_uint(const char *text, uint64_t *value, struct err *e)
{
	char *end;

	errno = 0;
	if (!isdigit((unsigned char)text[0]))
		return err_set(e, ERR_USAGE, "'%s' is not a number", text);
	*value = strtoull(text, &end, 0);
	if (*end != '\0')
		return err_set(e, ERR_USAGE, "'%s' is not a number", text);
	if (errno == ERANGE)
		return err_set(e, ERR_USAGE, "'%s' is too large", text);
	return 0;
}

int cli_options_duration(const char *text, uint64_t *ns, struct err *e)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"m", 60e9}, {"h", 3600e9}};
	char *end;
	double number;

	if (!isdigit((unsigned char)text[0]) && text[0] != '.')
		return err_set(e, ERR_USAGE, "'%s' is not a time (examples: 10, 1.5s, 200ms, 5m)",
			       text);
	number = strtod(text, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		if (!isfinite(number) || number * units[i].ns > 1e18)
			return err_set(e, ERR_USAGE, "'%s' is too long a time", text);
		*ns = (uint64_t)(number * units[i].ns);
		return 0;
	}
	return err_set(e, ERR_USAGE, "'%s' is not a time (examples: 10, 1.5s, 200ms, 5m)", text);
}

/* Index of word in "a|b|c", -1 when it is not there. */
static int choice_index(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (int i = 0;; i++) {
		size_t n = strcspn(words, "|");

		if (n == length && strncmp(words, word, n) == 0)
			return i;
		if (words[n] == '\0')
			return -1;
		words += n + 1;
	}
}

static int check_range(const struct cli_option *o, const char *text, uint64_t value, struct err *e)
{
	if ((o->min == 0 && o->max == 0) || (value >= o->min && value <= o->max))
		return 0;
	if (o->type == OPTION_DURATION)
		return err_set(e, ERR_USAGE, "--%s: %s is out of range", o->name, text);
	return err_set(e, ERR_USAGE, "--%s: %s is not between %llu and %llu", o->name, text,
		       (unsigned long long)o->min, (unsigned long long)o->max);
}

static int store_number(const struct cli_option *o, uint64_t *slot, const char *text, struct err *e)
{
	int rc = o->type == OPTION_UINT ? cli_options_uint(text, slot, e)
					: cli_options_duration(text, slot, e);

	if (rc != 0)
		return err_wrap(e, "--%s", o->name);
	return check_range(o, text, *slot, e);
}

static int store_choice(const struct cli_option *o, int *slot, const char *text, struct err *e)
{
	*slot = choice_index(o->arg, text);
	if (*slot < 0)
		return err_set(e, ERR_USAGE, "--%s: '%s' is not one of %s", o->name, text, o->arg);
	return 0;
}

static int store_value(const struct cli_option *o, void *into, const char *text, struct err *e)
{
	void *slot = (char *)into + o->offset;

	switch (o->type) {
	case OPTION_FLAG:
		*(bool *)slot = true;
		return 0;
	case OPTION_UINT:
	case OPTION_DURATION:
		return store_number(o, slot, text, e);
	case OPTION_STRING:
		*(const char **)slot = text;
		return 0;
	case OPTION_CHOICE:
		return store_choice(o, slot, text, e);
	}
	return err_set(e, ERR_INTERNAL, "option --%s has no type", o->name);
}

static const struct cli_option *find_long(const struct cli_option *table, const char *name,
					  size_t length)
{
	for (; table->name; table++)
		if (strlen(table->name) == length && strncmp(table->name, name, length) == 0)
			return table;
	return NULL;
}

static const struct cli_option *find_letter(const struct cli_option *table, char letter)
{
	for (; table->name; table++)
		if (table->letter == letter)
			return table;
	return NULL;
}

static bool is_common(const struct cli_option *o)
{
	return o >= cli_options_common &&
	       o < cli_options_common + sizeof(cli_options_common) / sizeof(*cli_options_common);
}

static int apply(const struct cli_option *o, void *into, const char *text, struct err *e)
{
	if (!is_common(o))
		return store_value(o, into, text, e);
	if (o->letter == 'h')
		return CLI_OPTIONS_HELP;
	if (strcmp(o->name, "config") == 0)
		return 0; /* read_conf() has seen it */
	if (log_configure(text) != 0)
		return err_set(e, ERR_USAGE, "--log: '%s' is not of the form run:2,trace:1", text);
	return 0;
}

static int unknown_option(const struct cli_options *spec, const char *name, size_t length,
			  struct err *e)
{
	struct cli_near near = {.to = name, .length = length};

	for (const struct cli_option *o = spec->table; o->name; o++)
		cli_near_try(&near, o->name);
	for (const struct cli_option *o = cli_options_common; o->name; o++)
		cli_near_try(&near, o->name);
	if (near.best)
		return err_set(e, ERR_USAGE, "unknown option --%.*s; did you mean --%s?",
			       (int)length, name, near.best);
	return err_set(e, ERR_USAGE, "unknown option --%.*s (see heddle %s --help)", (int)length,
		       name, spec->command);
}

/* One word "--name", "--name=value" or "--name value"; raises *at past what it used. */
static int parse_long(const struct cli_options *spec, void *into, char **argv, int *at,
		      struct err *e)
{
	const char *name = argv[*at] + 2;
	const char *value = strchr(name, '=');
	size_t length = value ? (size_t)(value - name) : strlen(name);
	const struct cli_option *o = find_long(spec->table, name, length);

	if (!o)
		o = find_long(cli_options_common, name, length);
	if (!o)
		return unknown_option(spec, name, length, e);
	(*at)++;
	if (o->type == OPTION_FLAG)
		return value ? err_set(e, ERR_USAGE, "--%s takes no value", o->name)
			     : apply(o, into, NULL, e);
	if (value)
		return apply(o, into, value + 1, e);
	if (!argv[*at])
		return err_set(e, ERR_USAGE, "--%s needs a value", o->name);
	return apply(o, into, argv[(*at)++], e);
}

/* One word "-x", "-xVALUE", "-x VALUE" or several flags "-xy". */
static int parse_short(const struct cli_options *spec, void *into, char **argv, int *at,
		       struct err *e)
{
	const char *word = argv[*at] + 1;

	(*at)++;
	for (; *word; word++) {
		const struct cli_option *o = find_letter(spec->table, *word);
		int rc;

		if (!o)
			o = find_letter(cli_options_common, *word);
		if (!o)
			return err_set(e, ERR_USAGE, "unknown option -%c (see heddle %s --help)",
				       *word, spec->command);
		if (o->type != OPTION_FLAG) {
			const char *value = word[1] ? word + 1 : argv[*at];

			if (!value)
				return err_set(e, ERR_USAGE, "-%c needs a value", *word);
			*at += word[1] == '\0';
			return apply(o, into, value, e);
		}
		rc = apply(o, into, NULL, e);
		if (rc != 0)
			return rc;
	}
	return 0;
}

static int set_defaults(const struct cli_options *spec, void *into, struct err *e)
{
	for (const struct cli_option *o = spec->table; o->name; o++) {
		int rc = o->fallback ? store_value(o, into, o->fallback, e) : 0;

		if (rc != 0)
			return err_wrap(e, "default of --%s", o->name);
	}
	return 0;
}

static cli_options_visitor_fn visitor;
static void *visitor_arg;

void cli_options_visit(cli_options_visitor_fn fn, void *arg)
{
	visitor = fn;
	visitor_arg = arg;
}

int cli_options_visited(void)
{
	return visitor != NULL;
}

const struct cli_option *cli_options_find(const struct cli_options *spec, const char *name)
{
	const struct cli_option *o = find_long(spec->table, name, strlen(name));

	return o ? o : find_long(cli_options_common, name, strlen(name));
}

/*
 * --config stands before what it changes, wherever the user wrote it among the options.  A command
 * may have an option of that name itself.
 */
static const char *find_config(const struct cli_options *spec, int argc, char **argv)
{
	if (find_long(spec->table, "config", strlen("config")))
		return NULL;
	for (int i = 1; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++) {
		if (strncmp(argv[i], "--config=", 9) == 0)
			return argv[i] + 9;
		if (strcmp(argv[i], "--config") == 0)
			return argv[i + 1];
	}
	return NULL;
}

static int store_flag(const struct cli_option *o, void *into, const char *text, struct err *e)
{
	static const char *const words[] = {"no", "off", "false", "0", "yes", "on", "true", "1"};

	for (size_t i = 0; i < 8; i++)
		if (strcmp(text, words[i]) == 0) {
			*(bool *)((char *)into + o->offset) = i >= 4;
			return 0;
		}
	return err_set(e, ERR_USAGE, "--%s: '%s' is not yes or no", o->name, text);
}

static int apply_entry(const struct cli_options *spec, void *into, const struct cli_conf *conf,
		       const struct cli_conf_entry *entry, struct err *e)
{
	const struct cli_option *o = find_long(spec->table, entry->name, strlen(entry->name));
	int rc;

	if (!o)
		rc = unknown_option(spec, entry->name, strlen(entry->name), e);
	else if (o->type == OPTION_FLAG)
		rc = store_flag(o, into, entry->value, e);
	else
		rc = store_value(o, into, entry->value, e);
	return rc == 0 ? 0 : err_wrap(e, "%s:%u", conf->path, entry->line);
}

static int read_conf(const struct cli_options *spec, void *into, int argc, char **argv,
		     struct err *e)
{
	const struct cli_conf *conf;
	int rc = cli_conf_get(find_config(spec, argc, argv), &conf, e);

	for (size_t i = 0; rc == 0 && i < conf->entries.count; i++)
		if (strcmp(conf->entries.items[i].command, spec->command) == 0)
			rc = apply_entry(spec, into, conf, &conf->entries.items[i], e);
	return rc;
}

int cli_options_parse(const struct cli_options *spec, void *into, int argc, char **argv, int *rest,
		      struct err *e)
{
	int at = 1, rc;

	if (visitor) {
		visitor(spec, visitor_arg);
		return CLI_OPTIONS_HELP;
	}
	rc = set_defaults(spec, into, e);
	if (rc == 0)
		rc = read_conf(spec, into, argc, argv, e);

	while (rc == 0 && at < argc && argv[at][0] == '-' && argv[at][1] != '\0') {
		if (strcmp(argv[at], "--") == 0) {
			at++;
			break;
		}
		if (argv[at][1] == '-')
			rc = parse_long(spec, into, argv, &at, e);
		else
			rc = parse_short(spec, into, argv, &at, e);
	}
	*rest = at;
	return rc;
}

/* Adds text from column on, broken at spaces. */
static void add_wrapped(struct strbuf *to, const char *text, size_t column)
{
	size_t at = column;

	while (*text) {
		size_t word = strcspn(text, " ");

		if (at > column && at + 1 + word > HELP_WIDTH) {
			strbuf_addf(to, "\n%*s", (int)column, "");
			at = column;
		} else if (at > column) {
			strbuf_add_char(to, ' ');
			at++;
		}
		strbuf_add_bytes(to, text, word);
		at += word;
		text += word;
		text += strspn(text, " ");
	}
	strbuf_add_char(to, '\n');
}

static void help_option(const struct cli_option *o, struct strbuf *to)
{
	struct strbuf left = STRBUF_INIT, right = STRBUF_INIT;

	if (o->letter)
		strbuf_addf(&left, "  -%c, --%s", o->letter, o->name);
	else
		strbuf_addf(&left, "      --%s", o->name);
	if (o->type != OPTION_FLAG)
		strbuf_addf(&left, "=%s", o->arg ? o->arg : "VALUE");
	strbuf_add(to, left.text);
	if (left.length + 2 > HELP_COLUMN)
		strbuf_addf(to, "\n%*s", HELP_COLUMN, "");
	else
		strbuf_addf(to, "%*s", (int)(HELP_COLUMN - left.length), "");
	strbuf_add(&right, o->help);
	if (o->fallback && o->fallback[0])
		strbuf_addf(&right, " [%s]", o->fallback);
	add_wrapped(to, right.text, HELP_COLUMN);
	strbuf_free(&left);
	strbuf_free(&right);
}

void cli_options_help(const struct cli_options *spec, struct strbuf *to)
{
	strbuf_addf(to, "usage: heddle %s [options] %s\n\n", spec->command, spec->operands);
	add_wrapped(to, spec->about, 0);
	strbuf_add(to, "\noptions (defaults in brackets):\n");
	for (const struct cli_option *o = spec->table; o->name; o++)
		help_option(o, to);
	/* A command may have an option of its own by a common name. */
	for (const struct cli_option *o = cli_options_common; o->name; o++)
		if (!find_long(spec->table, o->name, strlen(o->name)))
			help_option(o, to);
}
