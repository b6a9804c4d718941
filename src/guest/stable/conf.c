#include "guest/stable/conf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "guest/stable/msg.h"
#include "guest/stable/os.h"

struct conf conf = {
	.policy = CONF_LOCAL,
	.r_ns = 3000,
	.spin = CONF_SPIN_AUTO,
	.soba_default = 20,
	.soba = 1,
	.pcs = 1,
	.clamp = 1,
	.clamp_max = 1000000,
	.stacks = 8,
	.stall = 10,
	.state = 1,
	.omp = 1,
};

struct word {
	const char *text;
	int64_t value;
};

static const struct word words_policy[] = {
	{"rr", CONF_RR},     {"batch", CONF_BATCH},   {"local", CONF_LOCAL}, {"fence", CONF_FENCE},
	{"fcfs", CONF_FCFS}, {"serial", CONF_SERIAL}, {"off", CONF_OFF},     {NULL, 0}};
static const struct word words_idle[] = {{"pace", CONF_PACE}, {"ff", CONF_FF}, {NULL, 0}};
static const struct word words_unit[] = {{"rounds", CONF_ROUNDS}, {"turns", CONF_TURNS}, {NULL, 0}};
static const struct word words_iso[] = {
	{"warn", CONF_ISO_WARN}, {"abort", CONF_ISO_ABORT}, {"off", CONF_ISO_OFF}, {NULL, 0}};
static const struct word words_deadlock[] = {{"exit", CONF_DEADLOCK_EXIT},
					     {"abort", CONF_DEADLOCK_ABORT},
					     {"hang", CONF_DEADLOCK_HANG},
					     {NULL, 0}};
static const struct word words_pcs[] = {
	{"lazy", CONF_PCS_LAZY}, {"quiesce", CONF_PCS_QUIESCE}, {NULL, 0}};
static const struct word words_exit[] = {
	{"hold", CONF_EXIT_HOLD}, {"release", CONF_EXIT_RELEASE}, {NULL, 0}};
static const struct word words_spin[] = {
	{"auto", CONF_SPIN_AUTO}, {"only", CONF_SPIN_ONLY}, {NULL, 0}};
static const struct word words_pcs_exit[] = {{"nondet", 0}, {"det", 64}, {NULL, 0}};
static const struct word words_state[] = {{"free", 0}, {"order", 1}, {NULL, 0}};
static const struct word words_none[] = {{NULL, 0}};

/* A setting is a number, a word, or (words == NULL) a path. */
struct setting {
	const char *name;
	void *at;
	const struct word *words;
};

static const struct setting settings[] = {
	{"POLICY", &conf.policy, words_policy},
	{"MODE", &conf.policy, words_policy},
	{"IDLE", &conf.idle, words_idle},
	{"SOBA_UNIT", &conf.soba_unit, words_unit},
	{"ISO", &conf.iso, words_iso},
	{"ON_DEADLOCK", &conf.on_deadlock, words_deadlock},
	{"PCS_MODE", &conf.pcs_mode, words_pcs},
	{"PCS_EXIT", &conf.pcs_exit, words_pcs_exit},
	{"EXIT", &conf.exit, words_exit},
	{"SPIN", &conf.spin, words_spin},
	{"R_NS", &conf.r_ns, words_none},
	{"SOBA_DEFAULT", &conf.soba_default, words_none},
	{"SOBA", &conf.soba, words_none},
	{"PCS", &conf.pcs, words_none},
	{"HASH", &conf.hash, words_none},
	{"HASH_ALL", &conf.hash_all, words_none},
	{"PROFILE", &conf.profile, words_none},
	{"STACKS", &conf.stacks, words_none},
	{"VTIME", &conf.vtime, words_none},
	{"CLAMP", &conf.clamp, words_none},
	{"CLAMP_MAX", &conf.clamp_max, words_none},
	{"DELAY", &conf.delay, words_none},
	{"STALL", &conf.stall, words_none},
	{"OMP", &conf.omp, words_none},
	{"STATE", &conf.state, words_state},
	{"DEPTH", &conf.depth, words_none},
	{"LOG", conf.log, NULL},
	{"REPLAY", conf.replay, NULL},
	{"HINTS", conf.hints, NULL},
	{"CTL", conf.ctl, NULL},
	{"NESTED", conf.nested, NULL},
};

static bool same_name(const char *a, const char *b, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		char c = b[i] >= 'a' && b[i] <= 'z' ? (char)(b[i] - 32) : b[i];
		if (c == '-')
			c = '_';
		if (a[i] != c)
			return false;
	}
	return a[bytes] == 0;
}

static bool parse_number(const char *text, int64_t *value)
{
	char *end;
	long parsed = strtol(text, &end, 10);
	if (end == text || *end || parsed < 0)
		return false;
	*value = parsed;
	return true;
}

static bool assign(const struct setting *s, const char *value)
{
	if (!s->words) {
		if (strlen(value) >= CONF_PATH_BYTES)
			return false;
		strcpy(s->at, value);
		return true;
	}
	for (const struct word *w = s->words; w->text; w++) {
		if (strcmp(w->text, value) == 0) {
			*(int64_t *)s->at = w->value;
			return true;
		}
	}
	/* Words stand for small numbers; only a setting that also takes a quantity accepts one. */
	if (s->words[0].text && s->at != &conf.spin && s->at != &conf.pcs_exit)
		return false;
	return parse_number(value, s->at);
}

static void set(const char *name, size_t bytes, const char *value, const char *where)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (!same_name(settings[i].name, name, bytes))
			continue;
		if (!assign(&settings[i], value))
			msg_say("%s: bad value '%s' for %s", where, value, settings[i].name);
		return;
	}
	char copy[64];
	size_t n = bytes < sizeof(copy) - 1 ? bytes : sizeof(copy) - 1;
	memcpy(copy, name, n);
	copy[n] = 0;
	msg_say("%s: unknown setting '%s'", where, copy);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void parse_line(char *line, const char *path)
{
	char *comment = strchr(line, '#');
	if (comment)
		*comment = 0;
	while (is_space(*line))
		line++;
	if (!*line)
		return;
	char *equals = strchr(line, '=');
	if (!equals) {
		msg_say("%s: not 'name = value': %s", path, line);
		return;
	}
	char *end = equals;
	while (end > line && is_space(end[-1]))
		end--;
	char *value = equals + 1;
	while (is_space(*value))
		value++;
	char *tail = value + strlen(value);
	while (tail > value && is_space(tail[-1]))
		*--tail = 0;
	set(line, (size_t)(end - line), value, path);
}

static void read_file(const char *path, bool required)
{
	static char text[16384];
	int fd = os_open(path, O_RDONLY, 0);
	if (fd < 0) {
		if (required)
			msg_say("cannot read configuration file %s", path);
		return;
	}
	long bytes = sys_read(fd, text, sizeof(text) - 1);
	sys_close(fd);
	text[bytes > 0 ? bytes : 0] = 0;
	for (char *line = text; line && *line;) {
		char *next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		parse_line(line, path);
		line = next;
	}
}

void conf_init(char **environment)
{
	static const char prefix[] = "HEDDLE_STABLE_";
	const size_t skip = sizeof(prefix) - 1;
	const char *path = NULL;
	for (char **e = environment; e && *e; e++) {
		if (strncmp(*e, "HEDDLE_STABLE_CONF=", skip + 5) == 0)
			path = *e + skip + 5;
	}
	read_file(path ? path : "heddle-stable.conf", path != NULL);
	for (char **e = environment; e && *e; e++) {
		if (strncmp(*e, prefix, skip) || strncmp(*e + skip, "CONF=", 5) == 0)
			continue;
		const char *equals = strchr(*e, '=');
		set(*e + skip, (size_t)(equals - *e) - skip, equals + 1, "environment");
	}
	if (conf.r_ns < 1)
		conf.r_ns = 1;
	if (conf.depth > CONF_DEPTH_MAX)
		conf.depth = CONF_DEPTH_MAX;
	if (conf.stacks > 32)
		conf.stacks = 32;
}
