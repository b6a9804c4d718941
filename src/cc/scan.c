#include "cc/scan.h"

#include <string.h>

#include "base/strbuf.h"
#include "instr/flavor.h"

enum form { EXACT, PREFIX, SEPARATE, EITHER };
#define CC_PASSED ((enum cc_class) - 1)
#define OPTION_CLASS_PASS CC_PASSED
#define OPTION_CLASS_DEPS CC_DEPS
#define OPTION_CLASS_FRONT CC_FRONT
#define OPTION_CLASS_LINKER CC_LINKER
#define OPTION_CLASS_ALL CC_ALL

static const struct option {
	const char *text;
	enum form form;
	enum cc_class class;
} options[] = {
#define X(text, form, class) {text, form, OPTION_CLASS_##class},
#include "cc/options.def"
#undef X
};

struct cursor {
	struct cc_scan *s;
	size_t at; /* next word */
	const char *language;
	bool only_inputs; /* after "--" */
};

static bool starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool ends(const char *text, const char *suffix)
{
	size_t n = strlen(text), m = strlen(suffix);

	return n >= m && !strcmp(text + n - m, suffix);
}

static bool is_source(const struct cc_scan *s, const char *path, const char *language)
{
	static const char *const languages[] = {"c", "c++", "cpp-output", "c++-cpp-output"};
	static const char *const suffixes[] = {".c",   ".i",   ".cc", ".cp", ".cxx", ".cpp",
					       ".CPP", ".c++", ".C",  ".CC", ".ii"};

	if (language) {
		for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
			if (!strcmp(language, languages[i]))
				return true;
		return false;
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (ends(path, suffixes[i]))
			return true;
	return false;
}

static bool is_header(const char *path, const char *language)
{
	if (language)
		return ends(language, "-header");
	return ends(path, ".h") || ends(path, ".hh") || ends(path, ".hpp") || ends(path, ".hxx");
}

static void add(struct cursor *c, enum cc_class class, const char *text, const char *value)
{
	struct cc_arg arg = {class, text, value, NULL};

	vec_push(&c->s->args, arg);
}

static void add_input(struct cursor *c, const char *path)
{
	struct cc_arg arg = {CC_INPUT, path, NULL, c->language};

	if (is_source(c->s, path, c->language)) {
		arg.class = CC_SOURCE;
		c->s->sources++;
	} else if (is_header(path, c->language)) {
		c->s->mode = CC_PASS;
	}
	c->s->inputs++;
	vec_push(&c->s->args, arg);
}

static const char *next_word(struct cursor *c, const char *option, struct err *e)
{
	if (c->at < c->s->words.count)
		return c->s->words.items[c->at++];
	err_set(e, ERR_USAGE, "argument to '%s' is missing", option);
	return NULL;
}

static void set_mode(struct cc_scan *s, enum cc_mode mode)
{
	/* -S wins over -c, as in the compiler; what is passed on stays passed on. */
	if (s->mode == CC_PASS || s->mode >= CC_EXTRACT ||
	    (s->mode == CC_ASSEMBLE && mode == CC_COMPILE))
		return;
	s->mode = mode;
}

/* Options of the wrapper itself and those it must act on; false when word is none of them. */
static bool scan_own(struct cursor *c, const char *word, struct err *e, int *rc)
{
	struct cc_scan *s = c->s;
	const char *value;

	*rc = 0;
	if (!strcmp(word, "-c")) {
		set_mode(s, CC_COMPILE);
	} else if (!strcmp(word, "-S")) {
		set_mode(s, CC_ASSEMBLE);
	} else if (starts(word, "-o") && !starts(word, "-objc")) {
		value = word[2] ? word + 2 : next_word(c, "-o", e);
		*rc = value ? 0 : ERR_USAGE;
		s->output = value;
	} else if (starts(word, "-x")) {
		value = word[2] ? word + 2 : next_word(c, "-x", e);
		*rc = value ? 0 : ERR_USAGE;
		c->language = value && strcmp(value, "none") ? value : NULL;
	} else if (starts(word, "--flavor=")) {
		s->flavor = word + 9;
	} else if (!strcmp(word, "--mark=all")) {
		s->mark_all = true;
	} else if (starts(word, "--elements=")) {
		s->elements = word + 11;
	} else if (!strcmp(word, "--help")) {
		s->mode = CC_HELP;
	} else if (!strcmp(word, "--extract-bitcode") || !strcmp(word, "--derive")) {
		s->extract = next_word(c, word, e);
		*rc = s->extract ? 0 : ERR_USAGE;
		s->mode = word[2] == 'd' ? CC_DERIVE : CC_EXTRACT;
	} else if (starts(word, "-flto") || starts(word, "-fno-lto") || starts(word, "-fthinlto") ||
		   !strcmp(word, "-ffat-lto-objects") || !strcmp(word, "-fwhole-program-vtables")) {
		if (starts(word, "-flto"))
			vec_push(&s->warnings, "-flto is left out: objects must hold machine code");
	} else if (!strcmp(word, "-static") || !strcmp(word, "--static")) {
		vec_push(&s->warnings, "-static is left out: the program needs libheddle.so");
	} else if (!strcmp(word, "-static-pie")) {
		vec_push(&s->warnings, "-static-pie is left out: the program needs libheddle.so");
		add(c, CC_LINKER, "-pie", NULL);
	} else {
		return false;
	}
	return true;
}

/* Facts about options that otherwise go their way. */
static void note(struct cc_scan *s, const char *word)
{
	if (starts(word, "-O"))
		s->optimize = strcmp(word, "-O0") != 0;
	else if (starts(word, "-g") && !starts(word, "-gcc") && !starts(word, "-gno-") &&
		 !starts(word, "-grecord"))
		s->debug = strcmp(word, "-g0") && strcmp(word, "-ggdb0");
	else if (!strcmp(word, "-MD") || !strcmp(word, "-MMD"))
		s->deps = true;
	else if (starts(word, "-MF"))
		s->deps_file = true;
	else if (starts(word, "-MT") || starts(word, "-MQ"))
		s->deps_target = true;
	else if (!strcmp(word, "-r"))
		s->relocatable = true;
	else if (!strcmp(word, "-v"))
		s->verbose = true;
}

static const struct option *find_option(const char *word)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const struct option *o = &options[i];
		bool whole = o->form == EXACT || o->form == SEPARATE;

		if (whole ? !strcmp(word, o->text) : starts(word, o->text))
			return o;
	}
	return NULL;
}

static int scan_word(struct cursor *c, const char *word, struct err *e)
{
	const struct option *o;
	const char *value = NULL;
	int rc;

	if (c->only_inputs || word[0] != '-' || !word[1]) {
		add_input(c, word);
		return 0;
	}
	if (!strcmp(word, "--")) {
		c->only_inputs = true;
		return 0;
	}
	if (scan_own(c, word, e, &rc))
		return rc;
	note(c->s, word);
	o = find_option(word);
	if (o && (o->form == SEPARATE || (o->form == EITHER && !strcmp(word, o->text)))) {
		value = next_word(c, word, e);
		if (!value)
			return ERR_USAGE;
	}
	if (o && o->class == CC_PASSED)
		c->s->mode = CC_PASS;
	else
		add(c, o ? o->class : CC_ALL, word, value);
	return 0;
}

static int unknown_flavor(const char *name, struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	const struct instr_flavor *f;

	for (unsigned i = 0; (f = instr_flavor_at(i)); i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", f->name);
	err_set(e, ERR_USAGE, "flavor '%s' is not available (there is: %s)", name, names.text);
	strbuf_free(&names);
	return ERR_USAGE;
}

static int check(const struct cc_scan *s, struct err *e)
{
	if (!instr_flavor_find(s->flavor))
		return unknown_flavor(s->flavor, e);
	if (s->output && s->inputs > 1 && (s->mode == CC_COMPILE || s->mode == CC_ASSEMBLE))
		return err_set(e, ERR_USAGE,
			       "cannot specify -o when generating multiple output files");
	if ((s->mode == CC_EXTRACT || s->mode == CC_DERIVE) && !s->output)
		return err_set(e, ERR_USAGE, "%s needs -o FILE",
			       s->mode == CC_EXTRACT ? "--extract-bitcode" : "--derive");
	return 0;
}

int cc_scan(struct cc_scan *s, bool cxx, char *const argv[], struct err *e)
{
	struct cursor c = {.s = s};
	int rc;

	memset(s, 0, sizeof(*s));
	s->cxx = cxx;
	s->flavor = INSTR_FLAVOR_DEFAULT;
	for (size_t i = 0; argv[i]; i++) {
		rc = response_expand(argv[i], &s->words, e);
		if (rc)
			return rc;
	}
	while (c.at < s->words.count) {
		const char *word = s->words.items[c.at++];

		rc = scan_word(&c, word, e);
		if (rc)
			return rc;
	}
	if (!s->inputs && s->mode < CC_EXTRACT)
		s->mode = CC_PASS;
	return check(s, e);
}

void cc_scan_fini(struct cc_scan *s)
{
	for (size_t i = 0; i < s->words.count; i++)
		free(s->words.items[i]);
	vec_free(&s->words);
	vec_free(&s->args);
	vec_free(&s->warnings);
}
