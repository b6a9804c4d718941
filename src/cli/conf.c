#include "cli/conf.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"

#define LARGEST ((size_t)1 << 20)

void cli_conf_fini(struct cli_conf *c)
{
	for (size_t i = 0; i < c->entries.count; i++) {
		free(c->entries.items[i].command);
		free(c->entries.items[i].name);
		free(c->entries.items[i].value);
	}
	vec_free(&c->entries);
	free(c->path);
	c->path = NULL;
}

static char *trim(char *text)
{
	char *end;

	text += strspn(text, " \t\r");
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text;
}

static int bad_line(const char *path, unsigned line, struct err *e)
{
	return err_set(e, ERR_USAGE, "%s:%u: neither \"[COMMAND]\" nor \"OPTION = VALUE\"", path,
		       line);
}

static int take_line(struct cli_conf *c, char *line, unsigned number, char **section, struct err *e)
{
	struct cli_conf_entry entry = {.line = number};
	char *equals = strchr(line, '=');
	size_t n = strlen(line);

	if (line[0] == '[') {
		if (n < 3 || line[n - 1] != ']')
			return bad_line(c->path, number, e);
		line[n - 1] = '\0';
		*section = trim(line + 1);
		return 0;
	}
	if (!equals)
		return bad_line(c->path, number, e);
	if (!*section)
		return err_set(e, ERR_USAGE, "%s:%u: before the first \"[COMMAND]\"", c->path,
			       number);
	*equals = '\0';
	entry.command = xstrdup(*section);
	entry.name = xstrdup(trim(line));
	entry.value = xstrdup(trim(equals + 1));
	vec_push(&c->entries, entry);
	return 0;
}

int cli_conf_parse(struct cli_conf *c, const char *path, char *text, struct err *e)
{
	char *section = NULL;
	unsigned number = 0;
	int rc = 0;

	c->path = xstrdup(path);
	while (rc == 0 && *text) {
		char *next = text + strcspn(text, "\n"), *line;

		if (*next)
			*next++ = '\0';
		number++;
		line = trim(text);
		if (*line && *line != '#')
			rc = take_line(c, line, number, &section, e);
		text = next;
	}
	return rc;
}

/* Could somebody else have put it there? */
static bool is_trusted(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_uid == getuid() || st.st_uid == 0) && !(st.st_mode & 022);
}

/* NULL when there is none from here up. */
static char *find_file(void)
{
	char *dir = getcwd(NULL, 0);

	while (dir) {
		char *path = fs_join(dir, CLI_CONF_NAME), *slash = strrchr(dir, '/');

		if (fs_exists(path) && is_trusted(path)) {
			free(dir);
			return path;
		}
		if (fs_exists(path))
			fprintf(stderr,
				"heddle: warning: %s is not read: it is not yours, or others may "
				"write it\n",
				path);
		free(path);
		if (!slash || !dir[1])
			break;
		slash[slash == dir] = '\0';
	}
	free(dir);
	return NULL;
}

static int read_file(struct cli_conf *c, const char *path, struct err *e)
{
	char *text = NULL;
	size_t bytes;
	int rc = fs_read_file(path, LARGEST, &text, &bytes, e);

	if (rc == 0 && strlen(text) != bytes)
		rc = err_set(e, ERR_USAGE, "%s: not a text", path);
	if (rc == 0)
		rc = cli_conf_parse(c, path, text, e);
	free(text);
	return rc;
}

int cli_conf_get(const char *given, const struct cli_conf **out, struct err *e)
{
	static struct cli_conf conf;
	static bool done;
	const char *variable = getenv(CLI_CONF_ENV);
	const char *asked = given ? given : variable && variable[0] ? variable : NULL;
	char *path;
	int rc = 0;

	*out = &conf;
	if (done)
		return 0;
	done = true;
	if (asked && strcmp(asked, "none") == 0)
		return 0;
	path = asked ? xstrdup(asked) : find_file();
	if (path)
		rc = read_file(&conf, path, e);
	free(path);
	return rc;
}
